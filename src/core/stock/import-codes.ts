// What was collected by an import: read once when it comes, kept in chunks with its lines, counted, previewed, and told
// apart by denomination from these, pausing often enough that nothing else waits. It writes nothing but the pieces it
// is given.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { Codes } from './codes.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import { foldWritten } from '../folding.ts';
import type { Game, Games } from '../games.ts';
import { storeLines, restoreLines, type TextLine } from '../paste/line.ts';
import type { LexText, PastePiece, ReadPiece } from '../paste/messages.ts';
import { createLexer, readPaste } from '../paste/reading.ts';
import type { CodeToken, PasteToken } from '../paste/token.ts';
import {
  createSections,
  GOOD,
  joinRare,
  MOST_SHOWN,
  NOT_UNDERSTOOD,
  readAnswers,
  type Answers,
  type AskedHeading,
  type HeadingRead,
} from './import-sections.ts';

/** From the bot's document: codes an import. */
export const MAX_IMPORT_CODES = 100_000;

/** What would become of the codes of a denomination; `first` and `last` of those that are new, as pasted. */
interface StockKeyPreview {
  denomination: number;
  fresh: number;
  ours: number;
  others: number;
  first?: string | undefined;
  last?: string | undefined;
}

/** What was pasted so far, read. */
export interface ImportPreview {
  /** In the order of the paste, the same once. */
  headings: HeadingRead[];
  asked: AskedHeading[];
  stockKeys: StockKeyPreview[];
  /** Codes of which was answered that they are to be left out. */
  leftOut: number;
  /** Whatever was pasted and is neither a code nor of a known sense. */
  notUnderstood: number;
  /** The first few of it. */
  notUnderstoodExamples: string[];
  /** How much of it would be codes of the game without what stands in between. */
  mayBeCodes: number;
  /** A letter of another script in what would be a code with the Latin one that it may look like. */
  foreignLetter?: string | undefined;
  /** A spreadsheet has changed some of it: `1.23E+15`, or zeros at the end of every long number. */
  isChanged: boolean;
  /** Codes that were pasted more than once. */
  repeated: number;
  /** More codes than one import takes: only the first 100,000 are read. */
  tooMany: boolean;
  /** By their positions, those that it was read from. */
  messages: number[];
}

/** A piece of an import as it is kept. */
export interface Chunk {
  pieceKey: string;
  position: number;
  kind: 'message' | 'file';
  text: string;
  lines: string;
}

interface ReadingDeps {
  store: Store;
  games: Games;
  clock: Clock;
  codes: Codes;
}

interface Collecting {
  id: number;
  denomination: number | null;
  answers: string | null;
}

const UNREADABLE =
  'Part of what was pasted cannot be read any more. Begin a new import with /add_codes, and paste it again.';
const EXAMPLES = 5;
const TURN_MS = 8;
const LOOKED_UP_AT_ONCE = 300;
/** Characters sealed and written at once, with their lines: a few milliseconds. */
const CHUNK_LENGTH = 128 * 1024;

/** Reads the lines of what is pasted for this game. */
export const createImportLexer = (games: Games, game: Game, now: number): LexText =>
  createLexer(
    game,
    games.all.filter(({ id }) => id !== game.id),
    now,
  );

/**
 * Reads a piece and keeps it in chunks with their lines, one after another; what was kept before a crash is repeated.
 * Stops where one is refused.
 */
export async function addInChunks<Refusal>(
  { key, position, kind, text, name }: PastePiece & { key: string; position: number },
  { lex, clock }: { lex: LexText; clock: Clock },
  add: (chunk: Chunk) => Promise<'added' | 'repeated' | Refusal>,
): Promise<'added' | 'repeated' | Refusal> {
  let isAdded = false;
  let turnBegan = clock.elapsed();
  const reading = lex(text);
  let waiting: TextLine | undefined;
  for (let from = 0, index = 0; from === 0 || from < text.length; from += CHUNK_LENGTH, index += 1) {
    const to = from + CHUNK_LENGTH;
    const read: TextLine[] = waiting ? [waiting] : [];
    waiting = undefined;
    while (!waiting) {
      const next = reading.next();
      if (next.done) break;
      const each = next.value;
      if (clock.elapsed() - turnBegan > TURN_MS) {
        await nextTurn();
        turnBegan = clock.elapsed();
      }
      if (!('line' in each)) continue;
      if (each.start < to || to >= text.length) read.push(each);
      else waiting = each;
    }
    const pieceKey = index === 0 ? key : `${key}#${String(index).padStart(5, '0')}`;
    const lines = storeLines(read, name);
    const answer = await add({ pieceKey, position, kind, text: text.slice(from, to), lines });
    if (answer !== 'added' && answer !== 'repeated') return answer;
    isAdded ||= answer === 'added';
  }
  return isAdded ? 'added' : 'repeated';
}

