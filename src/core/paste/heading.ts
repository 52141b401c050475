// A line without codes: is it a heading, and of which denomination? It is understood as a whole or not at all: one word more than
// is known, a second number that could be a denomination, and it is asked about instead. Nothing is guessed.
import { PHRASES, WORDS, type Lexicon } from './lexicon.ts';
import { readNumbers, type Reckoning } from './numbers.ts';
import { cutPieces, MOMENT, type Cut, type Piece } from './pieces.ts';

/** `asked`: looks like a heading and is not understood; `behind`: only where codes of another have come before. */
export interface HeadingReading {
  denomination?: number;
  certain?: boolean;
  asked?: 'always' | 'behind';
  /** Its numbers count: `total: 2`. */
  counts?: true;
}

const LONGEST_HEADING = 160;
const MOST_PIECES = 60;
/** In characters; of what names something else without a number. */
const LONGEST_NAME = 120;
/** A line of more words and numbers is prose. */
const SHORT = 5;
const MOST_NAMING = 12;
const MOST_SPENT = 8;
const MOST_NAMES = 3;

export function readHeading(line: string, cut: Cut, reckoning: Reckoning, lexicon: Lexicon): HeadingReading {
  const words = cut.pieces.filter(({ kind }) => kind === 'word').map(({ word }) => word);
  const isShort = line.length <= LONGEST_HEADING && cut.pieces.length <= MOST_PIECES;
  if (line.length <= LONGEST_HEADING && readSection(words) === 'spent') return { asked: 'always' };
  const found = isShort ? understand(cut, reckoning, lexicon) : undefined;
  if (found) return found;
  const opened = isShort ? withoutOpening(cut, lexicon) : undefined;
  const behind = opened && understand(opened, readNumbers(opened.text, opened.pieces, lexicon), lexicon);
  if (behind?.certain) return behind;
  if (isAskedAbout(cut, reckoning, lexicon, true)) return { asked: 'always' };
  if (!/\p{N}/u.test(line) && line.length <= LONGEST_NAME && mayName(words)) return { asked: 'behind' };
  if (!isAskedAbout(cut, reckoning, lexicon, false)) return {};
  const { figures, unknown } = reckoning;
  const counts = !unknown && figures.every(({ role }) => role === 'count');
  return { asked: 'behind', ...(counts && { counts }) };
}

/** What stands behind `Hello,`, and behind the time and the sender of a message, `[12.11.2026 10:45] Ivan:`. */
function withoutOpening(cut: Cut, lexicon: Lexicon): Cut | undefined {
  const { pieces } = cut;
  const isTimed = pieces.slice(0, 2).some(({ text }) => text === MOMENT);
  const isKnown = ({ word, text }: Piece) =>
    lexicon.isSide(word) || lexicon.isCurrency(text) || KNOWN.some((list) => list.has(word));
  const sender = pieces.findIndex(({ text }) => text === ':' || text === '：');
  const names = pieces.slice(0, Math.max(sender, 0)).filter(({ kind }) => kind === 'word');
  const isSender =
    isTimed &&
    pieces
      .slice(0, sender)
      .every(({ kind, text }) => kind === 'word' || '[](),-–—'.includes(text) || text === MOMENT) &&
    names.length > 0 &&
    names.length <= MOST_NAMES &&
    !names.some(isKnown);
  const greeted = pieces.findIndex(({ kind, word, text }) =>
    kind !== 'word' ? !',.!'.includes(text) : !WORDS.greeting.has(word),
  );
  const from = isSender ? sender + 1 : greeted;
  return from > 0 ? { ...cut, pieces: pieces.slice(from) } : undefined;
}
const KNOWN = [
  WORDS.others,
  WORDS.status,
  WORDS.amounts,
  WORDS.codes,
  WORDS.chatter,
  WORDS.denied,
  WORDS.changing,
];

/** Whether a word with letters and digits is an amount or a heading of its own, such as `UC1800`, `660x100`, `10pcs`. */
export function isHeadingLike(word: string, lexicon: Lexicon): boolean {
  if (word.length > 32) return false;
  const { text, pieces } = cutPieces(word);
  const [first, second] = pieces;
  if (pieces.length === 2 && first?.kind === 'number' && second?.kind === 'word') {
    const { word: unit } = second;
    if (
      WORDS.units.has(unit) ||
      WORDS.times.has(unit) ||
      WORDS.thousand.has(unit) ||
      (WORDS.codes.has(unit) && unit.length > 1)
    )
      return true;
  }
  if (pieces.length === 2 && WORDS.times.has(first?.text ?? '') && second?.kind === 'number') return true;
  if (pieces.every(({ kind }) => kind === 'sense')) return true;
  const { figures, numbers, unknown } = readNumbers(text, pieces, lexicon);
  if (unknown || pieces.some((piece) => piece.kind === 'word' && isLooseLetter(piece, lexicon))) return false;
  return numbers.some((value) => lexicon.isDenomination(value)) || figures.some(({ certain }) => certain);
}

