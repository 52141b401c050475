// Imports from the chat: pieces are collected and kept, previewed, then added as one batch, which can be undone for an hour.
// What a piece of text means is paste.ts; adding is codes.ts. Nothing collected is lost by a restart.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../clock.ts';
import type { Store, Tables } from '../store/index.ts';
import type { Codes } from './codes.ts';
import { nameActor, type AccountActor } from './context.ts';
import { CoreError } from './errors.ts';
import type { Game, Games } from './games.ts';
import { watchStock } from './notices.ts';
import { readPaste, type PastePiece } from './paste.ts';
import { requirePermission } from './permissions.ts';

/** From the bot's document: codes an import, and how long a batch can be undone. */
export const MAX_IMPORT_CODES = 100_000;
export const UNDO_WITHIN_MS = 60 * 60 * 1000;

/** What was pasted so far, read. */
export interface ImportPreview {
  lots: { denomination: number; fresh: number; ours: number; others: number }[];
  /** Codes under no denomination that the game has; they are not added. */
  withoutDenomination: number;
  malformed: number;
  /** The first few malformed ones, as they were pasted. */
  malformedExamples: string[];
  /** Codes that were pasted more than once. */
  repeated: number;
  /** More codes than one import takes: only the first 100,000 are read. */
  tooMany: boolean;
}

export interface CommittedImport {
  batchId: number;
  /** How many codes the batch holds. */
  added: number;
}

export type UndoAnswer =
  | { status: 'undone'; takenBack: number }
  | { status: 'alreadyUndone' }
  | { status: 'tooLate' }
  | { status: 'notFound' };

export interface Imports {
  /** Begins to collect. Throws CoreError FORBIDDEN, INVALID_INPUT. */
  begin(actor: AccountActor, target: { gameId: string; denomination?: number }): Promise<number>;
  /** The import of this actor that still collects. */
  findOpen(actor: AccountActor): { id: number; gameId: string; denomination: number | undefined } | undefined;
  /** Keeps a piece; the same key again is the same piece. `position` orders the pieces. */
  addPiece(
    actor: AccountActor,
    importId: number,
    piece: PastePiece & { key: string; position: number },
  ): Promise<'added' | 'repeated' | 'closed'>;
  preview(actor: AccountActor, importId: number): Promise<ImportPreview>;
  /** Adds what was collected, once, however often it is called or interrupted. undefined: it was cancelled. */
  commit(actor: AccountActor, importId: number): Promise<CommittedImport | undefined>;
  /** Forgets what was collected; false when it was committed or cancelled already. */
  cancel(actor: AccountActor, importId: number): Promise<boolean>;
  /** Takes back what of a batch can still be taken, within an hour. */
  undo(actor: AccountActor, batchId: number): Promise<UndoAnswer>;
  /** Goes on with commits that an earlier process left in the middle. */
  resume(): Promise<void>;
}

interface ImportsDeps {
  store: Store;
  games: Games;
  clock: Clock;
  codes: Codes;
}

const EXAMPLES = 5;
const TURN_MS = 8;
const LOOKED_UP_AT_ONCE = 300;
const TAKEN_BACK_AT_ONCE = 500;

export function createImports(deps: ImportsDeps): Imports {
  const { store, games, clock } = deps;

  return {
    begin(actor, { gameId, denomination }) {
      requirePermission(actor, 'addCodes');
      const game = requireManaged(games, gameId);
      if (denomination !== undefined && !game.denominations.includes(denomination)) {
        throw new CoreError(
          'INVALID_INPUT',
          `${gameId} has these denominations: ${game.denominations.join(', ')}.`,
        );
      }
      const entry = { ...ownerOf(actor), gameId, denomination: denomination ?? null };
      return store.write((tables) => tables.imports.open({ ...entry, now: clock.now() }));
    },
    findOpen(actor) {
      const { accountId, actor: name } = ownerOf(actor);
      const latest = store.read((tables) => tables.imports.findLatest(accountId, name));
      if (latest?.state !== 'collecting') return undefined;
      return { id: latest.id, gameId: latest.gameId, denomination: latest.denomination ?? undefined };
    },
    addPiece(actor, importId, { key, position, kind, text }) {
      return store.write((tables) => {
        if (findOwn(tables, actor, importId).state !== 'collecting') return 'closed';
        return tables.imports.addPiece({ importId, pieceKey: key, position, kind, text })
          ? 'added'
          : 'repeated';
      });
    },
    preview: (actor, importId) => preview(deps, actor, importId),
    commit: (actor, importId) => commit(deps, actor, importId),
    cancel(actor, importId) {
      return store.write((tables) => {
        findOwn(tables, actor, importId);
        if (!tables.imports.move(importId, 'collecting', 'cancelled')) return false;
        tables.imports.deletePieces(importId);
        return true;
      });
    },
    undo: (actor, batchId) => undo(deps, actor, batchId),
    async resume() {
      const left = store.read((tables) => tables.imports.listCommitting());
      for (const { id, accountId, actor } of left) await commit(deps, parseActor(accountId, actor), id);
    },
  };
}

function requireManaged(games: Games, gameId: string): Game {
  const game = games.find(gameId);
  if (game?.database) return game;
  throw new CoreError('INVALID_INPUT', 'There is no code database for this game.');
}

function ownerOf(actor: AccountActor) {
  return { accountId: actor.accountId, actor: nameActor(actor) };
}

/** Who began an import that was interrupted while it was added; his right to add was checked when he confirmed. */
function parseActor(accountId: number, name: string): AccountActor {
  const [kind, id] = name.split(':');
  return kind === 'member'
    ? { kind: 'member', accountId, telegramId: Number(id), role: 'operator' }
    : { kind: 'apiKey', accountId, apiKeyId: Number(id) };
}

