// After a takeover where the platform is asked about no code before it is taken: by a host's word, or since no upstream
// looks codes up.
import { describe, expect, test } from 'vitest';

import { ANN, BOB, STOCK_KEY, useLosingShop } from '../../../test/harness/losing-shop.ts';
import { MINUTE_MS } from '../../clock.ts';
import { alone } from '../../platforms.ts';

const t = useLosingShop();
const { add, extract, takeOver, order, spentFor, tell } = t;
const REFUSED = { status: 'refused', message: '', asked: true } as const;
const HOST = { kind: 'host', by: 7 } as const;

test('where look-ups run out, a host sells by verification alone: each code is asked about when it is taken', async () => {
  const [, first, second, third] = await add(30);
  await order(BOB, 'before');
  await takeOver(() => order(ANN, 'one'));
  t.platform.script.findCode = () => ({ status: 'unreachable', message: 'The quota there is used up.' });
  await expect(order(BOB, 'two')).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(t.core.sweeps.list(HOST)).toEqual([{ ...STOCK_KEY, accountId: 1, needed: 30, unspent: 0 }]);
  expect(await t.core.sweeps.sellByVerification(HOST)).toEqual({ status: 'ended', count: 1 });
  expect([await t.core.sweeps.sellByVerification(HOST), t.core.sweeps.list(HOST)]).toEqual([
    { status: 'unchanged' },
    [],
  ]);
  t.clock.advance(MINUTE_MS);
  let asked: string[] = [];
  t.platform.script.findCode = (code) => {
    asked.push(code);
    return tell(code);
  };
  // What the lost time carried out is kept, and told, and nobody else's.
  expect(await order(BOB, 'two')).toMatchObject({ state: 'redeemed', code: second });
  expect(asked).toEqual([first, second]);
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
  asked = [];
  expect(await order(BOB, 'three')).toMatchObject({ code: third });
  expect(asked).toEqual([third]);
});

/** What the shipped example has: the first looks codes up, the second does not. */
function addWest(west: object = { hasNoLookUp: true }): void {
  const [east, other] = ['east', 'west'].flatMap((name) => alone(t.platform, name));
  t.upstreams = [east!, { ...other!, platform: { ...t.platform, ...west } }];
}

