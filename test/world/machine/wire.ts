// The platform as another service of this interface: what the simulated one did is worded as such a service words it,
// or lost on the way as connections lose things, and the service reads it by its own adapter. Every other process
// reaches the platform so.
import type { Clock } from '../../../src/clock.ts';
import type { CodeOutcome, PlatformOrder, Platform, RedeemOutcome } from '../../../src/platform/port.ts';
import { createUpstream } from '../../../src/platform/upstream/upstream.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { broken, cutOff, reachedOver, readBody, sendToSide } from './network.ts';
import type { Manners } from './platform.ts';

const UPSTREAM = 'https://upstream.invalid';

interface Found {
  gameId: string;
  code: string;
  told: Extract<CodeOutcome, { status: 'redeemed' }>;
}

interface Side {
  platform: Platform;
  random: Seeded;
  /** What its own calendar says. */
  now: () => number;
  manners: () => Manners;
  /** What was told of codes, by the numbers of their receipts. */
  found: Map<number, Found>;
}

/** The same platform, reached over the wire. */
export function reachedByWire(
  platform: Platform,
  {
    clock,
    random,
    now,
    manners,
  }: { clock: Clock; random: Seeded; now: () => number; manners: () => Manners },
): Platform {
  const upstream = createUpstream({
    url: UPSTREAM,
    token: 'token-of-the-simulated-world',
    clock,
    send: sendToSide,
  });
  const side: Side = { platform, random, now, manners, found: new Map() };
  return reachedOver(upstream, { url: UPSTREAM, now, answer: (url, init) => answer(side, url, init) });
}

async function answer(
  side: Side,
  { pathname, searchParams }: URL,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const { signal } = init;
  if (side.random.chance(side.manners().isHidden)) return page(side);
  const body = readBody(init) as Record<string, string>;
  if (pathname === '/redeem') return redeem(side, body, init, signal);
  if (pathname === '/redemption-time') return formatCode(side, body.gameId ?? '', body.code ?? '', signal);
  if (pathname.startsWith('/history/'))
    return formatReceipt(side, Number(pathname.slice('/history/'.length)));
  if (pathname === '/character') {
    const [gameId, playerId] = [searchParams.get('gameId') ?? '', searchParams.get('playerId') ?? ''];
    const told = await side.platform.findCharacter({ gameId, playerId }, { signal });
    if (told.status === 'found') return json(200, { gameId, playerId, openid: told.openid, name: told.name });
    return json(told.status === 'notFound' ? 404 : 503, { error: 'No.', errorCode: 'CHARACTER_NOT_FOUND' });
  }
  return json((await side.platform.isReachable({ signal })) ? 200 : 503, {});
}

async function redeem(
  side: Side,
  body: Record<string, string>,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  const reference = new Headers(init.headers).get('idempotency-key') ?? '';
  const { gameId = '', codeOverride: code = '', playerId = '' } = body;
  const order = { reference, gameId, code, playerId };
  const between = new AbortController();
  const inTime = side.platform.redeem(order, { signal: AbortSignal.any([signal, between.signal]) });
  if (side.random.chance(0.5)) return formatRedemption(side, order, await inTime);
  // What stands between waits no longer than this; what it gives up may have been carried out.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, GATEWAY_MS, undefined)));
  const outcome = await Promise.race([inTime, late]);
  clearTimeout(timer);
  between.abort();
  return outcome
    ? formatRedemption(side, order, outcome)
    : lost(side, { ...FAILURE, gameId, code, playerId });
}

const GATEWAY_MS = 9_000;
const RECORDED_WITHIN_MS = 5 * 60_000;
const AT = '2026-01-01T00:00:00.000Z';
const FAILURE = { type: 'ActivationError', id: 1, createdAt: AT, codeReset: false };

function formatRedemption(side: Side, order: PlatformOrder, outcome: RedeemOutcome): Response {
  const { reference: _reference, ...told } = order;
  const failure = { ...FAILURE, ...told };
  switch (outcome.status) {
    case 'redeemed': {
      const { receipt, fullReceipt } = outcome;
      const about = {
        type: 'ActivationReceipt',
        id: 1,
        createdAt: AT,
        took: 1,
        settledAt: AT,
        warning: fullReceipt === false,
      };
      return json(200, { ...about, ...told, ...receipt });
    }
    case 'refused':
      if (!outcome.asked) return neverArrived(side, failure);
      return json(503, { ...failure, errorCode: outcome.errorCode });
    case 'unknown':
      if (outcome.errorCode === 'INVALID_ACTIVATION_RESPONSE') return garbled(side, failure);
      return lost(side, failure);
  }
}

/** Nothing of it was begun there: not reached, turned away, or said so. */
function neverArrived({ random }: Side, failure: object): Response {
  switch (random.weigh({ refused: 3, quota: 1, said: 2 })) {
    case 'refused':
      throw broken('ECONNREFUSED', 'connect');
    case 'quota':
      return json(429, { error: 'The quota is used up.', limit: 300 });
    case 'said':
      return json(503, { ...failure, errorCode: 'NETWORK_ERROR' });
  }
}