function findOwn(tables: Tables, actor: AccountActor, importId: number) {
  const found = tables.imports.find(importId);
  const { accountId, actor: name } = ownerOf(actor);
  if (found?.accountId === accountId && found.actor === name) return found;
  throw new CoreError('NOT_FOUND', 'There is no such import. Begin a new one with /add_codes.');
}

interface Collected {
  byDenomination: Map<number, string[]>;
  preview: ImportPreview;
}

/** Reads what was pasted, pausing often enough that nothing else waits. */
async function collect(
  { store, clock }: ImportsDeps,
  game: Game,
  importId: number,
  denomination: number | null,
) {
  const pieces = store.read((tables) => tables.imports.listPieces(importId));
  const preview: ImportPreview = {
    lots: [],
    withoutDenomination: 0,
    malformed: 0,
    malformedExamples: [],
    repeated: 0,
    tooMany: false,
  };
  const byDenomination = new Map<number, string[]>();
  const seen = new Set<string>();
  let turnBegan = clock.elapsed();
  for (const token of readPaste(pieces, game, denomination === null ? {} : { denomination })) {
    if (clock.elapsed() - turnBegan > TURN_MS) {
      await nextTurn();
      turnBegan = clock.elapsed();
    }
    if (token.kind === 'pause') continue;
    if (token.kind === 'malformed') {
      preview.malformed += 1;
      if (preview.malformedExamples.length < EXAMPLES) preview.malformedExamples.push(token.text);
    } else if (seen.has(token.code)) preview.repeated += 1;
    else if (seen.size === MAX_IMPORT_CODES) {
      preview.tooMany = true;
      break;
    } else {
      seen.add(token.code);
      if (token.denomination === undefined) preview.withoutDenomination += 1;
      else {
        const codes = byDenomination.get(token.denomination);
        if (codes) codes.push(token.code);
        else byDenomination.set(token.denomination, [token.code]);
      }
    }
  }
  return { byDenomination, preview } satisfies Collected;
}

async function preview(deps: ImportsDeps, actor: AccountActor, importId: number): Promise<ImportPreview> {
  const { store, games } = deps;
  const found = store.read((tables) => findOwn(tables, actor, importId));
  const { byDenomination, preview } = await collect(
    deps,
    requireManaged(games, found.gameId),
    importId,
    found.denomination,
  );
  for (const [denomination, codes] of [...byDenomination].sort(([a], [b]) => a - b)) {
    const lot = { denomination, fresh: 0, ours: 0, others: 0 };
    for (let from = 0; from < codes.length; from += LOOKED_UP_AT_ONCE) {
      const slice = deps.codes.countStandings(
        actor,
        found.gameId,
        codes.slice(from, from + LOOKED_UP_AT_ONCE),
      );
      lot.fresh += slice.fresh;
      lot.ours += slice.ours;
      lot.others += slice.others;
      await nextTurn();
    }
    preview.lots.push(lot);
  }
  return preview;
}

async function commit(
  deps: ImportsDeps,
  actor: AccountActor,
  importId: number,
): Promise<CommittedImport | undefined> {
  const { store, games, codes, clock } = deps;
  const begun = await store.write((tables) => {
    const found = findOwn(tables, actor, importId);
    if (!tables.imports.move(importId, 'collecting', 'committing')) return found;
    const { accountId, gameId } = found;
    const batchId = tables.batches.open({ accountId, gameId, actor: found.actor, now: clock.now() });
    tables.imports.setBatch(importId, batchId);
    return { ...found, state: 'committing' as const, batchId };
  });
  const { batchId } = begun;
  if (batchId === null) return undefined;
  if (begun.state === 'committing') {
    const game = requireManaged(games, begun.gameId);
    const { byDenomination } = await collect(deps, game, importId, begun.denomination);
    const lots = [...byDenomination].map(([denomination, list]) => ({ denomination, codes: list }));
    await codes.add(actor, game.id, lots, batchId);
    await store.write((tables) => {
      tables.imports.move(importId, 'committing', 'committed');
      tables.imports.deletePieces(importId);
    });
  }
  const batch = store.read((tables) => tables.batches.find(batchId));
  return { batchId, added: batch?.added ?? 0 };
}

async function undo(
  { store, clock }: ImportsDeps,
  actor: AccountActor,
  batchId: number,
): Promise<UndoAnswer> {
  const grant = requirePermission(actor, 'undoImport');
  const batch = store.read((tables) => tables.batches.find(batchId));
  if (batch?.accountId !== actor.accountId) return { status: 'notFound' };
  if (grant === 'own' && batch.actor !== nameActor(actor)) return { status: 'notFound' };
  if (batch.undoneAt !== null) return { status: 'alreadyUndone' };
  if (clock.now() - batch.at > UNDO_WITHIN_MS) return { status: 'tooLate' };
  // Marked as undone last: an undo that was interrupted goes on when it is asked for again.
  for (let taken = TAKEN_BACK_AT_ONCE; taken === TAKEN_BACK_AT_ONCE;) {
    taken = await store.write((tables) => tables.batches.takeBack(batchId, TAKEN_BACK_AT_ONCE, clock.now()));
  }
  return store.write((tables) => {
    const now = clock.now();
    if (!tables.batches.markUndone(batchId, now)) return { status: 'alreadyUndone' };
    const { accountId, gameId } = batch;
    const undone = tables.batches.countUndone(batchId);
    for (const { denomination } of undone) watchStock(tables, { accountId, gameId, denomination }, now);
    const takenBack = undone.reduce((sum, { count }) => sum + count, 0);
    return { status: 'undone', takenBack };
  });
}
