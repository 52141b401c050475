// Filing: under which denomination each code of a text stands, line by line. What is not understood, and where two things contradict
// each other, leaves a code without one, with the words to ask about. Nothing is guessed.
import { isRounded, type Facts } from './facts.ts';
import type { Lexicon } from './lexicon.ts';
import type { Frame, Line } from './line.ts';
import { begin, beginSpent, fileCodes, isCounting, type Reading } from './line-codes.ts';
import { readRow, type Columns } from './table.ts';
import { shorten, type LineToken, type PasteToken, type Place } from './token.ts';

export const beginReading = (chosen: number | undefined): Reading => ({
  chosen,
  denomination: chosen,
  fresh: true,
  bare: undefined,
  foreign: undefined,
  spent: undefined,
  label: undefined,
  open: undefined,
  line: undefined,
  numbered: undefined,
});

/** Codes that wait for what stands below them. */
const MOST_WAITING = 1_000;

/** Files the lines of one text, see `createFactFinder`. */
export function createFiling(
  reading: Reading,
  facts: Facts,
  lexicon: Lexicon,
): { file(line: Line, continues: boolean, place: Place): PasteToken[]; end(): PasteToken[] } {
  // A heading in a message of its own is corrected by the next one; a label is of its own text.
  Object.assign(reading, { bare: undefined, label: undefined });
  const isRecords = facts.hasFields && facts.hasCodesFirst && facts.lastHeading !== undefined;
  const isBelow =
    facts.hasCodesFirst && facts.lastHeading !== undefined && facts.lastHeading !== reading.denomination;
  const below = isBelow || isRecords ? createBelow(isRecords) : undefined;
  let table: (Columns & { delimiter: string }) | undefined;
  if (below) reading.denomination = undefined;

  return {
    file(line, continues, place) {
      const { frame } = line;
      const header = frame.columns && { ...frame.columns, delimiter: frame.delimiter ?? '' };
      const isNamed = header?.codes.some(({ told }) => told === undefined);
      if (header && isNamed) table = header;
      const section = reading.spent;
      const row =
        table && !header && !continues
          ? readRow(line, table, { ...reading, statuses: facts.statuses })
          : undefined;
      const read = isNamed
        ? []
        : frame.items || row
          ? fileCodes(line, continues, row, { reading, facts, lexicon })
          : fileHeading(frame, place, reading, lexicon);
      const isSection = reading.spent !== undefined && reading.spent !== section;
      const isHeading = read.some(({ kind }) => kind === 'heading');
      // A heading ends columns of denominations; one that is not understood as a whole may begin others: `60; 325`.
      if (isHeading && table?.codes[0]?.told) table = undefined;
      if (isHeading && header && !frame.items) table = header;
      const corrected = facts.isCorrected ? read.map(forget) : read;
      const guarded = guardForeign(frame, corrected, reading);
      const said = isSection ? guarded : guardSpent(guarded, reading);
      const whole = facts.isRounded ? said.map(doubtRounded) : said;
      const tokens = whole.map((token): PasteToken => ({ ...token, ...place }));
      if (tokens.some(({ kind }) => kind === 'code')) reading.open = undefined;
      return below ? below.take(tokens, reading) : tokens;
    },
    end: () => below?.flush(undefined) ?? [],
  };
}

