// The end of a redemption: one transaction that compares and sets from an open state, applies the error policy to the
// code and the usage, and writes the notices. Shared by execute.ts and doubt-task.ts; the second of them changes
// nothing.
import type { PlatformReceipt } from '../../platform/port.ts';
import type {
  AnsweredAttempt,
  AttemptProof,
  ErrorCode,
  StockKey,
  StoredReceipt,
  Tables,
} from '../../store/index.ts';
import { noteRedeemed, noteRefused } from './take-code.ts';
import { type CodePolicy, policyOf } from '../error-policy.ts';
import type { Game } from '../games.ts';
import { askHold, releaseRedemption } from '../promises.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { tellBelied } from '../upstreams/cases.ts';
import { enqueueSettled } from '../notices/pending-webhooks.ts';

/** What settling needs to know of a redemption. */
export interface OpenRedemption {
  id: number;
  accountId: number;
  actor: string;
  gameId: string;
  mode: 'database' | 'direct';
  denomination: number | null;
  codeId: number | null;
  usageId: number | null;
}

/** What is told of the attempts of a redemption with its end. */
export interface ToldAttempts {
  /** The number of the one that it is of; 1 where it is not said. */
  n?: number;
  /** The upstream that its code was looked up at, where that is another. */
  witness?: string | undefined;
  answered?: AnsweredAttempt;
}

/** Settles with a receipt; `proof`: by what it is known. False: it was settled already, nothing changed. */
export function settleRedeemed(
  tables: Tables,
  open: OpenRedemption,
  receipt: StoredReceipt,
  proof: AttemptProof,
  now: number,
  { n = 1, witness, answered }: ToldAttempts = {},
): boolean {
  tables.attempts.end(open.id, { spentBy: n, proof, witness, answered: { ...answered, n } }, now);
  if (!tables.redemptions.settleRedeemed(open.id, receipt, now)) return false;
  if (open.codeId !== null) moveCode(tables.codes.redeem(open.codeId, now), open);
  const stockKey = stockKeyOf(open);
  if (stockKey) noteRedeemed(tables, stockKey);
  releaseRedemption(tables, open.id, now);
  enqueueSettled(tables, open, now);
  settleDuplicates(tables, open.id, true, now);
  return true;
}

/**
 * Direct redemptions of its code that came while it was open, refused at once and never sent: what became of the code
 * is what becomes of them. Whatever ends a redemption calls it, in that transaction.
 */
export function settleDuplicates(tables: Tables, firstId: number, isSpent: boolean, now: number): void {
  const failure = isSpent
    ? ({ errorCode: 'CODE_USED', errorMessage: 'Another request redeemed this code.' } as const)
    : ({
        errorCode: 'NETWORK_ERROR',
        errorMessage: 'Another request of this code ended without effect.',
      } as const);
  for (const duplicate of tables.redemptions.settleDuplicates(firstId, failure, now)) {
    enqueueSettled(tables, duplicate, now);
    releaseRedemption(tables, duplicate.id, now);
  }
}

export interface Failure {
  errorCode: ErrorCode;
  message: string | null;
  /** Whether the platform heard of the redemption. */
  asked: boolean;
  /** By what it is known that nothing was redeemed for us, where it is not the answer. */
  proof?: AttemptProof;
  told?: ToldAttempts;
  /** It is the code itself that stands in the way: back behind the others, whatever the table says. */
  stepsBack?: true;
  /** The code was used in a time that a restore has lost: it costs nothing, and says nothing of the stock. */
  isLost?: boolean;
}

/** Settles as failed, by the error policy. False: it was settled already, nothing changed. */
export function settleFailed(tables: Tables, open: OpenRedemption, failure: Failure, now: number): boolean {
  const { errorCode, message, asked, proof = 'answer', told: { n, witness, answered } = {} } = failure;
  const { code: codePolicy, charged, stepsBack } = policyOf(errorCode, asked);
  tables.attempts.end(open.id, { proof, witness, answered: { errorCode, message, ...answered, n } }, now);
  return end(tables, open, { stepsBack, ...failure, codePolicy, charged: charged && !failure.isLost }, now);
}

