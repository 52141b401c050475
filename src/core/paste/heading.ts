// A line without codes: is it a heading, and of which denomination? It is understood as a whole or not at all: one word
// more than is known, a second number that could be a denomination, and it is asked about instead. Nothing is guessed.
import { lexLine, type Lexed } from './lexer.ts';
import { SENDER, namesOther } from './items.ts';
import { findSpent, WORDS, type Lexicon } from './lexicon.ts';
import { readNumbers, type LineNumbers } from './numbers.ts';

/** `asked`: looks like a heading and is not understood; `behind`: only where codes of another have come before. */
export interface HeadingReading {
  denomination?: number | undefined;
  asked?: 'always' | 'behind' | undefined;
  /** Its numbers count: `total: 2`. */
  counts?: true;
}

const LONGEST_HEADING = 160;
const MOST_LEXEMES = 60;
/** In characters; of what names something else without a number. */
const LONGEST_NAME = 120;
/** A line of more words and numbers is prose. */
const SHORT = 5;
const MOST_NAMING = 12;
const MOST_SPENT = 8;

export function readHeading(
  line: string,
  lexed: Lexed,
  numbers: LineNumbers,
  lexicon: Lexicon,
): HeadingReading {
  const words = lexed.lexemes.flatMap(({ kind, word }) => (kind === 'word' ? [word] : []));
  if (line.length <= LONGEST_HEADING) {
    if (isSection(words)) return { asked: 'always' };
    const behind = withoutOpening(lexed);
    const found =
      understand(lexed, numbers, lexicon) ??
      (behind && understand(behind, readNumbers(behind, lexicon), lexicon, { certain: true }));
    if (found !== undefined) return { denomination: found };
  }
  const { quantities, unknown } = numbers;
  const mayName = !/\p{N}/u.test(line) && line.length <= LONGEST_NAME && isName(words);
  const asked = askAbout(lexed, numbers, lexicon) ?? (mayName ? 'behind' : undefined);
  const counts = asked === 'behind' && unknown.length === 0 && quantities.every(({ isCount }) => isCount);
  return { asked, ...(counts && { counts }) };
}

/** What stands behind who sent it, and behind `Hello,`. */
function withoutOpening({ shown, text, lexemes }: Lexed): Lexed | undefined {
  const sent = SENDER.exec(text)?.[0].length ?? 0;
  const isSent = sent > 0 && !namesOther(lexemes.filter(({ end }) => end <= sent));
  const first = lexemes.findIndex(({ kind, word, text: mark, start }) => {
    if (isSent) return start >= sent;
    return kind === 'word' ? !WORDS.greeting.has(word) : !',.!'.includes(mark);
  });
  return first > 0 ? { shown, text, lexemes: lexemes.slice(first) } : undefined;
}

/** Numbers that count, as words of their own: `10pcs`, `5k`. */
const COUNTED = new Set([...WORDS.units, ...WORDS.times, ...WORDS.thousand, ...WORDS.codes]);

/**
 * Whether a word with letters and digits is an amount or a heading of its own, such as `UC1800`, `660x100`, `10pcs`.
 */
export function isHeadingLike(word: string, lexicon: Lexicon): boolean {
  if (word.length > 32) return false;
  const lexed = lexLine(word);
  const { lexemes } = lexed;
  const [first, second] = lexemes;
  if (lexemes.length === 2 && first?.kind === 'number' && COUNTED.has(second?.word ?? '')) return true;
  if (lexemes.length === 2 && WORDS.times.has(first?.text ?? '') && second?.kind === 'number') return true;
  if (lexemes.every(({ kind }) => !['word', 'number', 'mark'].includes(kind))) return true;
  const { quantities, values, unknown } = readNumbers(lexed, lexicon);
  // A single letter that is a word of some language says nothing within a word.
  const isLoose = lexemes.some(
    ({ kind, text }) =>
      kind === 'word' &&
      text.length === 1 &&
      !WORDS.times.has(text) &&
      !WORDS.thousand.has(text) &&
      !lexicon.isCurrency(text),
  );
  if (unknown.length > 0 || isLoose) return false;
  return values.some((value) => lexicon.isDenomination(value)) || quantities.some(({ certain }) => certain);
}

function understand(
  { lexemes }: Lexed,
  { quantities, unknown }: LineNumbers,
  lexicon: Lexicon,
  only: { certain?: true } = {},
): number | undefined {
  const amounts = quantities.filter(({ isCount }) => !isCount);
  const [first] = amounts;
  if (first === undefined || unknown.length > 0 || lexemes.length > MOST_LEXEMES) return undefined;
  const isOne = amounts.every(({ value }) => value === first.value) && lexicon.isDenomination(first.value);
  const isCertain = amounts.some(({ certain }) => certain);
  // `60 codes, 325 rub`: sixty of something that costs 325?
  const isSold = lexemes.some(({ kind }) => kind === 'money') && amounts.some(({ isOfCodes }) => isOfCodes);
  return isOne && (isCertain || (!isSold && !only.certain)) ? first.value : undefined;
}

/** Whether a line that is not understood looks like a heading. */
function askAbout(
  { text, lexemes }: Lexed,
  { quantities, values, hasCurrency, unknown }: LineNumbers,
  lexicon: Lexicon,
): HeadingReading['asked'] {
  const words = lexemes.filter(({ kind }) => kind === 'word');
  const isShort = lexemes.filter(({ kind }) => kind === 'word' || kind === 'number').length <= SHORT;
  if (hasCurrency)
    return values.length === 0 && unknown.every(({ kind }) => kind !== 'word') ? 'behind' : 'always';
  if (values.some((value) => lexicon.isDenomination(value))) return 'always';
  const amounts = quantities.filter(({ isCount }) => !isCount);
  if (amounts.length > 0) {
    if (!isShort && !hasShape(text)) return undefined;
    // `100 codes` under `660 UC`.
    return amounts.length === 1 && amounts[0]?.isOfCodes ? 'behind' : 'always';
  }
  if (quantities.length > 0) return 'behind';
  if (/(?![0-9])\p{N}/u.test(text)) return isShort ? 'always' : undefined;
  const isNaming = words.length > 0 && isShort && !words.every(({ word }) => WORDS.codes.has(word));
  return isNaming && hasShape(text) ? 'behind' : undefined;
}

/** `Next ones:`, `=== more ===`, `[others]`. */
const hasShape = (text: string): boolean =>
  /:\s*$|^\s*[^\p{L}\p{N}\s][^]*[^\p{L}\p{N}\s.!?,)]\s*$/u.test(text);

/** Whether words without a number could name what the codes under them are for: `Royal pass`, `the smaller ones`. */
function isName(words: readonly string[]): boolean {
  if (words.length > MOST_NAMING || words.some((word) => WORDS.chatter.has(word))) return false;
  return words.some((word) => !WORDS.side.has(word) || WORDS.changing.has(word));
}

/** A line without codes calls those below it used or broken. */
export const isSection = (words: readonly string[]): boolean =>
  words.length <= MOST_SPENT && findSpent(words) !== undefined;
