// Every operation as a command of fast-check: run for real and in the model, then both are compared.
import fc from 'fast-check';
import { expect } from 'vitest';

import { bookUsage, findRoom } from '../../src/core/quota/usage.ts';
import { findKey, rememberKey, type KeyName } from './keys.ts';
import {
  WINDOW_MS,
  accountOf,
  usageModel,
  findLive,
  judgeAdded,
  isTakeable,
  takeFrom,
  type Model,
} from './model.ts';
import { BEHAVIOURS, runRedeem, type RedeemArguments } from './redeeming.ts';
import {
  DENOMINATIONS,
  GAME,
  actorOf,
  compare,
  pass,
  restart,
  restore,
  settle,
  monotonicNow,
  type World,
} from './world.ts';

const CODES = Array.from({ length: 9 }, (_, index) => `CODE0000000${index}`);
const PLAYERS = ['5170925570', '5124780131'];
/** Redeems at the platform without us. */
const OUTSIDER = '7777777777';
const HOUR_MS = 60 * 60 * 1000;

export type Command = fc.AsyncCommand<Model, World>;

const accounts = fc.nat({ max: 2 });
const denominations = fc.constantFrom(...DENOMINATIONS);
const codes = fc.constantFrom(...CODES);
const players = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...PLAYERS) },
  { weight: 1, arbitrary: fc.constant('12') },
);
const keys = fc.option(fc.constantFrom<KeyName>('first', 'second'), { nil: undefined, freq: 2 });

