// The real platform: any service that speaks the same HTTP interface as this one, used in direct mode. The
// transport is ../call.ts; what each answer means is in redeem.ts and find-code.ts.
import { systemClock, type Clock } from '../../clock.ts';
import type { Send } from '../../outgoing.ts';
import type { CallOptions, CharacterOutcome, PlatformOrder, OrderOutcome, Platform } from '../port.ts';
import { createUpstreamCall, listenForTheTime, type UpstreamAnswer, type UpstreamCall } from '../call.ts';
import { createFindCode } from './find-code.ts';
import { readRedemption, withAnswer } from './redeem.ts';
import { UpstreamCharacter, PlainError } from './wire.ts';

export interface UpstreamOptions {
  /** Address of the other service, with its base path if it has one. */
  url: string;
  /** API key there; it never appears in a message. */
  token: string;
  clock?: Clock;
  send?: Send | undefined;
}

/** Longer than the 55 s in which the other side answers or gives up: after it, "not redeemed" is final. */
const SETTLING_MS = 75_000;
/** Every look costs an activation there. */
const LOOK_PAUSE_MS = 10_000;

/** The adapter. Its methods never throw; throws at once, quoting nothing, when address or token are unusable. */
export function createUpstream({ url, token, clock = systemClock, send }: UpstreamOptions): Platform {
  const { call, findNow } = listenForTheTime(createUpstreamCall({ url, token, send }), clock);
  return {
    name: 'upstream',
    settlingMs: SETTLING_MS,
    lookPauseMs: LOOK_PAUSE_MS,
    async redeem(order, options) {
      const answer = await call(redeemRequest(order), options);
      return withAnswer(readRedemption(order, answer), answer, [order.code, token]);
    },
    findOrder,
    findCharacter: async (player, options) => {
      const path = `/character?${new URLSearchParams({ gameId: player.gameId, playerId: player.playerId }).toString()}`;
      return readCharacter(player, await call({ method: 'GET', path }, options));
    },
    findCode: createFindCode({ call }),
    findNow,
    isReachable: (options) => isAlive(call, options),
    // Every connection is closed after its one exchange, and calls under way belong to their signals.
    close: () => undefined,
  };
}

function redeemRequest({ reference, gameId, code, playerId }: PlatformOrder) {
  const body = { codeOverride: code, gameId, playerId, requireReceipt: true };
  return { method: 'POST', path: '/redeem', body, headers: { 'idempotency-key': reference } } as const;
}

// The receipt itself says whether the order list shows it (`fullReceipt`), and the interface has no other way to ask.
function findOrder(): Promise<OrderOutcome> {
  return Promise.resolve({
    status: 'unreachable',
    message: 'The upstream service has no look-up of orders.',
  });
}

function readCharacter(
  player: { gameId: string; playerId: string },
  answer: UpstreamAnswer,
): CharacterOutcome {
  if (answer.kind !== 'answered') {
    return { status: 'unreachable', message: `The upstream service could not be asked (${answer.reason}).` };
  }
  const { httpStatus, json } = answer;
  const found = httpStatus === 200 ? UpstreamCharacter.safeParse(json).data : undefined;
  if (
    found &&
    (found.playerId ?? player.playerId) === player.playerId &&
    (found.gameId ?? player.gameId) === player.gameId
  ) {
    return { status: 'found', openid: found.openid, name: found.name };
  }
  // Under 503 the same code means that the look-up failed.
  if (httpStatus === 404 && PlainError.safeParse(json).data?.errorCode === 'CHARACTER_NOT_FOUND') {
    return { status: 'notFound' };
  }
  return {
    status: 'unreachable',
    message: `The upstream service answered ${httpStatus}, which does not tell.`,
  };
}

async function isAlive(call: UpstreamCall, options: CallOptions): Promise<boolean> {
  const answer = await call({ method: 'GET', path: '/healthz' }, options);
  return answer.kind === 'answered' && answer.httpStatus >= 200 && answer.httpStatus < 300;
}
