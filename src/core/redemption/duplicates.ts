// Whether a player has just got the same: what a person is warned of before money moves, and what is looked at once more in the
// transaction of the order.
import type { Store, Tables } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { describeDoer, type Doer } from '../receipts/facts.ts';
import { requirePermission } from '../permissions.ts';

/** What is to be redeemed, of the code database. */
export interface Wanted {
  gameId: string;
  playerId: string;
  denomination: number;
}

/** An earlier redemption of the same denomination for the same player in this account. */
export interface SameBefore {
  redemptionId: number;
  state: 'pending' | 'in_doubt' | 'redeemed';
  createdAt: number;
  doer: Doer;
}

/** What a person was warned of: a newer one is news to them. */
export interface UnlessSame {
  /** The newest that they saw; 0 for none. */
  warnedOf: number;
  /** Redemptions of this very order. */
  own?: readonly number[];
}

export type FindSame = (actor: AccountActor, wanted: Wanted) => SameBefore | undefined;

/** From the document of the bot. */
const JUST_NOW_MS = 10 * 60 * 1000;
/** Of one player: what is open and older than so many others is no oversight of today. */
const LOOKED_THROUGH = 100;

/** The newest one begun less than ten minutes ago, or under way or in doubt, whoever began it. Throws FORBIDDEN. */
export function createFindSame({ store, clock }: { store: Store; clock: { now(): number } }): FindSame {
  return (actor, wanted) => {
    requirePermission(actor, 'redeem');
    return store.read((tables) => {
      const found = findSame(tables, { ...wanted, accountId: actor.accountId }, clock.now());
      return found && describe(tables, actor.accountId, found);
    });
  };
}

/** The same inside a transaction, past what a person was warned of. */
export function findUnseenSame(
  tables: Tables,
  wanted: Wanted & { accountId: number },
  { warnedOf, own = [] }: UnlessSame,
  now: number,
): SameBefore | undefined {
  const found = findSame(tables, wanted, now, ({ id }) => id > warnedOf && !own.includes(id));
  return found && describe(tables, wanted.accountId, found);
}

type Row = ReturnType<Tables['receiptFacts']['listOfPlayer']>[number];

function findSame(
  tables: Tables,
  { accountId, gameId, playerId, denomination }: Wanted & { accountId: number },
  now: number,
  counts: (row: Row) => boolean = () => true,
): Row | undefined {
  return tables.receiptFacts
    .listOfPlayer(accountId, playerId, LOOKED_THROUGH)
    .find(
      (row) =>
        row.gameId === gameId &&
        (row.denomination ?? row.amount) === denomination &&
        isFresh(row, now) &&
        counts(row),
    );
}

function isFresh({ state, createdAt }: Row, now: number): boolean {
  if (state === 'failed') return false;
  return state !== 'redeemed' || createdAt > now - JUST_NOW_MS;
}

function describe(tables: Tables, accountId: number, { id, state, actor, createdAt }: Row): SameBefore {
  const doer = describeDoer(tables, accountId, actor);
  return { redemptionId: id, state: state as SameBefore['state'], createdAt, doer };
}