function command<T>(name: string, given: fc.Arbitrary<T>, run: (world: World, value: T) => Promise<void>) {
  return given.map((value): Command => ({
    check: () => true,
    async run(_, world) {
      await run(world, value);
      compare(world);
    },
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));
}

const behaviours = fc.oneof(
  fc.constant('redeems'),
  fc.constantFrom(...BEHAVIOURS),
  fc.constantFrom(...BEHAVIOURS.filter((name) => /hides|cut/.test(name))),
);

const redeemFromDatabase = command<RedeemArguments>(
  'redeem',
  fc
    .record({
      account: accounts,
      playerId: players,
      denomination: denominations,
      behaviour: behaviours,
      key: keys,
    })
    .map(withoutEmptyKey),
  runRedeem,
);

const redeemDirectly = command<RedeemArguments>(
  'redeem directly',
  fc
    .record({
      account: accounts,
      playerId: players,
      code: fc.oneof({ weight: 12, arbitrary: codes }, { weight: 1, arbitrary: fc.constant('bad') }),
      behaviour: behaviours,
      key: keys,
    })
    .map(withoutEmptyKey),
  runRedeem,
);

function withoutEmptyKey<T extends { key: KeyName | undefined }>({ key, ...rest }: T) {
  return { ...rest, ...(key && { key }) };
}

const add = command(
  'add',
  fc.record({
    account: accounts,
    denomination: denominations,
    codes: fc.array(
      fc.oneof({ weight: 10, arbitrary: codes }, { weight: 1, arbitrary: fc.constant('bad') }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  }),
  async (world, { account, denomination, codes }) => {
    const added = await world.core.codes.add(actorOf(world, account), GAME, [{ denomination, codes }]);
    if (added.batchId > 0) world.model.batches.push(added.batchId);
    const told: Record<string, string[]> = { accepted: [], used: [], disowned: [], invalid: [] };
    for (const code of new Set(codes)) told[judgeAdded(world.model, code, account)]?.push(code);
    const { used, disowned, invalid, accepted } = told;
    expect(added).toMatchObject({ used, disowned, invalid });
    expect(added.accepted.get(denomination)).toBe(accepted?.length);
    for (const code of accepted ?? []) {
      const entry = { code, account, denomination, batchId: added.batchId } as const;
      world.model.codes.push({ ...entry, state: 'available', from: 'available', returns: 0 });
    }
  },
);

const extract = command(
  'extract',
  fc.record({
    account: accounts,
    denomination: denominations,
    amount: fc.integer({ min: 1, max: 3 }),
    key: keys,
  }),
  async (world, { account, denomination, amount, key }) => {
    const request = { gameId: GAME, denomination, amount };
    const told = await world.core.codes
      .extract(actorOf(world, account), {
        ...request,
        ...(key && { idempotencyKey: { scope: 'http', key } }),
      })
      .catch((error: unknown) => error);
    const described = JSON.stringify(['extract', denomination, amount]);
    const earlier = findKey(world, account, key);
    if (earlier && earlier.request !== described) {
      expect(told).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    } else if (earlier) {
      expect(told).toMatchObject({ replayed: true, codes: earlier.extracted });
    } else {
      const isSpent = (code: string) => world.t.platform.spent.has(code);
      const taken = takeFrom('tail', world.model, { account, denomination, amount }, isSpent);
      const extracted = taken.map(({ code }) => code);
      expect(told).toMatchObject({ replayed: false, codes: extracted });
      for (const entry of taken) entry.state = 'extracted';
      // What took nothing pins no key.
      if (extracted.length > 0)
        rememberKey(world, account, key, { request: described, extracted, endedAt: world.t.clock.now() });
    }
  },
);

const undo = command('undo', fc.nat({ max: 20 }), async ({ t, model }, pick) => {
  const batchId = model.batches[pick % Math.max(1, model.batches.length)] ?? 0;
  const left = model.codes.filter((entry) => entry.batchId === batchId && isTakeable(entry));
  const taken = await t.store.write((tables) =>
    tables.batches.takeBack(batchId, Buffer.alloc(0), 1_000, t.clock.now()),
  );
  expect(taken.denominations).toHaveLength(left.length);
  for (const entry of left) entry.state = 'undone';
});

const lookUpPlayer = command(
  'look up',
  fc.record({ account: accounts, answer: fc.constantFrom('found', 'notFound', 'unreachable', 'malformed') }),
  async (world, { account, answer }) => {
    const { script } = world.t.platform;
    if (answer === 'notFound') script.findCharacter = () => ({ status: 'notFound' });
    if (answer === 'unreachable') script.findCharacter = () => ({ status: 'unreachable', message: '' });
    const playerId = answer === 'malformed' ? '12' : (PLAYERS[0] ?? '');
    const told = await world.core.findCharacter(actorOf(world, account), { gameId: GAME, playerId });
    delete script.findCharacter;
    if (answer === 'malformed') return expect(told.status).toBe('notFound');
    const usage = usageModel(accountOf(world.model, account), 1, monotonicNow(world));
    expect(told.status).toBe(usage ? answer : 'quotaExceeded');
    if (usage && answer === 'unreachable') usage.returned = true;
  },
);

const lookUpCode = command(
  'look up a code',
  fc.record({ account: accounts, code: codes }),
  async (world, { account, code }) => {
    const told = await world.core.findRedemptionTime(actorOf(world, account), { gameId: GAME, code });
    const usage = usageModel(accountOf(world.model, account), 4, monotonicNow(world));
    if (!usage) return expect(told.status).toBe('quotaExceeded');
    if (world.t.platform.spent.has(code)) return expect(told.status).toBe('found');
    const live = findLive(world.model, code);
    expect(told.status).toBe(live ? 'underWay' : 'notFound');
    if (live) usage.returned = true;
  },
);

/** Many usages in one transaction, so that the limit is reached within a short run. */
const useUp = command(
  'use up',
  fc.record({ account: accounts, times: fc.constantFrom(10, 240, 299, 310) }),
  async (world, { account, times }) => {
    const { t, model, actors } = world;
    const accountId = actors[account]?.accountId ?? 0;
    const now = monotonicNow(world);
    const made = await t.store.write((tables) => {
      for (let count = 0; count < times; count += 1) {
        const room = findRoom(tables, accountId, 'redemptionTime', now);
        if (room.status === 'quotaExceeded') return count;
        bookUsage(tables, room, now);
      }
      return times;
    });
    let expected = 0;
    while (expected < times && usageModel(accountOf(model, account), 4, now)) expected += 1;
    expect(made).toBe(expected);
  },
);

const purchase = command('purchase', accounts, async (world, account) => {
  const { t, model } = world;
  const { accountId } = actorOf(world, account);
  const payment = { accountId, chargeId: `charge ${(world.paid += 1)}`, currency: 'XTR', amount: 770 };
  const book = () =>
    t.core.purchases.credit({ ...payment, kind: 'activations', thousands: 1, paidBy: 'member:1' });
  expect((await book()).status).toBe('credited');
  expect((await book()).status).toBe('alreadyCredited');
  accountOf(model, account).bought += 4_000;
});

const wait = command(
  'wait',
  fc.oneof(
    fc.constantFrom(500, 1_000, 2_000, 5_000, HOUR_MS, WINDOW_MS - 1, WINDOW_MS),
    fc.integer({ min: 1, max: 30 * HOUR_MS }),
  ),
  async (world, ms) => {
    pass(world, ms);
    await settle(world);
  },
);

const jump = command('jump', fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }), async (world, ms) => {
  world.t.clock.set(world.t.clock.now() + ms);
  await settle(world);
});

const spendOutside = command('spend outside', codes, async (world, code) => {
  const { platform } = world.t;
  if (platform.spent.has(code)) return;
  platform.spent.set(code, { playerId: OUTSIDER, redeemedAt: platform.now() });
});

/** All operations, the interesting ones more often. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  add,
  add,
  add,
  redeemFromDatabase,
  redeemFromDatabase,
  redeemFromDatabase,
  redeemDirectly,
  redeemDirectly,
  wait,
  wait,
  extract,
  undo,
  lookUpPlayer,
  lookUpCode,
  useUp,
  purchase,
  jump,
  command('restart', fc.constant(0), restart),
  command('restore', fc.constant(0), async (world) => restore(world)),
  spendOutside,
];