/** The codes of an import by denomination, each once, and what else was found. */
export async function collect(
  deps: ReadingDeps,
  game: Game,
  collecting: Collecting,
): Promise<{ byDenomination: Map<number, string[]>; preview: ImportPreview }> {
  const answers = readAnswers(collecting.answers);
  const rest = createRests(deps.clock);
  const { order, preview } = await gather(deps, game, collecting, answers, rest);
  const sections = createSections(answers);
  const joined = joinRare(order.flatMap((each) => besideOf(each) ?? []));
  const byDenomination = new Map<number, string[]>();
  for (const each of order) {
    if (rest.isDue()) await rest.take();
    if (each.kind === 'heading') {
      sections.begin(each);
      continue;
    }
    const beside = besideOf(each);
    const told = sections.count(beside === undefined ? each : { ...each, own: joined(beside) });
    if (told === undefined) continue;
    const codes = byDenomination.get(told);
    if (codes) codes.push(each.code);
    else byDenomination.set(told, [each.code]);
  }
  return { byDenomination, preview: { ...preview, ...sections.summarize() } };
}

/** When others are to run meanwhile. */
function createRests(clock: Clock) {
  let began = clock.elapsed();
  return {
    isDue: () => clock.elapsed() - began > TURN_MS,
    async take() {
      await nextTurn();
      began = clock.elapsed();
    },
  };
}

/** Codes with what is said of them in all places together, and the headings over them, in order. */
async function gather(
  { store, games, clock }: ReadingDeps,
  game: Game,
  { id, denomination }: Collecting,
  answers: Answers,
  rest: ReturnType<typeof createRests>,
): Promise<{ order: (Heading | FoundCode)[]; preview: ImportPreview }> {
  const preview = beginPreview();
  const found = new Map<string, FoundCode>();
  const order: (Heading | FoundCode)[] = [];
  let heading: Heading | undefined;
  let noted: Heading | undefined;
  let headings = 0;
  /** How much of the order was taken back already. */
  let takenBack = 0;
  const note = (said: FoundCode) => {
    if (heading && noted !== heading) order.push(heading);
    noted = heading;
    order.push(said);
    found.set(said.code, said);
  };
  const others = games.all.filter(({ id: other }) => other !== game.id);
  const options = { others, now: clock.now(), ...(denomination === null ? {} : { denomination }) };
  for (const token of readPaste(readPieces(store, id), game, options)) {
    if (rest.isDue()) await rest.take();
    if (token.kind === 'heading') {
      heading = token;
      headings += 1;
      if (headings > MOST_SHOWN) continue;
      order.push(heading);
      noted = heading;
    } else if (token.kind === 'unknown') {
      if (token.reopens) {
        for (const each of order.slice(takenBack)) if (each.kind === 'code') takeBack(each, token.text);
        takenBack = order.length;
      }
      const code = asCode(token.text, game);
      if (code !== undefined && answers[NOT_UNDERSTOOD] === GOOD && found.size < MAX_IMPORT_CODES) {
        const told = heading ? heading.denomination : (denomination ?? undefined);
        if (!found.has(code)) note({ kind: 'code', code, denomination: told });
        continue;
      }
      preview.mayBeCodes += code === undefined ? 0 : 1;
      preview.notUnderstood += 1;
      preview.isChanged ||= isChanged(token);
      preview.foreignLetter ??= findForeignLetter(token.text, game);
      if (preview.notUnderstoodExamples.length < EXAMPLES) preview.notUnderstoodExamples.push(token.text);
    } else if (token.kind !== 'code') continue;
    else if (found.has(token.code)) {
      preview.repeated += 1;
      keepWorse(found.get(token.code), token);
    } else if (found.size === MAX_IMPORT_CODES) {
      preview.tooMany = true;
      break;
    } else {
      preview.isChanged ||= token.isRounded === true;
      const { kind, code, denomination: told, own, good } = token;
      note({ kind, code, denomination: told, own, good });
    }
  }
  return { order, preview };
}

type Heading = Extract<PasteToken, { kind: 'heading' }>;

/** A code with what is said of it. */
type FoundCode = Pick<CodeToken, 'kind' | 'code' | 'denomination' | 'own' | 'good'>;

/** The words beside a code of which all else is known. */
const besideOf = (each: Heading | FoundCode): string | undefined =>
  each.kind === 'code' && each.good !== undefined ? each.own : undefined;

/** Said in one place and spoken against in another: it is asked about. */
function takeBack(code: FoundCode, text: string): void {
  if (code.denomination === undefined) return;
  Object.assign(code, { denomination: undefined, own: `${code.denomination} / ${text}` });
}

