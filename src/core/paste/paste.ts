// Free text to codes by denomination: what people paste into the chat and the files they send.
// Repeated codes are not removed and nothing is stored; a code is never changed.
import type { Game } from '../games.ts';
import { readLine } from './line.ts';
import type { Reading } from './line.ts';
import { findBetween } from './seam.ts';
import { findTable, readRow } from './table.ts';
import type { Table } from './table.ts';
import type { PasteToken } from './token.ts';
import { createVocabulary } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';
import { cutIntoLines, LONGEST_WORD, PAUSE_EVERY_CHARACTERS } from './words.ts';

/** A message of the chat, or the decoded text of a file (see decodePaste). */
export interface PastePiece {
  kind: 'message' | 'file';
  text: string;
}

const PAUSE_EVERY_LINES = 2_000;
const PAUSE_EVERY_MESSAGES = 16;
const LONGEST_TAIL = 1_024;

/**
 * Reads pieces in order, lazily and in linear time: no step between two tokens takes more than a few milliseconds, so the
 * caller may stop anywhere. Never throws on any text.
 *
 * Codes are separated by anything but letters, digits and single marks between them. A heading (`60 UC`, `60:`) holds until
 * the next one, from message to message; one the game has no such denomination for leaves what follows without. A file
 * begins with `options.denomination`, and after it the messages go on with their own last heading. The columns of a table
 * hold within one text, that is one file or messages that were cut from one another.
 */
export function* readPaste(
  pieces: Iterable<PastePiece>,
  game: Game,
  options: { denomination?: number },
): Generator<PasteToken> {
  const vocabulary = createVocabulary(game);
  const begin = (): Reading => ({ denomination: options.denomination, line: undefined, numbered: undefined });
  const messages = begin();
  for (const text of joinMessages(pieces, vocabulary)) {
    if (text.kind === 'pause') yield text;
    else yield* readText(text.text, text.kind === 'message' ? messages : begin(), vocabulary);
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

function* readText(text: string, reading: Reading, vocabulary: Vocabulary): Generator<PasteToken> {
  let table: Table | undefined;
  let lines = 0;
  let characters = 0;
  for (const stretch of cutIntoLines(text, (word) => vocabulary.isCode(word))) {
    if (stretch.kind === 'pause') {
      yield stretch;
      continue;
    }
    const header = stretch.kind === 'line' ? findTable(stretch.text, vocabulary) : undefined;
    table = header ?? table;
    const tokens = header === undefined ? readStretch(stretch, table, reading, vocabulary) : [];
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

function readStretch(
  stretch: { kind: 'line'; text: string; continues: boolean } | { kind: 'oversized'; text: string },
  table: Table | undefined,
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  if (stretch.kind === 'oversized') {
    const denomination = reading.line === undefined ? reading.denomination : reading.line.denomination;
    return [{ kind: 'malformed', text: stretch.text.slice(0, LONGEST_WORD), denomination }];
  }
  const row =
    table === undefined || stretch.continues
      ? undefined
      : readRow(stretch.text, table, reading.denomination, vocabulary);
  return row ?? readLine(stretch, reading, vocabulary);
}

/** Messages that were one text before the client cut them, as one text again; files as they are. */
function* joinMessages(
  pieces: Iterable<PastePiece>,
  vocabulary: Vocabulary,
): Generator<PastePiece | { kind: 'pause' }> {
  let parts: string[] = [];
  let left = { text: '', lastLength: 0 };
  for (const piece of pieces) {
    if (piece.text === '') continue;
    const between =
      piece.kind === 'message' && parts.length > 0 ? findBetween(left, piece.text, vocabulary) : undefined;
    if (between === undefined) {
      if (parts.length > 0) yield { kind: 'message', text: parts.join('') };
      parts = [];
    }
    if (piece.kind === 'file') {
      yield piece;
      continue;
    }
    parts.push(between ?? '', piece.text);
    const end = piece.text.slice(-LONGEST_TAIL);
    const text = parts.length > 2 ? (left.text + (between ?? '') + end).slice(-LONGEST_TAIL) : end;
    left = { text, lastLength: piece.text.length };
    if (parts.length % (2 * PAUSE_EVERY_MESSAGES) === 0) yield { kind: 'pause' };
  }
  if (parts.length > 0) yield { kind: 'message', text: parts.join('') };
}
