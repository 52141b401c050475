// What one press in the chat orders, over the real core: all of it or nothing, in the transaction of the press; whose
// it is; when a doubt is too old; and what is resumed.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { MemberActor, Press } from '../index.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
  await t.core.start();
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const [PLAYER, OTHER] = ['5170925570', '5170925571'];

async function join(telegramId: number, role: MemberActor['role']): Promise<MemberActor> {
  const { accountId } = t.actor;
  const person = { telegramId, name: 'Person', username: null };
  await t.store.write((tables) => tables.members.insert({ ...person, accountId, role, now: 0 }));
  return { kind: 'member', accountId, telegramId, role };
}

const stock = (count: number) => {
  const codes = Array.from({ length: count }, () => makeCode());
  return t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
};

let presses = 0;
const place = (
  actor: MemberActor,
  counts: [playerId: string, count: number][],
  {
    id = `press-${(presses += 1)}`,
    inTransaction = () => undefined,
    ...known
  }: { id?: string; warnedOf?: number; warnedOfOrder?: number; inTransaction?: () => void } = {},
) => {
  const lines = counts.map(([playerId, count]) => ({
    ...{ playerId, playerName: `Name ${playerId}` },
    items: [{ denomination: 60, count }],
  }));
  return t.core.presses.placeTogether(
    actor,
    { id, gameId: GAME, lines, warnedOf: 0, ...known },
    inTransaction,
  );
};

async function pressed(...asked: Parameters<typeof place>): Promise<Press> {
  const answer = await place(...asked);
  if (answer.status !== 'pressed') throw new Error(`Nothing was placed: ${answer.status}.`);
  return answer.press;
}

const statesOf = (actor: MemberActor, { order }: Press) =>
  t.core.presses.listOfPress(actor, order).map((each) => each.order.state);

const allAre = (state: string, actor: MemberActor, press: Press) =>
  t.until(() => statesOf(actor, press).every((each) => each === state));

test('an order for each player, all in the transaction of the press, and again it is the same', async () => {
  const operator = await join(5, 'operator');
  await stock(3);
  const press = await pressed(
    operator,
    [
      [PLAYER, 2],
      [OTHER, 1],
    ],
    { id: 'once' },
  );
  await allAre('done', operator, press);
  const [first, second] = t.core.presses.listOfPress(operator, press.order);
  expect([first?.order.playerId, first?.order.redeemed.codes, first?.isOwn]).toEqual([PLAYER, 2, true]);
  expect([second?.order.playerId, second?.order.redeemed.codes]).toEqual([OTHER, 1]);
  expect(first?.actorLabel).toMatchObject({ kind: 'member', telegramId: 5 });
  await pressed(
    operator,
    [
      [PLAYER, 2],
      [OTHER, 1],
    ],
    { id: 'once', warnedOf: 99 },
  );
  expect(t.core.orders.list(operator, {})).toHaveLength(2);
});

test('where not all of it is there, or what is kept with it throws, nothing is placed', async () => {
  const operator = await join(5, 'operator');
  await stock(2);
  let called = 0;
  const inTransaction = () => void (called += 1);
  const refused = await place(
    operator,
    [
      [PLAYER, 2],
      [OTHER, 1],
    ],
    { inTransaction },
  );
  expect([refused, called]).toEqual([
    { status: 'notEnoughStock', missing: [{ denomination: 60, count: 1 }] },
    0,
  ]);
  const used = () => {
    throw new Error('The confirmation was used.');
  };
  await expect(place(operator, [[PLAYER, 2]], { inTransaction: used })).rejects.toThrow('was used');
  expect(t.core.orders.list(operator, {})).toEqual([]);
});

test('the quota is to hold all of a press', async () => {
  t.allowDrift();
  const operator = await join(5, 'operator');
  await stock(3);
  const at = t.clock.monotonicNow();
  await t.store.write((tables) => {
    const usage = { accountId: operator.accountId, at, start: at - 86_400_000, kind: 'redeem' as const };
    tables.quota.roll(operator.accountId, at - 86_400_000);
    for (let n = 0; n < 298; n += 1) tables.quota.book({ ...usage, daily: 4, purchased: 0 });
  });
  expect(
    await place(operator, [
      [PLAYER, 2],
      [OTHER, 1],
    ]),
  ).toMatchObject({ status: 'quotaExceeded' });
  expect(
    await place(operator, [
      [PLAYER, 1],
      [OTHER, 1],
    ]),
  ).toMatchObject({ status: 'pressed' });
});

test('what the player has got since the person was warned is news, and asked about once more', async () => {
  const operator = await join(5, 'operator');
  await stock(4);
  const wanted = { gameId: GAME, playerId: OTHER, denomination: 60 };
  await t.core.redeem(t.actor, wanted);
  expect(
    await place(operator, [
      [PLAYER, 1],
      [OTHER, 1],
    ]),
  ).toEqual({ status: 'recentDuplicate' });
  const warnedOf = t.core.findRecentDuplicate(operator, wanted)?.redemptionId ?? 0;
  expect(
    await place(
      operator,
      [
        [PLAYER, 1],
        [OTHER, 1],
      ],
      { warnedOf },
    ),
  ).toMatchObject({ status: 'pressed' });
});

