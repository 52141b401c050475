// Filing of one line under those above it: what a heading does, what stands under a label, what is called used or broken.
import type { Facts } from './columns.ts';
import type { Lexicon } from './lexicon.ts';
import { shorten, type Frame } from './frame.ts';
import type { Line } from './line.ts';
import { fileItems, isCounting, type LineReading } from './line-codes.ts';
import type { readRow, RowToken } from './rows.ts';
import type { Place } from './token.ts';

/** A token of a line, whose place is told by the caller. */
export type LineToken = RowToken | { kind: 'heading'; text: string; denomination: number | undefined };

/** What the texts so far have said; messages go on with it. */
export interface Reading extends LineReading {
  /** No code has come since the heading in force. */
  fresh: boolean;
  /** The headings since the last code; `value` undefined where they differ. */
  bare: { value: number | undefined; text: string } | undefined;
  /** The line that named another game, where that holds. */
  foreign: string | undefined;
  /** The line that began a section of used codes; `isWithin` a heading: the next one ends it. */
  spent: { text: string; isWithin: boolean } | undefined;
  /** A name of other things than codes stands above: `Order number:`. */
  label: { text: string; isDigits?: boolean } | undefined;
  /** A heading that was not understood, and no code has come under it. */
  open: { text: string; place: Place } | undefined;
}

const SHORTEST_BROKEN = 6;

/** A section of used codes stands above the headings that follow, or within the one in force. */
function beginSpent(reading: Reading, text: string): void {
  const { denomination, chosen } = reading;
  reading.spent = { text: shorten(text), isWithin: denomination !== undefined && denomination !== chosen };
}

function begin(reading: Reading, text: string, told: number | undefined): LineToken {
  Object.assign(reading, { denomination: told, fresh: true, bare: undefined, label: undefined });
  return { kind: 'heading', text: shorten(text), denomination: told };
}

/** A line without codes, which may be a heading, or name what follows. */
export function fileHeading(frame: Frame, place: Place, reading: Reading, lexicon: Lexicon): LineToken[] {
  const { text, denomination: told, asked, number } = frame;
  if (frame.isEmpty) reading.bare = undefined;
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

/** A line with codes, or with what was meant as such; `row`: it is one of a table. */
export function fileCodes(
  line: Line,
  continues: boolean,
  row: ReturnType<typeof readRow>,
  { reading, facts, lexicon }: { reading: Reading; facts: Facts; lexicon: Lexicon },
): LineToken[] {
  const { frame } = line;
  const before = reading.denomination;
  if (!continues) reading.line = undefined;
  const tokens: LineToken[] = row?.tokens ?? fileItems(line, reading, facts, lexicon);
  const opened =
    !row && reading.denomination !== before
      ? [begin(reading, reading.line?.text ?? frame.text, reading.denomination)]
      : [];
  if (row) reading.line = undefined;
  if (tokens.length > 0) Object.assign(reading, { fresh: false, bare: undefined });
  const said = underLabel(tokens, reading);
  const isOpen =
    !row && (isRowOfAnother(line, tokens, reading) || (opened.length === 0 && isBroken(line, reading)));
  const closing = isOpen ? [begin(reading, frame.text, undefined)] : [];
  const spent = row ? row.spent : frame.spent?.word;
  return [...opened, ...setSpentAside(said, spent, !row && frame.spent?.leads === true, reading), ...closing];
}

/** What stands under a name of other things is asked about by that; where its form changes, the name holds no more. */
function underLabel(tokens: LineToken[], reading: Reading): LineToken[] {
  const { label } = reading;
  const first = tokens.find((token) => token.kind === 'code');
  if (!label || !first) return tokens;
  const isDigits = /^[0-9]+$/.test(first.code);
  if (label.isDigits !== undefined && label.isDigits !== isDigits) reading.label = undefined;
  else label.isDigits = isDigits;
  if (!reading.label) return tokens;
  return tokens.map((token) =>
    token.kind === 'code' ? { ...token, denomination: undefined, own: token.own ?? label.text } : token,
  );
}

/** `325 CODE CODE` under `60 UC`: codes that follow could go on with either. */
function isRowOfAnother(
  { frame }: Line,
  tokens: readonly LineToken[],
  { line, denomination }: Reading,
): boolean {
  const isLed = frame.items?.[0]?.kind === 'amount' && tokens.length > 1;
  if (!isLed || denomination === undefined || line === undefined || line.denomination === denomination)
    return false;
  return tokens.every((token) => token.kind === 'code' && token.denomination === line.denomination);
}

/**
 * No code stands in it, and something that was meant as one: whether its amount was meant for the line alone, or what is too short
 * for a code was a heading, nobody can tell.
 */
function isBroken({ frame, slots }: Line, { line, denomination }: Reading): boolean {
  if (frame.items?.some(({ kind }) => kind === 'code')) return false;
  return (
    line !== undefined ||
    (denomination !== undefined && slots.length === 1 && (slots[0]?.length ?? 0) < SHORTEST_BROKEN)
  );
}

/** Codes that the paste itself calls used, sold or broken are asked about; `used: CODE` holds for what follows. */
function setSpentAside(
  tokens: LineToken[],
  spent: string | undefined,
  leads: boolean,
  reading: Reading,
): LineToken[] {
  const first = tokens.find((token) => token.kind === 'code');
  if (spent === undefined || !first) return tokens;
  const name = ({ denomination, own }: { denomination?: number | undefined; own?: string | undefined }) => {
    const what = denomination ?? own ?? reading.denomination;
    return what === undefined ? spent : `${what}, ${spent}`;
  };
  const asked = tokens.map((token) =>
    token.kind === 'code' ? { ...token, denomination: undefined, own: name(token) } : token,
  );
  if (!leads) return asked;
  const text = name(first);
  beginSpent(reading, spent);
  reading.denomination = undefined;
  return [{ kind: 'heading', text, denomination: undefined }, ...asked];
}
