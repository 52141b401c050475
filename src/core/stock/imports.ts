// Imports from the chat: pieces are collected and kept, previewed, then added as one batch, which can be undone for an
// hour (undo-batch.ts). What a piece of text means is core/paste/; adding is the job of add-codes.ts. Nothing collected
// is lost by a restart.
import type { Store, Tables } from '../../store/index.ts';
import type { Codes } from './codes.ts';
import { type AccountActor, type InTransaction, requirePermission } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import type { Contest } from '../contest.ts';
import { type Games, requireDenomination, requireCodeDatabase } from '../games.ts';
import { cutSlices, openAdding } from './add-codes.ts';
import {
  addInChunks,
  collect,
  createImportLexer,
  previewImport,
  type ImportPreview,
} from './import-codes.ts';
import { PROBABLY_CUT, type PastePiece } from '../paste/messages.ts';
import { getCurrentActor } from '../members.ts';
import type { CoreClock } from '../../clock.ts';
import type { Jobs } from './jobs.ts';
import { closeImport, findPasted, prunePasted, type PastedMessages } from './finish-import.ts';
import {
  describe,
  findOwn,
  storeAnswer,
  ownerOf,
  type BulkBegun,
  type ImportRow as Row,
  type ImportProgress,
  findOpen,
  type OpenImport,
} from './import-state.ts';
import { requireSupplier } from './suppliers.ts';
import { beginUndo, undoBatch, type UndoAnswer, type UndoBegun } from './undo-batch.ts';

export type { BulkBegun, ImportProgress } from './import-state.ts';

interface CommitOptions {
  /** As the preview showed it. Throws CoreError CONFLICT when more came since. */
  revision?: string;
  /** Kept with the decision; also where the import was committed before. */
  inTransaction?: InTransaction<BulkBegun>;
}

interface CommittedImport {
  batchId: number;
  /** How many codes the batch holds. */
  added: number;
  /** Why not all of them were added; undefined where all were. */
  problem?: string;
}

export interface Imports {
  /** Begins to collect. Throws CoreError FORBIDDEN, INVALID_INPUT. */
  begin(actor: AccountActor, target: { gameId: string; denomination?: number }): Promise<number>;
  /** The import of this actor that still collects; `keys`: of pieces that make it the asker's own. */
  findOpen(actor: AccountActor, keys?: readonly string[]): OpenImport | undefined;
  /** Keeps a piece; the same key again is the same piece. `position` orders the pieces. Throws CoreError FORBIDDEN. */
  addPiece(
    actor: AccountActor,
    importId: number,
    piece: PastePiece & { key: string; position: number },
  ): Promise<'added' | 'repeated' | 'closed' | 'full'>;
  /** How an import stands. Throws CoreError NOT_FOUND, as everything here does for what is another's. */
  describe(actor: AccountActor, importId: number): ImportProgress;
  /**
   * Answers what the preview asks: a denomination, `leftOut`, or `good`: what each says it is worth; false when it was
   * decided meanwhile. Throws CoreError INVALID_INPUT.
   */
  answer(
    actor: AccountActor,
    importId: number,
    answer: { key: string; denomination: number | 'leftOut' | 'good' },
  ): Promise<boolean>;
  /**
   * Says from whom the codes were bought; undefined: from nobody. False when it was decided meanwhile. Throws CoreError
   * INVALID_INPUT.
   */
  setSupplier(actor: AccountActor, importId: number, supplier: string | undefined): Promise<boolean>;
  /** Notes the message of the chat that counts along. */
  showIn(actor: AccountActor, importId: number, messageId: number): Promise<void>;
  /** Whether the last piece was probably cut by the client: what follows is the rest of it. */
  isCut(actor: AccountActor, importId: number): boolean;
  preview(actor: AccountActor, importId: number): Promise<ImportPreview>;
  /** Adds what was collected, once, however often it is called or interrupted. undefined: it was cancelled. */
  commit(
    actor: AccountActor,
    importId: number,
    options?: CommitOptions,
  ): Promise<CommittedImport | undefined>;
  /** The same, answered as soon as it is decided: the id of the batch, which goes on by itself. */
  beginCommit(actor: AccountActor, importId: number, options?: CommitOptions): Promise<number | undefined>;
  /**
   * Forgets what was collected; false when it was committed or cancelled already, and nothing is kept with it.
   */
  cancel(actor: AccountActor, importId: number, inTransaction?: InTransaction<undefined>): Promise<boolean>;
  /** The messages that a batch of this actor was pasted in, for as long as Telegram lets them be deleted. */
  findPasted(actor: AccountActor, batchId: number): Promise<PastedMessages>;
  /** Takes back what of a batch can still be taken, within an hour; stops the adding where that goes on. */
  undo(actor: AccountActor, batchId: number, inTransaction?: InTransaction<BulkBegun>): Promise<UndoAnswer>;
  /** The same, answered as soon as it has begun; it goes on by itself. */
  beginUndo(
    actor: AccountActor,
    batchId: number,
    inTransaction?: InTransaction<BulkBegun>,
  ): Promise<UndoBegun>;
  /**
   * Goes on with the end of imports whose codes are all gone through, where an earlier process was interrupted in it.
   */
  closeInterrupted(): Promise<void>;
  /** Prunes, a few at a time, what was collected two days ago and never decided; returns how many imports. */
  prune(limit: number): Promise<number>;
}

