// Filing: under which denomination each code of a text stands, line by line. What is not understood, and where two
// things contradict each other, leaves a code without one, with the words to ask about. Nothing is guessed.
import { slotTokens, type Amount, type Item } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Frame, PasteLine } from './line.ts';
import { readRow } from './table.ts';
import { columnOf, DIGITS, isRounded, type TextTraits } from './text-traits.ts';
import { shortenWords, type LineToken, type PasteToken, type PieceSpan, type RowToken } from './token.ts';

/** A denomination with the words that tell it; undefined where these are not clear. */
interface Said {
  denomination: number | undefined;
  text: string;
}

/**
 * A name that stands over all that follows: of another game, of used codes; `isWithin` a heading: the next one ends it.
 */
interface Section {
  kind: 'foreign' | 'spent';
  text: string;
  isWithin: boolean;
}

/** What the texts so far have said; messages go on with it. */
export interface Reading {
  /** What was chosen before anything was pasted. */
  chosen: number | undefined;
  /** Of the heading in force. */
  denomination: number | undefined;
  /** Said by the line that goes on in the next stretch. */
  line?: Said | undefined;
  /** The number the last line began with, and whether it numbers lines: 60 after 59 is no denomination. */
  numbered?: { value: number; counting: boolean } | undefined;
  /** No code has come since the heading in force. */
  fresh: boolean;
  /** The headings since the last code. */
  bare?: Said | undefined;
  sections: readonly Section[];
  /** A name of other things than codes stands above: `Order number:`. */
  label?: { text: string; isDigits?: boolean } | undefined;
  /** A heading that was not understood, and no code has come under it. */
  open?: { text: string; place: PieceSpan; reopens: boolean } | undefined;
  /** The last line ended in a code and in what e-mail cuts with: its rest may stand here. */
  cut?: string | undefined;
  hasCodes: boolean;
}

const SHORTEST_BROKEN = 6;
/** Codes that wait for what stands below them. */
const MOST_WAITING = 1_000;

export const beginReading = (chosen: number | undefined): Reading => ({
  chosen,
  denomination: chosen,
  fresh: true,
  sections: [],
  hasCodes: false,
});

/** Files the lines of one text, see `createTraitFinder`. */
export function createFiling(
  reading: Reading,
  traits: TextTraits,
  lexicon: Lexicon,
): { file(line: PasteLine, continues: boolean, place: PieceSpan): PasteToken[]; end(): PasteToken[] } {
  // A heading in a message of its own is corrected by the next one; a label is of its own text.
  Object.assign(reading, { bare: undefined, label: undefined });
  const isBelow = traits.hasCodesFirst && traits.lastHeading !== undefined;
  const below =
    isBelow && (traits.hasFields || traits.lastHeading !== reading.denomination)
      ? createBelow(traits.hasFields)
      : undefined;
  let table: Frame = { text: '' };
  let hasCodes = false;
  if (below) reading.denomination = undefined;

  return {
    file(line, continues, place) {
      const { frame } = line;
      const { sections } = reading;
      // Its columns are of one denomination each, or it names one of codes.
      const isOfDenominations = (header: Frame) => header.columns?.codes[0]?.told !== undefined;
      const isHeader = frame.columns !== undefined && !isOfDenominations(frame);
      const row =
        continues || frame.columns
          ? undefined
          : readRow(line, table, reading.denomination, traits.statuses, lexicon);
      if (isHeader) table = frame;
      let tokens: LineToken[] = [];
      if (frame.items || row) tokens = fileCodes(line, continues, row, { reading, traits, lexicon });
      else if (!isHeader) tokens = fileHeading(frame, place, reading, lexicon, hasCodes);
      // A heading ends columns of denominations; one that is not understood as a whole may begin others: `60; 325`.
      if (tokens.some(({ kind }) => kind === 'heading') && (frame.columns ?? isOfDenominations(table)))
        table = frame;
      tokens = nameForeign(frame, tokens, reading);
      for (const section of sections.filter((each) => reading.sections.includes(each))) {
        reading.denomination = undefined;
        tokens = tokens.map((token) => nameSection(token, section.text));
      }
      // Zeros at its end are those of a spreadsheet.
      if (traits.isRounded)
        tokens = tokens.map((token) =>
          token.kind === 'code' && isRounded(token.code)
            ? { ...token, denomination: undefined, good: undefined, own: '…000', isRounded: true }
            : token,
        );
      const { takenBack } = traits;
      if (takenBack !== undefined)
        tokens = tokens.map((token) =>
          isCode(token) && token.denomination !== undefined
            ? { ...token, denomination: undefined, own: `${token.denomination} / ${takenBack}` }
            : token,
        );
      if (tokens.some(({ kind }) => kind === 'code')) {
        [hasCodes, reading.hasCodes] = [true, true];
        reading.open = undefined;
      }
      const placed = tokens.map((token): PasteToken => ({ ...token, ...place }));
      return below ? below.take(placed, reading) : placed;
    },
    end: () => below?.flush(undefined) ?? [],
  };
}

