// The upstream adapter holds the contract of the platform port against a second instance of this very service, and
// reads right what only a whole service has: accounts, quotas, records of its own, doubts of its own. On simulated time,
// the service in this process: what sockets do to an answer is in ../../src/outgoing.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../../src/clock.ts';
import type { Send } from '../../src/outgoing.ts';
import type { CodeOutcome, PlatformOrder, Platform } from '../../src/platform/port.ts';
import { createUpstream } from '../../src/platform/upstream/upstream.ts';
import { heard } from '../world/machine/network.ts';
import { openReached } from '../world/play/reached.ts';
import type { Stage } from '../world/play/stage.ts';
import { describePlatform } from './platform.ts';

/**
 * More than the sandbox's slowest answer, so that SLOW redeems; the sooner after it, the sooner a lost order is
 * settled.
 */
const GIVES_UP_AFTER_SLOW_MS = 6_000;
/** Of look-ups: 300 are more than the service takes on together while its disk is slow. */
const AT_ONCE = 50;

const URL_OF_SERVICE = 'http://service.invalid';

async function openService(platformTimeoutMs: number) {
  const { stage, fetch, stop } = await openReached({ platformTimeoutMs, purchased: 5_000 });
  send = ({ url, body = null, ...init }, { signal }) =>
    heard(fetch(new Request(url, { ...init, body, signal })));
  return { other: stage.app(), stop };
}
let send: Send;
const asSeenWith = (token: string, url = URL_OF_SERVICE) =>
  createUpstream({ url, token, clock: systemClock, send });

describePlatform('another service of this kind', async () => {
  const { other, stop } = await openService(GIVES_UP_AFTER_SLOW_MS);
  const platform = asSeenWith(other.apiKey);
  return {
    platform,
    close() {
      platform.close();
      return stop();
    },
  };
});