/** A line without codes, which may be a heading, or name what follows. */
function fileHeading(frame: Frame, place: Place, reading: Reading, lexicon: Lexicon): LineToken[] {
  const { text, denomination: told, asked, number } = frame;
  if (frame.section === 'empty') reading.bare = undefined;
  if (frame.section === 'spent') beginSpent(reading, text);
  if (frame.section === 'unspent') reading.spent = undefined;
  if (frame.isBlank) {
    if (reading.label?.isDigits !== undefined) reading.label = undefined;
    return [];
  }
  if (frame.label) {
    reading.label = frame.label === 'others' ? { text } : undefined;
    return [];
  }
  if (told === undefined && (asked === undefined || (asked === 'behind' && reading.fresh))) return [];
  if (
    number !== undefined &&
    isCounting({ kind: 'amount', text, value: number, leads: true }, reading, lexicon)
  )
    return [];
  reading.line = undefined;
  if (told !== undefined && reading.spent?.isWithin) {
    if (reading.fresh) reading.spent.isWithin = false;
    else reading.spent = undefined;
  }
  const { bare } = reading;
  // `660 UC`, `325 UC`, and codes only then: they could be of either.
  const isDoubtful = bare !== undefined && told !== undefined && bare.value !== told;
  const said = isDoubtful ? `${bare.text} / ${text}` : text;
  const value = isDoubtful ? undefined : told;
  const token = begin(reading, said, value);
  reading.bare = told === undefined ? bare : { value, text: said };
  if (value === undefined && !frame.corrects && !frame.counts && /\p{N}/u.test(said))
    reading.open = { text: said, place };
  return [token];
}

/** A number under a heading that nothing stands under is unaccounted for. */
export function tellOpen(reading: Reading): PasteToken[] {
  const { open } = reading;
  reading.open = undefined;
  return open ? [{ kind: 'unknown', text: open.text, ...open.place }] : [];
}

/**
 * Codes whose headings stand below them, or may: they wait. Fields of records, `PIN: CODE` and then `Value: 60 UC`, are of the codes
 * above them; of any other heading between codes nobody can tell, and codes are asked about by what stands above and below.
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

const forget = (token: LineToken): LineToken =>
  'denomination' in token ? { ...token, denomination: undefined } : token;

/** Zeros at its end are those of a spreadsheet. */
function doubtRounded(token: LineToken): LineToken {
  if (token.kind !== 'code' || !isRounded(token.code)) return token;
  return { ...token, denomination: undefined, own: '…000', isRounded: true };
}

/** Codes under the name of another game are asked about with that name, until this game or its currency is named again. */
function guardForeign(frame: Frame, tokens: LineToken[], reading: Reading): LineToken[] {
  const { theirs, text } = frame;
  const hasCodes = tokens.some(({ kind }) => kind === 'code' || kind === 'unknown');
  if (theirs !== undefined && !frame.items) {
    const said = shorten(text);
    Object.assign(reading, { foreign: said, denomination: undefined });
    return [{ kind: 'heading', text: said, denomination: undefined }];
  }
  if (theirs !== undefined) return tokens.map((token) => nameSection(token, theirs, true));
  const { foreign } = reading;
  if (foreign === undefined) return tokens;
  const { isOurs } = frame;
  if (isOurs) reading.foreign = undefined;
  if (isOurs && !hasCodes) return tokens;
  // Nothing that was told of the other game is told of what comes after it.
  reading.denomination = undefined;
  return tokens.map((token) => nameSection(token, foreign, false));
}

/** Codes of a section of used ones are asked about with its name, whatever heading stands below it. */
function guardSpent(tokens: LineToken[], reading: Reading): LineToken[] {
  const { spent } = reading;
  if (!spent) return tokens;
  reading.denomination = undefined;
  return tokens.map((token) => nameSection(token, spent.text, false));
}

/** `isNamed`: its own line names the other game. */
function nameSection(token: LineToken, name: string, isNamed: boolean): LineToken {
  if (token.kind === 'unknown') return token;
  if (token.kind === 'heading')
    return { ...token, text: putBefore(name, token.text), denomination: undefined };
  if (token.own !== undefined) return { ...token, denomination: undefined, own: putBefore(name, token.own) };
  return { ...token, denomination: undefined, own: isNamed ? name : undefined };
}

/** `Used: 60 UC`, `used, 60 UC`. */
const putBefore = (name: string, text: string) =>
  /[:：]$/u.test(name) ? `${name} ${text}` : `${name}, ${text}`;
