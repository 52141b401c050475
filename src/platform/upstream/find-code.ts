// Asks the upstream what became of a code: POST /redemption-time, then its history for the receipt with the credentials.
// "Not redeemed" sets a code free again, so it is said only when the upstream says exactly that.
import type { Clock } from '../../clock.ts';
import type { CallOptions, CodeOutcome, CodeRedemption } from '../port.ts';
import type { UpstreamAnswer, UpstreamCall } from './call.ts';
import { noticeOf, receiptOf } from './redeem.ts';
import { ActivationError, ActivationReceipt, PlainError, present, RedemptionTime } from './wire.ts';

export interface CodeQuery {
  gameId: string;
  code: string;
  withReceipt?: boolean;
}

type Unsettled = Exclude<CodeOutcome, { status: 'redeemed' }>;
type Kept = { status: 'kept'; receipt: CodeRedemption['receipt'] } | { status: 'none' } | Unsettled;

/** How long after a redemption the upstream's own record of it may still be unsettled and worth waiting for. */
const RECORD_SETTLES_MS = 10 * 60 * 1000;

/** Returns the look-up. While the upstream still works on the receipt that was asked for, the answer is `underWay`. */
export function createFindCode({ call, clock }: { call: UpstreamCall; clock: Clock }) {
  return async function findCode(query: CodeQuery, options: CallOptions): Promise<CodeOutcome> {
    const { gameId, code } = query;
    const answer = await call({ method: 'POST', path: '/redemption-time', body: { code, gameId } }, options);
    const time = readTime(answer);
    if ('status' in time) return time;
    const { receiptId } = time.told;
    const redemption: CodeOutcome = { status: 'redeemed', ...redemptionOf(time.told, time.toldAt) };
    if (!query.withReceipt || receiptId === undefined) return redemption;

    const history = await call({ method: 'GET', path: `/history/${receiptId}` }, options);
    const kept = readHistory(query, history, clock.now() - time.told.redemptionTime < RECORD_SETTLES_MS);
    switch (kept.status) {
      case 'kept':
        return { ...redemption, ...present({ receipt: kept.receipt }) };
      case 'none':
        return redemption;
      default:
        return kept;
    }
  };
}

function redemptionOf(time: RedemptionTime, toldAt: number | undefined): CodeRedemption {
  return {
    redeemedAt: time.redemptionTime,
    ...present({ toldAt }),
    expiresAt: time.expirationTime,
    channelName: time.channelName,
    openid: time.openid,
    amount: time.amount,
    productName: time.name,
    ...present({ playerId: time.playerId, playerName: time.playerName }),
  };
}

function readTime(answer: UpstreamAnswer): { told: RedemptionTime; toldAt: number | undefined } | Unsettled {
  if (answer.kind !== 'answered') return unreachable(answer);
  const { httpStatus, json } = answer;
  if (httpStatus === 200) {
    const time = RedemptionTime.safeParse(json);
    return time.success ? { told: time.data, toldAt: answer.date } : unreachable(answer);
  }
  const errorCode = PlainError.safeParse(json).data?.errorCode;
  // A 404 without this code comes from a wrong address, and says nothing of the code.
  if (httpStatus === 404 && errorCode === 'CODE_NOT_FOUND') return { status: 'notRedeemed' };
  if (httpStatus === 503 && errorCode === 'UNKNOWN') return { status: 'underWay' };
  return unreachable(answer);
}

// Settled without the receipt, the credentials would be lost for good: an upstream that cannot tell now is asked again,
// one that has none, or another code's, is believed.
function readHistory(query: CodeQuery, answer: UpstreamAnswer, isRecent: boolean): Kept {
  if (answer.kind !== 'answered') return unreachable(answer);
  if (answer.httpStatus === 404) return { status: 'none' };
  // A page of something between is no record of theirs.
  if (answer.httpStatus !== 200 || !answer.whole || answer.json === undefined) return unreachable(answer);
  const receipt = ActivationReceipt.safeParse(answer.json);
  if (receipt.success) {
    const { code, gameId, warning } = receipt.data;
    if (code !== query.code || (gameId ?? query.gameId) !== query.gameId) return { status: 'none' };
    return { status: 'kept', receipt: { ...receiptOf(receipt.data), fullReceipt: !warning } };
  }
  const failure = ActivationError.safeParse(answer.json);
  const isOpen =
    failure.success && ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'].includes(failure.data.errorCode);
  return isOpen && isRecent ? { status: 'underWay' } : { status: 'none' };
}

function unreachable(answer: UpstreamAnswer): Unsettled {
  if (answer.kind !== 'answered') {
    return { status: 'unreachable', message: `The upstream service could not be asked (${answer.reason}).` };
  }
  const message = `The upstream service answered ${answer.httpStatus}, which does not tell.`;
  const hostNotice = noticeOf(answer.httpStatus);
  const host = hostNotice === undefined ? {} : { hostNotice, hostTrouble: answer.httpStatus };
  return { status: 'unreachable', message, ...host };
}