const UNANSWERED: Doubted = { errorCode: 'UNKNOWN', message: null };

/**
 * As `settleFailed`, while somebody waits for it. `isLate`: nobody does any more, and they were answered UNKNOWN: then
 * it has been in doubt, however it ends, so that a key under which that was answered is never freed.
 */
export function settleRefused(
  tables: Tables,
  open: OpenRedemption,
  failure: Failure,
  { now, isLate }: { now: number; isLate: boolean },
): boolean {
  if (isLate) fallInDoubt(tables, open, UNANSWERED, { nextLookAt: now, quietUntil: now }, now);
  return settleFailed(tables, open, failure, now);
}

/**
 * The truth about a doubt is that nothing was redeemed: the code goes back, the usage is returned, the errorCode stays.
 */
export function settleReturned(
  tables: Tables,
  open: OpenRedemption,
  answered: { errorCode: ErrorCode; message: string | null },
  now: number,
  { proof = 'lookup', witness }: { proof?: AttemptProof; witness?: string | undefined } = {},
): boolean {
  tables.attempts.end(open.id, { proof, witness }, now);
  // Once it is chance; a code that comes back so again and again would hold up all behind it.
  const stepsBack = tables.redemptions.hasReturned(open.id);
  return end(tables, open, { ...answered, codePolicy: 'back', charged: false, stepsBack }, now);
}

interface Doubted {
  errorCode: ErrorCode;
  message: string | null;
  /** What the platform said, where that is another word. */
  said?: ErrorCode;
  told?: ToldAttempts;
}

/**
 * Holds the code until the truth is known, and adds the task that finds it (doubt-task.ts), which begins at `nextLookAt`, ms
 * UTC; the platform may still carry it out until `quietUntil`, on the monotonic scale. False: it was not pending any
 * more, nothing changed.
 */
export function fallInDoubt(
  tables: Tables,
  open: OpenRedemption,
  { errorCode, message, said = errorCode, told: { n, answered } = {} }: Doubted,
  { nextLookAt, quietUntil }: { nextLookAt: number; quietUntil: number },
  now: number,
): boolean {
  if (!tables.redemptions.doubt(open.id, { errorCode, errorMessage: message }, now)) return false;
  addDoubtTask(tables, open.id, now, nextLookAt);
  tables.attempts.doubt(open.id, { ...answered, errorCode: said, message, n }, quietUntil, now);
  if (open.codeId !== null) moveCode(tables.codes.hold(open.codeId, now), open);
  releaseRedemption(tables, open.id, now);
  return true;
}

export const DOUBT_TASK = 'doubt';

/** Gives a doubt its task; one that is over goes on. */
export function addDoubtTask({ tasks }: Tables, id: number, now: number, until?: number): void {
  const key = `doubt:${id}`;
  const task = { task: DOUBT_TASK, queue: key, key, payload: JSON.stringify({ id }), now };
  if (!tasks.add({ ...task, waitsFor: askHold(id), until: until ?? now })) tasks.repeat(key, now);
}

interface End {
  errorCode: ErrorCode;
  message: string | null;
  codePolicy: CodePolicy;
  charged: boolean;
  stepsBack: boolean;
  isLost?: boolean;
}

function end(tables: Tables, open: OpenRedemption, how: End, now: number): boolean {
  const { errorCode, message, codePolicy, charged } = how;
  const codeReset = codePolicy === 'back' && open.mode === 'database' && open.codeId !== null;
  if (!tables.redemptions.settleFailed(open.id, { errorCode, errorMessage: message, codeReset }, now))
    return false;
  if (open.codeId !== null) moveCode(applyPolicy(tables, open.codeId, how, now), open);
  if (!charged && open.usageId !== null) tables.quota.giveBack(open.usageId, now);
  if (open.codeId !== null && codePolicy === 'back') {
    // A direct redemption may have claimed it in anybody's stock.
    const stockKey = tables.codes.findStockKey(open.codeId);
    if (stockKey) watchStock(tables, stockKey, now);
    if (stockKey?.state === 'undone') notifyTakenBack(tables, stockKey, now);
  }
  if (open.mode === 'database' && codePolicy === 'used') bookUsed(tables, open, now);
  const stockKey = stockKeyOf(open);
  if (stockKey && !how.isLost && (codePolicy === 'used' || codePolicy === 'invalid'))
    noteRefused(tables, stockKey, now);
  releaseRedemption(tables, open.id, now);
  enqueueSettled(tables, open, now);
  settleDuplicates(tables, open.id, errorCode === 'CODE_USED', now);
  return true;
}

