// Reader of pastes: what people paste into the chat and the files they send, to codes by denomination. Lines are read
// one by one, once, when they come (`createLexer`, line.ts); what they mean under each other is told as often as it is
// asked (`readPaste`). Repeated codes are not removed and nothing is stored; a code is never changed but for what
// folding.ts takes from it.
import type { Game } from '../games.ts';
import { cutIntoLines } from './cutting.ts';
import { createTraitFinder } from './text-traits.ts';
import { beginReading, createFiling, takeOpen, type Reading } from './filing.ts';
import { createLexicon, WORDS, wordsOf, type Lexicon } from './lexicon.ts';
import { createLineReader, type TextLine } from './line.ts';
import { joinMessages, linesOf, type LexText, type Part, type ReadPiece } from './messages.ts';
import type { PasteToken, PieceSpan } from './token.ts';

const PAUSE_EVERY_LINES = 100;

/** Reads the lines of a text for themselves, in linear time, with pauses. Never throws on any text. */
export const createLexer = (game: Game, others: readonly Game[], now?: number): LexText =>
  createTextReader(createLexicon(game, others, now));

function createTextReader(lexicon: Lexicon): LexText {
  const readLine = createLineReader(lexicon);
  const isCode = (word: string) => lexicon.readCode(word) !== undefined;
  return function* (text) {
    for (const stretch of cutIntoLines(text, isCode))
      yield stretch.kind === 'pause' ? stretch : { ...stretch, line: readLine(stretch.text) };
  };
}

/**
 * Reads pieces in order, lazily and in linear time: no step between two tokens takes more than a few milliseconds, so
 * the caller may stop anywhere.
 *
 * Codes are separated by anything but letters, digits and single marks between them. A heading (`60 UC`, `60:`) holds
 * until the next one, from message to message; one that is not understood, or that the game has no such denomination
 * for, leaves what follows without. A file begins with its name, or `options.denomination`, and after it the messages
 * go on with their own last heading. The columns of a table hold within one text, that is one file or messages that
 * were cut from one another. Where one of the `others` is named, what follows is not of this game.
 */
export function* readPaste(
  pieces: Iterable<ReadPiece>,
  game: Game,
  options: { denomination?: number; others?: readonly Game[]; now?: number },
): Generator<PasteToken> {
  const lexicon = createLexicon(game, options.others ?? [], options.now);
  const lex = createTextReader(lexicon);
  const messages = beginReading(options.denomination);
  for (const parts of joinMessages(pieces, lexicon)) {
    const isFile = parts[0]?.piece.kind === 'file';
    const reading = isFile ? beginReading(options.denomination) : messages;
    if (isFile) yield* nameFile(parts, reading, lex);
    yield* fileText(() => linesOf(parts, lex), reading, lexicon);
    // What takes back codes does so at the end of its message, whatever comes then.
    if (isFile || reading.open?.reopens) yield* takeOpen(reading);
  }
  yield* takeOpen(messages);
}

type Lines = () => Iterable<(TextLine & PieceSpan) | { kind: 'pause' }>;

/** The lines of a text are gone through twice: what it decides as a whole comes first. */
function* fileText(lines: Lines, reading: Reading, lexicon: Lexicon): Generator<PasteToken> {
  const finder = createTraitFinder(lexicon);
  yield* paced(lines, ({ line }) => (finder.note(line), []));
  const filing = createFiling(reading, finder.traits(), lexicon);
  yield* paced(lines, ({ line, continues, first, last }) => filing.file(line, continues, { first, last }));
  yield* filing.end();
}

/** Goes through the lines of a text, with a pause where nothing was found for a while. */
function* paced(lines: Lines, read: (line: TextLine & PieceSpan) => PasteToken[]): Generator<PasteToken> {
  let quiet = 0;
  for (const each of lines()) {
    const tokens = 'line' in each ? read(each) : [each];
    yield* tokens;
    quiet = tokens.length > 0 ? 0 : quiet + 1;
    if (quiet % PAUSE_EVERY_LINES === PAUSE_EVERY_LINES - 1) yield { kind: 'pause' };
  }
}

/**
 * The name of a file stands over it: `60.txt`. One that contradicts what was chosen is asked about, one of common words
 * says nothing.
 */
function* nameFile([part]: readonly Part[], reading: Reading, lex: LexText): Generator<PasteToken> {
  const name = part?.piece.name ?? '';
  const said = name.replace(/\.[^.]{1,5}$/, '').replace(/_+/g, ' ');
  const [read] = said === '' ? [] : lex(said);
  const told = read && 'line' in read ? read.line.frame.denomination : undefined;
  const { chosen } = reading;
  const isCommon = wordsOf(said).every((word) => WORDS.side.has(word));
  if (told === undefined ? chosen !== undefined || isCommon : told === chosen) return;
  reading.denomination = chosen === undefined ? told : undefined;
  const text = chosen === undefined ? name : `${name} / ${chosen}`;
  const place = part?.place ?? 0;
  yield { kind: 'heading', text, denomination: reading.denomination, first: place, last: place };
}
