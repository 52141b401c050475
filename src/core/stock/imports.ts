// Imports from the chat: pieces are collected and kept, previewed, then added as one batch, which can be undone for an hour.
// What a piece of text means is paste.ts; adding is codes.ts. Nothing collected is lost by a restart.
import type { Clock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import type { Codes } from './codes.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Games } from '../games.ts';
import { addInChunks, collect, countCodes, previewImport, type ImportPreview } from './imports-reading.ts';
import { requireDenomination, requireManaged } from '../managed.ts';
import { watchStock } from '../notices/notices.ts';
import type { PastePiece } from '../paste/paste.ts';
import { requirePermission } from '../permissions.ts';

/** From the bot's document: how long a batch can be undone. */
export const UNDO_WITHIN_MS = 60 * 60 * 1000;

/** An import as it stands. */
export interface ImportState {
  gameId: string;
  /** Of codes that the text says none for. */
  denomination: number | undefined;
  state: 'collecting' | 'committing' | 'committed' | 'cancelled';
  messages: number;
  files: number;
  /** Another after anything was collected or chosen: what a preview showed is added only while it is the same. */
  revision: string;
}

export interface CommitOptions {
  /** As the preview showed it. Throws CoreError CONFLICT when more came since. */
  revision?: string;
  /** Told now and then how many codes were gone through. */
  onProgress?: (done: number) => void;
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
  ): Promise<'added' | 'repeated' | 'closed' | 'full'>;
  /** How an import stands. Throws CoreError NOT_FOUND, as everything here does for what is another's. */
  describe(actor: AccountActor, importId: number): ImportState;
  /** Sets the denomination of codes that the text says none for; false when it was decided meanwhile. */
  setDenomination(actor: AccountActor, importId: number, denomination: number): Promise<boolean>;
  /** How many different codes were pasted so far, the first 100,000. Reads everything: not for every piece. */
  count(actor: AccountActor, importId: number): Promise<number>;
  preview(actor: AccountActor, importId: number): Promise<ImportPreview>;
  /** Adds what was collected, once, however often it is called or interrupted. undefined: it was cancelled. */
  commit(
    actor: AccountActor,
    importId: number,
    options?: CommitOptions,
  ): Promise<CommittedImport | undefined>;
  /** Forgets what was collected; false when it was committed or cancelled already. */
  cancel(actor: AccountActor, importId: number): Promise<boolean>;
  /** Takes back what of a batch can still be taken, within an hour. */
  undo(actor: AccountActor, batchId: number): Promise<UndoAnswer>;
  /** Goes on with commits that an earlier process left in the middle. */
  resume(): Promise<void>;
  /** Forgets, a few at a time, what was collected two days ago and never decided; returns how many imports. */
  forgetOld(limit: number): Promise<number>;
}

interface ImportsDeps {
  store: Store;
  games: Games;
  clock: Clock;
  codes: Codes;
}

const TAKEN_BACK_AT_ONCE = 500;
const COLLECTED_FOR_MS = 48 * 60 * 60 * 1000;
/** Sealed, of one import: two of the largest files. */
const MOST_BYTES = 42 * 1024 * 1024;

export function createImports(deps: ImportsDeps): Imports {
  const { store, games, clock } = deps;

  return {
    begin(actor, { gameId, denomination }) {
      requirePermission(actor, 'addCodes');
      const game = requireManaged(games, gameId);
      if (denomination !== undefined) requireDenomination(game, denomination);
      const entry = { ...ownerOf(actor), gameId, denomination: denomination ?? null };
      return store.write((tables) => tables.imports.open({ ...entry, now: clock.now() }));
    },
    findOpen(actor) {
      const { accountId, actor: name } = ownerOf(actor);
      const latest = store.read((tables) => tables.imports.findLatest(accountId, name));
      if (latest?.state !== 'collecting') return undefined;
      return { id: latest.id, gameId: latest.gameId, denomination: latest.denomination ?? undefined };
    },
    addPiece: (actor, importId, piece) => addPiece(store, actor, importId, piece),
    describe(actor, importId) {
      return store.read((tables) => describe(tables, findOwn(tables, actor, importId)));
    },
    setDenomination(actor, importId, denomination) {
      return store.write((tables) => {
        const found = findOwn(tables, actor, importId);
        requireDenomination(requireManaged(games, found.gameId), denomination);
        return tables.imports.setDenomination(importId, denomination);
      });
    },
    async count(actor, importId) {
      const found = store.read((tables) => findOwn(tables, actor, importId));
      return await countCodes(deps, requireManaged(games, found.gameId), found);
    },
    async preview(actor, importId) {
      const found = store.read((tables) => findOwn(tables, actor, importId));
      return await previewImport(deps, actor, requireManaged(games, found.gameId), found);
    },
    commit: (actor, importId, options = {}) => commit(deps, actor, importId, options),
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
      for (const { id, accountId, actor } of left) await commit(deps, parseActor(accountId, actor), id, {});
    },
    forgetOld: (limit) => store.write((tables) => forgetOld(tables, clock.now() - COLLECTED_FOR_MS, limit)),
  };
}

async function addPiece(
  store: Store,
  actor: AccountActor,
  importId: number,
  piece: PastePiece & { key: string; position: number },
): Promise<'added' | 'repeated' | 'closed' | 'full'> {
  const isFull = store.read(({ imports }) => {
    const bytes = imports.measurePieces(importId) + piece.text.length;
    return bytes > MOST_BYTES && !imports.hasPiece(importId, piece.key);
  });
  if (isFull) return 'full';
  return addInChunks(piece, (chunk) =>
    store.write((tables) => {
      if (findOwn(tables, actor, importId).state !== 'collecting') return 'closed';
      return tables.imports.addPiece({ importId, ...chunk }) ? 'added' : 'repeated';
    }),
  );
}

function forgetOld(tables: Tables, until: number, limit: number): number {
  const old = tables.imports.listUndecided(until, limit);
  for (const { id } of old) {
    tables.imports.move(id, 'collecting', 'cancelled');
    tables.imports.deletePieces(id);
  }
  return old.length;
}

type Row = NonNullable<ReturnType<Tables['imports']['find']>>;

function describe(tables: Tables, { id, gameId, denomination, state }: Row): ImportState {
  const { messages, files } = tables.imports.countPieces(id);
  const revision = `${messages}:${files}:${denomination ?? ''}`;
  return { gameId, denomination: denomination ?? undefined, state, messages, files, revision };
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

async function commit(
  deps: ImportsDeps,
  actor: AccountActor,
  importId: number,
  { revision, onProgress }: CommitOptions,
): Promise<CommittedImport | undefined> {
  const { store, games, codes, clock } = deps;
  const begun = await store.write((tables) => {
    const found = findOwn(tables, actor, importId);
    const isOther = revision !== undefined && describe(tables, found).revision !== revision;
    if (isOther && found.state === 'collecting')
      throw new CoreError('CONFLICT', 'More was pasted since this preview.');
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
    const { byDenomination } = await collect(deps, game, begun);
    const lots = [...byDenomination].map(([denomination, list]) => ({ denomination, codes: list }));
    await codes.add(actor, game.id, lots, batchId, onProgress);
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
