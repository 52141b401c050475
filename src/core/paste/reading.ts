// Reader of pastes: what people paste into the chat and the files they send, to codes by denomination. Lines are read one by one, once,
// when they come (`createLexer`, line.ts); what they mean under each other is told as often as it is asked (`readPaste`). Repeated codes are
// not removed and nothing is stored; a code is never changed but for what folding.ts takes from it.
import { cutIntoLines, LINE_END } from './cutting.ts';
import { beginReading, createFiling, tellOpen } from './filing.ts';
import { createFactFinder } from './facts.ts';
import type { Reading } from './line-codes.ts';
import type { Game } from '../games.ts';
import { createLexicon, WORDS, wordsOf, type Lexicon } from './lexicon.ts';
import { createLineReader, type Line, type TextLine } from './line.ts';
import { findBetween } from './seams.ts';
import type { PasteToken, Place } from './token.ts';

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

const PAUSE_EVERY_LINES = 100;
const LONGEST_TAIL = 1_024;

/** Reads the lines of a text for themselves, in linear time, with pauses. Never throws on any text. */
export function createLexer(game: Game, others: readonly Game[]): LexText {
  return createTextLexer(createLexicon(game, others));
}

function createTextLexer(lexicon: Lexicon): LexText {
  const lexLine = createLineReader(lexicon);
  const isCode = (word: string) => lexicon.readCode(word) !== undefined;
  return function* (text) {
    for (const stretch of cutIntoLines(text, isCode)) {
      if (stretch.kind === 'pause') yield stretch;
      else
        yield {
          line: lexLine(stretch.text),
          start: stretch.start,
          end: stretch.end,
          continues: stretch.continues,
        };
    }
  };
}

/**
 * Reads pieces in order, lazily and in linear time: no step between two tokens takes more than a few milliseconds, so the caller may
 * stop anywhere.
 *
 * Codes are separated by anything but letters, digits and single marks between them. A heading (`60 UC`, `60:`) holds until the next
 * one, from message to message; one that is not understood, or that the game has no such denomination for, leaves what follows
 * without. A file begins with its name, or `options.denomination`, and after it the messages go on with their own last heading. The
 * columns of a table hold within one text, that is one file or messages that were cut from one another. Where one of the `others` is
 * named, what follows is not of this game.
 */
export function* readPaste(
  pieces: Iterable<ReadPiece>,
  game: Game,
  options: { denomination?: number; others?: readonly Game[] },
): Generator<PasteToken> {
  const lexicon = createLexicon(game, options.others ?? []);
  const lex = createTextLexer(lexicon);
  const messages = beginReading(options.denomination);
  for (const text of joinMessages(pieces, lexicon, lex)) {
    if (text.kind === 'message') yield* fileText(text, messages, lexicon);
    else {
      const reading = beginReading(options.denomination);
      yield* nameSource(text, reading, lex);
      yield* fileText(text, reading, lexicon);
      yield* tellOpen(reading);
    }
  }
  yield* tellOpen(messages);
}

/** One text of one or more pieces: `first` is the place of the first of them. Its lines may be gone through again. */
interface Text {
  kind: 'message' | 'file';
  name: string | undefined;
  first: number;
  lines: () => Iterable<PlacedLine | { kind: 'pause' }>;
}

interface PlacedLine extends Place {
  line: Line;
  continues: boolean;
}

function* fileText(text: Text, reading: Reading, lexicon: Lexicon): Generator<PasteToken> {
  const finder = createFactFinder(lexicon);
  yield* paced(text, ({ line }) => (finder.note(line), []));
  const filing = createFiling(reading, finder.tell(), lexicon);
  yield* paced(text, ({ line, continues, first, last }) => filing.file(line, continues, { first, last }));
  yield* filing.end();
}

/** Goes through the lines of a text, with a pause where nothing was found for a while. */
function* paced(text: Text, read: (line: PlacedLine) => PasteToken[]): Generator<PasteToken> {
  let lines = 0;
  for (const each of text.lines()) {
    const tokens = 'line' in each ? read(each) : [each];
    yield* tokens;
    lines = tokens.length > 0 ? 0 : lines + 1;
    if (lines < PAUSE_EVERY_LINES) continue;
    lines = 0;
    yield { kind: 'pause' };
  }
}

