// Claim links over the real core: what is given out, what whoever has a link can do with it, and that of all that come at
// once each is redeemed once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { GAME, makeOf, openOrderWorld, reader, type OrderWorld } from '../../../test/harness/order-world.ts';
import { listWithRecipients } from '../../../test/harness/notices.ts';
import { createSeeded } from '../../../test/harness/seeded.ts';
import { DAY_MS, MINUTE_MS, momentOf } from '../../clock.ts';
import type { ClaimRequest, Core, IssuedClaim } from '../index.ts';
import { expireClaims } from './claims.ts';

const PLAYER = '5170925570';
const NOBODY = '5999999990';

let world: OrderWorld;
let core: () => Core;
beforeEach(async () => {
  world = await openOrderWorld();
  ({ core } = world);
  world.platform.script.findCharacter = (playerId) =>
    playerId.startsWith('599')
      ? { status: 'notFound' }
      : { status: 'found', openid: playerId, name: `P${playerId}` };
});
afterEach(() => world.close());

let keys = 0;
const actor = () => reader(world);
const add = async (count: number, denomination = 60): Promise<string[]> => {
  const codes = Array.from({ length: count }, () => makeOf('GOOD'));
  await core().codes.add(actor(), GAME, [{ denomination, codes }]);
  await world.rest();
  return codes;
};
const request = (asked: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ gameId: GAME, count: 1, idempotencyKey: { scope: 'http', key: `key-${(keys += 1)}` } },
  ...(asked.amount === undefined && { denomination: 60 }),
  ...asked,
});
async function issue(asked: Partial<ClaimRequest> = {}): Promise<IssuedClaim[]> {
  const answer = await core().claims.issue(actor(), request(asked));
  if (answer.status !== 'issued') throw new Error(`None was made: ${answer.status}.`);
  return answer.claims;
}
const issueOne = async (asked: Partial<ClaimRequest> = {}): Promise<IssuedClaim> => (await issue(asked))[0]!;
const stateOf = ({ id }: { id: string }) => {
  const { state, trouble } = core().claims.find(actor(), id) ?? {};
  return [state, ...(trouble ? [trouble] : [])].join(' ');
};
const available = () => core().codes.countAvailable(actor(), GAME).get(60);
const nonceOf = (token: string) => core().visits.open(token)?.candidate?.nonce ?? '';
async function confirm(token: string, playerId = PLAYER, browser = 'browser') {
  await core().visits.lookUp(token, playerId);
  const answer = await core().visits.confirm(token, nonceOf(token), browser);
  await world.rest();
  return answer?.status;
}

