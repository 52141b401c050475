// Frame of a line: all that stands around its codes, each run of characters with its sense.
import { findDelimiter, readCell, splitCells, type Cell } from './cells.ts';
import { findSpent, readHeading, readSection, type HeadingReading } from './heading.ts';
import { readTokens, senseOf, type Beside, type Item, type Token } from './items.ts';
import { foldWord, PHRASES, WORDS, type Lexicon } from './lexicon.ts';
import { readNumbers } from './numbers.ts';
import { cutPieces, type Cut } from './pieces.ts';

/** What a line says but for its codes. What is not so is left out: there are many of them. */
export interface Frame extends HeadingReading {
  /** Its words as they are shown. */
  text: string;
  /** Of a line with slots. */
  items?: Item[];
  beside?: Beside;
  /** Names what stands below it: codes, or other things, such as serial numbers. */
  label?: 'codes' | 'others';
  /** A denomination, named as such: `Value: 60 UC`. */
  isField?: true;
  /** By which word it calls its codes used or broken; `leads`: those that follow. */
  spent?: { word: string; leads?: true };
  /** Without codes: a section of used ones begins, or of others. */
  section?: 'spent' | 'unspent';
  isEmpty?: true;
  isBlank?: true;
  corrects?: true;
  theirs?: string;
  isOurs?: true;
  namesCurrency?: true;
  /** The only number of a line without codes, which may number what follows. */
  number?: number;
  delimiter?: string;
  cells?: Cell[];
}

const LONGEST_SHOWN = 64;
const LONGEST_PROSE = 160;
const PROSE: Frame = { text: '' };
const BLANK: Frame = { text: '', isBlank: true };
const SPENT_MARK = /[❌🚫⛔]|~~/u;
const MOST_LABEL = 5;

/** `line`: with a mark in the place of each code; none of its characters but blanks is in no token. */
export function readFrame(
  line: string,
  hasSlots: boolean,
  lexicon: Lexicon,
): { frame: Frame; tokens: readonly Token[] } {
  if (line.trim() === '') return { frame: BLANK, tokens: [] };
  const cut = cutPieces(line, { whole: hasSlots });
  const reckoning = readNumbers(cut.text, cut.pieces, lexicon);
  const text = shorten(line.replace(/[\ue000\ue001]/g, ' '));
  const said = readSaid(line, hasSlots, cut, lexicon);
  const cells = readCells(line, lexicon);
  if (hasSlots) {
    const { tokens, beside } = readTokens(line, cut, reckoning, lexicon, cells.delimiter);
    const items = tokens.flatMap(({ item }) => item ?? []);
    const frame = { text, ...said, ...cells, items, ...(beside && { beside }) };
    return { frame, tokens: setApart(tokens) };
  }
  const heading = readHeading(line, cut, reckoning, lexicon);
  const label = readLabel(cut, lexicon);
  const numbers = reckoning.figures.filter(({ certain }) => !certain);
  const number = numbers.length === 1 && reckoning.figures.length === 1 ? numbers[0]?.value : undefined;
  const isNumber =
    number !== undefined && cut.pieces.every(({ kind }) => kind === 'number' || kind === 'mark');
  const frame: Frame = {
    text,
    ...said,
    ...cells,
    ...heading,
    ...(label && { label }),
    ...(isNumber && { number }),
  };
  if (heading.denomination !== undefined && isField(cut)) frame.isField = true;
  if (reckoning.hasCurrency) frame.namesCurrency = true;
  // Most lines are nothing but prose.
  const isHeading = heading.denomination !== undefined || heading.asked !== undefined;
  const whole = label ? 'label' : isHeading ? 'heading' : undefined;
  const tokens = whole ? [{ from: 0, to: line.length, sense: whole } as const] : readProse(line, cut);
  return { frame: Object.keys(frame).length === 1 ? PROSE : frame, tokens };
}

/** A line that is nothing else; only its beginning was looked at. */
function readProse(line: string, { pieces }: Cut): Token[] {
  const tokens = pieces.map((piece): Token => ({ from: piece.from, to: piece.to, sense: senseOf(piece) }));
  const rest = tokens.at(-1)?.to ?? 0;
  return setApart([...tokens, { from: rest, to: line.length, sense: 'prose' }]);
}

/** `½` is one character, and more than one piece. */
function setApart(tokens: readonly Token[]): Token[] {
  let done = 0;
  return tokens.flatMap((token) => {
    const from = Math.max(token.from, done);
    if (from >= token.to) return [];
    done = token.to;
    return [{ ...token, from }];
  });
}

