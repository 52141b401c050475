// What is counted and said of the ends of redemptions: each once, by its door; and what became of doubts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import type { AccountActor, Core } from '../index.ts';
import { createOutcomeMetrics } from './outcome-metrics.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';

let t: TestCore;
let core: Core;
let said: [fields: Record<string, unknown>, message: string][];
beforeEach(async () => {
  t = await openTestCore();
  said = [];
  const info = (fields: object, message: string) => void said.push([{ ...fields }, message]);
  core = t.restart({ log: { info, warn: () => undefined, error: () => undefined } });
});
afterEach(() => t.close());

const redeem = (
  fields: { code?: string; denomination?: number; playerId?: string; key?: string },
  actor: AccountActor = t.actor,
) => {
  const { key, ...rest } = fields;
  const idempotencyKey = key === undefined ? {} : { idempotencyKey: { scope: 'http', key } as const };
  return core.redeem(actor, { gameId: GAME, playerId: PLAYER, ...rest, ...idempotencyKey });
};

test('each end is counted once, by its door and outcome, and said with its number', async () => {
  await core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const inTheChat = {
    kind: 'member',
    accountId: t.actor.accountId,
    telegramId: 1,
    role: 'operator',
  } as const;
  const { accountId, telegramId, role } = inTheChat;
  const member = { accountId, telegramId, role, name: 'Operator', username: null, now: 0 };
  await t.store.write((tables) => tables.members.insert(member));
  await redeem({ denomination: 60 }, inTheChat);
  await redeem({ denomination: 60 });
  const order = { code: makeCode(), key: 'order-1' };
  await redeem(order);
  expect(await redeem(order)).toMatchObject({ replayed: true });

  expect(core.health.listEnded()).toEqual([
    { door: 'chat', outcome: 'redeemed', count: 1 },
    { door: 'http', outcome: 'NO_CODES_AVAILABLE', count: 1 },
    { door: 'http', outcome: 'redeemed', count: 1 },
  ]);
  const lines = said.filter(([, message]) => message === 'redemption').map(([fields]) => fields);
  expect(lines.map(({ redemptionId, door, state, outcome }) => [redemptionId, door, state, outcome])).toEqual(
    [
      [1, 'chat', 'redeemed', 'redeemed'],
      [2, 'http', 'failed', 'NO_CODES_AVAILABLE'],
      [3, 'http', 'redeemed', 'redeemed'],
    ],
  );
  expect(JSON.stringify(said)).not.toContain('60S');
});

test('a doubt is counted when it falls, and again by what became of it', async () => {
  const code = makeCode();
  t.platform.script.redeem = () =>
    Promise.resolve({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  await redeem({ code });
  const unspent: CodeOutcome = { status: 'notRedeemed' };
  t.platform.script.findCode = () => Promise.resolve(unspent);
  t.clock.advance(60_000);
  await core.settleDoubts();
  t.clock.advance(60_000);
  await core.settleDoubts();
  expect([core.health.listEnded(), core.health.listSettled()]).toEqual([
    [{ door: 'http', outcome: 'UNKNOWN', count: 1 }],
    [{ outcome: 'returned', count: 1 }],
  ]);
  expect(said).toContainEqual([{ redemptionId: 1, outcome: 'returned' }, 'a doubt was settled']);
});

test('a log that throws ends nothing', () => {
  const outcomeMetrics = createOutcomeMetrics({
    info() {
      throw new Error('no space left on device');
    },
  });
  outcomeMetrics.settled(1, 'redeemed');
  expect(outcomeMetrics.listSettled()).toEqual([{ outcome: 'redeemed', count: 1 }]);
});
