// Messages of a paste as one text again: Telegram clients cut a long one near 4,096 characters, sometimes inside a
// code, and drop the blank where the cut fell on one. The lines of each message are read already; only those across the
// seams are read again.
import { findHead, findTail, findWords, LINE_END } from './cutting.ts';
import type { Lexicon } from './lexicon.ts';
import type { TextLine } from './line.ts';
import type { PieceSpan } from './token.ts';

/** A message of the chat, or the decoded text of a file (see decodePaste). */
export interface PastePiece {
  kind: 'message' | 'file';
  text: string;
  /** Of a file. */
  name?: string | undefined;
}

/** A piece whose lines may be read already; the text of a file is not needed then. */
export interface ReadPiece extends PastePiece {
  lines?: (() => Iterable<TextLine>) | undefined;
}

export type LexText = (text: string) => Generator<TextLine | { kind: 'pause' }>;

/** A piece of a text by its place among all of them; `between`: what stood before it. */
export interface Part {
  piece: ReadPiece;
  place: number;
  between: string;
}

/** A message of this many characters was probably cut by the client that sent it. */
export const PROBABLY_CUT = 4_000;
const NEIGHBOURHOOD = 1_024;

/** Messages that were one text before the client cut them, together; files one by one. */
export function* joinMessages(pieces: Iterable<ReadPiece>, lexicon: Lexicon): Generator<Part[]> {
  let open: Part[] = [];
  let left = { text: '', lastLength: 0 };
  let place = -1;
  for (const piece of pieces) {
    place += 1;
    if (piece.text === '' && !piece.lines) continue;
    const isMessage = piece.kind === 'message';
    const between = isMessage && open.length > 0 ? findBetween(left, piece.text, lexicon) : undefined;
    if (between === undefined && open.length > 0) yield open;
    if (between === undefined) open = [];
    const part = { piece, place, between: between ?? '' };
    if (!isMessage) yield [part];
    else {
      const before = open.length > 0 ? left.text + part.between : '';
      left = { text: (before + piece.text).slice(-NEIGHBOURHOOD), lastLength: piece.text.length };
      open.push(part);
    }
  }
  if (open.length > 0) yield open;
}

/** The lines of a text with the places of the pieces in which they stand. */
export function* linesOf(
  parts: readonly Part[],
  lex: LexText,
): Generator<(TextLine & PieceSpan) | { kind: 'pause' }> {
  let seam = '';
  let ends: { place: number; end: number }[] = [];
  for (const [index, { piece, place, between }] of parts.entries()) {
    const { text } = piece;
    const isLast = index === parts.length - 1;
    const firstEnd = text.search(LINE_END);
    const head = index === 0 ? 0 : firstEnd === -1 ? text.length : firstEnd;
    const tail = isLast ? Infinity : text.length - (text.split(LINE_END).at(-1) ?? '').length;
    if (index > 0) {
      seam += between + text.slice(0, head);
      ends.push({ place, end: seam.length });
      if (firstEnd === -1 && !isLast) continue;
      for (const each of lex(seam))
        yield 'line' in each
          ? {
              ...each,
              first: ends.find(({ end }) => end > each.start)?.place ?? place,
              last: ends.find(({ end }) => end >= each.end)?.place ?? place,
            }
          : each;
    }
    for (const each of piece.lines?.() ?? lex(text))
      if (!('line' in each)) yield each;
      else if (each.start >= head && each.start < tail) yield { ...each, first: place, last: place };
    seam = text.slice(tail);
    ends = [{ place, end: seam.length }];
  }
}

/**
 * What stood between two messages that follow each other: nothing, or the blank that the client dropped; undefined
 * where they are two texts. What touches the seam is whole where it is a code, or an amount. After a message long
 * enough to have been cut it was nothing, unless both halves are whole and one of them is a code; where both together
 * could be a code as well, the lengths of the codes next to it decide. After a shorter message it was nothing only
 * where neither half is whole and both together are a code.
 */
export function findBetween(
  left: { text: string; lastLength: number },
  right: string,
  lexicon: Lexicon,
): string | undefined {
  const [before, after] = [left.text.slice(-NEIGHBOURHOOD), right.slice(0, NEIGHBOURHOOD)];
  const isCode = (text: string) => lexicon.readCode(text) !== undefined;
  const [tail, head] = [findTail(before), findHead(after)];
  const isCut = left.lastLength >= PROBABLY_CUT;
  const word = findWords(tail + head).find(({ start, end }) => start < tail.length && tail.length < end);
  if (!word) return isCut ? '' : undefined;
  const halves = [word.text.slice(0, tail.length - word.start), word.text.slice(tail.length - word.start)];
  const hasCode = halves.some(isCode);
  if (!isCut) {
    // `660` and a player's ID are two messages, whatever they would make together.
    const isOne = isCode(word.text) && !hasCode && !/^\d+$/.test(word.text);
    return isOne && !halves.some((half) => isAmount(half, lexicon)) ? '' : undefined;
  }
  // Codes of one paste are mostly of one length.
  const earlier = findWords(before.slice(0, before.length - tail.length)).findLast(({ text }) =>
    isCode(text),
  );
  const later = findWords(after.slice(head.length)).find(({ text }) => isCode(text));
  const isUsual = (text: string) => [earlier, later].some((code) => code?.text.length === text.length);
  const isTogether = isCode(word.text);
  const isWhole = (half: string) =>
    (isCode(half) && (!isTogether || isUsual(half))) || isAmount(half, lexicon);
  if (!hasCode || !halves.every(isWhole) || (isTogether && isUsual(word.text))) return '';
  // In the middle of a row that is cut by blanks it is the blank of the row before.
  const row = before.split(/[\r\n]+/).at(-2) ?? '';
  const [one, two] = findWords(row);
  const blank = row.slice(one?.end, two?.start);
  const isRow =
    [one, two].some((each) => each && isCode(each.text)) &&
    [one, two].some((each) => each && isAmount(each.text, lexicon));
  return isRow && halves.some((half) => isAmount(half, lexicon)) && /^[ \t]$/.test(blank) ? blank : '\n';
}

/** `60`, `UC`, `60UC`. */
function isAmount(word: string, lexicon: Lexicon): boolean {
  const [digits = ''] = /^\d{0,9}/.exec(word) ?? [];
  const unit = word.slice(digits.length);
  const isKnown = digits === '' || lexicon.isDenomination(Number(digits));
  return isKnown && (unit === '' || lexicon.isCurrency(unit));
}
