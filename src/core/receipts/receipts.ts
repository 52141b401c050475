// Redemptions as they are read: a receipt, a failure, or one still open; and what a receipt tells beside the record:
// who asked for it, whether it was charged, what became of the code. Reading is free and never shows another account's.
import type { Clock } from '../../clock.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { ErrorCode } from '../error-policy.ts';

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
  /** Who asked: `member:<telegram id>`, `apiKey:<id>` or `claim:<id>`. */
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
export interface HistoryEntry extends Pick<
  Redemption,
  'id' | 'gameId' | 'playerId' | 'code' | 'createdAt' | 'settledAt' | 'warning'
> {
  error: boolean;
  /** The one asked for, or else the amount of the receipt. */
  denomination?: number;
}

/** 100 lines at a time, from the wire document. */
const PAGE = 100;

export interface Receipts {
  /** The redemption, or undefined: no such id, or not this actor's to see (the same answer for both). */
  find(actor: AccountActor, id: number): Redemption | undefined;
  /**
   * 100 at a time, and never cutting a millisecond apart. `before` tells newest first, `after` oldest first, neither
   * newest first; both strictly. Forward, nothing of this very millisecond is told yet: more may begin in it, and
   * whoever goes on after it would never hear of that.
   */
  list(actor: AccountActor, range: { before?: number; after?: number }): HistoryEntry[];
}

export function createReceipts({ store, clock }: { store: Store; clock: Clock }): Receipts {
  return {
    find(actor, id) {
      const grant = requirePermission(actor, 'readReceipts');
      const stored = store.read((tables) => tables.redemptions.find(id));
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
      const { accountId } = actor;
      return store.read(({ history }) => {
        const beyond =
          after === undefined
            ? ({ direction: 'older', createdAt: before ?? Infinity, id: 0 } as const)
            : ({ direction: 'newer', createdAt: after, id: Infinity } as const);
        const page = history.list({
          accountId,
          ...beyond,
          end: after === undefined ? 0 : Infinity,
          limit: PAGE,
        });
        const last = page.length < PAGE ? undefined : page.at(-1);
        // With the rest of the millisecond that it ends in.
        const end = (last?.createdAt ?? 0) + (after === undefined ? 0 : 1);
        const rest = last ? history.list({ ...last, direction: beyond.direction, end, limit: -1 }) : [];
        return [...page, ...rest]
          .filter(({ createdAt }) => after === undefined || createdAt !== now)
          .map(toEntry);
      });
    },
  };
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

type Told = Pick<StoredRedemption, Extract<keyof Redemption, keyof StoredRedemption>>;

/** What of a row is told; what is not known is null, or not there. */
export type RecordRow = Partial<Told> & {
  [Field in keyof Told as null extends Told[Field] ? never : Field]: Told[Field];
};

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
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => (value ?? null) !== null));
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

/** Who asked. A member who has left the account has no name there any more, a program never had one. */
export type ActorLabel =
  | { kind: 'member'; telegramId: number; name?: string }
  | { kind: 'apiKey'; apiKeyId: number; prefix?: string }
  /** Whoever opened a claim link. */
  | { kind: 'claim'; claim?: string }
  | { kind: 'host' }
  /** It was carried out in a time that a restore has lost. */
  | { kind: 'lost' };

/** What tells of whom it was asked, where nobody knows it any more. */
export const LOST_ACTOR = 'lost';

/**
 * What became of the code: `none` was taken; `held` until the truth is known; `spent` here, with a receipt; `back` in
 * the database; `untouched` in the hands of whoever sent it; `used` or `invalid` as the platform says; `elsewhere` in
 * another redemption that is open.
 */
type CodeEnd = 'none' | 'held' | 'spent' | 'back' | 'untouched' | 'used' | 'invalid' | 'elsewhere';

export interface ReceiptDetails {
  actorLabel: ActorLabel;
  /** Whether an activation is charged for it as things stand. */
  charged: boolean;
  /** As things stand, too: what was refused and is tried again is `back`. */
  code: CodeEnd;
  /** No code was taken, and none is for the time being: the denomination is paused. */
  isPaused?: boolean;
}

export type ReadReceiptDetails = (actor: AccountActor, redemption: Redemption) => ReceiptDetails;

/** Of a redemption that this actor has found. Throws CoreError FORBIDDEN. */
export function createReceiptDetails({ store }: { store: Store }): ReadReceiptDetails {
  return (actor, redemption) => {
    requirePermission(actor, 'readReceipts');
    return store.read((tables) => {
      const usage = tables.receiptDetails.findUsage(redemption.id);
      const charged = usage !== undefined && usage.returnedAt === undefined;
      const settled = codeEndOf(redemption, { began: usage !== undefined, charged });
      const code = isTriedAgain(tables, redemption, settled) ? 'back' : settled;
      const isPaused = code === 'none' && isOfPaused(tables, redemption);
      return {
        actorLabel: toActorLabel(tables, actor.accountId, redemption.actor),
        charged,
        code,
        ...(isPaused && { isPaused }),
      };
    });
  };
}

/** Somebody had what was refused tried again: it is offered since. */
function isTriedAgain(tables: Tables, { id, mode }: Redemption, settled: CodeEnd): boolean {
  if (mode === 'direct' || (settled !== 'used' && settled !== 'invalid')) return false;
  return tables.receiptDetails.isCodeOffered(id);
}

function isOfPaused(tables: Tables, { accountId, gameId, denomination, errorCode }: Redemption): boolean {
  if (errorCode !== 'NO_CODES_AVAILABLE' || denomination === undefined) return false;
  return tables.stockPauses.isPaused({ accountId, gameId, denomination });
}

/** Who asked, as the account knows them. */
export function toActorLabel(tables: Tables, accountId: number, actor: string): ActorLabel {
  const actorLabel = parseActor(actor);
  switch (actorLabel.kind) {
    case 'member': {
      const member = tables.members.find(actorLabel.telegramId);
      return { ...actorLabel, ...(member?.accountId === accountId && { name: member.name }) };
    }
    case 'apiKey': {
      const prefix = tables.receiptDetails.findApiKeyPrefix(accountId, actorLabel.apiKeyId);
      return { ...actorLabel, ...(prefix !== undefined && { prefix }) };
    }
    case 'claim': {
      const claim = tables.claims.find(Number(actor.split(':')[1]));
      return { ...actorLabel, ...(claim?.accountId === accountId && { claim: claim.name }) };
    }
    case 'host':
    case 'lost':
      return actorLabel;
  }
}

function parseActor(actor: string): ActorLabel {
  const [kind, id] = actor.split(':');
  if (kind === 'member') return { kind, telegramId: Number(id) };
  if (kind === 'apiKey') return { kind, apiKeyId: Number(id) };
  if (kind === 'claim') return { kind };
  return { kind: actor === LOST_ACTOR ? 'lost' : 'host' };
}

/** `began`: the platform was to be asked, so that something was charged at first. */
function codeEndOf(
  { state, mode, errorCode, codeReset, code }: Redemption,
  { began, charged }: { began: boolean; charged: boolean },
): CodeEnd {
  if (state === 'redeemed') return 'spent';
  if (state !== 'failed') return 'held';
  if (code === undefined) return 'none';
  if (codeReset) return 'back';
  if (errorCode === 'INVALID_CODE') return 'invalid';
  // A doubt that ended with nothing redeemed keeps the errorCode that was answered, and gives the usage back.
  if (errorCode === 'CODE_USED' && (!began || charged)) return 'used';
  if (errorCode === 'UNKNOWN' && !began) return 'elsewhere';
  return mode === 'direct' ? 'untouched' : 'back';
}
