// Redemptions as they are read: a receipt, a failure, or one still open. Reading is free and never shows another account's.
import type { Clock } from '../../clock.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { ErrorCode } from '../error-policy.ts';
import { requirePermission } from '../permissions.ts';

/** The platform account a code was redeemed with. For the session family: player account id and session token. */
interface Credentials {
  uid?: string;
  email?: string;
  password?: string;
}

/** One redemption, whatever became of it. */
export interface Redemption {
  /** The receipt identifier. */
  id: number;
  accountId: number;
  /** Who asked: `member:<telegram id>` or `apiKey:<id>`. */
  actor: string;
  gameId: string;
  playerId: string;
  mode: 'database' | 'direct';
  /** Of the code database; absent in direct mode. */
  denomination?: number;
  /** Absent when no code was found. */
  code?: string;
  createdAt: number;
  /** When it was settled for good; absent while it is under way or in doubt. */
  settledAt?: number;
  tookMs: number;
  /** `pending` is under way, `in_doubt` waits for the platform's truth; both become one of the others. */
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  /** What was answered when it failed or fell in doubt. */
  errorCode?: ErrorCode;
  /** Technical; not for an untrusted user. */
  errorMessage?: string;
  /** The code went back into the database. */
  codeReset: boolean;
  /** The full receipt was not found on the platform. */
  warning: boolean;
  openid?: string;
  playerName?: string;
  region?: string;
  productName?: string;
  /** Units of the game's currency; absent when it cannot be determined definitively. */
  amount?: number;
  credentials?: Credentials;
}

/** A line of the history, without credentials. */
export interface HistoryEntry {
  id: number;
  error: boolean;
  warning: boolean;
  code?: string;
  /** The one asked for, or else the amount of the receipt. */
  denomination?: number;
  playerId: string;
  gameId: string;
  createdAt: number;
  /** Absent while it is under way or in doubt. */
  settledAt?: number;
}

/** 100 lines at a time, from the wire document. */
const PAGE = 100;

export interface Receipts {
  /** The redemption, or undefined: no such id, or not this actor's to see (the same answer for both). */
  find(actor: AccountActor, id: number): Redemption | undefined;
  /**
   * 100 at a time, and never cutting a millisecond apart. `before` tells newest first, `after` oldest first, neither
   * newest first; both strictly. Forward, nothing of this very millisecond is told yet: more may begin in it, and whoever goes
   * on after it would never hear of that.
   */
  list(actor: AccountActor, range: { before?: number; after?: number }): HistoryEntry[];
}

export function createReceipts({ store, clock }: { store: Store; clock: Clock }): Receipts {
  return {
    find(actor, id) {
      const grant = requirePermission(actor, 'readReceipts');
      const stored = store.readOne((tables) => tables.redemptions.find(id));
      if (stored?.accountId !== actor.accountId) return undefined;
      if (grant === 'own' && stored.actor !== nameActor(actor)) return undefined;
      return toRedemption(stored);
    },
    list(actor, { before, after }) {
      // For programs: pages of members' own are search.ts's.
      if (requirePermission(actor, 'searchHistory') === 'own') {
        throw new CoreError('FORBIDDEN', 'Your role may list redemptions of your own only.');
      }
      const now = clock.now();
      return store.read(({ redemptions }) => {
        const { accountId } = actor;
        const page =
          after === undefined
            ? redemptions.listBefore(accountId, before ?? Number.MAX_SAFE_INTEGER, PAGE)
            : redemptions.listAfter(accountId, after, PAGE);
        const whole = completeLast(redemptions, accountId, page, after !== undefined);
        return whole.filter(({ createdAt }) => after === undefined || createdAt !== now).map(toEntry);
      });
    },
  };
}

/** A full page, with the rest of the millisecond that it ends in. */
function completeLast(
  { listAt }: Tables['redemptions'],
  accountId: number,
  page: StoredRedemption[],
  isForward: boolean,
): StoredRedemption[] {
  const last = page.at(-1);
  if (!last || page.length < PAGE) return page;
  const seen = new Set(page.map((row) => row.id));
  const rest = listAt(accountId, last.createdAt).filter((row) => !seen.has(row.id));
  return [...page, ...(isForward ? rest : rest.reverse())];
}

function toEntry(stored: StoredRedemption): HistoryEntry {
  const denomination = stored.denomination ?? stored.amount;
  return {
    id: stored.id,
    error: stored.state !== 'redeemed',
    warning: stored.warning,
    ...(stored.code !== null && { code: stored.code }),
    ...(denomination !== null && { denomination }),
    playerId: stored.playerId,
    gameId: stored.gameId,
    createdAt: stored.createdAt,
    ...(stored.settledAt !== null && { settledAt: stored.settledAt }),
  };
}

/** What of a row is told. */
export type RecordRow = Pick<StoredRedemption, Extract<keyof Redemption, keyof StoredRedemption>>;

/** From the kept row to what is told: what is not known is absent. */
export function toRedemption(stored: RecordRow): Redemption {
  const { id, accountId, actor, gameId, playerId, mode, createdAt, tookMs, state, codeReset, warning } =
    stored;
  const optional = {
    denomination: stored.denomination,
    code: stored.code,
    settledAt: stored.settledAt,
    errorCode: stored.errorCode as ErrorCode | null,
    errorMessage: stored.errorMessage,
    openid: stored.openid,
    playerName: stored.playerName,
    region: stored.region,
    productName: stored.productName,
    amount: stored.amount,
    credentials: stored.credentials,
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
  return {
    id,
    accountId,
    actor,
    gameId,
    playerId,
    mode,
    createdAt,
    tookMs,
    state,
    codeReset,
    warning,
    ...known,
  };
}