function readSaid(line: string, hasSlots: boolean, cut: Cut, lexicon: Lexicon): Partial<Frame> {
  const said: Partial<Frame> = {};
  const words = cut.pieces.filter(({ kind }) => kind === 'word').map(({ word }) => word);
  const spent = findSpent(words) ?? (hasSlots ? SPENT_MARK.exec(line)?.[0] : undefined);
  if (spent !== undefined && hasSlots)
    said.spent = { word: spent, ...(leads(cut, spent) && { leads: true }) };
  if (!hasSlots && line.length <= LONGEST_PROSE) {
    const section = readSection(words);
    if (PHRASES.empty(words)) said.isEmpty = true;
    else if (section) said.section = section;
  }
  if (!hasSlots && corrects(line, lexicon)) said.corrects = true;
  if (hasSlots || line.length <= LONGEST_PROSE) {
    const theirs = lexicon.theirs?.exec(line)?.[0];
    if (theirs !== undefined) said.theirs = theirs;
    if (theirs === undefined && lexicon.ours?.test(line)) said.isOurs = true;
  }
  return said;
}

/** `used: CODE`. */
function leads({ pieces }: Cut, spent: string): boolean {
  const first = pieces.findIndex(({ kind }) => kind === 'slot');
  const last = spent.split(' ').at(-1);
  const at = pieces.slice(0, first).findLastIndex(({ word }) => word === last);
  const next = pieces.slice(at + 1, first).find(({ text }) => !')]*_'.includes(text));
  return at !== -1 && (next?.text === ':' || next?.text === '：');
}

/** Names a denomination and says that something was wrong. */
function corrects(line: string, lexicon: Lexicon): boolean {
  if (
    !/[0-9]/.test(line) ||
    !(line.match(/[0-9]+/g) ?? []).some((digits) => lexicon.isDenomination(Number(digits)))
  )
    return false;
  const parts = (foldWord(line).match(/\p{L}+(?:['’]\p{L}+)*|[0-9]+/gu) ?? []).map((part) =>
    /[0-9]/.test(part) ? '#' : part,
  );
  return PHRASES.correction(parts) !== undefined;
}

/** Nothing but a name of codes, or of other things: `PIN`, `Order number:`. */
function readLabel({ pieces }: Cut, { isSide }: Lexicon): Frame['label'] {
  const words = pieces.filter(({ kind }) => kind === 'word').map(({ word }) => word);
  if (words.length === 0 || words.length > MOST_LABEL || pieces.some(({ kind }) => kind === 'number'))
    return undefined;
  if (pieces.some(({ kind }) => kind === 'sense' || kind === 'slot')) return undefined;
  if (
    words.every((word) => WORDS.codes.has(word) || isSide(word)) &&
    words.some((word) => WORDS.codes.has(word))
  )
    return 'codes';
  const isNamed = words.some((word) => WORDS.others.has(word) && !isSide(word));
  return isNamed && words.every((word) => WORDS.others.has(word) || isSide(word)) ? 'others' : undefined;
}

/** `Value: 60 UC`: a field of a record. */
function isField({ pieces }: Cut): boolean {
  const [first, second, third] = pieces;
  const mark = second?.kind === 'word' ? third : second;
  return (
    first?.kind === 'word' && WORDS.amounts.has(first.word) && mark !== undefined && /[:：=-]/.test(mark.text)
  );
}

function readCells(line: string, lexicon: Lexicon): Pick<Frame, 'cells' | 'delimiter'> {
  const delimiter = findDelimiter(line);
  if (delimiter === undefined) return {};
  return { delimiter, cells: splitCells(line, delimiter).map((cell) => readCell(cell, lexicon)) };
}

export function shorten(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_SHOWN ? trimmed : `${trimmed.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}

/** The frame of another number. */
export function renumber(frame: Frame, sample: string, number: string): Frame {
  const renumbered = (text: string) => text.replace(sample, number);
  const [first, ...others] = frame.items ?? [];
  const { cells, beside } = frame;
  const items: Item[] =
    first?.kind === 'amount'
      ? [{ ...first, text: renumbered(first.text), value: Number(number) }, ...others]
      : (frame.items ?? []);
  const [cell, ...rest] = cells ?? [];
  return {
    ...frame,
    text: renumbered(frame.text),
    items,
    ...(beside && { beside: { ...beside, text: renumbered(beside.text) } }),
    ...(cell && {
      cells: [
        {
          ...cell,
          text: renumbered(cell.text),
          ...(cell.number !== undefined && { number: Number(number) }),
        },
        ...rest,
      ],
    }),
  };
}