interface ImportsDeps {
  store: Store;
  games: Games;
  clock: CoreClock;
  contest: Contest;
  codes: Codes;
  jobs: Jobs;
}

const OTHER_REVISION = 'More was pasted since this preview.';
const COLLECTED_FOR_MS = 48 * 60 * 60 * 1000;
/** Sealed, of one import: two of the largest files. */
const MOST_BYTES = 42 * 1024 * 1024;

export function createImports(deps: ImportsDeps): Imports {
  const { store, games, clock } = deps;

  return {
    begin(actor, { gameId, denomination }) {
      requirePermission(actor, 'addCodes');
      const game = requireCodeDatabase(games, gameId);
      if (denomination !== undefined) requireDenomination(game, denomination);
      const entry = { ...ownerOf(actor), gameId, denomination: denomination ?? null };
      return store.write((tables) => tables.imports.open({ ...entry, now: clock.now() }));
    },
    findOpen: (actor, keys = []) => store.read((tables) => findOpen(tables, actor, keys)),
    addPiece: (actor, importId, piece) => addPiece(deps, actor, importId, piece),
    describe(actor, importId) {
      return store.read((tables) => describe(tables, findOwn(tables, actor, importId)));
    },
    answer: (actor, importId, answer) =>
      store.write((tables) => storeAnswer(tables, games, findOwn(tables, actor, importId), answer)),
    async setSupplier(actor, importId, supplier) {
      const name = supplier === undefined ? null : requireSupplier(supplier);
      return store.write((tables) => tables.imports.setSupplier(findOwn(tables, actor, importId).id, name));
    },
    showIn: (actor, importId, messageId) =>
      store.write((tables) => tables.imports.setShownIn(findOwn(tables, actor, importId).id, messageId)),
    isCut: (actor, importId) =>
      store.read((tables) => tables.imports.measureLast(findOwn(tables, actor, importId).id)) >= PROBABLY_CUT,
    async preview(actor, importId) {
      const found = store.read((tables) => findOwn(tables, actor, importId));
      return await previewImport(deps, actor, requireCodeDatabase(games, found.gameId), found);
    },
    async commit(actor, importId, { revision, inTransaction } = {}) {
      const begun = await begin(deps, actor, importId, revision, inTransaction);
      return begun.batchId === null ? undefined : finish(deps, begun, begun.batchId);
    },
    async beginCommit(actor, importId, { revision, inTransaction } = {}) {
      const begun = await begin(deps, actor, importId, revision, inTransaction);
      if (begun.batchId === null) return undefined;
      // What this process does not get to goes on as what an earlier one has left.
      finish(deps, begun, begun.batchId).catch(() => undefined);
      return begun.batchId;
    },
    cancel(actor, importId, inTransaction) {
      return store.write((tables) => {
        findOwn(tables, actor, importId);
        if (!tables.imports.move(importId, 'collecting', 'cancelled')) return false;
        tables.imports.deletePieces(importId);
        inTransaction?.(tables, undefined);
        return true;
      });
    },
    undo: (actor, batchId, inTransaction) => undoBatch(deps, actor, batchId, inTransaction),
    async beginUndo(actor, batchId, inTransaction) {
      const begun = await beginUndo(deps, actor, batchId, inTransaction);
      if (begun.status === 'begun') deps.jobs.run(begun.jobId).catch(() => undefined);
      return begun;
    },
    async findPasted(actor, batchId) {
      const found = store.read((tables) => tables.imports.findOfBatch(batchId));
      if (found?.state === 'committing') await closeEnded(deps, found);
      return findPasted(deps, actor, batchId);
    },
    async closeInterrupted() {
      for (const row of store.read((tables) => tables.imports.listCommitting())) await closeEnded(deps, row);
    },
    prune: (limit) => store.write((tables) => prune(tables, clock.safeNow() - COLLECTED_FOR_MS, limit)),
  };
}

