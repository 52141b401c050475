// A line, read by itself, once: its codes, and the frame around them, read once for each that is different. Lines as
// they are kept beside their text. What a line means under those above it is filing.ts.
import { memoize } from '../memoize.ts';
import { createCodeFinder } from './codes.ts';
import { isSection, readHeading, type HeadingReading } from './heading.ts';
import { readLineItems, type Amount, type Item } from './items.ts';
import { lexLine, SLOTS, type Lexeme } from './lexer.ts';
import { findSpent, WORDS, wordsOf, type Lexicon } from './lexicon.ts';
import { readNumbers, type LineNumbers } from './numbers.ts';
import { readCells, type Cells } from './table.ts';
import { shortenWords } from './token.ts';

/** What a line says but for its codes. What is not so is left out: there are many of them. */
export interface Frame extends HeadingReading, Cells {
  /** Its words as they are shown. */
  text: string;
  /** Of a line with slots. */
  items?: Item[];
  /** The marks beside its codes: a tick, a cross, a heart. */
  mark?: string | undefined;
  /** Names what stands below it: codes, or other things, such as serial numbers. */
  label?: 'codes' | 'others' | undefined;
  /** A denomination, named as such: `Value: 60 UC`. */
  isField?: boolean;
  /** By which word it calls its codes used or broken; `leads`: those that follow. */
  spent?: { word: string; leads: boolean } | undefined;
  /** Without codes: it calls those below it used or broken. */
  isSection?: boolean;
  /** It names a denomination among words that are not known, or what became of codes: behind codes it takes them back. */
  reopens?: boolean;
  /** Words that say something, and none of it is known. */
  isProse?: boolean;
  /** It ends in a code and in what e-mail cuts with. */
  cut?: string | undefined;
  theirs?: string | undefined;
  isOurs?: boolean;
  /** The only number of a line without codes, which may number what follows. */
  number?: number | undefined;
}

/** A line as it is kept: its frame, and what stands in the slots of that, in order. */
export interface PasteLine {
  frame: Frame;
  slots: readonly string[];
}

/** A line in its text; `continues` the one before it: a very long line is read in parts. */
export interface TextLine {
  line: PasteLine;
  start: number;
  end: number;
  continues: boolean;
}

