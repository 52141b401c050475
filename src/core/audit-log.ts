// Writing the audit log: each act of a closed list, in its own transaction, with whoever did it and by which surface it
// came in.
import type { AuditDoor, AuditValue, Tables } from '../store/index.ts';
import { nameActor, type Actor, type PaymentSystem } from './context.ts';

/** Every act that is written down. What `object`, `before` and `after` hold of each stands where it is written. */
export const AUDITED_ACTS = [
  'accountOpened',
  'accountRenamed',
  'contactSet',
  'accountPaused',
  'accountResumed',
  'accountClosed',
  'accountReopened',
  'timeZoneSet',
  'thresholdSet',
  'memberInvited',
  'ownerInvited',
  'ownerToBeReplaced',
  'ownerStayed',
  'memberJoined',
  'memberLeft',
  'memberRemoved',
  'roleChanged',
  'handedOver',
  'keyIssued',
  'keyRevoked',
  'keyLimited',
  'consoleEntered',
  'consoleLeft',
  'webhookAdded',
  'webhookRemoved',
  'webhookEnabled',
  'webhookDisabled',
  'codesExtracted',
  'claimsIssued',
  'claimsRevoked',
  'claimReopened',
  'claimPlayerSet',
  'claimsReopened',
  'batchUndone',
  'codesPutBack',
  'codesShown',
  'stockPaused',
  'stockResumed',
  'credentialsExported',
  'credentialsShown',
  'customerReceiptMade',
  'daysGranted',
  'activationsGranted',
  'refunded',
  'doubtsAsked',
  'doubtDecided',
  'upstreamPaused',
  'upstreamResumed',
  'upstreamCase',
  'platformAdopted',
  'databaseAdopted',
  'sweepsEnded',
  'playerForgotten',
  'keyChanged',
  'restored',
] as const;
export type AuditedAct = (typeof AUDITED_ACTS)[number];

/** Whoever acts: also the service by itself. */
type AuditActor = Actor | PaymentSystem | { kind: 'service' };

interface Act {
  /** null: of the service as a whole. Where it is left out, the actor's. */
  accountId?: number | null;
  /** On what; the account or the service itself where it is left out. */
  object?: string;
  before?: AuditValue;
  after?: AuditValue;
  reason?: string;
}

/** Writes an act down; it stands if the transaction does. */
export function record(tables: Tables, actor: AuditActor, what: AuditedAct, act: Act, now: number): void {
  const own = 'accountId' in actor ? actor.accountId : null;
  tables.auditLog.insert({
    accountId: act.accountId === undefined ? own : act.accountId,
    actor: actor.kind === 'service' ? actor.kind : nameActor(actor),
    door: doorOf(actor),
    what,
    object: act.object ?? null,
    before: act.before ?? null,
    after: act.after ?? null,
    reason: act.reason ?? null,
    at: now,
  });
}

function doorOf(actor: AuditActor): AuditDoor {
  switch (actor.kind) {
    case 'member':
      return actor.door ?? 'chat';
    case 'paymentSystem':
      return 'chat';
    case 'apiKey':
    case 'claim':
      return 'http';
    case 'host':
      return actor.by === 'cli' ? 'cli' : (actor.door ?? 'chat');
    case 'service':
      return 'service';
  }
}
