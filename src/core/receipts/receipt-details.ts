// What a receipt tells beside the record: who asked for it, whether it was charged, what became of the code.
import type { Store, Tables } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { requirePermission } from '../permissions.ts';
import type { Redemption } from './receipts.ts';

/** Who asked. A member who has left the account has no name there any more, a program never had one. */
export type ActorLabel =
  | { kind: 'member'; telegramId: number; name?: string }
  | { kind: 'apiKey'; apiKeyId: number; prefix?: string }
  | { kind: 'host' }
  /** It was carried out in a time that a restore has lost. */
  | { kind: 'lost' };

/** What tells of whom it was asked, where nobody knows it any more. */
export const LOST_ACTOR = 'lost';

/**
 * What became of the code: `none` was taken; `held` until the truth is known; `spent` here, with a receipt; `back` in the
 * database; `untouched` in the hands of whoever sent it; `used` or `invalid` as the platform says; `elsewhere` in another
 * redemption that is open.
 */
type CodeStanding = 'none' | 'held' | 'spent' | 'back' | 'untouched' | 'used' | 'invalid' | 'elsewhere';

export interface ReceiptDetails {
  actorLabel: ActorLabel;
  /** Whether an activation is charged for it as things stand. */
  charged: boolean;
  code: CodeStanding;
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
      const charged = usage?.returned === false;
      const code = standingOf(redemption, { began: usage !== undefined, charged });
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
    case 'host':
    case 'lost':
      return actorLabel;
  }
}

function parseActor(actor: string): ActorLabel {
  const [kind, id] = actor.split(':');
  if (kind === 'member') return { kind, telegramId: Number(id) };
  if (kind === 'apiKey') return { kind, apiKeyId: Number(id) };
  return { kind: actor === LOST_ACTOR ? 'lost' : 'host' };
}

/** `began`: the platform was to be asked, so that something was charged at first. */
function standingOf(
  { state, mode, errorCode, codeReset, code }: Redemption,
  { began, charged }: { began: boolean; charged: boolean },
): CodeStanding {
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