/** The name of a file stands over it: `60.txt`. One that contradicts what was chosen is asked about, one of common words says nothing. */
function* nameSource({ name, first }: Text, reading: Reading, lex: LexText): Generator<PasteToken> {
  const said = (name ?? '').replace(/\.[^.]{1,5}$/, '').replace(/_+/g, ' ');
  const [read] = said === '' ? [] : lex(said);
  if (!read || !('line' in read)) return;
  const { denomination: told } = read.line.frame;
  const { chosen } = reading;
  const isCommon =
    wordsOf(said).every((word) => WORDS.side.has(word) || COMMON.has(word)) && told === undefined;
  if (
    name === undefined ||
    isCommon ||
    (told !== undefined && told === chosen) ||
    (told === undefined && chosen !== undefined)
  )
    return;
  reading.denomination = chosen === undefined ? told : undefined;
  const text = chosen === undefined ? name : `${name} / ${chosen}`;
  yield { kind: 'heading', text, denomination: reading.denomination, first, last: first };
}
const COMMON = new Set([
  'file',
  'document',
  'untitled',
  'new',
  'export',
  'list',
  'data',
  'файл',
  'документ',
  'text',
  'txt',
]);

/** Messages that were one text before the client cut them, as one text again; files as they are. */
function* joinMessages(pieces: Iterable<ReadPiece>, lexicon: Lexicon, lex: LexText): Generator<Text> {
  let open: Joined | undefined;
  let place = -1;
  for (const piece of pieces) {
    place += 1;
    if (piece.text === '' && !piece.lines) continue;
    if (piece.kind === 'file') {
      if (open) yield toText(open, lex);
      open = undefined;
      yield fileOf(piece, place, lex);
      continue;
    }
    const between = open && findBetween(open.left, piece.text, lexicon);
    if (open && between === undefined) {
      yield toText(open, lex);
      open = undefined;
    }
    open ??= { parts: [], left: { text: '', lastLength: 0 } };
    open.parts.push({ piece, place, between: between ?? '' });
    const whole = (open.left.text + (between ?? '') + piece.text).slice(-LONGEST_TAIL);
    open.left = {
      text: open.parts.length > 1 ? whole : piece.text.slice(-LONGEST_TAIL),
      lastLength: piece.text.length,
    };
  }
  if (open) yield toText(open, lex);
}

interface Part {
  piece: ReadPiece;
  place: number;
  /** What stood before it. */
  between: string;
}

interface Joined {
  parts: Part[];
  left: { text: string; lastLength: number };
}

function fileOf(piece: ReadPiece, place: number, lex: LexText): Text {
  const at = { first: place, last: place };
  function* lines() {
    for (const each of piece.lines?.() ?? lex(piece.text)) yield 'line' in each ? { ...each, ...at } : each;
  }
  return { kind: 'file', name: piece.name, first: place, lines };
}

/** Only the lines across the seams of messages are read again. */
function toText({ parts }: Joined, lex: LexText): Text {
  function* lines(): Generator<PlacedLine | { kind: 'pause' }> {
    let seam: { text: string; ends: { place: number; end: number }[] } = { text: '', ends: [] };
    for (const [index, { piece, place, between }] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const { text } = piece;
      const head = index === 0 ? 0 : endOfFirstLine(text);
      const tail = isLast ? text.length : startOfLastLine(text);
      if (index > 0 || tail < head) {
        const all = tail < head || head === text.length ? text : text.slice(0, head);
        seam.text += between + all;
        seam.ends.push({ place, end: seam.text.length });
        if (all.length === text.length && !isLast) continue;
        yield* placeSeam(seam, lex);
        if (all.length === text.length) return;
      }
      for (const each of piece.lines?.() ?? lex(text)) {
        if (!('line' in each)) yield each;
        else if (each.start >= head && each.start < tail) yield { ...each, first: place, last: place };
      }
      const rest = isLast ? '' : text.slice(tail);
      seam = { text: rest, ends: [{ place, end: rest.length }] };
    }
  }
  return { kind: 'message', name: undefined, first: parts[0]?.place ?? 0, lines };
}

function* placeSeam(
  { text, ends }: { text: string; ends: readonly { place: number; end: number }[] },
  lex: LexText,
): Generator<PlacedLine | { kind: 'pause' }> {
  for (const each of lex(text)) {
    if (!('line' in each)) {
      yield each;
      continue;
    }
    const first = ends.find(({ end }) => end > each.start) ?? ends.at(-1);
    const last = ends.find(({ end }) => end >= each.end) ?? ends.at(-1);
    yield { ...each, first: first?.place ?? 0, last: last?.place ?? 0 };
  }
}

function endOfFirstLine(text: string): number {
  const end = text.search(LINE_END);
  return end === -1 ? text.length : end;
}

function startOfLastLine(text: string): number {
  let start = text.length;
  while (start > 0 && !LINE_END.test(text.charAt(start - 1))) start -= 1;
  return start;
}