/** A line without codes, which may be a heading, or name what follows; `hasCodes`: its text has some above it. */
function fileHeading(
  frame: Frame,
  place: PieceSpan,
  reading: Reading,
  lexicon: Lexicon,
  hasCodes: boolean,
): LineToken[] {
  const { text, denomination: told, asked, number: value } = frame;
  if (frame.isSection) beginSection(reading, 'spent', text);
  if (frame.label) reading.label = frame.label === 'others' ? { text } : undefined;
  if (frame.label) return [];
  // What takes back the codes of its own text is asked about with each of them.
  const takesBack = frame.reopens === true && reading.hasCodes;
  if (takesBack) reading.open = hasCodes ? undefined : { text, place, reopens: true };
  const isAsked = asked === 'always' || (asked === 'behind' && !reading.fresh);
  if (frame.isProse && !takesBack && told === undefined && reading.hasCodes)
    reading.open ??= { text, place, reopens: false };
  if (told === undefined && !isAsked) return [];
  if (value !== undefined && isCounting(value, reading, lexicon)) return [];
  // What is not used has a name of its own.
  if (told === undefined && reading.sections.some(({ kind }) => kind === 'spent'))
    beginSection(reading, 'spent', text);
  reading.line = undefined;
  const within = reading.sections.find(({ isWithin }) => isWithin);
  if (within && told !== undefined) {
    if (reading.fresh) within.isWithin = false;
    else endSection(reading, within.kind);
  }
  const { bare } = reading;
  // `660 UC`, `325 UC`, and codes only then: they could be of either.
  const isDoubtful = bare !== undefined && told !== undefined && bare.denomination !== told;
  const said = isDoubtful ? `${bare.text} / ${text}` : text;
  const denomination = isDoubtful ? undefined : told;
  const token = begin(reading, said, denomination);
  reading.bare = told === undefined ? bare : { denomination, text: said };
  if (denomination === undefined && !takesBack && !frame.counts && /\p{N}/u.test(said))
    reading.open = { text: said, place, reopens: false };
  return [token];
}

/** What is said last, with no code behind it, is unaccounted for; or it takes back all above it. */
export function takeOpen(reading: Reading): PasteToken[] {
  const { open } = reading;
  reading.open = undefined;
  if (!open) return [];
  const { text, place, reopens } = open;
  return [{ kind: 'unknown', text, ...(reopens && { reopens }), ...place }];
}

/**
 * Codes whose headings stand below them, or may: they wait. Fields of records, `PIN: CODE` and then `Value: 60 UC`, are
 * of the codes above them; of any other heading between codes nobody can tell, and codes are asked about by what stands
 * above and below.
 */
