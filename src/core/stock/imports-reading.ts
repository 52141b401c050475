// What was collected by an import, read: kept in chunks, counted, previewed, and told apart by denomination, pausing often
// enough that nothing else waits. It writes nothing but the pieces it is given.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { Codes } from './codes.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Game, Games } from '../games.ts';
import { readPaste, type PastePiece } from '../paste/paste.ts';
import { createSections, readAnswers, type Asked, type HeadingRead } from './sections.ts';

/** From the bot's document: codes an import. */
export const MAX_IMPORT_CODES = 100_000;

/** What was pasted so far, read. */
export interface ImportPreview {
  /** In the order of the paste, the same once. */
  headings: HeadingRead[];
  asked: Asked[];
  lots: { denomination: number; fresh: number; ours: number; others: number }[];
  /** Codes of which was answered that they are to be left out. */
  leftOut: number;
  malformed: number;
  /** The first few malformed ones, as they were pasted. */
  malformedExamples: string[];
  /** Codes that were pasted more than once. */
  repeated: number;
  /** More codes than one import takes: only the first 100,000 are read. */
  tooMany: boolean;
}

/** A piece of an import as it is kept. */
export interface Chunk extends PastePiece {
  pieceKey: string;
  position: number;
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
/** Characters sealed and written at once: a few milliseconds. */
const CHUNK_LENGTH = 256 * 1024;

/** Keeps a piece in chunks, one after another; what was kept before a crash is repeated. Stops where one is refused. */
export async function addInChunks<Refusal>(
  { key, position, kind, text }: PastePiece & { key: string; position: number },
  add: (chunk: Chunk) => Promise<'added' | 'repeated' | Refusal>,
): Promise<'added' | 'repeated' | Refusal> {
  let isAdded = false;
  for (let from = 0, index = 0; from === 0 || from < text.length; from += CHUNK_LENGTH, index += 1) {
    const pieceKey = index === 0 ? key : `${key}#${String(index).padStart(5, '0')}`;
    const answer = await add({ pieceKey, position, kind, text: text.slice(from, from + CHUNK_LENGTH) });
    if (answer !== 'added' && answer !== 'repeated') return answer;
    isAdded ||= answer === 'added';
  }
  return isAdded ? 'added' : 'repeated';
}

/** The codes of an import by denomination, each once, and what else was found. */
export async function collect(
  { store, games, clock }: ReadingDeps,
  game: Game,
  { id, denomination, answers }: Collecting,
): Promise<{ byDenomination: Map<number, string[]>; preview: ImportPreview }> {
  const preview = beginPreview();
  const sections = createSections(readAnswers(answers));
  const byDenomination = new Map<number, string[]>();
  const seen = new Set<string>();
  let turnBegan = clock.elapsed();
  const others = games.all.filter(({ id: other }) => other !== game.id);
  const options = { others, ...(denomination === null ? {} : { denomination }) };
  for (const token of readPaste(readPieces(store, id), game, options)) {
    if (clock.elapsed() - turnBegan > TURN_MS) {
      await nextTurn();
      turnBegan = clock.elapsed();
    }
    if (token.kind === 'heading') sections.begin(token);
    else if (token.kind === 'malformed') {
      preview.malformed += 1;
      if (preview.malformedExamples.length < EXAMPLES) preview.malformedExamples.push(token.text);
    } else if (token.kind !== 'code') continue;
    else if (seen.has(token.code)) preview.repeated += 1;
    else if (seen.size === MAX_IMPORT_CODES) {
      preview.tooMany = true;
      break;
    } else {
      seen.add(token.code);
      const meant = sections.count(token);
      const codes = byDenomination.get(meant ?? 0);
      if (codes) codes.push(token.code);
      else if (meant !== undefined) byDenomination.set(meant, [token.code]);
    }
  }
  return { byDenomination, preview: { ...preview, ...sections.tell() } };
}

function beginPreview(): ImportPreview {
  const counts = { leftOut: 0, malformed: 0, repeated: 0 };
  return { ...counts, headings: [], asked: [], lots: [], malformedExamples: [], tooMany: false };
}

/** How many different codes there are, whatever their denomination. */
export async function countCodes(deps: ReadingDeps, game: Game, collecting: Collecting): Promise<number> {
  const { byDenomination, preview } = await collect(deps, game, collecting);
  const told = [...byDenomination.values()].reduce((sum, codes) => sum + codes.length, 0);
  return preview.asked.reduce((sum, { codes }) => sum + codes, told + preview.leftOut);
}

/** What adding would do. */
export async function previewImport(
  deps: ReadingDeps,
  actor: AccountActor,
  game: Game,
  collecting: Collecting,
): Promise<ImportPreview> {
  const { byDenomination, preview } = await collect(deps, game, collecting);
  for (const [denomination, codes] of [...byDenomination].sort(([a], [b]) => a - b)) {
    const lot = { denomination, fresh: 0, ours: 0, others: 0 };
    for (let from = 0; from < codes.length; from += LOOKED_UP_AT_ONCE) {
      const slice = deps.codes.countStandings(actor, game.id, codes.slice(from, from + LOOKED_UP_AT_ONCE));
      lot.fresh += slice.fresh;
      lot.ours += slice.ours;
      lot.others += slice.others;
      await nextTurn();
    }
    preview.lots.push(lot);
  }
  return preview;
}

/**
 * Piece by piece from the store, chunks of one piece joined again. Throws CoreError NOT_FOUND where one does not open any more: a
 * code may go on from one piece into the next, so that what is left would be read as something else.
 */
export function* readPieces(store: Store, importId: number): Generator<PastePiece & { position: number }> {
  const keys = store.read((tables) => tables.imports.listPieceKeys(importId));
  let open: (PastePiece & { position: number }) | undefined;
  for (const key of keys) {
    const piece = store.read((tables) => tables.imports.findPiece(importId, key));
    if (!piece) continue;
    const { text } = piece;
    if (text === undefined) throw new CoreError('NOT_FOUND', UNREADABLE);
    if (open && key.includes('#')) {
      open = { ...open, text: open.text + text };
      continue;
    }
    if (open) yield open;
    open = { ...piece, text };
  }
  if (open) yield open;
}