/** An earlier redemption may have believed that it is not. */
function bookUsed(tables: Tables, { id }: OpenRedemption, now: number): void {
  const { code, accountId, gameId } = tables.redemptions.get(id);
  if (code !== null) tellBelied(tables, { id, accountId, gameId, code }, now);
}

/** Of whose stock its code is; undefined for one that was given. */
function stockKeyOf({ accountId, gameId, denomination, mode, codeId }: OpenRedemption): StockKey | undefined {
  if (mode === 'direct' || denomination === null || codeId === null) return undefined;
  return { accountId, gameId, denomination };
}

/** Its batch was taken back while it was being redeemed: it has gone the way of the others, and is in their file. */
function notifyTakenBack(
  tables: Tables,
  { accountId, batchId, gameId, denomination }: StockKey & { batchId: number },
  now: number,
): void {
  const undoing = tables.jobs.findOfSubject('undo', batchId);
  // While it still goes on, its result tells of all.
  if (undoing?.state === 'running') return;
  const actor = tables.batches.find(batchId)?.undoneBy ?? 'host';
  writeNotice(tables, { kind: 'codeTakenBack', accountId, actor, batchId, gameId, denomination }, now);
}

function applyPolicy(tables: Tables, codeId: number, { codePolicy, stepsBack }: End, now: number): boolean {
  switch (codePolicy) {
    case 'back':
      return stepsBack ? tables.codes.stepBack(codeId, now) : tables.codes.giveBack(codeId, now);
    case 'used':
      return tables.codes.markUsed(codeId, now);
    case 'invalid':
      return tables.codes.markInvalid(codeId, now);
    case 'held':
    case 'none':
      return false;
  }
}

/**
 * A code that is not in the state its redemption says is a broken invariant: the throw rolls the whole settlement back.
 */
function moveCode(moved: boolean, open: OpenRedemption): void {
  if (!moved)
    throw new Error(`Code ${open.codeId} of redemption ${open.id} was not in the state its redemption says.`);
}

/** Tells the account how a doubt ended. */
export function notifyDoubtSettled(
  tables: Tables,
  open: OpenRedemption,
  outcome: 'redeemed' | 'returned' | 'spentElsewhere',
  now: number,
): void {
  const { accountId, actor, id: redemptionId } = open;
  writeNotice(tables, { kind: 'doubtSettled', accountId, actor, redemptionId, outcome }, now);
}

/** What a receipt tells, where there is none. */
export const NO_RECEIPT = {
  ...{ openid: null, playerName: null, region: null, productName: null, amount: null },
  ...{ warning: false, credentials: null },
} satisfies Record<keyof StoredReceipt, unknown>;

/** `warning` is never set for the session family, whose receipts have no order list. */
export function toStoredReceipt(
  receipt: PlatformReceipt,
  warning: boolean,
  game: Pick<Game, 'receipts'>,
): StoredReceipt {
  const { uid, email, password } = receipt;
  const known = uid !== undefined || email !== undefined || password !== undefined;
  return {
    openid: receipt.openid,
    playerName: receipt.name,
    region: receipt.region ?? null,
    productName: receipt.productName ?? null,
    amount: isWhole(receipt.amount) ? receipt.amount : null,
    warning: game.receipts === 'session' ? false : warning,
    credentials: known
      ? {
          uid,
          email,
          password,
        }
      : null,
  };
}

/** An amount that is none leaves the receipt without one: it must not keep a redemption from being written down. */
function isWhole(amount: number | undefined): amount is number {
  return amount !== undefined && amount >= 0 && Number.isSafeInteger(amount);
}
