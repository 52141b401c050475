// Reading the past: pages that lose nothing, and what is not one's own does not exist.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor, MemberActor } from '../context.ts';
import type { Redemption } from './receipts.ts';

const PLAYER = '5170925570';
const DIRECT = { gameId: 'game_id_2', playerId: PLAYER };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

async function redeem(actor: AccountActor = t.actor): Promise<number> {
  const answer = await t.core.redeem(actor, { ...DIRECT, code: makeCode() });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

/** Failures at given times, straight into the store: cheap, and many in one millisecond. */
function insertAt(accountId: number, times: number[]): Promise<number[]> {
  return t.store.write((tables) =>
    times.map((now) =>
      tables.redemptions.insertFailed(
        {
          accountId,
          actor: 'apiKey:1',
          gameId: 'game_id_1',
          playerId: PLAYER,
          mode: 'database',
          denomination: 60,
          codeId: null,
          code: null,
          usageId: null,
          now,
        },
        'NO_CODES_AVAILABLE',
        '',
      ),
    ),
  );
}

/** Turns pages until one is empty. */
function readAll(actor: AccountActor, direction: 'before' | 'after', from?: number): Redemption[][] {
  const pages: Redemption[][] = [];
  for (let at = from; pages.length < 1_000;) {
    const page = t.core.receipts.list(actor, at === undefined ? {} : { [direction]: at });
    if (page.length === 0) return pages;
    pages.push(page);
    at = page.at(-1)?.createdAt;
  }
  throw new Error('endless');
}

describe('the history', () => {
  test('pages lose nothing, repeat nothing and cut no millisecond apart, in both directions', async () => {
    const times = fc.array(fc.nat({ max: 6 }), { minLength: 90, maxLength: 320 });
    await fc.assert(
      fc.asyncProperty(times, async (given) => {
        const actor = await t.openAccount();
        const ids = await insertAt(
          actor.accountId,
          given.map((at) => at + 1),
        );
        const order = ids
          .map((id, index) => ({ id, at: (given[index] ?? 0) + 1 }))
          .sort((a, b) => a.at - b.at || a.id - b.id)
          .map(({ id }) => id);
        const forward = readAll(actor, 'after', 0);
        const backward = readAll(actor, 'before');
        expect(forward.flat().map(({ id }) => id)).toEqual(order);
        expect(backward.flat().map(({ id }) => id)).toEqual([...order].reverse());
        for (const pages of [forward, backward])
          for (const page of pages.slice(0, -1)) expect(page.length).toBeGreaterThanOrEqual(100);
      }),
      { numRuns: 30 },
    );
  });

  test('a page has 100 lines where no millisecond is shared', async () => {
    await insertAt(
      t.actor.accountId,
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
    expect(readAll(t.actor, 'before').map((page) => page.length)).toEqual([100, 50]);
    expect(readAll(t.actor, 'after', 0).map((page) => page.length)).toEqual([100, 50]);
  });

  test('before and after are strict', async () => {
    const [first, second, third] = await insertAt(t.actor.accountId, [10, 20, 30]);
    const list = (range: { before?: number; after?: number }) =>
      t.core.receipts.list(t.actor, range).map(({ id }) => id);
    expect(list({ before: 20 })).toEqual([first]);
    expect(list({ after: 20 })).toEqual([third]);
    expect(list({})).toEqual([third, second, first]);
  });

  test('forward it tells nothing of this very millisecond: more may begin in it', async () => {
    const { accountId } = t.actor;
    const now = t.clock.now();
    const read = (range: { after?: number }) => t.core.receipts.list(t.actor, range).map(({ id }) => id);
    const [earlier = 0, first = 0] = await insertAt(accountId, [now - 1, now]);
    const heard = read({ after: 0 });
    expect(heard).toEqual([earlier]);
    expect(read({})).toEqual([first, earlier]);
    const [second = 0] = await insertAt(accountId, [now]);
    t.clock.advance(1);
    expect(read({ after: now - 1 })).toEqual([first, second]);
  });

  test('tells no other account’s lines; a doubt is one until it is settled', async () => {
    const other = await t.openAccount();
    const id = await redeem();
    expect(t.core.receipts.list(other, {})).toEqual([]);
    const [line] = t.core.receipts.list(t.actor, {});
    expect(line).toMatchObject({ id, state: 'redeemed', warning: false, playerId: PLAYER });

    t.platform.script.redeem = (order) => {
      t.platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
    };
    const doubtful = await redeem();
    const stateOf = () => t.core.receipts.list(t.actor, {}).find((each) => each.id === doubtful)?.state;
    expect(stateOf()).toBe('in_doubt');
    t.clock.advance(1_000);
    await t.core.settleDoubts();
    expect(stateOf()).toBe('redeemed');
  });
});

describe('one receipt', () => {
  const member = (telegramId: number, role: MemberActor['role']): MemberActor => ({
    kind: 'member',
    accountId: t.actor.accountId,
    telegramId,
    role,
  });

  test('of another account and of nobody are the same answer', async () => {
    const id = await redeem(await t.openAccount());
    expect(t.core.receipts.find(t.actor, id)).toBeUndefined();
    expect(t.core.receipts.find(t.actor, id + 1_000)).toBeUndefined();
  });

  test('is read by whoever the table grants it; an operator reads his own only', async () => {
    const [operator, colleague] = [member(1, 'operator'), member(2, 'operator')];
    const row = { accountId: operator.accountId, role: 'operator', name: 'Operator', username: null, now: 0 };
    await t.store.write((tables) => tables.members.insert({ ...row, telegramId: operator.telegramId }));
    const id = await redeem(operator);
    for (const reader of [operator, member(3, 'owner'), member(4, 'admin'), member(5, 'support'), t.actor])
      expect(t.core.receipts.find(reader, id)?.credentials?.password).toMatch(/^pw-/);
    expect(t.core.receipts.find(colleague, id)).toBeUndefined();
    expect(t.core.receipts.find(operator, await redeem())).toBeUndefined();
    // The list of programs is everybody's.
    expect(() => t.core.receipts.list(operator, {})).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    expect(t.core.receipts.list(member(5, 'support'), {})).toHaveLength(2);
  });

  test('is read after a restart as it was answered', async () => {
    const answer = await t.core.redeem(t.actor, { ...DIRECT, code: makeCode() });
    if (answer.status !== 'answered') throw new Error(answer.status);
    expect(t.restart().receipts.find(t.actor, answer.redemption.id)).toMatchObject(answer.redemption);
  });
});

test('a line tells since when it is final', async () => {
  const id = await redeem();
  const found = t.core.receipts.find(t.actor, id);
  expect(t.core.receipts.list(t.actor, {})).toEqual([found]);
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await redeem();
  expect(t.core.receipts.list(t.actor, {})[0]).toHaveProperty('settledAt', null);
});