describe('given out', () => {
  test('each link has its codes promised, and nobody else takes them', async () => {
    await add(5);
    const claims = await issue({ count: 4 });
    expect(claims.map(({ promised }) => promised)).toEqual([1, 1, 1, 1]);
    expect(new Set(claims.map(({ token }) => token)).size).toBe(4);
    expect(claims.every(({ token }) => /^[\w-]{22}$/.test(token))).toBe(true);
    expect(available()).toBe(1);
    expect(core().orders.list(actor(), {})).toEqual([]);
  });

  test('the same key brings back the same links, and no others', async () => {
    await add(45);
    const asked = request({ count: 45 });
    const [first, again] = [
      await core().claims.issue(actor(), asked),
      await core().claims.issue(actor(), asked),
    ];
    expect(again).toEqual({ ...first, replayed: true });
    expect(available()).toBe(0);
    await expect(core().claims.issue(actor(), { ...asked, count: 44 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('a sum is made of the same codes for each, such that the stock holds them all', async () => {
    await add(4);
    await add(2, 325);
    const claims = await issue({ amount: 445, count: 2 });
    const items = [
      { denomination: 325, count: 1 },
      { denomination: 60, count: 2 },
    ];
    expect(claims.map((claim) => [claim.items, claim.promised])).toEqual([
      [items, 3],
      [items, 3],
    ]);
  });

  test.each<[string, Partial<ClaimRequest>, object]>([
    [
      'more than the stock holds',
      { count: 3 },
      { status: 'notEnoughStock', missing: [{ denomination: 60, count: 1 }] },
    ],
    ['a sum that the stock does not make', { amount: 100, count: 2 }, { status: 'noComposition', below: 60 }],
  ])('%s: none is made', async (_, asked, answer) => {
    await add(2);
    expect(await core().claims.issue(actor(), request(asked))).toEqual(answer);
    expect([available(), core().claims.list(actor(), {})]).toEqual([2, []]);
  });

  test.each<[string, Partial<ClaimRequest>]>([
    ['gameId', { gameId: 'other' }],
    ['denomination', { denomination: 61 }],
    ['denomination', { denomination: undefined }],
    ['count', { count: 1_001 }],
    ['expiresAt', { expiresAt: 1 }],
    ['reference', { reference: 'x'.repeat(65) }],
  ])('a rule of %s is broken', async (path, asked) => {
    await expect(core().claims.issue(actor(), request(asked))).rejects.toMatchObject({ issue: { path } });
  });

  test('they count in no limit of open orders, and are listed by what they are', async () => {
    await add(120);
    await issue({ count: 110, reference: 'lot' });
    const page = core().claims.list(actor(), { reference: 'lot' });
    const rest = core().claims.list(actor(), { before: page.at(-1)?.id });
    expect([page.length, rest.length]).toEqual([100, 10]);
    expect(core().claims.list(actor(), { state: 'settled' })).toEqual([]);
    expect(core().claims.list(actor(), { before: 'clm_none' })).toEqual([]);
  });
});

describe('used', () => {
  test('a player is found, confirmed and redeemed; the login is for the browser that confirmed, for a day', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    expect(await core().visits.lookUp(token, ` ${PLAYER} `)).toEqual({ status: 'found' });
    expect(core().visits.open(token)).toMatchObject({
      claim: { state: 'open', amount: 60 },
      candidate: { playerId: PLAYER, playerName: `P${PLAYER}` },
      receipts: [],
    });
    expect(await confirm(token)).toBe('confirmed');
    expect(stateOf(claim)).toBe('settled');
    const logins = (browser?: string) =>
      core()
        .visits.open(token, browser)
        ?.receipts.map(({ credentials }) => credentials !== null);
    expect([logins('browser'), logins('another'), logins()]).toEqual([[true], [false], [false]]);
    world.clock.advance(DAY_MS + 1);
    expect(logins('browser')).toEqual([false]);
  });

  test('reading it changes nothing, however often', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    const before = world.store().read((tables) => tables.claims.findByName(claim.id));
    for (let time = 0; time < 3; time += 1) core().visits.open(token, 'browser');
    expect(world.store().read((tables) => tables.claims.findByName(claim.id))).toEqual(before);
  });

  test('another player looked up in another tab is the one that is confirmed, by their own nonce alone', async () => {
    await add(1);
    const { token } = await issueOne();
    await core().visits.lookUp(token, PLAYER);
    const first = nonceOf(token);
    await core().visits.lookUp(token, '5170925571');
    expect(await core().visits.confirm(token, first, 'b')).toEqual({ status: 'changed' });
    expect(await core().visits.confirm(token, nonceOf(token), 'b')).toEqual({ status: 'confirmed' });
    await world.rest();
    expect(world.platform.orders.map(({ playerId }) => playerId)).toEqual(['5170925571']);
  });

  test('a link that there is not, one that was revoked and one whose time is over are nothing alike', async () => {
    await add(2);
    const [revoked, late] = (await issue({ count: 2, expiresAt: world.clock.now() + MINUTE_MS })) as [
      IssuedClaim,
      IssuedClaim,
    ];
    await core().claims.revoke(actor(), revoked.id);
    world.clock.advance(2 * MINUTE_MS);
    const visits = core().visits;
    for (const token of ['nothing', revoked.token, late.token]) {
      expect(visits.open(token)).toBeUndefined();
      expect(await visits.lookUp(token, PLAYER)).toBeUndefined();
      expect(await visits.confirm(token, 'x', 'b')).toBeUndefined();
    }
    expect(await core().claims.reopen(actor(), late.id)).toEqual({ status: 'notStuck' });
  });

  test('of 200 look-ups at once three are made, of all of them five; then the account is asked', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    let asked = 0;
    world.platform.script.findCharacter = (playerId) => {
      asked += 1;
      return { status: 'found', openid: playerId, name: 'P' };
    };
    const used = () => core().quota(actor()).daily.used;
    const crowd = () =>
      Promise.all(Array.from({ length: 200 }, (_, n) => core().visits.lookUp(token, `51709${10_000 + n}`)));
    const tooSoon = (await crowd()).filter((answer) => answer?.status === 'tooSoon');
    expect([asked, tooSoon.length, used()]).toEqual([3, 197, 0.75]);
    world.clock.advance(10 * MINUTE_MS);
    await crowd();
    expect([asked, stateOf(claim)]).toEqual([5, 'stuck lookUps']);
    const opened = await core().claims.reopen(actor(), claim.id);
    expect([opened?.status, await confirm(token)]).toEqual(['reopened', 'confirmed']);
  });

  test('the third player that there is not is the last; what the platform does not tell is no look-up', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    const findCharacter = world.platform.script.findCharacter!;
    world.platform.script.findCharacter = () => ({ status: 'unreachable', message: 'down' });
    expect(await core().visits.lookUp(token, PLAYER)).toEqual({ status: 'unreachable' });
    expect(await core().visits.lookUp(token, '12')).toEqual({ status: 'malformed' });
    expect([core().quota(actor()).daily.used, nonceOf(token)]).toEqual([0, '']);
    world.platform.script.findCharacter = findCharacter;
    world.clock.advance(10 * MINUTE_MS);
    for (const last of [0, 1, 2]) await core().visits.lookUp(token, NOBODY.replace(/0$/, String(last)));
    expect(stateOf(claim)).toBe('stuck lookUps');
  });

  test('what was promised and fell leaves it stuck, and it goes on once there is stock', async () => {
    const [code] = await add(1);
    const { token, ...claim } = await issueOne();
    await core().visits.lookUp(token, PLAYER);
    // A code that is given is taken wherever it lies.
    await core().redeem(actor(), { gameId: GAME, playerId: PLAYER, code: code! });
    await world.rest();
    expect(await core().visits.confirm(token, nonceOf(token), 'b')).toEqual({ status: 'changed' });
    expect(stateOf(claim)).toBe('stuck shortage');
    await add(1);
    await core().claims.reopen(actor(), claim.id);
    expect([await confirm(token), stateOf(claim)]).toEqual(['confirmed', 'settled']);
  });

  test('an order that stopped with nothing redeemed is opened once more, and never resumed beside that', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    world.platform.script.redeem = () => ({
      ...({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true } as const),
    });
    await confirm(token);
    expect(stateOf(claim)).toBe('stuck stopped');
    const stopped = core().claims.find(actor(), claim.id)?.orderId ?? '';
    delete world.platform.script.redeem;
    expect(await core().claims.reopen(actor(), claim.id)).toMatchObject({ status: 'reopened' });
    const key = { scope: 'http', key: 'resume' } as const;
    expect(await core().orders.resume(actor(), stopped, { idempotencyKey: key })).toMatchObject({
      status: 'replaced',
    });
    expect([await confirm(token, '5170925571'), stateOf(claim)]).toEqual(['confirmed', 'settled']);
    expect([...world.platform.spent.values()].map(({ playerId }) => playerId)).toEqual(['5170925571']);
  });

  test('one whose order is resumed goes on by its own rights, and settles', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    world.platform.script.redeem = () => ({
      ...({ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true } as const),
    });
    await confirm(token);
    delete world.platform.script.redeem;
    const order = core().claims.find(actor(), claim.id)?.orderId ?? '';
    await core().orders.resume(actor(), order, { idempotencyKey: { scope: 'http', key: 'resume' } });
    await world.rest();
    expect([stateOf(claim), core().visits.open(token)?.receipts.length]).toEqual(['settled', 1]);
    expect(await core().claims.reopen(actor(), claim.id)).toEqual({ status: 'notStuck' });
  });
});

