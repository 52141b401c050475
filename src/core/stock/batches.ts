// Batches after their import: what was added and what became of it, and what was taken back, which can be had as a list
// again for a day.
import type { Clock } from '../../clock.ts';
import type { CodeState, Store, Tables } from '../../store/index.ts';
import { takeTurn } from '../../turns.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';
import { SENT_AGAIN_WITHIN_MS } from './extraction-history.ts';
import { UNDO_WITHIN_MS } from './undo-batch.ts';

interface Batch {
  id: number;
  gameId: string;
  /** How many codes it got. */
  added: number;
  /** undefined while it was not taken back, or is just being. */
  undoneAt: number | undefined;
  /** It is just being taken back. */
  isBeingUndone: boolean;
}

/**
 * What became of the codes of a batch; `available` can be taken, `held` are being redeemed, `spent` cannot be used any
 * more.
 */
export interface BatchFate {
  available: number;
  redeemed: number;
  held: number;
  inDoubt: number;
  /** Perhaps handed out in a time that a restore lost: to be released. */
  inQuestion: number;
  extracted: number;
  undone: number;
  /** Used elsewhere, or no codes in truth. */
  spent: number;
}

interface BatchSummary extends Batch {
  actorLabel: ActorLabel;
  at: number;
  supplier: string | undefined;
  fate: BatchFate;
  /** Whether this actor may take it back now. */
  canBeUndone: boolean;
}

/** A place in the list: the batch beside it. */
interface BatchCursor {
  at: number;
  id: number;
}

interface TakenBack {
  denomination: number;
  codes: string[];
}

export interface Batches {
  /** A batch of this account; where only one's own may be undone, of this actor. undefined where there is none. */
  find(actor: AccountActor, batchId: number): Batch | undefined;
  /**
   * Newest first, before the cursor where there is one; the actor's own where no more may be undone. Counts a piece at
   * a time.
   */
  list(
    actor: AccountActor,
    options: { olderThan?: BatchCursor; limit: number },
  ): Promise<{ batches: BatchSummary[]; hasMore: boolean }>;
  /** What became of its codes; undefined where there is none. */
  findFate(actor: AccountActor, batchId: number): Promise<BatchFate | undefined>;
  /**
   * The codes of an undone batch, by denomination; undefined where there is none such, or the last of them was taken
   * back longer ago than a day. `atAnyAge`: for whoever was not given them yet.
   */
  findTakenBack(
    actor: AccountActor,
    batchId: number,
    options?: { atAnyAge: boolean },
  ): Promise<TakenBack[] | undefined>;
}

type Row = NonNullable<ReturnType<Tables['batches']['find']>>;

const LISTED_AT_ONCE = 100;
const COUNTED_AT_ONCE = 1_000;
const BEFORE_ALL = Buffer.alloc(0);