async function addPiece(
  { store, games, clock }: ImportsDeps,
  actor: AccountActor,
  importId: number,
  piece: PastePiece & { key: string; position: number },
): Promise<'added' | 'repeated' | 'closed' | 'full'> {
  requirePermission(actor, 'addCodes');
  const isFull = store.read(({ imports }) => {
    const bytes = imports.measurePieces(importId) + piece.text.length;
    return bytes > MOST_BYTES && !imports.hasPiece(importId, piece.key);
  });
  if (isFull) return 'full';
  const { gameId } = store.read((tables) => findOwn(tables, actor, importId));
  const lex = createImportLexer(games, requireCodeDatabase(games, gameId), clock.now());
  return addInChunks(piece, { lex, clock }, (chunk) =>
    store.write((tables) => {
      if (findOwn(tables, actor, importId).state !== 'collecting') return 'closed';
      if (!tables.imports.addPiece({ importId, ...chunk })) return 'repeated';
      tables.imports.touch(importId, clock.now());
      return 'added';
    }),
  );
}

function prune(tables: Tables, until: number, limit: number): number {
  prunePasted(tables, until, limit);
  const old = tables.imports.listUndecided(until, limit);
  for (const { id } of old) {
    tables.imports.move(id, 'collecting', 'cancelled');
    tables.imports.deletePieces(id);
  }
  return old.length;
}

/** Has the codes of a batch gone through, and forgets what was pasted. */
async function finish(
  deps: ImportsDeps,
  { id, gameId }: Pick<Row, 'id' | 'gameId'>,
  batchId: number,
): Promise<CommittedImport> {
  const { store, jobs } = deps;
  const job = store.read((tables) => tables.jobs.findOfSubject('add', batchId));
  const ended = job && (await jobs.run(job.id));
  await closeEnded(deps, { id, batchId, gameId });
  const batch = store.read((tables) => tables.batches.find(batchId));
  return {
    batchId,
    added: batch?.added ?? 0,
    ...(ended?.state === 'set_aside' && { problem: ended.problem ?? '' }),
  };
}

/** Reads what was collected and makes a job of it, once; an import that was decided before is told as it stands. */
async function begin(
  deps: ImportsDeps,
  actor: AccountActor,
  importId: number,
  previewed: string | undefined,
  inTransaction: InTransaction<BulkBegun> | undefined,
): Promise<Row> {
  const { store, games, clock } = deps;
  const { found, revision } = store.read((tables) => {
    const row = findOwn(tables, actor, importId);
    return { found: row, revision: describe(tables, row).revision };
  });
  if (found.state !== 'collecting') {
    if (inTransaction) await store.write((tables) => saveInTransaction(tables, found, inTransaction));
    return found;
  }
  const write = refuseOverload(store, actor, { bulk: true });
  if (previewed !== undefined && previewed !== revision) throw new CoreError('CONFLICT', OTHER_REVISION);
  const game = requireCodeDatabase(games, found.gameId);
  const { byDenomination } = await collect(deps, game, found);
  const stockKeys = [...byDenomination].map(([denomination, codes]) => ({ denomination, codes }));
  const slices = await cutSlices(stockKeys, game, [], actor.accountId);
  return write((tables) => {
    const now = clock.now();
    requirePermission(getCurrentActor(tables, actor), 'addCodes');
    const current = findOwn(tables, actor, importId);
    if (current.state !== 'collecting') {
      saveInTransaction(tables, current, inTransaction);
      return current;
    }
    if (describe(tables, current).revision !== revision) throw new CoreError('CONFLICT', OTHER_REVISION);
    const { accountId, gameId, supplier } = current;
    const batchId = tables.batches.open({ accountId, gameId, actor: current.actor, supplier, now });
    tables.imports.move(importId, 'collecting', 'committing');
    tables.imports.setBatch(importId, batchId);
    const jobId = openAdding(tables, { batchId, accountId, actor: current.actor, now }, slices);
    inTransaction?.(tables, { batchId, jobId });
    return { ...current, state: 'committing' as const, batchId };
  });
}

function saveInTransaction(
  tables: Tables,
  { batchId }: Row,
  inTransaction: InTransaction<BulkBegun> | undefined,
): void {
  if (batchId === null) return;
  const jobId = tables.jobs.findOfSubject('add', batchId)?.id;
  inTransaction?.(tables, { batchId, jobId });
}

/** Ends an import whose codes are all gone through. */
async function closeEnded(
  deps: ImportsDeps,
  row: { id: number; gameId: string; batchId: number | null },
): Promise<void> {
  const job = deps.store.read((tables) => tables.jobs.findOfSubject('add', row.batchId ?? 0));
  if (job?.state !== 'running') await closeImport(deps, row);
}