test('of two people who order the same for a player in one moment one is asked once more', async () => {
  const [one, other] = [await join(5, 'operator'), await join(6, 'operator')];
  await stock(4);
  const answers = await Promise.all([place(one, [[PLAYER, 2]]), place(other, [[PLAYER, 2]])]);
  expect(answers.map(({ status }) => status)).toEqual(['pressed', 'recentDuplicate']);
  const same = t.core.findRecentDuplicate(other, { gameId: GAME, playerId: PLAYER, denomination: 60 });
  expect(same).toMatchObject({ orderId: 1, actorLabel: { kind: 'member' } });
  const known = { warnedOf: same?.redemptionId ?? 0, warnedOfOrder: same?.orderId ?? 0 };
  expect(await place(other, [[PLAYER, 2]], known)).toMatchObject({ status: 'pressed' });
});

test('an operator sees their own orders, an admin everybody’s, and nobody those of another account', async () => {
  const [operator, another] = [await join(5, 'operator'), await join(6, 'operator')];
  const admin = await join(7, 'admin');
  await stock(1);
  const press = await pressed(operator, [[PLAYER, 1]]);
  expect(t.core.presses.listOfPress(another, press.order)).toEqual([]);
  expect(t.core.orders.find(another, press.order)).toBeUndefined();
  expect(t.core.orders.list(another, {})).toEqual([]);
  expect(await t.core.orders.cancel(another, press.order)).toBeUndefined();
  expect(t.core.presses.listOfPress(admin, press.order)).toMatchObject([{ isOwn: false }]);
  expect(t.core.orders.list(admin, {})).toHaveLength(1);
  const { accountId } = await t.openAccount();
  expect(t.core.presses.listOfPress({ ...admin, accountId }, press.order)).toEqual([]);
});

test('what is missing is resumed once, and the message that waits for news of it is released', async () => {
  const operator = await join(5, 'operator');
  await stock(2);
  t.platform.script.redeem = () => ({
    ...{ status: 'refused', errorCode: 'RISK_CONTROL', message: 'refused', asked: true },
  });
  const press = await pressed(operator, [[PLAYER, 2]]);
  await t.store.write(({ tasks }) => {
    const waitsFor = press.news;
    tasks.add({ task: 'none', queue: 'none', key: waitsFor, payload: '{}', waitsFor, now: 0 });
  });
  await t.until(() => !t.store.read(({ tasks }) => tasks.isHeldFor(press.news)));
  await allAre('stopped', operator, press);
  delete t.platform.script.redeem;
  const resume = (id: string, warnedOf = 99) =>
    t.core.presses.resumeTogether(operator, { id, orders: [{ id: press.order }], warnedOf }, () => undefined);
  // Somebody has redeemed the same for the player meanwhile: news to the person.
  await t.core.redeem(t.actor, { gameId: GAME, playerId: PLAYER, denomination: 60 });
  await stock(1);
  expect(await resume('resume-0', 1)).toEqual({ status: 'recentDuplicate' });
  expect(await resume('resume-1')).toEqual({ status: 'pressed', press });
  await allAre('done', operator, press);
  expect(await resume('resume-2')).toEqual({ status: 'notStopped' });
  expect(t.platform.spent.size).toBe(3);
});

test('what is missing of a cancelled one goes on as one other, but for whoever knows of that', async () => {
  const operator = await join(5, 'operator');
  await stock(5);
  const { order } = await pressed(operator, [[PLAYER, 2]]);
  await t.core.orders.cancel(operator, order);
  await t.until(() => t.core.orders.find(operator, order)?.state === 'cancelled');
  const line = { playerId: PLAYER, playerName: 'Name', items: [{ denomination: 60, count: 1 }] };
  const goOn = (id: string, seen?: string) =>
    t.core.presses.placeTogether(
      operator,
      {
        ...{ id, gameId: GAME, lines: [line], warnedOf: 99, warnedOfOrder: 99 },
        insteadOf: [{ id: order, seen }],
      },
      () => undefined,
    );
  expect(await goOn('first')).toMatchObject({ status: 'pressed' });
  const by = t.core.orders.find(operator, order)?.replacedBy ?? '';
  expect(t.core.orders.find(operator, by)).toMatchObject({ playerId: PLAYER, wanted: { codes: 1 } });
  expect(await goOn('first')).toMatchObject({ status: 'pressed', press: { order: by } });
  expect(await goOn('second')).toEqual({ status: 'replaced', by });
  expect(t.core.orders.list(operator, {})).toHaveLength(2);
  const { standing } = t.core.orders.find(operator, order) ?? {};
  expect(await goOn('third', standing)).toMatchObject({ status: 'pressed' });
  expect(t.core.orders.find(operator, order)?.replacedBy).not.toBe(by);
});

test('of several players each goes on as the order of their own line', async () => {
  const operator = await join(5, 'operator');
  const players = [PLAYER, OTHER];
  await stock(2);
  t.platform.script.redeem = () => ({
    ...{ status: 'refused', errorCode: 'RISK_CONTROL', message: 'refused', asked: true },
  });
  const press = await pressed(
    operator,
    players.map((player) => [player, 1]),
  );
  await allAre('stopped', operator, press);
  delete t.platform.script.redeem;
  const before = t.core.presses.listOfPress(operator, press.order).map((each) => each.order.id);
  const seen = before.map((id) => ({ id, seen: t.core.orders.find(operator, id)?.standing }));
  const lines = players.map((playerId) => ({
    ...{ playerId, playerName: 'Name' },
    items: [{ denomination: 60, count: 1 }],
  }));
  const asked = { id: 'rest', gameId: GAME, lines, warnedOf: 99, warnedOfOrder: 99, insteadOf: seen };
  expect(await t.core.presses.placeTogether(operator, asked, () => undefined)).toMatchObject({
    status: 'pressed',
  });
  const goesOn = before.map((id) => t.core.orders.find(operator, id)?.replacedBy ?? '');
  expect(goesOn.map((id) => t.core.orders.find(operator, id)?.playerId)).toEqual(players);
});