/** Its verbs throw CoreError FORBIDDEN. */
export function createBatches({ store, clock }: { store: Store; clock: Clock }): Batches {
  function find(actor: AccountActor, batchId: number): Batch | undefined {
    const grant = requirePermission(actor, 'undoImport');
    const { found, undoing } = store.read((tables) => ({
      found: tables.batches.find(batchId),
      undoing: tables.jobs.findOfSubject('undo', batchId),
    }));
    if (found?.accountId !== actor.accountId) return undefined;
    if (grant === 'own' && found.actor !== nameActor(actor)) return undefined;
    const { gameId, added, undoneAt } = found;
    const isBeingUndone = undoing?.state === 'running';
    return { id: batchId, gameId, added, undoneAt: undoneAt ?? undefined, isBeingUndone };
  }

  /** With its job of taking it back, where there is one. */
  function describe(
    { id, gameId, added, at, undoneAt, supplier }: Row,
    undoing: { state: string } | undefined,
  ) {
    const isInTime = clock.now() - at <= UNDO_WITHIN_MS;
    return {
      ...{ id, gameId, added, at, undoneAt: undoneAt ?? undefined, supplier: supplier ?? undefined },
      isBeingUndone: undoing?.state === 'running',
      canBeUndone: undoneAt === null && undoing === undefined && isInTime,
    };
  }

  return {
    find,
    async list(actor, { olderThan, limit }) {
      const grant = requirePermission(actor, 'undoImport');
      const own = grant === 'own' ? nameActor(actor) : undefined;
      const cursor = olderThan ?? { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
      const rows = store.read((tables) => tables.batches.listBack(actor.accountId, own, cursor, limit + 1));
      const batches: BatchSummary[] = [];
      for (const row of rows.slice(0, limit)) {
        const { actorLabel, undoing } = store.read((tables) => ({
          actorLabel: toActorLabel(tables, actor.accountId, row.actor),
          undoing: tables.jobs.findOfSubject('undo', row.id),
        }));
        batches.push({ ...describe(row, undoing), actorLabel, fate: await countFate(store, row.id) });
      }
      return { batches, hasMore: rows.length > limit };
    },
    async findFate(actor, batchId) {
      return find(actor, batchId) && countFate(store, batchId);
    },
    async findTakenBack(actor, batchId, { atAnyAge } = { atAnyAge: false }) {
      const { undoneAt } = find(actor, batchId) ?? {};
      if (undoneAt === undefined) return undefined;
      const { stockKeys, lastAt } = await readUndone(store, batchId);
      if (!atAnyAge && clock.now() - Math.max(undoneAt, lastAt) > SENT_AGAIN_WITHIN_MS) return undefined;
      return stockKeys;
    },
  };
}

/** By denomination; `lastAt`: when the last of them was taken back. */
const readUndone = (store: Store, batchId: number): Promise<{ stockKeys: TakenBack[]; lastAt: number }> =>
  store.inOrderOfHashes(() => walkUndone(store, batchId));

async function walkUndone(
  store: Store,
  batchId: number,
): Promise<{ stockKeys: TakenBack[]; lastAt: number }> {
  let lastAt = 0;
  const stockKeys = new Map<number, string[]>();
  for (let after: Buffer = BEFORE_ALL; ;) {
    const rows = store.read((tables) => tables.batches.listUndone(batchId, after, LISTED_AT_ONCE));
    for (const { denomination, code, changedAt } of rows) {
      lastAt = Math.max(lastAt, changedAt);
      const codes = stockKeys.get(denomination) ?? [];
      if (code !== undefined) codes.push(code);
      stockKeys.set(denomination, codes);
    }
    const last = rows.at(-1);
    if (!last || rows.length < LISTED_AT_ONCE) break;
    after = last.hash;
    await takeTurn();
  }
  const inOrder = [...stockKeys].sort(([a], [b]) => a - b);
  return { stockKeys: inOrder.map(([denomination, codes]) => ({ denomination, codes })), lastAt };
}

const FATES: Record<CodeState, keyof BatchFate> = {
  available: 'available',
  unverified: 'available',
  in_question: 'inQuestion',
  reserved: 'held',
  in_doubt: 'inDoubt',
  redeemed: 'redeemed',
  used: 'spent',
  invalid: 'spent',
  extracted: 'extracted',
  undone: 'undone',
};

/** By walking its index: a large batch is counted in turns, and nothing grows with the file. */
export const countFate = (store: Store, batchId: number): Promise<BatchFate> =>
  store.inOrderOfHashes(() => walkFate(store, batchId));

async function walkFate(store: Store, batchId: number): Promise<BatchFate> {
  const fate = {
    available: 0,
    redeemed: 0,
    held: 0,
    inDoubt: 0,
    inQuestion: 0,
    extracted: 0,
    undone: 0,
    spent: 0,
  };
  for (let after: Buffer = BEFORE_ALL; ;) {
    const rows = store.read((tables) => tables.batches.listStates(batchId, after, COUNTED_AT_ONCE));
    for (const { state } of rows) fate[FATES[state]] += 1;
    const last = rows.at(-1);
    if (!last || rows.length < COUNTED_AT_ONCE) return fate;
    after = last.hash;
    await takeTurn();
  }
}
