// What every adapter of the platform port guarantees, shown with the sandbox's codes and players. It uses nothing but
// the port, so the same tests run against the sandbox itself and against a whole service that has a sandbox behind it.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, test } from 'vitest';

import { mintCodes } from '../../src/platform/sandbox/codes.ts';
import type { CodeOutcome, PlatformOrder, Platform, RedeemOutcome } from '../../src/platform/port.ts';

export interface PlatformUnderTest {
  platform: Platform;
  close(): Promise<void>;
}

const GAME_ID = 'game_id_2';
const PATIENCE_MS = 45_000;
/** Between looks while waiting; a service behind the port counts each look. */
const LOOK_EVERY_MS = 250;

/**
 * Runs the suite. `create` gives a platform with a fresh sandbox behind it; where a service stands between, that
 * service must give up on its platform after more than 5 s and well before 30 s, and its quota must bear about 150
 * activations.
 */
export function describePlatform(name: string, create: () => Promise<PlatformUnderTest>): void {
  describe(`${name} as a platform`, { timeout: PATIENCE_MS + 10_000 }, () => {
    let underTest: PlatformUnderTest;
    let platform: Platform;
    beforeAll(async () => {
      underTest = await create();
      platform = underTest.platform;
    });
    afterAll(() => underTest.close());

    const redeem = (order: PlatformOrder, signal = patience()) => platform.redeem(order, { signal });
    const findCode = ({ gameId, code }: PlatformOrder) =>
      platform.findCode({ gameId, code }, { signal: patience() });

    test.concurrent(
      'a fresh code redeems, and the receipt names player, account and amount',
      async ({ expect }) => {
        const order = orderOf(mint(325), freshPlayer());
        const outcome = await redeem(order);
        expect(outcome).toMatchObject({
          status: 'redeemed',
          receipt: {
            amount: 325,
            email: expect.any(String),
            password: expect.any(String),
            name: expect.any(String),
          },
        });
        const player = await platform.findCharacter(order, { signal: patience() });
        expect(player).toEqual({ status: 'found', ...pickCharacter(outcome) });
        expect(await hasFullReceipt(platform, order, outcome)).toBe(true);
      },
    );

    test.concurrent('an amount that cannot be determined is absent', async ({ expect }) => {
      const outcome = await redeem(orderOf(fresh('PLAIN')));
      expect(outcome.status).toBe('redeemed');
      expect(outcome).not.toHaveProperty('receipt.amount');
    });

    test.concurrent(
      'a code redeems once: the second time it is used, whoever sends it',
      async ({ expect }) => {
        const order = orderOf(mint(60));
        expect(await redeem(order)).toMatchObject({ status: 'redeemed' });
        const again = { ...order, reference: randomUUID(), playerId: freshPlayer() };
        expect(await redeem(again)).toMatchObject({ status: 'refused', errorCode: 'CODE_USED' });
        expect(await findCode(order)).toMatchObject({ status: 'redeemed', playerId: order.playerId });
      },
    );

    test.concurrent('of ten orders with one code at once exactly one redeems', async ({ expect }) => {
      const code = mint(60);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => redeem(orderOf(code, freshPlayer()))),
      );
      expect(outcomes.filter(({ status }) => status === 'redeemed')).toHaveLength(1);
    });

    test.concurrent(
      'a code is not redeemed before, and redeemed after, for this player',
      async ({ expect }) => {
        const order = orderOf(mint(660), freshPlayer());
        expect(await findCode(order)).toEqual({ status: 'notRedeemed' });
        const since = Date.now();
        const outcome = await redeem(order);
        const told = await findCode(order);
        expect(told).toMatchObject({
          status: 'redeemed',
          amount: 660,
          openid: pickCharacter(outcome).openid,
        });
        if (told.status !== 'redeemed') return;
        expect(told.redeemedAt).toBeGreaterThanOrEqual(since - 1_000);
        expect(told.redeemedAt).toBeLessThanOrEqual(Date.now() + 1_000);
        expect(told.expiresAt).toBeGreaterThan(told.redeemedAt ?? NaN);
        expect(told.channelName).not.toBe('');
      },
    );

    test.concurrent('an amount that is not known is 0 in the look-up of a code', async ({ expect }) => {
      const order = orderOf(fresh('PLAIN'));
      await redeem(order);
      expect(await findCode(order)).toMatchObject({ status: 'redeemed', amount: 0 });
    });

    test.concurrent.for([
      ['USED', 'CODE_USED', true],
      ['INVALID', 'INVALID_CODE', true],
      ['RISK', 'RISK_CONTROL', true],
      ['LOGIN', 'LOGIN_FAILED', true],
      ['NOACCOUNT', 'NO_ACCOUNTS_AVAILABLE', true],
      ['DOWN', 'NETWORK_ERROR', false],
      ['rIsK', 'RISK_CONTROL', true],
    ] as const)(
      'a code that begins with %s is refused as %s',
      async ([prefix, errorCode, asked], { expect }) => {
        expect(await redeem(orderOf(fresh(prefix)))).toMatchObject({ status: 'refused', errorCode, asked });
      },
    );

    test.concurrent('a refused code is not redeemed', async ({ expect }) => {
      const order = orderOf(fresh('LOGIN'));
      await redeem(order);
      expect(await findCode(order)).toEqual({ status: 'notRedeemed' });
    });

    test.concurrent(
      'a code that the platform cannot be asked about is not called unspent',
      async ({ expect }) => {
        expect(await findCode(orderOf(fresh('DOWN')))).toMatchObject({ status: 'unreachable' });
      },
    );

    test.concurrent(
      'a redemption without an item in the order list has no full receipt',
      async ({ expect }) => {
        const order = orderOf(fresh('NOORDER'));
        const outcome = await redeem(order);
        expect(outcome.status).toBe('redeemed');
        expect(await hasFullReceipt(platform, order, outcome)).toBe(false);
      },
    );

    test.concurrent(
      'an answer that cannot be read is unknown, and the look-up finds the truth',
      async ({ expect }) => {
        const order = orderOf(fresh('GARBLED'));
        expect(await redeem(order)).toMatchObject({
          status: 'unknown',
          errorCode: 'INVALID_ACTIVATION_RESPONSE',
        });
        expect(await findCode(order)).toMatchObject({ status: 'redeemed', playerId: order.playerId });
      },
    );

    test.concurrent(
      'an answer that never comes is unknown, and the look-up finds the truth',
      async ({ expect }) => {
        const order = orderOf(fresh('TIMEOUT'));
        const call = new AbortController();
        const outcome = redeem(order, call.signal);
        expect(await lookUntil(findCode, order, 'redeemed')).toMatchObject({ playerId: order.playerId });
        call.abort();
        expect(await outcome).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
      },
    );

    test.concurrent(
      'a lost order is unknown, is never found redeemed, and is not redeemed once settled',
      async ({ expect }) => {
        const order = orderOf(fresh('LOST'));
        const outcome = await redeem(order, AbortSignal.timeout(1_000));
        expect(outcome).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
        const looks: CodeOutcome['status'][] = [];
        await lookUntil(findCode, order, 'notRedeemed', looks);
        expect(looks).not.toContain('redeemed');
      },
    );

    test.concurrent('a slow code is under way, never unspent, until it is redeemed', async ({ expect }) => {
      const order = orderOf(fresh('SLOW'));
      const outcome = redeem(order);
      await lookUntil(findCode, order, 'underWay');
      const looks: CodeOutcome['status'][] = [];
      await lookUntil(findCode, order, 'redeemed', looks);
      expect(looks).not.toContain('notRedeemed');
      expect(await outcome).toMatchObject({ status: 'redeemed' });
    });

    test.concurrent(
      'a player who does not exist is refused, and the code stays unspent',
      async ({ expect }) => {
        const order = orderOf(mint(60), freshPlayer('404'));
        expect(await redeem(order)).toMatchObject({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND' });
        expect(await findCode(order)).toEqual({ status: 'notRedeemed' });
        expect(await platform.findCharacter(order, { signal: patience() })).toEqual({ status: 'notFound' });
      },
    );

    test.concurrent(
      'a player who cannot be looked up is refused, but is not said to be missing',
      async ({ expect }) => {
        const order = orderOf(mint(60), freshPlayer('503'));
        expect(await redeem(order)).toMatchObject({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND' });
        expect(await findCode(order)).toEqual({ status: 'notRedeemed' });
        expect(await platform.findCharacter(order, { signal: patience() })).toMatchObject({
          status: 'unreachable',
        });
      },
    );

    test.concurrent('a player is the same person every time', async ({ expect }) => {
      const player = { gameId: GAME_ID, playerId: freshPlayer() };
      const first = await platform.findCharacter(player, { signal: patience() });
      expect(first.status).toBe('found');
      expect(await platform.findCharacter(player, { signal: patience() })).toEqual(first);
    });

    test.concurrent('a call given up before it began spends nothing', async ({ expect }) => {
      const order = orderOf(mint(60));
      const outcome = await redeem(order, AbortSignal.abort());
      expect(outcome).toMatchObject({ status: 'refused', errorCode: 'NETWORK_ERROR', asked: false });
      expect(await findCode(order)).toEqual({ status: 'notRedeemed' });
    });

    test.concurrent(
      'it is reachable, and settling takes longer than a pause between looks',
      async ({ expect }) => {
        expect(await platform.isReachable({ signal: patience() })).toBe(true);
        expect(platform.settlingMs).toBeGreaterThan(platform.lookPauseMs);
      },
    );
  });
}

function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

function orderOf(code: string, playerId = freshPlayer()): PlatformOrder {
  return { reference: randomUUID(), gameId: GAME_ID, code, playerId };
}

function mint(denomination: number): string {
  const [code] = mintCodes({ count: 1, denomination, randomBytes });
  if (!code) throw new Error('Nothing was minted.');
  return code;
}

function fresh(prefix: string): string {
  return prefix + randomBytes(8).toString('hex');
}

function freshPlayer(prefix = '7'): string {
  return prefix + randomBytes(6).readUIntBE(0, 6).toString().padStart(15, '0');
}

function pickCharacter(outcome: RedeemOutcome): { openid: string; name: string } {
  if (outcome.status !== 'redeemed') throw new Error(`Not redeemed: ${JSON.stringify(outcome)}`);
  return { openid: outcome.receipt.openid, name: outcome.receipt.name };
}

async function hasFullReceipt(
  platform: Platform,
  order: PlatformOrder,
  outcome: RedeemOutcome,
): Promise<boolean> {
  if (outcome.status === 'redeemed' && outcome.fullReceipt !== undefined) return outcome.fullReceipt;
  return (await platform.findOrder(order, { signal: patience() })).status === 'found';
}

/** Looks again and again until the code is in this state; `seen` collects every state on the way. */
async function lookUntil(
  findCode: (order: PlatformOrder) => Promise<CodeOutcome>,
  order: PlatformOrder,
  status: CodeOutcome['status'],
  seen: CodeOutcome['status'][] = [],
): Promise<CodeOutcome> {
  const signal = patience();
  for (;;) {
    const outcome = await findCode(order);
    seen.push(outcome.status);
    if (outcome.status === status) return outcome;
    if (signal.aborted)
      throw new Error(`The code never came to be ${status}; seen: ${[...new Set(seen)].join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