test('where nobody is believed the first codes are asked about all the same, and then sold as they are', async () => {
  addWest();
  await t.restart();
  const added = await add(30);
  await order(BOB, 'before');
  await takeOver(() => order(ANN, 'one'));
  const since = await add(1);
  expect(await t.core.health.listUnproven()).toEqual([STOCK_KEY.gameId]);
  // What is used counts, whoever says so.
  expect(await order(ANN, 'one')).toMatchObject({ code: added[1], replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
  expect(t.core.sweeps.list(HOST)).toEqual([]);
  // What nobody proves goes last, and is handed out to nobody.
  expect(await extract(20)).toEqual(since);
  for (const code of added.slice(2, 12)) expect(await order(BOB)).toMatchObject({ state: 'redeemed', code });
  expect(await extract(20)).toEqual([]);
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});

test('one that others call unused and that turns out to be used costs nothing', async () => {
  addWest();
  await t.restart();
  const [first] = await add(5);
  await takeOver(() => order(ANN));
  t.platform.script.findCode = () => ({ status: 'notRedeemed' });
  expect(await order(BOB)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED', code: first });
  expect(await order(BOB)).toMatchObject({ state: 'redeemed' });
  expect(t.core.quota(t.actor).daily.used).toBe(1);
});

test('by verification alone is sold what anybody calls unused, while who would prove it is silent', async () => {
  addWest({ findCode: () => Promise.resolve({ status: 'unreachable', message: '' }) });
  await t.restart();
  const [first] = await add(5);
  await takeOver(() => Promise.resolve());
  for (let orders = 0; orders < 3; orders += 1)
    await expect(order(BOB)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await t.core.sweeps.sellByVerification(HOST);
  t.clock.advance(MINUTE_MS);
  expect(await order(BOB)).toMatchObject({ state: 'redeemed', code: first });
});

test('a stock of which nobody tells is asked about with pauses, however many orders come', async () => {
  await add(30);
  await order(BOB, 'before');
  await takeOver(() => Promise.resolve());
  let asked = 0;
  t.platform.script.findCode = () => {
    asked += 1;
    return { status: 'unreachable', message: '' };
  };
  for (let seconds = 0; seconds < 300; seconds += 5) {
    await expect(order(BOB)).rejects.toMatchObject({ code: 'OVERLOADED' });
    t.clock.advance(5_000);
  }
  // Ten codes, after 0, 10, 30, 70 and 150 seconds.
  expect(asked).toBe(50);
});

test('a sweep that was ended under way stays so', async () => {
  await add(30);
  await order(BOB, 'before');
  const [held, allAsked] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let asked = 0;
  const findCode = t.platform.findCode.bind(t.platform);
  t.platform.findCode = async (query, options) => {
    asked += 1;
    if (asked === 10) allAsked.resolve(undefined);
    await held.promise;
    return findCode(query, options);
  };
  await takeOver(() => order(ANN, 'one'));
  const ordered = order(BOB, 'two');
  await allAsked.promise;
  await t.core.sweeps.sellByVerification(HOST);
  held.resolve(undefined);
  // It may be given what the lost time carried out, and has to be asked for again.
  await ordered;
  expect(await order(BOB, 'two')).toMatchObject({ state: 'redeemed' });
  expect(asked).toBeLessThanOrEqual(11);
  expect(t.core.sweeps.list(HOST)).toEqual([]);
});

describe.each([
  ['no upstream looks codes up', () => void Object.assign(t.platform, { hasNoLookUp: true })],
  [
    'there are several upstreams and none is a witness',
    () =>
      void (t.upstreams = ['main', 'west'].map((name) => ({
        ...alone(t.platform)[0],
        name,
        witness: false,
      }))),
  ],
])('where %s', (_where, set) => {
  const openWithout = async (count: number) => {
    set();
    await t.restart();
    return add(count);
  };
  const letIn = async () => {
    const owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 7, role: 'owner' } as const;
    await t.store.write(({ members }) => members.insert({ ...owner, name: 'Ann', username: null, now: 0 }));
    return owner;
  };

  test('codes are sent as they are: one of the lost time fails, costs nothing and pauses nothing', async () => {
    const added = await openWithout(9);
    t.platform.findCode = () => Promise.reject(new Error('Nobody is to be asked.'));
    const players = added.slice(0, 6).map((_, n) => `517092558${n}`);
    await takeOver(() => Promise.all(players.map((player) => order(player))));
    for (const code of added.slice(0, 6))
      expect(await order(BOB)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED', code });
    expect([t.core.quota(t.actor).daily.used, t.core.sweeps.list(HOST)]).toEqual([0, []]);
    expect(await order(BOB)).toMatchObject({ state: 'redeemed', code: added[6] });
    expect(t.core.quota(t.actor).daily.used).toBe(1);
    expect(t.check()).toEqual({ drift: 0, rows: [] });
  });

  test('they are sent last: what was added since goes first, also what came back of it', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => order(ANN));
    const since = await add(2);
    t.platform.script.redeem = () => ({ ...REFUSED, errorCode: 'LOGIN_FAILED' });
    expect((await order(BOB)).code).toBe(since[0]);
    delete t.platform.script.redeem;
    expect([(await order(BOB)).code, (await order(BOB)).code]).toEqual([since[1], since[0]]);
    expect(await order(BOB)).toMatchObject({ errorCode: 'CODE_USED', code: first });
    expect(t.core.quota(t.actor).daily.used).toBe(2);
  });

  test('nothing of before is handed out until it is released, and what is released is', async () => {
    const owner = await letIn();
    const added = await openWithout(10);
    t.clock.advance(MINUTE_MS);
    await extract(2);
    let lost: string[] = [];
    await takeOver(async () => (lost = await extract(2)));
    expect(lost).toEqual(added.slice(6, 8));
    expect(await extract(20)).toEqual([]);
    expect(t.core.badCodes.list(owner)).toMatchObject([{ inQuestion: 2 }]);
    expect(await t.core.badCodes.putBack(owner, STOCK_KEY)).toBe(2);
    // By the word of whoever has released them; of the others nobody says anything.
    expect(await extract(20)).toEqual(lost);
    expect(await extract(20)).toEqual([]);
    expect((await order(BOB)).code).toBe(added[0]);
    expect(t.check()).toEqual({ drift: 0, rows: [] });
  });

  test('after a second restore what could be handed out is in question, and nothing that could not be', async () => {
    const owner = await letIn();
    const [oldest] = await openWithout(2);
    await takeOver(() => Promise.resolve());
    await add(6);
    await extract(3);
    t.platform.script.redeem = () => ({ ...REFUSED, errorCode: 'LOGIN_FAILED' });
    const { code: returned } = await order(BOB);
    delete t.platform.script.redeem;
    t.clock.advance(MINUTE_MS);
    let lost: string[] = [];
    await takeOver(async () => (lost = await extract(3)));
    expect(lost).toContain(returned);
    expect(t.core.badCodes.list(owner)).toMatchObject([{ inQuestion: 3 }]);
    // None of them is redeemed for somebody else.
    expect((await order(BOB)).code).toBe(oldest);
    for (let orders = 0; orders < 3; orders += 1)
      await t.core.redeem(t.actor, { ...STOCK_KEY, playerId: BOB });
    expect(lost.filter((code) => t.platform.spent.has(code))).toEqual([]);
  });

  test('what is known to be unspent is handed out, wherever it lies among what nobody can be asked about', async () => {
    await openWithout(150);
    await takeOver(() => Promise.resolve());
    const since = await add(2);
    t.platform.script.redeem = () => ({ ...REFUSED, errorCode: 'LOGIN_FAILED' });
    expect((await order(BOB)).code).toBe(since[0]);
    expect((await extract(20)).toSorted()).toEqual(since);
    expect(await extract(20)).toEqual([]);
  });

  test('one that was released and is used costs nothing either', async () => {
    const owner = await letIn();
    const [first] = await openWithout(2);
    t.clock.advance(MINUTE_MS);
    await extract(1);
    await takeOver(() => order(ANN));
    expect(await t.core.badCodes.putBack(owner, STOCK_KEY)).toBe(1);
    expect(await order(BOB)).toMatchObject({ errorCode: 'CODE_USED', code: first });
    expect([t.core.quota(t.actor).daily.used, t.check().drift]).toEqual([0, 0]);
  });

  test('what was refused and is tried again costs as ever where nothing was lost', async () => {
    const owner = await letIn();
    const [first = ''] = await openWithout(2);
    t.platform.spent.set(first, { playerId: ANN, redeemedAt: 0, reference: 'other' });
    expect(await order(BOB)).toMatchObject({ errorCode: 'CODE_USED' });
    await t.core.badCodes.tryAgain(owner, STOCK_KEY);
    expect(await order(BOB)).toMatchObject({ errorCode: 'CODE_USED', code: first });
    expect([t.core.quota(t.actor).daily.used, t.check().drift]).toEqual([2, 0]);
  });

  test('what is sent so is in doubt where nobody knows its end, and not sent on', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => Promise.resolve());
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    expect(await order(BOB)).toMatchObject({ state: 'in_doubt', code: first });
  });

  test('a doubt over one that turns out to be used costs nothing either', async () => {
    const [first = ''] = await openWithout(3);
    await takeOver(() => Promise.resolve());
    // Handed out in the lost time, perhaps, and used since.
    t.clock.advance(30 * MINUTE_MS);
    t.platform.spent.set(first, { playerId: ANN, redeemedAt: t.clock.now() - MINUTE_MS, reference: 'other' });
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    const { id } = await order(BOB, 'one');
    delete t.platform.script.redeem;
    for (let looks = 0; looks < 3; looks += 1) {
      t.clock.advance(10 * MINUTE_MS);
      await t.core.settleDoubts();
    }
    // Where nobody tells it was sent once more, and a person decides.
    await t.core.doubts.decide(HOST, { redemptionId: id, isRedeemed: false, reason: 'They said so.' });
    expect(await order(BOB, 'one')).toMatchObject({ id, state: 'failed', code: first });
    expect([t.core.quota(t.actor).daily.used, t.check().drift]).toEqual([0, 0]);
  });

  test('one that is used for this very player is asked about, as ever', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => order(ANN, 'one'));
    expect(await order(ANN, 'other')).toMatchObject({ state: 'in_doubt', code: first });
    t.clock.advance(MINUTE_MS);
    await t.core.settleDoubts();
    expect((await order(ANN, 'other')).code).toBe(first);
    expect(spentFor(ANN)).toEqual([first]);
  });

  test('an order that is repeated is answered as it was in the lost time, and the next is a new one', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => order(ANN, 'one'));
    const credentials = { email: `${first}@example.test`, password: `pw-${first}`, uid: '1' };
    expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', code: first, credentials });
    expect(await order(BOB, 'two')).toMatchObject({ state: 'redeemed' });
    expect([spentFor(ANN), t.check().drift]).toEqual([[first], 0]);
  });
});
