// All links of an account that were open in a backup that was put in place, opened once more by one act: what the lost
// time has spent is asked first, as for one of them alone.
import type { CoreClock } from '../../clock.ts';
import type { StockKey, Store, Tables } from '../../store/index.ts';
import { listAll, takeTurn } from '../../turns.ts';
import { record } from '../audit-log.ts';
import { requirePermission, type AccountActor } from '../context.ts';
import { refuseOverload } from '../errors.ts';
import { getCurrentActor } from '../members.ts';
import { watchStock } from '../notices/notices.ts';
import { requireSwept } from '../redemption/sweep.ts';
import { listKeys } from './claims.ts';
import { CLAIMS_AT_ONCE } from './issue.ts';

export interface RestoredClaims {
  /** Whether there are any. Throws CoreError FORBIDDEN. */
  hasRestored(actor: AccountActor): boolean;
  /**
   * They wait for a player anew; how many. Left as it is where somebody has come with the link since and nobody can tell
   * whether the lost time has used it: each of these is decided by itself (`reopen`). Safe to repeat, and repeated after
   * an interruption it opens the rest. Throws CoreError FORBIDDEN; OVERLOADED while it is asked what the lost time has
   * spent: none is open then.
   */
  reopenRestored(actor: AccountActor): Promise<number>;
}

export function createRestoredClaims(deps: { store: Store; clock: CoreClock }): RestoredClaims {
  const { store, clock } = deps;
  return {
    hasRestored(actor) {
      requirePermission(actor, 'manageClaims');
      return store.read(({ claims }) => claims.listRestored(actor.accountId, 0, 1).length > 0);
    },
    async reopenRestored(actor) {
      requirePermission(actor, 'manageClaims');
      const write = refuseOverload(store, actor, { bulk: true });
      const found = await listRestored(store, actor);
      await Promise.all(keysOf(found).map((key) => requireSwept(deps, key)));
      let count = 0;
      for (let from = 0; from < found.length; from += CLAIMS_AT_ONCE)
        count += await write((tables) => {
          requirePermission(getCurrentActor(tables, actor), 'manageClaims');
          const now = clock.now();
          // Before the first is open: an interruption leaves none that nobody is named for.
          if (from === 0) record(tables, actor, 'claimsReopened', { after: { count: found.length } }, now);
          return reopenSome(tables, found.slice(from, from + CLAIMS_AT_ONCE), {
            safeNow: clock.safeNow(),
            now,
          });
        });
      return count;
    },
  };
}

interface Restored {
  id: number;
  keys: StockKey[];
}

/** Each once. */
const keysOf = (restored: readonly Restored[]): StockKey[] => [
  ...new Map(restored.flatMap(({ keys }) => keys.map((key) => [JSON.stringify(key), key]))).values(),
];

const listRestored = (store: Store, { accountId }: AccountActor): Promise<Restored[]> =>
  listAll<Restored>(
    (last) =>
      store.read((tables) =>
        tables.claims
          .listRestored(accountId, last?.id ?? 0, CLAIMS_AT_ONCE)
          .map((row) => ({ id: row.id, keys: listKeys(tables, row) })),
      ),
    CLAIMS_AT_ONCE,
    () => takeTurn(accountId),
  );

/** Those that are still so; how many. */
function reopenSome(
  tables: Tables,
  restored: readonly Restored[],
  { safeNow, now }: { safeNow: number; now: number },
): number {
  const opened = restored.filter(({ id }) => {
    const row = tables.claims.find(id);
    const isSo = row?.trouble === 'afterRestore' && row.undecided === 0 && row.expiresAt > safeNow;
    return isSo && tables.claims.reopen(id, row.orderId);
  });
  for (const key of keysOf(opened)) watchStock(tables, key, now);
  return opened.length;
}