/** It may have been carried out, and nobody heard how it went. */
function lost({ random }: Side, failure: object): Response {
  switch (random.weigh({ reset: 3, gateway: 4, empty: 1, said: 2 })) {
    case 'reset':
      throw broken('ECONNRESET', 'read');
    case 'gateway':
      return new Response('<html><h1>Bad Gateway</h1></html>', { status: random.pick([502, 502, 504, 408]) });
    case 'empty':
      return json(random.pick([500, 422]), { error: 'Something went wrong.' });
    case 'said':
      return json(503, { ...failure, errorCode: 'UNKNOWN' });
  }
}

function garbled({ random }: Side, failure: object): Response {
  switch (random.weigh({ cut: 1, ends: 1, other: 1, page: 1, said: 2 })) {
    case 'cut':
      return cutOff(200, '{"type":"ActivationReceipt","id":1,"ope'.slice(0, random.below(40)));
    case 'ends':
      return new Response('{"type":"ActivationReceipt","id":1,"ope', { status: 200 });
    case 'other':
      return json(200, {
        type: 'ActivationReceipt',
        id: 1,
        warning: false,
        openid: '1',
        name: 'N',
        playerId: '1',
      });
    case 'page':
      return new Response('<html>Sign in to this network</html>', { status: 200 });
    case 'said':
      return json(503, { ...failure, errorCode: 'INVALID_ACTIVATION_RESPONSE' });
  }
}

async function formatCode(side: Side, gameId: string, code: string, signal: AbortSignal): Promise<Response> {
  const told = await side.platform.findCode({ gameId, code, withReceipt: true }, { signal });
  switch (told.status) {
    case 'redeemed':
      return formatRedeemed(side, { gameId, code, told });
    case 'notRedeemed':
      return json(404, { error: 'Not redeemed.', errorCode: 'CODE_NOT_FOUND' });
    case 'underWay':
      return json(503, { error: 'Under way.', errorCode: 'UNKNOWN' });
    case 'unreachable':
      return outOfReach(side);
  }
}

function outOfReach({ random }: Side): Response {
  switch (random.weigh({ refused: 1, gateway: 1, path: 2, said: 1 })) {
    case 'refused':
      throw broken('ECONNREFUSED', 'connect');
    case 'gateway':
      return new Response('Bad Gateway', { status: 502 });
    case 'path':
      return json(404, { error: 'There is nothing at this path.' });
    case 'said':
      return json(503, { error: 'Out of reach.', errorCode: 'NETWORK_ERROR' });
  }
}

function formatRedeemed({ found }: Side, asked: Found): Response {
  const { told } = asked;
  const id = found.size + 1;
  if (told.receipt) found.set(id, asked);
  const { redeemedAt = 0, expiresAt = 0, channelName, openid, amount, productName } = told;
  const { playerId, playerName } = told;
  const times = { redemptionTime: new Date(redeemedAt), expirationTime: new Date(expiresAt) };
  const about = { channelName, openid, amount, name: productName, playerId, playerName };
  return json(200, { ...times, ...about, ...(told.receipt && { receiptId: id, receiptSuccessful: true }) });
}

/** What something between answers of itself: nothing of it is the service's word, whatever its status is. */
function page({ random }: Side): Response {
  switch (random.weigh({ notFound: 2, maintenance: 2, gateway: 1, other: 2 })) {
    case 'notFound':
      return new Response('<html><h1>404 Not Found</h1></html>', { status: 404 });
    case 'maintenance':
      return new Response('<html>We will be back soon.</html>', { status: 200 });
    case 'gateway':
      return new Response('<html><h1>Bad Gateway</h1></html>', { status: 502 });
    case 'other':
      return random.chance(0.5)
        ? json(200, { status: 'ok' })
        : json(404, { error: 'There is no such route.' });
  }
}

/** What can be had the next time. */
function unread({ random }: Side): Response {
  switch (random.weigh({ busy: 1, away: 1, cut: 1 })) {
    case 'busy':
      return json(429, { error: 'Too many requests.' });
    case 'away':
      return json(503, { error: 'It is stopping.' });
    case 'cut':
      return new Response('{"type":"ActivationReceipt","id":', { status: 200 });
  }
}

function formatReceipt(side: Side, id: number): Response {
  if (side.random.chance(0.15)) return unread(side);
  if (side.random.chance(side.manners().hidesReceipts)) return page(side);
  const known = side.found.get(id);
  if (!known?.told.receipt)
    return json(404, { error: 'No such receipt.', errorCode: 'ACTIVATION_NOT_FOUND' });
  const { gameId, code, told } = known;
  // Its record is settled a little later than the code is redeemed.
  const isRecent = side.now() - (told.redeemedAt ?? 0) < RECORDED_WITHIN_MS;
  if (isRecent && side.random.chance(0.3))
    return json(200, { ...FAILURE, id, errorCode: 'UNKNOWN', gameId, code });
  const { fullReceipt, ...receipt } = told.receipt!;
  return json(200, {
    type: 'ActivationReceipt',
    id,
    warning: !fullReceipt,
    gameId,
    code,
    playerId: told.playerId,
    ...receipt,
  });
}

const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
