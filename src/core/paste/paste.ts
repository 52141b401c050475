// Free text to codes by denomination: what people paste into the chat and the files they send.
// Repeated codes are not removed and nothing is stored; a code is never changed.
import type { Game } from '../games.ts';
import { findFirst, findLastHeading, forget } from './below.ts';
import { findColumns, leaveOutColumns, readColumnRow } from './columns.ts';
import type { Columns } from './columns.ts';
import { isCorrected, takeBack } from './corrected.ts';
import { readLine } from './line.ts';
import { createForeignGuard, type ForeignGuard } from './foreign.ts';
import type { Reading } from './line-items.ts';
import { findBetween } from './seam.ts';
import { setSpentAside } from './spent.ts';
import { findTable, readRow } from './table.ts';
import type { Table } from './table.ts';
import type { PasteToken } from './token.ts';
import { createVocabulary } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';
import { cutIntoLines, PAUSE_EVERY_CHARACTERS } from './words.ts';
import type { Stretch } from './words.ts';

/** A message of the chat, or the decoded text of a file (see decodePaste). */
export interface PastePiece {
  kind: 'message' | 'file';
  text: string;
}

const PAUSE_EVERY_LINES = 100;
const PAUSE_EVERY_MESSAGES = 16;
const LONGEST_TAIL = 1_024;

/**
 * Reads pieces in order, lazily and in linear time: no step between two tokens takes more than a few milliseconds, so the
 * caller may stop anywhere. Never throws on any text.
 *
 * Codes are separated by anything but letters, digits and single marks between them. A heading (`60 UC`, `60:`) holds until
 * the next one, from message to message; one that is not understood, or that the game has no such denomination for, leaves
 * what follows without. A file begins with `options.denomination`, and after it the messages go on with their own last heading. The columns of a table
 * hold within one text, that is one file or messages that were cut from one another. Where one of the `others` is named, what follows is not
 * of this game.
 */
export function* readPaste(
  pieces: Iterable<PastePiece>,
  game: Game,
  options: { denomination?: number; others?: readonly Game[] },
): Generator<PasteToken> {
  const vocabulary = createVocabulary(game);
  const { denomination, others = [] } = options;
  const guard = createForeignGuard(game, others, vocabulary);
  const begin = (): Reading => ({
    denomination,
    fresh: true,
    bare: undefined,
    foreign: undefined,
    below: false,
    line: undefined,
    numbered: undefined,
  });
  const messages = begin();
  for (const text of joinMessages(pieces, vocabulary)) {
    if (text.kind === 'pause') yield text;
    else yield* readText(text, text.kind === 'message' ? messages : begin(), vocabulary, guard);
  }
}

/**
 * The text of an uploaded file: UTF-16 by its byte order mark, or without one by its zero bytes; UTF-8; where that is
 * invalid, windows-1252, which never fails.
 */
