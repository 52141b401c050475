// A batch after its import: what was added, and what was taken back, which can be had as a list again for a day.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { takeTurn } from '../../turns.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { requirePermission } from '../permissions.ts';
import { SENT_AGAIN_WITHIN_MS } from './handed-out.ts';

export interface Batch {
  id: number;
  gameId: string;
  /** How many codes it got. */
  added: number;
  /** undefined while it was not taken back, or is just being. */
  undoneAt: number | undefined;
  /** It is just being taken back. */
  isBeingUndone: boolean;
}

export interface TakenBack {
  denomination: number;
  codes: string[];
}

export interface Batches {
  /** A batch of this account; where only one's own may be undone, of this actor. undefined where there is none. */
  find(actor: AccountActor, batchId: number): Batch | undefined;
  /**
   * The codes of an undone batch, by denomination; undefined where there is none such, or it is longer ago than a day. `atAnyAge`:
   * for whoever was not given them yet.
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

  return {
    find,
    async findTakenBack(actor, batchId, { atAnyAge } = { atAnyAge: false }) {
      const { undoneAt } = find(actor, batchId) ?? {};
      if (undoneAt === undefined) return undefined;
      if (!atAnyAge && clock.now() - undoneAt > SENT_AGAIN_WITHIN_MS) return undefined;
      const lots = new Map<number, string[]>();
      for (let after: Buffer = BEFORE_ALL; ;) {
        const rows = store.read((tables) => tables.batches.listUndone(batchId, after, LISTED_AT_ONCE));
        for (const { denomination, code } of rows) {
          const codes = lots.get(denomination) ?? [];
          if (code !== undefined) codes.push(code);
          lots.set(denomination, codes);
        }
        const last = rows.at(-1);
        if (!last || rows.length < LISTED_AT_ONCE) break;
        after = last.hash;
        await takeTurn();
      }
      return [...lots].sort(([a], [b]) => a - b).map(([denomination, codes]) => ({ denomination, codes }));
    },
  };
}