/** A single letter that is a word of some language says nothing within a word. */
const isLooseLetter = ({ text }: Piece, { isCurrency }: Lexicon): boolean =>
  text.length === 1 && !WORDS.times.has(text) && !WORDS.thousand.has(text) && !isCurrency(text);

function understand(
  { hasMoney }: Cut,
  { figures, unknown }: Reckoning,
  lexicon: Lexicon,
): HeadingReading | undefined {
  const amounts = figures.filter(({ role }) => role === 'amount');
  const [first] = amounts;
  if (first === undefined || unknown) return undefined;
  if (amounts.some(({ value }) => value !== first.value) || !lexicon.isDenomination(first.value))
    return undefined;
  const certain = amounts.some((amount) => amount.certain);
  // `60 codes, 325 rub`: sixty of something that costs 325?
  if (hasMoney && !certain && amounts.some(({ isOfCodes }) => isOfCodes)) return undefined;
  return { denomination: first.value, ...(certain && { certain }) };
}

function isAskedAbout(
  { text, pieces }: Cut,
  { figures, numbers, hasCurrency }: Reckoning,
  lexicon: Lexicon,
  fresh: boolean,
): boolean {
  const named = pieces.filter(({ kind }) => kind === 'word' || kind === 'number');
  const words = named.filter(({ kind }) => kind === 'word');
  const amounts = figures.filter(({ role }) => role === 'amount');
  const allKnown = words.every(
    ({ word, text: written }) => lexicon.isSide(word) || lexicon.isCurrency(written),
  );
  if (hasCurrency && !(fresh && numbers.length === 0 && allKnown)) return true;
  if (numbers.some((value) => lexicon.isDenomination(value))) return true;
  // `100 codes` under `660 UC`.
  if (fresh && amounts.length === 1 && amounts[0]?.isOfCodes) return false;
  if (amounts.length > 0) return named.length <= SHORT || hasShape(text);
  if (figures.some(({ role }) => role === 'count')) return !fresh;
  if (/(?![0-9])\p{N}/u.test(text)) return named.length <= SHORT;
  if (fresh || words.length === 0 || words.length > SHORT) return false;
  return hasShape(text) && !words.every(({ word }) => WORDS.codes.has(word));
}

/** `Next ones:`, `=== more ===`, `[others]`. */
function hasShape(text: string): boolean {
  const trimmed = text.trim();
  if (/[:：]$/.test(trimmed)) return true;
  return /^[^\p{L}\p{N}\s]/u.test(trimmed) && /[^\p{L}\p{N}\s.!?,)]$/u.test(trimmed);
}

/** Whether words without a number could name what the codes under them are for: `Royal pass`, `the smaller ones`. */
function mayName(words: readonly string[]): boolean {
  if (words.length === 0 || words.length > MOST_NAMING) return false;
  if (words.some((word) => WORDS.chatter.has(word))) return false;
  return words.some((word) => !WORDS.side.has(word) || WORDS.changing.has(word));
}

/** A line without codes begins a section of used ones, or of others: `unused`, `not sold`. */
export function readSection(words: readonly string[]): 'spent' | 'unspent' | undefined {
  if (words.length > MOST_SPENT) return undefined;
  if (findSpent(words) !== undefined) return 'spent';
  return PHRASES.unspent(words) || PHRASES.spent(words) ? 'unspent' : undefined;
}

/** The word by which a text calls something used or broken; undefined where there is none, or it is denied. */
export function findSpent(words: readonly string[]): string | undefined {
  for (let from = 0; from < words.length;) {
    const found = PHRASES.spent(words.slice(from));
    if (!found) return undefined;
    const at = from + found.at;
    if (!isDenied(words, at)) return words.slice(at, at + found.length).join(' ');
    from = at + 1;
  }
  return undefined;
}

/** Right before such a word it says the opposite: `not used`, `ещё не активирован`, `to be redeemed`. */
function isDenied(words: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && at - before <= 2 && WORDS.between.has(words[before] ?? '')) before -= 1;
  if (WORDS.denied.has(words[before] ?? '')) return true;
  return PHRASES.hoped(words.slice(Math.max(0, at - 2), at)) !== undefined;
}
