// The claim links of an account as a list, filtered: its pages, and all of them; and one of them with what its page shows
// beside the record.
import type { Clock } from '../../clock.ts';
import type { ClaimRow, ClaimState, ClaimTrouble, Store, Tables } from '../../store/index.ts';
import { readClaimRecord, type ClaimRecord } from '../claim-record.ts';
import { requirePermission, type AccountActor } from '../context.ts';
import { createRecordList, ENDS, type ListSource, type RecordList } from '../list-walk.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';
import { rangeOfDays, readTimeZone, type Day } from '../zones.ts';
import { findOf } from './claims.ts';

/** What is left out is not asked for. */
interface ClaimListFilter {
  state?: ClaimState | undefined;
  trouble?: ClaimTrouble | undefined;
  /** The first and the last day on which they were made, in the time zone of the account. */
  from?: Day | undefined;
  to?: Day | undefined;
  gameId?: string | undefined;
  /** The sum of its codes. */
  amount?: number | undefined;
  reference?: string | undefined;
}

export interface ClaimDetail extends ClaimRecord {
  /** Who gave it out. */
  actorLabel: ActorLabel;
  /** How many players were looked up by it since it was last opened, and how many of them there are not. */
  looks: number;
  misses: number;
  /** Nobody can tell whether a lost time has used it: whoever opens it has decided. */
  isUndecided: boolean;
}

export interface ClaimList extends RecordList<ClaimListFilter, ClaimRecord> {
  /** Whether there is any, whatever became of it. Throws CoreError FORBIDDEN. */
  hasAny(actor: AccountActor): boolean;
  /** undefined: none of this account has that name. Throws CoreError FORBIDDEN. */
  read(actor: AccountActor, name: string): ClaimDetail | undefined;
}

const ROWS_AT_ONCE = 100;

export function createClaimList({ store, clock }: { store: Store; clock: Clock }): ClaimList {
  const toRecords = (rows: readonly ClaimRow[]) =>
    store.read((tables) => rows.map((row) => readClaimRecord(tables, row)));

  function open(actor: AccountActor, filter: ClaimListFilter): ListSource<ClaimRow> {
    requirePermission(actor, 'manageClaims');
    const { accountId } = actor;
    const { from, until } = rangeOfDays(filter, readTimeZone(store, accountId));
    const { state, trouble, gameId, amount, reference } = filter;
    /** What it is for is its order's. */
    const isFor = (row: ClaimRow) => {
      if (gameId === undefined && amount === undefined) return true;
      const [claim] = toRecords([row]);
      return (
        (gameId === undefined || claim?.gameId === gameId) &&
        (amount === undefined || claim?.amount === amount)
      );
    };
    return {
      rowsAtOnce: ROWS_AT_ONCE,
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      read: ({ id }, direction, limit) =>
        store.read(({ claims }) => claims.listBeyond(accountId, id, direction, limit)),
      fits: (row) =>
        (state === undefined || row.state === state) &&
        (trouble === undefined || row.trouble === trouble) &&
        (reference === undefined || row.reference === reference) &&
        row.createdAt >= from &&
        row.createdAt < until &&
        isFor(row),
    };
  }

  return {
    ...createRecordList(clock, open, toRecords),
    hasAny(actor) {
      requirePermission(actor, 'manageClaims');
      const newest = ({ claims }: Tables) => claims.listBeyond(actor.accountId, ENDS.older.id, 'older', 1);
      return store.read(newest).length > 0;
    },
    read(actor, name) {
      requirePermission(actor, 'manageClaims');
      return store.read((tables) => {
        const row = findOf(tables, actor, name);
        return (
          row && {
            ...readClaimRecord(tables, row),
            actorLabel: toActorLabel(tables, row.accountId, row.createdBy),
            ...{ looks: row.looks, misses: row.misses, isUndecided: row.undecided === 1 },
          }
        );
      });
    },
  };
}