describe('another service as the platform', () => {
  let other: ReturnType<Stage['app']>;
  let platform: Platform;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ other, stop } = await openService(300));
    platform = asSeenWith(other.apiKey);
  });
  afterAll(() => stop());

  const openAccount = (days: number) =>
    other.core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Another shop', days });
  const find = ({ gameId, code }: PlatformOrder, seen = platform) =>
    seen.findCode({ gameId, code, withReceipt: true }, calm());

  test('the look-up of a code brings the receipt that the redemption brought', async () => {
    for (const [gameId, prefix] of [
      ['game_id_1', '60S'],
      ['game_id_2', 'PLAIN'],
      ['game_id_3', '60S'],
      ['game_id_2', 'NOORDER'],
    ] as const) {
      const order = orderOf(prefix, gameId);
      const outcome = await platform.redeem(order, calm());
      if (outcome.status !== 'redeemed') throw new Error(`Not redeemed: ${JSON.stringify(outcome)}`);
      expect(outcome.receipt).toMatchObject({ email: expect.any(String), password: expect.any(String) });
      const { receipt, fullReceipt } = outcome;
      expect(await find(order)).toMatchObject({
        status: 'redeemed',
        playerId: order.playerId,
        openid: receipt.openid,
        receipt: { ...receipt, fullReceipt },
      });
      expect(fullReceipt).toBe(prefix !== 'NOORDER');
    }
  });

  test('a receipt is never shown to another account there, the redemption is', async () => {
    const order = orderOf('60S');
    await platform.redeem(order, calm());
    const stranger = asSeenWith((await openAccount(30)).apiKey);
    const told = await find(order, stranger);
    expect(told).toMatchObject({ status: 'redeemed', playerId: order.playerId });
    expect(told).not.toHaveProperty('receipt');
  });

  test('an order that is sent again is carried out once, and answered the same', async () => {
    const order = orderOf('60S');
    const first = await platform.redeem(order, calm());
    const { used } = other.core.quota(other.actor).daily;
    expect(await platform.redeem(order, calm())).toEqual(first);
    expect(other.core.quota(other.actor).daily.used).toBe(used);
  });

  test.each(['TIMEOUT', 'GARBLED'])(
    'a %s code that the other side has in doubt keeps its receipt back until it knows, then is redeemed without credentials',
    async (prefix) => {
      const order = orderOf(prefix);
      const errorCode = prefix === 'GARBLED' ? 'INVALID_ACTIVATION_RESPONSE' : 'UNKNOWN';
      expect(await platform.redeem(order, calm())).toMatchObject({ status: 'unknown', errorCode });
      expect(await find(order)).toMatchObject({ status: 'redeemed', receiptAwaited: true });
      const told = await lookUntilSettled(() => find(order));
      expect(told).toMatchObject({
        status: 'redeemed',
        playerId: order.playerId,
        receipt: { fullReceipt: false },
      });
      expect(told).not.toHaveProperty('receipt.password');
    },
  );

  test('a lost code is under way, not unspent, as long as the other side has it in doubt', async () => {
    const order = orderOf('LOST');
    expect(await platform.redeem(order, calm())).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
    const { used } = other.core.quota(other.actor).daily;
    expect(await find(order)).toEqual({ status: 'underWay' });
    // The answer "under way" is not charged, so asking again and again cannot use the quota up.
    expect(other.core.quota(other.actor).daily.used).toBe(used);
  });

  test('a code that somebody else has in doubt there is unknown, and conceded once it is theirs', async () => {
    const stranger = asSeenWith((await openAccount(30)).apiKey);
    const theirs = orderOf('TIMEOUT');
    await stranger.redeem(theirs, calm());
    const ours = { ...orderOf('TIMEOUT'), code: theirs.code };
    expect(await platform.redeem(ours, calm())).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
    expect(await lookUntilSettled(() => find(ours, stranger))).toMatchObject({ playerId: theirs.playerId });
    expect(await platform.redeem({ ...ours, reference: randomUUID() }, calm())).toMatchObject({
      status: 'refused',
      errorCode: 'CODE_USED',
    });
  });

  describe('where it serves us no more, nothing is spent and the host hears why', () => {
    test('our quota there is used up', async () => {
      const { apiKey } = await openAccount(30);
      await useQuotaUp(other, apiKey);
      await expectTurnedAway(asSeenWith(apiKey), 429);
    });

    test('our subscription there is over', async () => {
      await expectTurnedAway(asSeenWith((await openAccount(0)).apiKey), 403);
    });

    test('our key is not known there', async () => {
      await expectTurnedAway(asSeenWith('not-a-key'), 401);
    });

    test('our game is not known there', async () => {
      await expectTurnedAway(platform, 400, 'game_id_unknown');
    });

    test('the address is not the service', async () => {
      const astray = asSeenWith(other.apiKey, `${URL_OF_SERVICE}/astray`);
      await expectTurnedAway(astray, 404);
    });

    async function expectTurnedAway(seen: Platform, status: number, gameId?: string): Promise<void> {
      const order = orderOf('60S', gameId);
      const hostNotice = expect.stringContaining(`(${status})`);
      expect(await seen.redeem(order, calm())).toMatchObject({
        status: 'refused',
        errorCode: 'NETWORK_ERROR',
        asked: false,
        hostNotice,
      });
      expect(await find(order, seen)).toMatchObject({ status: 'unreachable', hostNotice });
      expect(await seen.findCharacter(order, calm())).toMatchObject({ status: 'unreachable' });
      if (gameId === undefined) expect(await find(order)).toEqual({ status: 'notRedeemed' });
    }
  });
});

function calm(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(10_000) };
}

function orderOf(prefix: string, gameId = 'game_id_2'): PlatformOrder {
  const code = prefix + randomUUID().replaceAll('-', '').slice(0, 16);
  const playerId = `7${BigInt(`0x${randomUUID().slice(0, 8)}`)
    .toString()
    .padStart(12, '0')}`;
  return { reference: randomUUID(), gameId, code, playerId };
}

/** Asks until the other side has settled the code; the test's own time limit ends it. */
async function lookUntilSettled(look: () => Promise<CodeOutcome>): Promise<CodeOutcome> {
  for (;;) {
    const told = await look();
    const isOpen = told.status === 'redeemed' ? told.receiptAwaited : told.status === 'underWay';
    if (isOpen !== true) return told;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function useQuotaUp({ core }: ReturnType<Stage['app']>, apiKey: string): Promise<void> {
  const actor = core.apiKeys.authenticate(apiKey)?.actor;
  if (!actor) throw new Error('The key is not known.');
  const { remaining } = core.quota(actor).daily;
  const query = { gameId: 'game_id_2', code: 'NEVERREDEEMED0' };
  for (let left = remaining; left > 0; left -= AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(left, AT_ONCE) }, () => core.findRedemptionTime(actor, query)),
    );
  expect(core.quota(actor).daily.remaining).toBe(0);
}