function createBelow(isRecords: boolean) {
  let waiting: PasteToken[] = [];
  let above: string | undefined;

  function flush(heading: { text: string; denomination: number | undefined } | undefined): PasteToken[] {
    const told = isRecords ? heading?.denomination : undefined;
    const text = isRecords ? heading?.text : [above ?? '…', heading?.text ?? '…'].join(' / ');
    const filed = waiting.map((token) =>
      token.kind === 'code' && token.own === undefined ? { ...token, denomination: told, own: text } : token,
    );
    waiting = [];
    above = heading?.text;
    return filed;
  }

  return {
    flush,
    take(tokens: PasteToken[], reading: Reading): PasteToken[] {
      return tokens.flatMap((token) => {
        if (token.kind === 'heading') {
          Object.assign(reading, { denomination: undefined, bare: undefined });
          return flush(token);
        }
        waiting.push(token);
        return waiting.length > MOST_WAITING ? flush(undefined) : [];
      });
    },
  };
}

/**
 * Codes under the name of another game are asked about with that name, until this game or its currency is named again.
 */
function nameForeign(
  { theirs, text, items, isOurs }: Frame,
  tokens: LineToken[],
  reading: Reading,
): LineToken[] {
  if (isOurs) endSection(reading, 'foreign');
  if (theirs === undefined) return tokens;
  if (items)
    return tokens.map((token): LineToken => {
      const named = nameSection(token, theirs);
      return named.kind === 'code' ? { ...named, own: named.own ?? theirs } : named;
    });
  beginSection(reading, 'foreign', text);
  reading.denomination = undefined;
  return [{ kind: 'heading', text: shortenWords(text), denomination: undefined }];
}

/** `Used: 60 UC`, `used, 60 UC`: a code is asked about with the name of its section, and so is a heading within it. */
function nameSection(token: LineToken, name: string): LineToken {
  if (token.kind === 'unknown') return token;
  const put = (text: string) => (/:$/.test(name.normalize('NFKC')) ? `${name} ${text}` : `${name}, ${text}`);
  if (token.kind === 'heading') return { ...token, text: put(token.text), denomination: undefined };
  const own = token.own === undefined ? undefined : put(token.own);
  return { ...token, denomination: undefined, good: undefined, own };
}

/** A section in the place of one of its kind. */
function beginSection(reading: Reading, kind: Section['kind'], text: string): void {
  const { denomination, chosen } = reading;
  const isWithin = kind === 'spent' && denomination !== undefined && denomination !== chosen;
  endSection(reading, kind);
  reading.sections = [...reading.sections, { kind, text: shortenWords(text), isWithin }];
}

function endSection(reading: Reading, kind: Section['kind']): void {
  reading.sections = reading.sections.filter((section) => section.kind !== kind);
}

function begin(reading: Reading, text: string, told: number | undefined): LineToken {
  Object.assign(reading, { denomination: told, fresh: true, bare: undefined, label: undefined });
  return { kind: 'heading', text: shortenWords(text), denomination: told };
}

/** A code is asked about, in these words. */
function doubt<Token extends LineToken>(token: Token, words: string | undefined): Token {
  if (token.kind !== 'code' || words === undefined || token.own === words) return token;
  const { denomination, good, own } = token;
  const all = own === undefined || denomination !== undefined ? words : `${own}, ${words}`;
  return { ...token, denomination: undefined, good: denomination ?? good, own: all };
}

const isCode = <Token extends LineToken>(token: Token): token is Extract<Token, { kind: 'code' }> =>
  token.kind === 'code';

