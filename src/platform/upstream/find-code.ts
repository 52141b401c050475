// Asks the upstream what became of a code: POST /redemption-time, then its history for the receipt with the
// credentials. "Not redeemed" sets a code free again, so it is said only when the upstream says exactly that.
import type { CallOptions, CodeOutcome, CodeRedemption } from '../port.ts';
import type { UpstreamAnswer, UpstreamCall } from '../call.ts';
import { noticeOf, receiptOf } from './redeem.ts';
import { present } from '../present.ts';
import { UpstreamError, UpstreamReceipt, PlainError, UpstreamRedemptionTime } from './wire.ts';

export interface CodeQuery {
  gameId: string;
  code: string;
  withReceipt?: boolean;
}

type Unsettled = Exclude<CodeOutcome, { status: 'redeemed' }>;
type Kept = Pick<CodeRedemption, 'receipt' | 'receiptAwaited'>;

/**
 * Returns the look-up. A receipt that was asked for, and is still worked on or cannot be read now, is `receiptAwaited`.
 */
export function createFindCode({ call }: { call: UpstreamCall }) {
  return async function findCode(query: CodeQuery, options: CallOptions): Promise<CodeOutcome> {
    const { gameId, code } = query;
    const answer = await call({ method: 'POST', path: '/redemption-time', body: { code, gameId } }, options);
    const time = readTime(answer);
    if ('status' in time) return time;
    const { receiptId } = time.told;
    const redemption: CodeOutcome = { status: 'redeemed', ...redemptionOf(time.told, time.toldAt) };
    if (!query.withReceipt || receiptId === undefined) return redemption;

    const history = await call({ method: 'GET', path: `/history/${receiptId}` }, options);
    return { ...redemption, ...readHistory(query, history) };
  };
}

function redemptionOf(time: UpstreamRedemptionTime, toldAt: number | undefined): CodeRedemption {
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

function readTime(
  answer: UpstreamAnswer,
): { told: UpstreamRedemptionTime; toldAt: number | undefined } | Unsettled {
  if (answer.kind !== 'answered') return unreachable(answer);
  const { httpStatus, json } = answer;
  if (httpStatus === 200) {
    const time = UpstreamRedemptionTime.safeParse(json);
    return time.success ? { told: time.data, toldAt: answer.date } : unreachable(answer);
  }
  const errorCode = PlainError.safeParse(json).data?.errorCode;
  // A 404 without this code comes from a wrong address, and says nothing of the code.
  if (httpStatus === 404 && errorCode === 'CODE_NOT_FOUND') return { status: 'notRedeemed' };
  if (httpStatus === 503 && errorCode === 'UNKNOWN') return { status: 'underWay' };
  return unreachable(answer);
}

const NONE: Kept = {};
const AWAITED: Kept = { receiptAwaited: true };

// Settled without the receipt, the credentials would be lost for good. What is not the upstream's own word on this
// code, a page of something between above all, says nothing: it is asked again.
function readHistory(query: CodeQuery, answer: UpstreamAnswer): Kept {
  if (answer.kind !== 'answered' || !answer.whole) return AWAITED;
  const { httpStatus, json } = answer;
  const isNotThere =
    httpStatus === 404 && PlainError.safeParse(json).data?.errorCode === 'ACTIVATION_NOT_FOUND';
  if (isNotThere) return NONE;
  if (httpStatus !== 200) return AWAITED;
  const receipt = UpstreamReceipt.safeParse(json).data;
  const failure = UpstreamError.safeParse(json).data;
  const record = receipt ?? failure;
  if (record && isOfAnother(query, record)) return NONE;
  if (receipt?.code !== undefined)
    return { receipt: { ...receiptOf(receipt), fullReceipt: !receipt.warning } };
  return failure && !isOpen(failure) ? NONE : AWAITED;
}

const isOfAnother = (
  { code, gameId }: CodeQuery,
  record: Pick<UpstreamReceipt, 'code' | 'gameId'>,
): boolean => (record.code ?? code) !== code || (record.gameId ?? gameId) !== gameId;

/** In doubt there, too, until it says since when it is final. */
const isOpen = ({ errorCode, settledAt }: UpstreamError): boolean =>
  settledAt === undefined && ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'].includes(errorCode);

function unreachable(answer: UpstreamAnswer): Unsettled {
  if (answer.kind !== 'answered') {
    return { status: 'unreachable', message: `The upstream service could not be asked (${answer.reason}).` };
  }
  const message = `The upstream service answered ${answer.httpStatus}, which does not tell.`;
  const hostNotice = noticeOf(answer.httpStatus);
  const host = hostNotice === undefined ? {} : { hostNotice, hostTrouble: answer.httpStatus };
  return { status: 'unreachable', message, ...host };
}
