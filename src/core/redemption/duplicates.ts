// Recent duplicates: what the player has just got, which a person is warned of before money moves. And duplicate
// requests: direct redemptions of a code that was under way already, refused at once, never sent, and settled with the
// one that was first.
import type { Store, Tables } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { enqueueSettled } from '../notices/pending-webhooks.ts';
import { type ActorLabel, toActorLabel, LOST_ACTOR } from '../receipts/receipts.ts';
import { tellRedemption } from '../promises.ts';
import type { CoreClock } from '../../clock.ts';

/** What is to be redeemed, of the code database. */
export interface RedeemItem {
  gameId: string;
  playerId: string;
  denomination: number;
}

/** An earlier redemption of the same denomination for the same player in this account. */
export interface RecentDuplicate {
  redemptionId: number;
  state: 'pending' | 'in_doubt' | 'redeemed';
  createdAt: number;
  actorLabel: ActorLabel;
}

/** What a person was warned of: a newer one is news to them. */
export interface KnownDuplicates {
  /** The newest that they saw; 0 for none. */
  warnedOf: number;
  /** Redemptions of this very order. */
  own?: readonly number[];
}

export type FindRecentDuplicate = (actor: AccountActor, wanted: RedeemItem) => RecentDuplicate | undefined;

/** From the document of the bot. */
const JUST_NOW_MS = 10 * 60 * 1000;
/** Of what a lost time carried out: who asked for it may not know. */
const RECOVERED_MS = 75 * 60 * 1000;
/** Of one player: what is open and older than so many others is no oversight of today. */
const LOOKED_THROUGH = 100;

/** The newest one begun less than ten minutes ago, or under way or in doubt, whoever began it. Throws FORBIDDEN. */
export function createFindRecentDuplicate({
  store,
  clock,
}: {
  store: Store;
  clock: { now(): number };
}): FindRecentDuplicate {
  return (actor, wanted) => {
    requirePermission(actor, 'redeem');
    return store.read((tables) => {
      const found = findRecent(tables, { ...wanted, accountId: actor.accountId }, clock.now());
      return found && describe(tables, actor.accountId, found);
    });
  };
}

/** The same inside a transaction, past what a person was warned of. */
export function findUnknownDuplicate(
  tables: Tables,
  wanted: RedeemItem & { accountId: number },
  { warnedOf, own = [] }: KnownDuplicates,
  now: number,
): RecentDuplicate | undefined {
  const found = findRecent(tables, wanted, now, ({ id }) => id > warnedOf && !own.includes(id));
  return found && describe(tables, wanted.accountId, found);
}

type Row = ReturnType<Tables['receiptDetails']['listOfPlayer']>[number];

function findRecent(
  tables: Tables,
  { accountId, gameId, playerId, denomination }: RedeemItem & { accountId: number },
  now: number,
  counts: (row: Row) => boolean = () => true,
): Row | undefined {
  return tables.receiptDetails
    .listOfPlayer(accountId, playerId, LOOKED_THROUGH)
    .find(
      (row) =>
        row.gameId === gameId &&
        (row.denomination ?? row.amount) === denomination &&
        isFresh(row, now) &&
        counts(row),
    );
}

function isFresh({ state, actor, createdAt }: Row, now: number): boolean {
  if (state === 'failed') return false;
  const freshMs = actor === LOST_ACTOR ? RECOVERED_MS : JUST_NOW_MS;
  return state !== 'redeemed' || createdAt > now - freshMs;
}

function describe(tables: Tables, accountId: number, { id, state, actor, createdAt }: Row): RecentDuplicate {
  const actorLabel = toActorLabel(tables, accountId, actor);
  return { redemptionId: id, state: state as RecentDuplicate['state'], createdAt, actorLabel };
}

const SETTLED_AT_ONCE = 100;

/**
 * Settles every duplicate request whose first has ended: CODE_USED where the code was redeemed, else NETWORK_ERROR.
 * Free where none waits.
 */
export async function settleDuplicateRequests({
  store,
  clock,
}: {
  store: Store;
  clock: CoreClock;
}): Promise<void> {
  for (;;) {
    const ended = store.read(({ duplicateRequests }) => duplicateRequests.listEnded(SETTLED_AT_ONCE));
    if (ended.length === 0) return;
    await store.write((tables) => {
      const now = clock.now();
      for (const { redemptionId, isSpent } of ended) {
        const failure = isSpent
          ? { errorCode: 'CODE_USED', errorMessage: 'Another request redeemed this code.' }
          : {
              errorCode: 'NETWORK_ERROR',
              errorMessage: 'Another request of this code ended without effect.',
            };
        if (!tables.duplicateRequests.settle(redemptionId, failure, now)) continue;
        enqueueSettled(tables, tables.redemptions.get(redemptionId), now);
        tellRedemption(tables, redemptionId, now);
      }
    });
  }
}