const MOST_FRAMES = 2_000;
const MOST_LABEL = 5;
const PROSE: Frame = { text: '' };
/** Whatever the codes around have. */
const STRUCK = /[❌🚫⛔✘✗]|~\ue000~/u;
const MARKS = /[\p{Extended_Pictographic}✓✕✗✘]|\[[xх]\]/giu;
const KNOWN = new Set([...WORDS.side, ...WORDS.others, ...WORDS.units]);
const OTHER_SENSES: ReadonlySet<string> = new Set(['address', 'time', 'phone', 'money']);
const CUT = /\ue000([=-])\s*$/u;
const UNTICKED = /[☐⬜◻◽▫]/gu;
/** A line that begins with a number by itself. */
const NUMBERED = /^(\d{1,6})(?![\w/]|[\s.,:'’-]?\d)/;

/** Reads lines one by one; none of them knows of another. */
export function createLineReader(lexicon: Lexicon): (line: string) => PasteLine {
  const takeCodes = createCodeFinder(lexicon);
  const frameOf = memoize((text) => readFrame(text, lexicon), MOST_FRAMES);
  const sample = ['7', '8', '9', '5'].find((digit) => !lexicon.isDenomination(Number(digit))) ?? '7';
  return (line) => {
    const { text, slots: found } = takeCodes(line);
    const slots = found.map((slot) => slot.text);
    const number = slots.length > 0 ? NUMBERED.exec(text)?.[1] : undefined;
    // Lines that differ in the number alone that they begin with have one frame but for that.
    const frame =
      number !== undefined && !lexicon.isDenomination(Number(number))
        ? frameOf(text.replace(number, sample))
        : undefined;
    const [first, ...items] = frame?.items ?? [];
    if (!frame || number === undefined || first?.kind !== 'amount' || frame.cells)
      return { frame: frameOf(text), slots };
    const counted: Amount = { ...first, text: first.text.replace(sample, number), value: Number(number) };
    return {
      frame: { ...frame, text: frame.text.replace(sample, number), items: [counted, ...items] },
      slots,
    };
  };
}

/** `line`: with a mark in the place of each code. */
function readFrame(written: string, lexicon: Lexicon): Frame {
  if (written.trim() === '') return PROSE;
  const theirs = lexicon.theirs?.exec(written)?.[0];
  const ours = theirs === undefined ? lexicon.ours?.exec(written)?.[0] : undefined;
  const hasSlots = written.search(SLOTS) !== -1;
  // Beside codes the name of a game says what it names, and nothing else.
  const name = hasSlots ? (theirs ?? ours) : undefined;
  const line = name === undefined ? written : written.replace(name, ' '.repeat(name.length));
  const lexed = lexLine(line, { whole: hasSlots });
  const { lexemes } = lexed;
  const numbers = readNumbers(lexed, lexicon);
  const words = lexemes.flatMap(({ kind, word }) => (kind === 'word' ? [word] : []));
  const text = shortenWords(written.replace(SLOTS, ' '));
  const isNamed = ours !== undefined;
  const common = { text, theirs, ...readCells(line, hasSlots, lexicon) };
  if (hasSlots) {
    const items = readLineItems(line, lexed, numbers, lexicon, common.delimiter);
    return {
      ...common,
      isOurs: isNamed,
      items,
      mark: readMark(line),
      cut: CUT.exec(line)?.[1],
      spent: readSpent(line, words),
    };
  }
  const heading = readHeading(line, lexed, numbers, lexicon);
  const isHeading = heading.denomination !== undefined;
  const frame: Frame = {
    ...common,
    ...heading,
    isOurs: isNamed || (numbers.hasCurrency && isHeading),
    label: readLabel(lexemes),
    isField: isHeading && isField(lexemes),
    isSection: isSection(words),
    reopens:
      findSpent(words) !== undefined ||
      (heading.asked === 'always' && numbers.values.some((value) => lexicon.isDenomination(value))),
    isProse:
      words.some((word) => !KNOWN.has(word)) &&
      !words.some((word) => WORDS.chatter.has(word)) &&
      lexemes.every(({ kind }) => !OTHER_SENSES.has(kind)),
    number: readNumber(lexemes, numbers),
  };
  // Most lines are nothing but prose.
  return Object.values({ ...frame, text: false }).some((said) => said !== undefined && said !== false)
    ? frame
    : PROSE;
}

/** `leads`: `used: CODE`. */
function readSpent(line: string, words: readonly string[]): Frame['spent'] {
  const word = findSpent(words) ?? STRUCK.exec(line)?.[0].replaceAll(/\ue000/g, '');
  if (word === undefined) return undefined;
  const [before = ''] = line.split(SLOTS, 1);
  return { word, leads: /:[\s"'`]*$/.test(before) && findSpent(wordsOf(before)) !== undefined };
}

const readMark = (line: string): string | undefined =>
  line.replace(UNTICKED, '').match(MARKS)?.join('').toLowerCase();

/** Nothing but a name of codes, or of other things: `PIN`, `Order number:`. */
function readLabel(lexemes: readonly Lexeme[]): Frame['label'] {
  const words = lexemes.flatMap(({ kind, word }) => (kind === 'mark' ? [] : [word]));
  if (words.length > MOST_LABEL) return undefined;
  const isAll = (list: ReadonlySet<string>) =>
    words.every((word) => list.has(word) || WORDS.side.has(word)) &&
    words.some((word) => list.has(word) && (list === WORDS.codes || !WORDS.side.has(word)));
  return isAll(WORDS.codes) ? 'codes' : isAll(WORDS.others) ? 'others' : undefined;
}

/** `Value: 60 UC`: a field of a record. */
const isField = ([first, ...rest]: readonly Lexeme[]): boolean =>
  WORDS.amounts.has(first?.word ?? '') && rest.slice(0, 2).some(({ text }) => /^[:=-]$/.test(text));

/** The number that is the whole line. */
function readNumber(
  lexemes: readonly Lexeme[],
  { quantities: [first, second] }: LineNumbers,
): number | undefined {
  const isAlone = !second && lexemes.every(({ kind }) => kind === 'number' || kind === 'mark');
  return isAlone && !first?.certain ? first?.value : undefined;
}

/** Another where the same line is read otherwise: what an earlier program kept is read again from the text. */
const VERSION = 4;

interface Kept {
  version: number;
  name?: string | undefined;
  frames: Frame[];
  /** Frame, start, end, 1 where it continues the line before, what fills it. */
  lines: [frame: number, start: number, end: number, continues: 0 | 1, ...slots: string[]][];
}

/** `name`: of the file. */
export function storeLines(lines: readonly TextLine[], name: string | undefined): string {
  const places = new Map<Frame, number>();
  const kept = lines.map(({ line: { frame, slots }, start, end, continues }): Kept['lines'][number] => {
    const place = places.get(frame) ?? places.size;
    places.set(frame, place);
    return [place, start, end, continues ? 1 : 0, ...slots];
  });
  return JSON.stringify({ version: VERSION, name, frames: [...places.keys()], lines: kept } satisfies Kept);
}

/** The lines as they were kept; undefined where an earlier program read them. */
export function restoreLines(json: string): { name: string | undefined; lines: TextLine[] | undefined } {
  const { version, name, frames, lines } = JSON.parse(json) as Kept;
  if (version !== VERSION) return { name, lines: undefined };
  const restored = lines.map(([place, start, end, continues, ...slots]): TextLine => {
    return { line: { frame: frames[place] ?? PROSE, slots }, start, end, continues: continues === 1 };
  });
  return { name, lines: restored };
}