describe('ended', () => {
  test('of a revoke and a confirmation at once one wins', async () => {
    await add(40);
    const claims = await issue({ count: 40 });
    await Promise.all(claims.map(({ token }, n) => core().visits.lookUp(token, `51709${10_000 + n}`)));
    const random = createSeeded(65);
    const ends = await Promise.all(
      claims.map(async ({ id, token }) => {
        const acts = [
          () => core().claims.revoke(actor(), id),
          () => core().visits.confirm(token, nonceOf(token), 'b'),
        ];
        if (random.chance(0.5)) acts.reverse();
        return (await Promise.all(acts.map((act) => act()))).map((answer) => answer?.status);
      }),
    );
    await world.rest();
    for (const statuses of ends)
      expect([statuses.includes('revoked'), statuses.includes('confirmed')].filter(Boolean)).toHaveLength(1);
    const settled = claims.filter((claim) => stateOf(claim) === 'settled').length;
    expect([world.platform.spent.size, available()]).toEqual([settled, 40 - settled]);
  });

  test('what expires gives back what was promised, and stays as it is', async () => {
    await add(2);
    const [used, late] = (await issue({ count: 2, expiresAt: world.clock.now() + DAY_MS })) as [
      IssuedClaim,
      IssuedClaim,
    ];
    await confirm(used.token);
    world.clock.advance(DAY_MS + MINUTE_MS);
    await world.store().write((tables) => expireClaims(tables, momentOf(world.clock), 10));
    expect([stateOf(used), stateOf(late), available()]).toEqual(['settled', 'expired', 1]);
    expect(await core().claims.revoke(actor(), late.id)).toEqual({ status: 'inUse' });
    expect(core().visits.open(used.token)?.receipts).toHaveLength(1);
  });
});