export function decodePaste(bytes: Uint8Array): string {
  const encoding = findUtf16(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const looked = Math.min(bytes.length, 4_096);
  for (let index = 0; index < looked; index += 1) {
    if (bytes[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (looked < 4 || Math.max(even, odd) < looked * 0.4 || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function* readText(
  { text, first, ends }: JoinedText,
  reading: Reading,
  vocabulary: Vocabulary,
  guard: ForeignGuard,
): Generator<PasteToken> {
  let table: Table | Columns | undefined;
  let lines = 0;
  let characters = 0;
  const find = createPlaces(first, ends);
  // A heading in a message of its own is corrected by the next one.
  Object.assign(reading, { bare: undefined, below: false });
  const last = findLastHeading(text, vocabulary);
  const corrected = isCorrected(text, vocabulary);
  let mayBeBelow = last !== undefined && last !== reading.denomination;
  for (const stretch of cutIntoLines(text, (word) => vocabulary.isCode(word))) {
    if (stretch.kind === 'pause') {
      yield stretch;
      continue;
    }
    const header = stretch.kind === 'line' ? findTable(stretch.text, vocabulary) : undefined;
    table = header ?? table;
    const read = header === undefined ? readStretch(stretch, table, reading, vocabulary) : [];
    const found = mayBeBelow ? findFirst(read) : undefined;
    if (found !== undefined) mayBeBelow = false;
    if (found === 'codes') Object.assign(reading, { below: true, denomination: undefined });
    const kept = found === 'codes' ? forget(read) : read;
    const tokens = guard(stretch.text, corrected ? takeBack(kept) : kept, reading);
    if (tokens.some(({ kind }) => kind === 'heading')) table = endColumns(table, stretch, vocabulary);
    if (tokens.length > 0) yield* find(stretch);
    yield* tokens;
    lines = tokens.length > 0 ? 0 : lines + 1;
    characters = tokens.length > 0 ? 0 : characters + stretch.text.length;
    if (lines >= PAUSE_EVERY_LINES || characters >= PAUSE_EVERY_CHARACTERS) {
      lines = 0;
      characters = 0;
      yield { kind: 'pause' };
    }
  }
}

type ReadStretch = Exclude<Stretch, { kind: 'pause' }>;

/** Tells in which pieces a stretch stands, where that is another place than before. */
function createPlaces(first: number, ends: readonly number[]): (stretch: ReadStretch) => PasteToken[] {
  let at = 0;
  let told = '';
  return (stretch) => {
    const end = stretch.kind === 'oversized' ? stretch.end : stretch.start + stretch.text.length;
    while (at < ends.length - 1 && (ends[at] ?? 0) <= stretch.start) at += 1;
    let last = at;
    while (last < ends.length - 1 && (ends[last] ?? 0) < end) last += 1;
    const place = { kind: 'place' as const, first: first + at, last: first + last };
    if (told === `${at}:${last}`) return [];
    told = `${at}:${last}`;
    return [place];
  };
}

function readStretch(
  stretch: ReadStretch,
  table: Table | Columns | undefined,
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  if (stretch.kind === 'oversized') {
    const denomination = reading.line === undefined ? reading.denomination : reading.line.denomination;
    return [{ kind: 'malformed', text: stretch.text, denomination }];
  }
  const isTable = table !== undefined && !stretch.continues;
  const columns = isTable && 'denominations' in table ? table : undefined;
  const row = !isTable
    ? undefined
    : 'denominations' in table
      ? readColumnRow(stretch.text, table, vocabulary)
      : readRow(stretch.text, table, reading.denomination, vocabulary);
  if (row !== undefined && row.length > 0) Object.assign(reading, { fresh: false, bare: undefined });
  // What stands in a cell beside its codes is asked about already.
  const said = row && columns ? leaveOutColumns(stretch.text, columns) : stretch.text;
  return setSpentAside(said, row ?? readLine(stretch, reading, vocabulary), reading);
}

/** A heading ends the columns before it; one that is not understood as a whole may begin others: `60; 325`. */
function endColumns(
  table: Table | Columns | undefined,
  stretch: ReadStretch,
  vocabulary: Vocabulary,
): Table | Columns | undefined {
  const columns = stretch.kind === 'line' ? findColumns(stretch.text, vocabulary) : undefined;
  return columns ?? (table && 'denominations' in table ? undefined : table);
}

/** One text of one or more pieces: `first` is the place of the first of them, `ends` where each of them ends in the text. */
interface JoinedText extends PastePiece {
  first: number;
  ends: readonly number[];
}

/** Messages that were one text before the client cut them, as one text again; files as they are. */
function* joinMessages(
  pieces: Iterable<PastePiece>,
  vocabulary: Vocabulary,
): Generator<JoinedText | { kind: 'pause' }> {
  let open = beginText(0);
  let left = { text: '', lastLength: 0 };
  let place = -1;
  for (const piece of pieces) {
    place += 1;
    if (piece.text === '') continue;
    const goesOn = piece.kind === 'message' && open.parts.length > 0;
    const between = goesOn ? findBetween(left, piece.text, vocabulary) : undefined;
    if (between === undefined) {
      if (open.parts.length > 0) yield closeText(open);
      open = beginText(place);
    }
    if (piece.kind === 'file') {
      yield { ...piece, first: place, ends: [piece.text.length] };
      continue;
    }
    open.parts.push(between ?? '', piece.text);
    open.length += (between ?? '').length + piece.text.length;
    // Empty messages in between are no part of a text, but have a place.
    while (open.ends.length < place - open.first) open.ends.push(open.ends.at(-1) ?? 0);
    open.ends.push(open.length);
    const end = piece.text.slice(-LONGEST_TAIL);
    const text = open.parts.length > 2 ? (left.text + (between ?? '') + end).slice(-LONGEST_TAIL) : end;
    left = { text, lastLength: piece.text.length };
    if (open.parts.length % (2 * PAUSE_EVERY_MESSAGES) === 0) yield { kind: 'pause' };
  }
  if (open.parts.length > 0) yield closeText(open);
}

const beginText = (first: number) => ({ parts: [] as string[], length: 0, first, ends: [] as number[] });

function closeText({ parts, first, ends }: ReturnType<typeof beginText>): JoinedText {
  return { kind: 'message', text: parts.join(''), first, ends };
}