/** A line with codes, or with what was meant as such; `row`: it is one of a table. */
function fileCodes(
  line: PasteLine,
  continues: boolean,
  row: ReturnType<typeof readRow>,
  { reading, traits, lexicon }: { reading: Reading; traits: TextTraits; lexicon: Lexicon },
): LineToken[] {
  const { frame } = line;
  const before = reading.denomination;
  if (!continues) reading.line = undefined;
  const read = row?.tokens ?? fileItems(line, reading, traits, lexicon);
  const isHeading = !row && reading.denomination !== before;
  const opened = isHeading ? [begin(reading, reading.line?.text ?? frame.text, reading.denomination)] : [];
  Object.assign(reading, { fresh: false, bare: undefined });
  const tokens = underLabel(askCut(read, frame, reading), reading).map((token, at) => {
    const isClear = !row && isCode(token) && (token.own === undefined || token.denomination !== undefined);
    const isDigits = traits.isMixed && isCode(token) && DIGITS.test(token.code);
    const form = isDigits ? '0–9' : traits.isMixed ? undefined : traits.pairs?.[at];
    return doubt(doubt(token, isClear ? form : undefined), traits.isMarked ? frame.mark : undefined);
  });
  const closing =
    !row && !isHeading && isOpen(line, tokens, reading) ? [begin(reading, frame.text, undefined)] : [];
  const spent = row ? row.spent : frame.spent?.word;
  if (spent === undefined) return [...opened, ...tokens, ...closing];
  const asked = tokens.map((token) =>
    isCode(token) && token.own?.includes(spent) ? token : doubt(token, spent),
  );
  const first = asked.find(isCode);
  if (row || !frame.spent?.leads || !first) return [...opened, ...asked, ...closing];
  // `used: CODE` holds for what follows.
  beginSection(reading, 'spent', spent);
  reading.denomination = undefined;
  return [...opened, { kind: 'heading', text: spent, denomination: undefined }, ...asked, ...closing];
}

/** `CODE=` and `CODE-` at the end of a line: e-mail cuts so, and what stands in the next line is the rest. */
function askCut(tokens: RowToken[], { cut }: Frame, reading: Reading): RowToken[] {
  const [first, last] = [reading.cut === undefined ? -1 : 0, cut === undefined ? -1 : tokens.length - 1];
  const words = cut ?? reading.cut;
  reading.cut = cut;
  return tokens.map((token, at) => (at === first || at === last ? doubt(token, words) : token));
}

/** What stands under a name of other things is asked about by that; where its form changes, the name holds no more. */
function underLabel(tokens: RowToken[], reading: Reading): RowToken[] {
  const { label } = reading;
  const first = tokens.find(isCode);
  if (!label || !first) return tokens;
  const isDigits = DIGITS.test(first.code);
  if ((label.isDigits ?? isDigits) !== isDigits) reading.label = undefined;
  else label.isDigits = isDigits;
  return reading.label
    ? tokens.map((token) => (isCode(token) && token.own ? token : doubt(token, label.text)))
    : tokens;
}

/**
 * Whether codes that follow could go on with the line or with the heading above it: `325 CODE CODE` under `60 UC`, or
 * nothing but what was meant as a code behind an amount, and what is too short for one.
 */
function isOpen(
  { frame, slots }: PasteLine,
  tokens: readonly RowToken[],
  { line, denomination }: Reading,
): boolean {
  if (!frame.items?.some(({ kind }) => kind === 'code'))
    return (
      line !== undefined ||
      (denomination !== undefined && slots.length === 1 && (slots[0]?.length ?? 0) < SHORTEST_BROKEN)
    );
  const isOther = line !== undefined && denomination !== undefined && line.denomination !== denomination;
  return (
    isOther &&
    tokens.length > 1 &&
    tokens.every((token) => isCode(token) && token.denomination === line.denomination)
  );
}

/** The number of a numbered line: 0 or 1, or one more than that of the numbered line before. */
function isCounting(value: number, reading: Reading, lexicon: Lexicon): boolean {
  const before = reading.numbered;
  const follows =
    value === (before?.value ?? NaN) + 1 && (before?.counting === true || !lexicon.isDenomination(value - 1));
  const counting = value <= 1 ? !lexicon.isDenomination(value) : follows;
  reading.numbered = { value, counting };
  return counting;
}

/**
 * Files the codes of a line. Amounts with their currency, or a colon, say what they say; a bare number counts lines, or
 * is a denomination, unless it contradicts the heading in force or its column. An amount with a colon is a heading for
 * what follows.
 */
