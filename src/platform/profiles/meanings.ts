// What an answer comes to at the port, once a rule has said what it means. Where no rule knows it, nothing is known.
import type { UpstreamAnswer } from '../call.ts';
import type { CharacterOutcome, CodeOutcome, StoredAnswer, PlatformOrder, RedeemOutcome } from '../port.ts';
import { present } from '../present.ts';
import { redact } from '../redact.ts';
import type { CharacterMeaning, CodeMeaning, OrderMeaning, WireFields } from './profile.ts';
import { textAt } from './templates.ts';

/** What came of one request, what it means by the rule that knows it, and what that rule reads in it. */
export interface Heard<M extends string> {
  answer: UpstreamAnswer;
  means: M | undefined;
  told: WireValues;
  /** Why the profile has nothing to send about this. */
  unfit?: string;
}

/** Who answered: as the host calls it, and the token that it knows us by. */
export interface Answerer {
  name: string;
  token: string;
}

/** The end of an order. `jobId`: what it is known by there. */
export function readOrderAnswer(
  heard: Heard<OrderMeaning>,
  order: PlatformOrder,
  by: Answerer,
  jobId?: string,
): RedeemOutcome {
  const { answer, means } = heard;
  const status = 'refused';
  if (answer.kind === 'notSent') {
    const message = `The upstream service ${heard.unfit ? 'cannot be sent this order' : 'could not be reached'} (${answer.reason}).`;
    const hostNotice = heard.unfit && `The upstream ${by.name} cannot be sent an order: ${heard.unfit}.`;
    return {
      status,
      errorCode: 'NETWORK_ERROR',
      message,
      asked: false,
      neverSent: true,
      ...present({ hostNotice }),
    };
  }
  const kept = { answer: describeAnswer(heard, order, by, jobId) };
  switch (means) {
    case 'redeemed': {
      const { playerId: _id, time: _time, theirId: _their, ...receipt } = heard.told;
      const player = { openid: `player:${order.playerId}`, name: order.playerName ?? order.playerId };
      // The wire has no order list.
      return { status: means, receipt: { ...player, ...receipt }, fullReceipt: false, ...kept };
    }
    case 'underWay':
      return { ...unknownOf(answer), underWay: true, ...kept };
    case 'unknown':
    case undefined:
      return { ...unknownOf(answer), ...kept };
    case 'refusedUs': {
      const message = 'The upstream service does not take our orders.';
      const host = { refusedUs: true, hostNotice: formatRefusal(answer, by) } as const;
      return { status, errorCode: 'NETWORK_ERROR', message, asked: false, ...host, ...kept };
    }
    default: {
      const [errorCode, byPlayer] =
        means === 'usedByPlayer' ? (['CODE_USED', true] as const) : ([means] as const);
      const message = `The upstream service answered ${means}.`;
      const asked = errorCode !== 'NETWORK_ERROR';
      return { status, errorCode, message, asked, ...(byPlayer && { usedByPlayer: byPlayer }), ...kept };
    }
  }
}

function unknownOf(answer: UpstreamAnswer) {
  const isSuccess = answer.kind === 'answered' && answer.httpStatus >= 200 && answer.httpStatus < 300;
  const words =
    answer.kind === 'answered' ? `answered ${answer.httpStatus}` : `did not answer (${answer.reason})`;
  const errorCode = isSuccess ? 'INVALID_ACTIVATION_RESPONSE' : 'UNKNOWN';
  return { status: 'unknown', errorCode, message: `The upstream service ${words}.` } as const;
}

const formatRefusal = (answer: UpstreamAnswer, { name }: Answerer): string =>
  `The upstream ${name} refuses our requests (${answer.kind === 'answered' ? answer.httpStatus : answer.reason}): look at our key, balance and limit there.`;