/** Of two mentions of a code that which says less good of it; what they contradict each other in is asked about. */
function keepWorse(code: FoundCode | undefined, { denomination, own, good }: CodeToken): void {
  if (code?.denomination === undefined || denomination === code.denomination) return;
  if (denomination !== undefined)
    Object.assign(code, { denomination: undefined, own: `${code.denomination} / ${denomination}` });
  else if (own !== undefined)
    Object.assign(code, { denomination: undefined, own, good: good ?? code.denomination });
}

function beginPreview(): ImportPreview {
  const counts = { leftOut: 0, notUnderstood: 0, mayBeCodes: 0, repeated: 0 };
  return {
    ...{ ...counts, headings: [], asked: [], stockKeys: [], notUnderstoodExamples: [] },
    ...{ isChanged: false, tooMany: false, messages: [] },
  };
}

/** What was meant as a code, and is one without the marks within it, or the blanks between groups of one length. */
function asCode(text: string, { codePattern }: Game): string | undefined {
  const groups = foldWritten(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (/\s/.test(text) && groups.some(({ length }) => length !== groups[0]?.length)) return undefined;
  const code = groups.join('');
  return codePattern.test(code) ? code : undefined;
}

/** The only one, `K7QZ2MXB9TRW4HNЕ`: to the eye there is nothing wrong with it. */
function findForeignLetter(text: string, { codePattern }: Game): string | undefined {
  const [letter, another] = text.match(/(?![A-Za-z])\p{L}/gu) ?? [];
  const isOnly = letter !== undefined && another === undefined;
  return isOnly && codePattern.test(text.replace(letter, 'A')) ? letter : undefined;
}

/** `1.23457E+15`. */
const isChanged = ({ text }: Extract<PasteToken, { kind: 'unknown' }>) =>
  /^[0-9][0-9.,]*E\+[0-9]+$/i.test(text);

/** What adding would do. */
export async function previewImport(
  deps: ReadingDeps,
  actor: AccountActor,
  game: Game,
  collecting: Collecting,
): Promise<ImportPreview> {
  const messages = deps.store.read((tables) => tables.imports.listMessages(collecting.id));
  const { byDenomination, preview } = await collect(deps, game, collecting);
  preview.messages = messages;
  for (const [denomination, codes] of [...byDenomination].sort(([a], [b]) => a - b)) {
    const stockKey: StockKeyPreview = { denomination, fresh: 0, ours: 0, others: 0 };
    for (let from = 0; from < codes.length; from += LOOKED_UP_AT_ONCE) {
      const slice = deps.codes.countConflicts(actor, game.id, codes.slice(from, from + LOOKED_UP_AT_ONCE));
      stockKey.fresh += slice.fresh;
      stockKey.ours += slice.ours;
      stockKey.others += slice.others;
      stockKey.first ??= slice.first;
      stockKey.last = slice.last ?? stockKey.last;
      await nextTurn();
    }
    preview.stockKeys.push(stockKey);
  }
  return preview;
}

/**
 * Piece by piece from the store, with their lines. Throws CoreError NOT_FOUND where one does not open any more: a code
 * may go on from one piece into the next, so that what is left would be read as something else.
 */
export function* readPieces(store: Store, importId: number): Generator<ReadPiece & { position: number }> {
  const keys = store.read((tables) => tables.imports.listPieceKeys(importId));
  for (let from = 0; from < keys.length;) {
    let to = from + 1;
    while (keys[to]?.includes('#')) to += 1;
    const piece = openPiece(store, importId, keys.slice(from, to));
    if (piece) yield piece;
    from = to;
  }
}

/** One piece of one or more chunks: of a file only the lines are in memory, a chunk of them. */
function openPiece(
  store: Store,
  importId: number,
  keys: readonly string[],
): (ReadPiece & { position: number }) | undefined {
  const chunks = function* () {
    for (const key of keys) {
      const chunk = store.read((tables) => tables.imports.findPiece(importId, key));
      if (!chunk) continue;
      const { text, lines, ...rest } = chunk;
      if (text === undefined) throw new CoreError('NOT_FOUND', UNREADABLE);
      yield { ...rest, text, kept: lines === undefined ? undefined : restoreLines(lines) };
    }
  };
  let first: Pick<ReadPiece, 'kind' | 'name'> & { position: number } = { kind: 'message', position: 0 };
  const texts: string[] = [];
  let [count, isKept] = [0, true];
  for (const { kind, position, text, kept } of chunks()) {
    if (count === 0) first = { kind, position, name: kept?.name };
    count += 1;
    isKept &&= kept?.lines !== undefined;
    if (kind === 'message' || !isKept) texts.push(text);
  }
  if (count === 0) return undefined;
  if (!isKept && texts.length < count)
    texts.splice(0, texts.length, ...[...chunks()].map(({ text }) => text));
  const lines = function* () {
    for (const { kept } of chunks()) yield* kept?.lines ?? [];
  };
  return { ...first, text: texts.join(''), ...(isKept && { lines }) };
}