function fileItems(line: PasteLine, reading: Reading, traits: TextTraits, lexicon: Lexicon): RowToken[] {
  const { items = [] } = line.frame;
  const columnFacts = (amount: Amount) => traits.numbers.get(columnOf(amount, items) ?? NaN);
  const amounts = items.filter((item) => item.kind === 'amount');
  const open = amounts.filter(
    (amount) =>
      !(amount === items[0] && !amount.certain && isCounting(amount.value, reading, lexicon)) &&
      !columnFacts(amount)?.isRising &&
      !amount.marker,
  );
  // The amounts that say something: the certain ones, those that open, else numbers that are denominations.
  const hasSure = open.some(({ certain }) => certain);
  const telling = open.filter(
    ({ certain, opens, value }) => certain ?? opens ?? (!hasSure && lexicon.isDenomination(value)),
  );
  const isDoubtful = areDoubtful(items, telling);
  const above = reading.line ? undefined : reading.denomination;
  const said = telling.map((amount): [Amount, Said] => {
    const { value, text, certain, opens } = amount;
    const contradicts = !certain && !opens && above !== undefined && above !== value;
    const isOdd = columnFacts(amount)?.hasOthers === true;
    const isTold = !isDoubtful && !contradicts && !isOdd && lexicon.isDenomination(value);
    return [
      amount,
      { denomination: isTold ? value : undefined, text: contradicts ? `${text} / ${above}` : text },
    ];
  });
  return assign(line, new Map(said), new Set(open), reading);
}

/** `660, 60: CODE`, `60 CODE CODE 325`: two amounts for the same codes. */
function areDoubtful(items: readonly Item[], telling: readonly Amount[]): boolean {
  const said = items.filter((item) => item.kind !== 'amount' || telling.includes(item));
  const differ = (one: Item | undefined, other: Item | undefined) =>
    one?.kind === 'amount' && other?.kind === 'amount' && one.value !== other.value;
  if (said.some((item, index) => differ(said[index - 1], item))) return true;
  const [first, last] = [said[0], said.at(-1)];
  // What stands in front is of what follows it: the last one has nothing left, unless it opens the next line.
  const before = said.slice(0, -1).findLast((item) => item.kind === 'amount');
  return first?.kind === 'amount' && last?.kind === 'amount' && !last.opens && differ(before, last);
}

/**
 * In order: an amount is of the codes after it where one begins the line, else of those before it; `open`: those that
 * are not understood where nothing is said by them.
 */
function assign(
  line: PasteLine,
  said: ReadonlyMap<Item, Said>,
  open: ReadonlySet<Item>,
  reading: Reading,
): RowToken[] {
  const { items = [] } = line.frame;
  const slots = slotTokens(line);
  const tokens: RowToken[] = [];
  const words: (string | undefined)[] = [];
  let forward =
    reading.line !== undefined || said.has(items.find((item) => item.kind !== 'amount' || said.has(item))!);
  let waiting = 0;
  for (const item of items) {
    const slot = item.kind === 'amount' ? undefined : slots.shift();
    if (slot) {
      const { denomination, text } = reading.line ?? { denomination: reading.denomination, text: undefined };
      tokens.push(isCode(slot) ? { ...slot, denomination, own: text } : slot);
      words.push(item.kind === 'code' ? item.beside : undefined);
    } else if (item.kind === 'amount') {
      const found = said.get(item);
      if (!found && open.has(item)) {
        tokens.push({ kind: 'unknown', text: item.text });
        words.push(undefined);
      }
      if (!found) continue;
      const { denomination, text } = found;
      forward ||= item.opens === true;
      if (forward) reading.line = found;
      else
        for (const token of tokens.slice(waiting))
          if (isCode(token) && token.own === undefined) Object.assign(token, { denomination, own: text });
      if (item.opens) reading.denomination = denomination;
      waiting = tokens.length;
    }
  }
  // `order #325: CODE`: nor is it known of what follows.
  const isVague = said.size > 0 && items[0]?.kind === 'amount' && words[0] !== undefined;
  if (isVague && [...said.keys()].some((item) => item.kind === 'amount' && !item.certain))
    reading.denomination = undefined;
  return tokens.map((token, at) => doubt(token, words[at]));
}
