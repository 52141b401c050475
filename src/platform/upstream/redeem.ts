// Reads the upstream's answer to POST /redeem: redeemed, refused for certain, or unknown. In doubt it is always
// unknown.
import type { HostTrouble, PlatformOrder, PlatformReceipt, RedeemOutcome, RefusalCode } from '../port.ts';
import type { UpstreamAnswer } from '../call.ts';
import { present } from '../present.ts';
import { redact } from '../redact.ts';
import { UpstreamError, UpstreamReceipt, PlainError } from './wire.ts';

type Answered = Extract<UpstreamAnswer, { kind: 'answered' }>;

/** What the answer says about this very order. */
export function readRedemption(order: PlatformOrder, answer: UpstreamAnswer): RedeemOutcome {
  switch (answer.kind) {
    case 'notSent':
      return {
        ...refuse('NETWORK_ERROR', `The upstream service could not be reached (${answer.reason}).`, false),
        neverSent: true,
      };
    case 'lost':
      return unknown('UNKNOWN', `The upstream service did not answer (${answer.reason}).`);
    case 'answered':
      return answer.httpStatus >= 200 && answer.httpStatus < 300
        ? readSuccess(order, answer)
        : readFailure(order, answer);
  }
}

/** The outcome with what came back, as it may be kept: of what was redeemed the receipt is kept already. */
export function withAnswer(
  outcome: RedeemOutcome,
  answer: UpstreamAnswer,
  secrets: readonly string[],
): RedeemOutcome {
  if (answer.kind !== 'answered') return outcome;
  const { httpStatus, retryAfterMs } = answer;
  const text = outcome.status === 'redeemed' ? undefined : redact(answer, secrets);
  return { ...outcome, answer: present({ httpStatus, retryAfterMs, text }) };
}

/** The part of a receipt that the port speaks of. */
export function receiptOf(receipt: UpstreamReceipt): PlatformReceipt {
  const { openid, name, region, productName, amount, uid, email, password } = receipt;
  return present({ openid, name, region, productName, amount, uid, email, password });
}

/** One sentence for the host on a status that means our own setting or subscription is at fault, else undefined. */
export function noticeOf(httpStatus: number): string | undefined {
  return NOTICES[httpStatus];
}

/** What is of us, not of the order: our key, subscription or quota there. */
const REFUSING_US = [401, 403, 429];

const NOTICES: Readonly<Record<number, string>> = {
  400: 'The upstream service rejected our request as malformed (400): check UPSTREAM_URL and that it knows our game identifiers.',
  401: 'The upstream service does not accept our key (401): check UPSTREAM_TOKEN.',
  403: 'The upstream service says that our subscription there is not active (403): renew it.',
  404: 'The upstream service has nothing at this address (404): check UPSTREAM_URL.',
  405: 'The upstream service does not take this method (405): check UPSTREAM_URL.',
  413: 'The upstream service found our request too large (413): check what stands between us and it.',
  415: 'The upstream service did not take our request for JSON (415): check what stands between us and it.',
  429: 'Our quota at the upstream service is used up (429): buy activations there or wait.',
};

function readSuccess(order: PlatformOrder, { httpStatus, json }: Answered): RedeemOutcome {
  const receipt = UpstreamReceipt.safeParse(json);
  if (httpStatus !== 200 || !receipt.success || !isAbout(order, receipt.data)) {
    return unknown(
      'INVALID_ACTIVATION_RESPONSE',
      `The upstream service answered ${httpStatus} without a receipt of this order.`,
    );
  }
  return { status: 'redeemed', receipt: receiptOf(receipt.data), fullReceipt: !receipt.data.warning };
}

function readFailure(order: PlatformOrder, { httpStatus, whole, json }: Answered): RedeemOutcome {
  const failure = httpStatus >= 400 ? UpstreamError.safeParse(json) : undefined;
  if (failure?.success) {
    return isAbout(order, failure.data)
      ? outcomeOf(failure.data.errorCode)
      : unknown('INVALID_ACTIVATION_RESPONSE', 'The upstream service answered about another order.');
  }
  const hostNotice = whole ? noticeOf(httpStatus) : undefined;
  if (hostNotice === undefined) {
    const isOfOtherOrder = PlainError.safeParse(json).data?.errorCode === 'IDEMPOTENCY_KEY_REUSED';
    const answered = unknown('UNKNOWN', `The upstream service answered ${httpStatus}.`);
    return { ...answered, ...(isOfOtherOrder && { isOfOtherOrder }) };
  }
  return {
    ...refuse('NETWORK_ERROR', `The upstream service rejected the request (${httpStatus}).`, false, {
      hostNotice,
      hostTrouble: httpStatus,
    }),
    ...(REFUSING_US.includes(httpStatus) && { refusedUs: true }),
  };
}

function isAbout(
  order: PlatformOrder,
  answer: Partial<Record<'gameId' | 'playerId' | 'code', string | undefined>>,
): boolean {
  return (['gameId', 'playerId', 'code'] as const).every((key) => (answer[key] ?? order[key]) === order[key]);
}

function outcomeOf(errorCode: string): RedeemOutcome {
  const message = `The upstream service answered ${errorCode}.`;
  switch (errorCode) {
    case 'CHARACTER_NOT_FOUND':
    case 'INVALID_CODE':
    case 'CODE_USED':
    case 'NO_ACCOUNTS_AVAILABLE':
    case 'LOGIN_FAILED':
    case 'RISK_CONTROL':
      return refuse(errorCode, message, true);
    case 'NETWORK_ERROR':
      return refuse(errorCode, message, false);
    case 'NO_CODES_AVAILABLE':
      return refuse('NETWORK_ERROR', message, false, { hostNotice: NOT_DIRECT, hostTrouble: 'notDirect' });
    case 'INVALID_ACTIVATION_RESPONSE':
      return unknown(errorCode, message);
    case 'UNKNOWN':
      return unknown(errorCode, message);
    default:
      // A stranger's word may be anything, a secret included: it is not repeated.
      return unknown('UNKNOWN', 'The upstream service answered an error code that is not of the fixed set.');
  }
}

const NOT_DIRECT =
  'The upstream service looked for a code in its own database although we sent one: it does not understand direct redemption.';

function refuse(
  errorCode: RefusalCode,
  message: string,
  asked: boolean,
  host: { hostNotice?: string; hostTrouble?: HostTrouble } = {},
) {
  return {
    status: 'refused',
    errorCode,
    message,
    asked,
    ...host,
  } as const;
}

function unknown(errorCode: 'UNKNOWN' | 'INVALID_ACTIVATION_RESPONSE', message: string) {
  return { status: 'unknown', errorCode, message } as const;
}
