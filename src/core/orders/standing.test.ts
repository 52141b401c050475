// What is missing of an ended order goes on once, whichever two acts are at it in one moment and through whichever door;
// for another time only whoever saw that it went on.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { MemberActor } from '../index.ts';

let t: TestCore;
let owner: MemberActor;
let admin: MemberActor;
let keys = 0;
beforeEach(async () => {
  t = await openTestCore();
  await t.core.start();
  [owner, admin] = [await join(5, 'owner'), await join(6, 'admin')];
  const codes = Array.from({ length: 9 }, () => makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const PLAYER = '5170925570';

async function join(telegramId: number, role: MemberActor['role']): Promise<MemberActor> {
  const { accountId } = t.actor;
  const person = { telegramId, name: 'Person', username: null };
  await t.store.write((tables) => tables.members.insert({ ...person, accountId, role, now: 0 }));
  return { kind: 'member', accountId, telegramId, role };
}

const key = (scope: 'http' | 'chat' | 'page') => ({ scope, key: `key-${(keys += 1)}` });
const find = (id: string) => {
  const order = t.core.orders.find(owner, id);
  if (!order) throw new Error(`${id} is not there.`);
  return order;
};
const ends = (id: string) => t.until(() => find(id).endedAt);
const stops = () => {
  t.platform.script.redeem = () => ({
    ...{ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true },
  });
};

/** One of two codes, as it stopped or was cancelled: `by` says which. */
async function end(by: 'stop' | 'cancel'): Promise<string> {
  if (by === 'stop') stops();
  else t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  const placed = await t.core.orders.place(owner, {
    ...{ gameId: GAME, playerId: PLAYER, onShortage: 'refuse', onBadCode: 'stop' },
    ...{ items: [{ denomination: 60, count: 2 }], idempotencyKey: key('http') },
  });
  const id = 'order' in placed ? placed.order.id : '';
  if (by === 'cancel') {
    await t.until(() => find(id).waitsFor === 'doubt');
    await t.core.orders.cancel(owner, id);
    delete t.platform.script.redeem;
    for (const _ of [1, 2]) {
      t.clock.advance(10_000);
      await t.core.settleDoubts();
    }
  }
  await ends(id);
  delete t.platform.script.redeem;
  return id;
}

type Act = (id: string, seen?: string) => Promise<string>;
const KNOWN = { warnedOf: 999, warnedOfOrder: 999 };

/** Of each, what it came to: `went on`, or why not. */
const another =
  (actor: () => MemberActor, playerId: string): Act =>
  async (id, seen) => {
    const request = { gameId: GAME, playerId, onShortage: 'refuse', onBadCode: 'stop' } as const;
    const items = [{ denomination: 60, count: 1 }];
    const insteadOf = { id, seen };
    const idempotencyKey = key('page');
    const { status } = await t.core.orders.place(actor(), { ...request, items, insteadOf, idempotencyKey });
    return status === 'placed' ? 'went on' : status;
  };
const resume =
  (actor: () => MemberActor, scope: 'http' | 'page'): Act =>
  async (id, seen) => {
    const answer = await t.core.orders.resume(actor(), id, { seen, idempotencyKey: key(scope) });
    return answer?.status === 'resumed' ? 'went on' : `${answer?.status}`;
  };
const chatResumes: Act = async (id, seen) => {
  const asked = { id: key('chat').key, orders: [{ id, seen }], ...KNOWN };
  const { status } = await t.core.presses.resumeTogether(admin, asked, () => undefined);
  return status === 'pressed' ? 'went on' : status;
};
const chatContinues: Act = async (id, seen) => {
  const lines = [{ playerId: PLAYER, playerName: 'P', items: [{ denomination: 60, count: 1 }] }];
  const asked = { id: key('chat').key, gameId: GAME, lines, insteadOf: [{ id, seen }], ...KNOWN };
  const { status } = await t.core.presses.placeTogether(owner, asked, () => undefined);
  return status === 'pressed' ? 'went on' : status;
};

const ACTS: Record<string, Act> = {
  'another ID': another(() => owner, '5170925571'),
  'another ID of another person': another(() => admin, '5170925572'),
  'resume at the desk': resume(() => admin, 'page'),
  'resume by a program': resume(() => owner, 'http'),
  'resume in the chat': chatResumes,
  'the rest in the chat': chatContinues,
};
const resumes = (name: string) => name.startsWith('resume');
const PAIRS = Object.keys(ACTS).flatMap((one) => Object.keys(ACTS).map((other) => [one, other] as const));

test.each(PAIRS)('of a stopped one, %s and %s at once', async (one, other) => {
  const id = await end('stop');
  const { standing } = find(id);
  const answers = await Promise.all([ACTS[one]!(id, standing), ACTS[other]!(id, standing)]);
  const late = resumes(one) ? 'notStopped' : 'replaced';
  expect(answers).toEqual(['went on', late]);
  expect(t.core.orders.list(owner, {}).length + find(id).run).toBe(3);
});

test.each(PAIRS.filter((pair) => !pair.some(resumes)))(
  'of a cancelled one, %s and %s at once',
  async (one, other) => {
    const id = await end('cancel');
    const { standing } = find(id);
    const answers = await Promise.all([ACTS[one]!(id, standing), ACTS[other]!(id, standing)]);
    expect(answers).toEqual(['went on', 'replaced']);
    expect(t.core.orders.list(owner, {})).toHaveLength(2);
  },
);

const OF_CHAINS = PAIRS.filter(([one]) => one === 'another ID' || one === 'resume in the chat');

/** It went on as another, which stopped, too. */
async function replace(by: 'stop' | 'cancel'): Promise<{ id: string; last: string }> {
  const id = await end(by);
  stops();
  await ACTS['another ID']!(id);
  const last = find(id).replacedBy ?? '';
  await ends(last);
  delete t.platform.script.redeem;
  return { id, last };
}

test.each(OF_CHAINS)(
  'of one that went on as another, which stopped: %s of it, %s of the other',
  async (one, other) => {
    const { id, last } = await replace('stop');
    expect(find(last)).toMatchObject({ state: 'stopped', playerId: '5170925571' });
    const [seen, seenLast] = [find(id).standing, find(last).standing];
    expect(await ACTS[one]!(id)).toBe('replaced');
    const answers = await Promise.all([ACTS[one]!(id, seen), ACTS[other]!(last, seenLast)]);
    expect(answers).toEqual(['went on', 'replaced']);
    // Both lead to where it goes on now.
    const holder = find(id).replacedBy ?? id;
    expect(find(last).replacedBy).toBe(holder);
    await ends(holder);
    expect(await ACTS[other]!(last, find(last).standing)).toBe('went on');
  },
);

test.each(OF_CHAINS)('the other way round: %s of the other, %s of it', async (one, other) => {
  const { id, last } = await replace('stop');
  const [seen, seenLast] = [find(id).standing, find(last).standing];
  const answers = await Promise.all([ACTS[one]!(last, seenLast), ACTS[other]!(id, seen)]);
  expect(answers).toEqual(['went on', 'replaced']);
});

test('what was seen of a run is not true of the next', async () => {
  const id = await end('stop');
  const { standing } = find(id);
  stops();
  expect(await ACTS['resume by a program']!(id)).toBe('went on');
  await ends(id);
  for (const act of Object.values(ACTS)) expect(await act(id, standing)).toBe('notStopped');
  expect(await ACTS['another ID']!(id, find(id).standing)).toBe('went on');
});

test('a chain of any length leads to its end, and a resumed one is not led away from', async () => {
  const { id, last } = await replace('cancel');
  stops();
  await ACTS['another ID of another person']!(last, find(last).standing);
  const third = find(last).replacedBy ?? '';
  await ends(third);
  expect(find(id).replacedBy).toBe(third);
  delete t.platform.script.redeem;
  expect(await ACTS['resume at the desk']!(last, find(last).standing)).toBe('went on');
  expect([find(last).replacedBy, find(third).replacedBy, find(id).replacedBy]).toEqual([
    undefined,
    last,
    last,
  ]);
  await t.until(() => find(last).state === 'done');
  // Whole, it is still told of where the first one is looked at.
  expect(await ACTS['another ID']!(id)).toBe('replaced');
  expect(await ACTS['another ID']!(id, find(id).standing)).toBe('went on');
  expect(find(last).replacedBy).toBeUndefined();
});

test('nothing goes on of what is done, goes on, is another’s, or is not there', async () => {
  const placed = await t.core.orders.place(admin, {
    ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'stop' },
    ...{ items: [{ denomination: 325, count: 1 }], idempotencyKey: key('http') },
  });
  const id = 'order' in placed ? placed.order.id : '';
  expect(await ACTS['another ID']!(id, find(id).standing)).toBe('notStopped');
  await t.core.orders.cancel(admin, id);
  await ends(id);
  const operator = await join(7, 'operator');
  expect(await another(() => operator, PLAYER)(id, find(id).standing)).toBe('notStopped');
  expect(await ACTS['another ID']!('ord_12345678')).toBe('notStopped');
  expect(await ACTS['another ID']!(id)).toBe('went on');
});