describe('made together', () => {
  test('how they stand is told of all, and their links once more for a day; what is over is none', async () => {
    await add(25);
    const claims = await issue({ count: 23, reference: 'lot' });
    await issue({ count: 1 });
    const [first, second] = claims as [IssuedClaim, IssuedClaim];
    await confirm(first.token);
    await core().claims.revoke(actor(), second.id);
    const counts = { open: 21, used: 1, stuck: 0, revoked: 1, expired: 0, unused: 21 };
    const issues = await core().claims.listIssues(actor(), 5);
    expect(issues.map(({ open, first: { reference } }) => [open, reference])).toEqual([
      [1, undefined],
      [21, 'lot'],
    ]);
    const found = await core().claims.findLinks(actor(), claims.at(-1)!.id);
    expect(found).toMatchObject({ status: 'found', issue: { ...counts, first: { id: first.id } } });
    const tokens = found?.status === 'found' ? found.claims.map(({ token }) => token) : [];
    expect(tokens).toEqual(claims.flatMap(({ id, token }) => (id === second.id ? [] : [token])));
    world.clock.advance(DAY_MS + 1);
    expect(await core().claims.findLinks(actor(), first.id)).toEqual({ status: 'late' });
    expect(await core().claims.findLinks(actor(), first.id, { atAnyAge: true })).toMatchObject({
      claims: { length: 22 },
    });
  });

  test('what would come of it is told before: of what each link is, and what is left beside all of them', async () => {
    await add(7);
    await add(2, 325);
    const { quote } = core().claims;
    expect(quote(actor(), { gameId: GAME, amount: 445, count: 2 })).toEqual({
      status: 'quoted',
      items: [
        { denomination: 325, count: 1 },
        { denomination: 60, count: 2 },
      ],
      left: [
        { denomination: 325, count: 0 },
        { denomination: 60, count: 3 },
      ],
      expiresAt: world.clock.now() + 90 * DAY_MS,
    });
    expect(quote(actor(), { gameId: GAME, denomination: 60, count: 9 })).toEqual({
      status: 'notEnoughStock',
      missing: [{ denomination: 60, count: 2 }],
    });
    expect([available(), core().claims.list(actor(), {})]).toEqual([7, []]);
  });

  test('the unused are revoked in one act, whoever uses some meanwhile: each is used or revoked', async () => {
    await add(50);
    const claims = await issue({ count: 45 });
    const [, another] = [await issue({ count: 1 }), await issue({ count: 2 })];
    await Promise.all(claims.map(({ token }, n) => core().visits.lookUp(token, `51709${10_000 + n}`)));
    const kept: number[] = [];
    const [revoked] = await Promise.all([
      core().claims.revokeUnused(actor(), claims[7]!.id, (_, issue) => void kept.push(issue.revoked)),
      ...claims
        .filter((_, n) => n % 3 === 0)
        .map(({ token }) => core().visits.confirm(token, nonceOf(token), 'b')),
    ]);
    await world.rest();
    const states = claims.map(stateOf);
    const used = states.filter((state) => state === 'settled').length;
    expect(new Set(states)).toEqual(new Set(['settled', 'revoked']));
    expect(revoked).toMatchObject({ revoked: 45 - used, used, unused: 0 });
    expect([kept, world.platform.spent.size, available()]).toEqual([[45 - used], used, 50 - used - 3]);
    expect(another.map(stateOf)).toEqual(['open', 'open']);
    expect(await core().claims.revokeUnused(actor(), claims[0]!.id)).toMatchObject({ revoked: 45 - used });
  });
});

