// Batches after their import: what was added and what became of it, and what was taken back, which can be had as a list
// again for a day.
import type { Clock } from '../../clock.ts';
import type { CodeState, Store } from '../../store/index.ts';
import { listAll } from '../../turns.ts';
import { walkBatchCodes } from '../batch-codes.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { createBatchListing, type BatchFate, type BatchInProgress, type BatchListing } from './batch-list.ts';
import { SENT_AGAIN_WITHIN_MS } from './extraction-history.ts';

interface TakenBack {
  denomination: number;
  codes: string[];
}

export interface Batches extends BatchListing {
  /** A batch of this account; where only one's own may be undone, of this actor. undefined where there is none. */
  find(actor: AccountActor, batchId: number): BatchInProgress | undefined;
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

const LISTED_AT_ONCE = 100;
const BEFORE_ALL = Buffer.alloc(0);

/** Its verbs throw CoreError FORBIDDEN. */
export function createBatches({ store, clock }: { store: Store; clock: Clock }): Batches {
  function find(actor: AccountActor, batchId: number): BatchInProgress | undefined {
    const grant = requirePermission(actor, 'undoImport');
    const { found, adding, undoing } = store.read((tables) => ({
      adding: tables.jobs.findOfSubject('add', batchId),
      found: tables.batches.find(batchId),
      undoing: tables.jobs.findOfSubject('undo', batchId),
    }));
    if (found?.accountId !== actor.accountId) return undefined;
    if (grant === 'own' && found.actor !== nameActor(actor)) return undefined;
    const { gameId, added, undoneAt } = found;
    const isBeingUndone = undoing?.state === 'running';
    const done = adding?.state === 'running' ? adding.done : undefined;
    return { id: batchId, gameId, added, undoneAt: undoneAt ?? undefined, isBeingUndone, done };
  }

  return {
    find,
    ...createBatchListing({ store, clock }, (batchId) => countFate(store, batchId)),
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
async function readUndone(
  store: Store,
  batchId: number,
): Promise<{ stockKeys: TakenBack[]; lastAt: number }> {
  const list = (last: { hash: Buffer } = { hash: BEFORE_ALL }) =>
    store.read((tables) => tables.batches.listUndone(batchId, last.hash, LISTED_AT_ONCE));
  let lastAt = 0;
  const stockKeys = new Map<number, string[]>();
  for (const { denomination, code, changedAt } of await listAll(list, LISTED_AT_ONCE)) {
    lastAt = Math.max(lastAt, changedAt);
    const codes = stockKeys.get(denomination) ?? [];
    if (code !== undefined) codes.push(code);
    stockKeys.set(denomination, codes);
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

/** By walking its index: a large batch is counted in turns. */
export async function countFate(store: Store, batchId: number): Promise<BatchFate> {
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
  await walkBatchCodes(store, batchId, ({ state, count }) => void (fate[FATES[state]] += count));
  return fate;
}