function describeAnswer(
  { answer, means, told }: Heard<OrderMeaning>,
  { code }: PlatformOrder,
  by: Answerer,
  jobId?: string,
): StoredAnswer {
  if (answer.kind !== 'answered') return present({ theirId: jobId });
  const { httpStatus, retryAfterMs } = answer;
  const text = redact(answer, [code, by.token, told.uid, told.email, told.password]);
  const isUnread = means === undefined || undefined;
  return present({ httpStatus, text, theirId: told.theirId ?? jobId, isUnread, retryAfterMs });
}

/** What became of a code. */
export function readCodeAnswer(
  { answer, means, told }: Heard<CodeMeaning>,
  code: string,
  by: Answerer,
): CodeOutcome {
  const untellable = () => ({
    ...untold(answer, by),
    ...(answer.kind === 'answered' && { text: redact(answer, [code, by.token]) }),
  });
  if (means === 'unused') return { status: 'notRedeemed' };
  if (means === 'underWay') return { status: means };
  if (means === 'notTold') return { ...untellable(), doesNotTell: true };
  const { playerId, time, amount = 0, productName = '' } = told;
  const openid = told.openid ?? (playerId && `player:${playerId}`);
  // A part of an ID would be taken for somebody else's.
  const isWhole = playerId === undefined || /^\d{5,20}$/.test(playerId);
  if (answer.kind !== 'answered' || means !== 'usedBy' || !openid || !isWhole) return untellable();
  const at =
    time === undefined ? {} : { redeemedAt: time, expiresAt: time, ...present({ toldAt: answer.date }) };
  const player = present({ playerId, playerName: told.name });
  return { status: 'redeemed', ...at, openid, amount, productName, channelName: '', ...player };
}

/** Who a player is. */
export function readCharacterAnswer(
  { answer, means, told }: Heard<CharacterMeaning>,
  playerId: string,
  by: Answerer,
): CharacterOutcome {
  if (means === 'notFound') return { status: means };
  const { name, openid = `player:${playerId}` } = told;
  return means === 'found' && name !== undefined ? { status: means, name, openid } : untold(answer, by);
}

function untold(answer: UpstreamAnswer, by: Answerer) {
  const isAnswered = answer.kind === 'answered';
  const words = isAnswered
    ? `answered ${answer.httpStatus}, which does not tell`
    : `could not be asked (${answer.reason})`;
  const isRefused = isAnswered && [401, 402, 403].includes(answer.httpStatus);
  const host = isRefused && { hostNotice: formatRefusal(answer, by) };
  return { status: 'unreachable', message: `The upstream service ${words}.`, ...host } as const;
}

/** What an answer tells at the places of a rule; `time` in milliseconds UTC. */
type WireValues = Partial<Record<Exclude<keyof WireFields, 'amount' | 'time'>, string>> & {
  amount?: number;
  time?: number;
};

/** A time without a zone may be of any: it is none. */
const ZONED = /\d:\d\d[\d:.,]{0,30} ?(?:Z|[+-]\d\d:?\d\d)$/i;

export function readFields(json: unknown, { amount, time, ...others }: WireFields = {}): WireValues {
  const texts = Object.entries(others).map(([name, pointer]) => [name, textAt(json, pointer)] as const);
  const isPlain = typeof amount === 'string';
  const runs = textAt(json, isPlain ? amount : amount?.at)?.match(isPlain ? /^\d+$/ : /\d+/g) ?? [];
  const at = textAt(json, time?.at) ?? '';
  const isTold = time?.as === 'iso' ? ZONED.test(at) : at !== '';
  const ms = time?.as === 'iso' ? Date.parse(at) : Number(at) * (time?.as === 'seconds' ? 1000 : 1);
  return present({
    ...(Object.fromEntries(texts) as Partial<Record<keyof typeof others, string>>),
    amount: runs.length === 1 ? Number(runs[0]) : undefined,
    time: isTold && !Number.isNaN(ms) ? ms : undefined,
  });
}