describe('of a player whom the account sets', () => {
  const set = (claim: { id: string }, playerId = PLAYER) =>
    core().claims.setPlayer(actor(), claim.id, { playerId, playerName: `P${playerId}` });
  const stickByMisses = async (token: string) => {
    for (const last of [0, 1, 2]) await core().visits.lookUp(token, NOBODY.replace(/0$/, String(last)));
  };
  const countNotices = () => listWithRecipients(core(), world.store()).length;

  test('a stuck one is opened and redeemed for them; whoever has the link sees it, and no login', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    await stickByMisses(token);
    expect(stateOf(claim)).toBe('stuck lookUps');
    const begun = await set(claim);
    expect(begun).toMatchObject({ status: 'begun', claim: { playerId: PLAYER, playerName: `P${PLAYER}` } });
    await world.rest();
    expect([stateOf(claim), await set(claim)]).toEqual(['settled', { status: 'inUse' }]);
    const { receipts = [] } = core().visits.open(token, 'browser') ?? {};
    expect(receipts.map(({ playerId, credentials }) => [playerId, credentials])).toEqual([[PLAYER, null]]);
  });

  test('one whose codes are not there stays as it is, and nobody is told again', async () => {
    const [code] = await add(1);
    const { token, ...claim } = await issueOne();
    await core().redeem(actor(), { gameId: GAME, playerId: PLAYER, code: code! });
    await stickByMisses(token);
    const before = countNotices();
    expect(await set(claim)).toEqual({ status: 'shortage' });
    expect([stateOf(claim), countNotices()]).toEqual(['stuck lookUps', before]);
    await add(1);
    expect(await set(claim, '5170925571')).toMatchObject({ status: 'begun' });
  });

  test('one whose order stopped with nothing redeemed is begun for another, once', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    world.platform.script.redeem = () => ({
      ...({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true } as const),
    });
    await confirm(token);
    delete world.platform.script.redeem;
    const answers = await Promise.all([set(claim, '5170925571'), set(claim, '5170925572')]);
    await world.rest();
    expect(answers.map((answer) => answer?.status).sort()).toEqual(['begun', 'inUse']);
    expect([stateOf(claim), world.platform.spent.size]).toEqual(['settled', 1]);
  });

  test('of the account and whoever has the link, at once, one begins it', async () => {
    await add(20);
    const claims = await issue({ count: 20 });
    const random = createSeeded(66);
    for (const [n, claim] of claims.entries()) {
      await core().visits.lookUp(claim.token, `51709${10_000 + n}`);
      const acts = [
        () => set(claim, `51708${10_000 + n}`),
        () => core().visits.confirm(claim.token, nonceOf(claim.token), 'b'),
      ];
      if (random.chance(0.5)) acts.reverse();
      await Promise.all(acts.map((act) => act()));
    }
    await world.rest();
    expect(new Set(claims.map(stateOf))).toEqual(new Set(['settled']));
    expect(world.platform.spent.size).toBe(20);
  });

  test('of an account that may begin nothing it stays as it is', async () => {
    await add(1);
    const { token, ...claim } = await issueOne();
    await stickByMisses(token);
    await core().accounts.suspend({ kind: 'host', by: 'cli' }, world.accountId, 'pause');
    await expect(set(claim)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXPIRED' });
    expect(stateOf(claim)).toBe('stuck lookUps');
  });
});

test('hundreds of links by fifty buyers at once, pressed twice, in two tabs, over ends of the process: each once', async () => {
  const COUNT = 200;
  await core().accounts.grant({ kind: 'host', by: 'cli' }, { accountId: world.accountId, purchased: COUNT });
  await add(COUNT);
  const claims = await issue({ count: COUNT });
  const random = createSeeded(1_000);
  const playerOf = (n: number) => `5170${100_000 + n}`;
  const buy = async (token: string, n: number) => {
    await core().visits.lookUp(token, playerOf(n));
    const nonce = nonceOf(token);
    const presses = Array.from({ length: random.between(1, 3) }, () =>
      core().visits.confirm(token, nonce, 'b'),
    );
    await Promise.all(presses);
  };
  for (let from = 0; from < COUNT; from += 50) {
    await Promise.all(claims.slice(from, from + 50).map(({ token }, n) => buy(token, from + n)));
    if (random.chance(0.2)) await world.goOn();
    else await world.rest();
  }
  // What an end of the process left in doubt is asked about.
  for (const minutes of [1, 5, 10, 30]) {
    world.clock.advance(minutes * MINUTE_MS);
    await world.look();
  }
  expect(claims.map(stateOf).filter((state) => state !== 'settled')).toEqual([]);
  const spent = [...world.platform.spent.values()].map(({ playerId }) => playerId);
  expect([spent.length, new Set(spent).size]).toEqual([COUNT, COUNT]);
});
