// Redemptions as they are read: a receipt, a failure, or one still open; and what a receipt tells beside the record:
// who asked for it, whether it was charged, what became of the code. Reading is free and never shows another account's.
import type { Clock } from '../../clock.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { CoreError } from '../errors.ts';

/**
 * One redemption, whatever became of it: its row with its secrets opened. What is not known is null, and only the wire
 * leaves it out.
 */
export type Redemption = Omit<StoredRedemption, 'codeId' | 'usageId' | 'looks' | 'looksTold' | 'firstId'>;

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
  list(actor: AccountActor, range: { before?: number; after?: number }): Redemption[];
}

export function createReceipts({ store, clock }: { store: Store; clock: Clock }): Receipts {
  return {
    find(actor, id) {
      const grant = requirePermission(actor, 'readReceipts');
      const stored = store.read((tables) => tables.redemptions.find(id));
      if (stored?.accountId !== actor.accountId) return undefined;
      if (grant === 'own' && stored.actor !== nameActor(actor)) return undefined;
      return stored;
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
        return [...page, ...rest].filter(({ createdAt }) => after === undefined || createdAt !== now);
      });
    },
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
  if (errorCode !== 'NO_CODES_AVAILABLE' || denomination === null) return false;
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
  if (code === null) return 'none';
  if (codeReset) return 'back';
  if (errorCode === 'INVALID_CODE') return 'invalid';
  // A doubt that ended with nothing redeemed keeps the errorCode that was answered, and gives the usage back.
  if (errorCode === 'CODE_USED' && (!began || charged)) return 'used';
  if (errorCode === 'UNKNOWN' && !began) return 'elsewhere';
  return mode === 'direct' ? 'untouched' : 'back';
}
