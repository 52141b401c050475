// Random days in the life of three accounts, one step after the other, each foretold by a plain model.
import assert from 'node:assert/strict';

import Database from 'better-sqlite3';

import { bookUsage, findRoom } from '../../../../src/core/quota/usage.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import type { CoreWorld, Living } from '../world.ts';
import { WINDOW_MS, accountOf, findLive, isTakeable, judgeAdded, takeFrom, usageModel } from './model.ts';
import { BEHAVIOURS, listSpent, redeem } from './redeeming.ts';
import {
  actorOf,
  compare,
  DENOMINATIONS,
  endWorld,
  findKey,
  forgetOver,
  GAME,
  openWorld,
  pass,
  rememberKey,
  restart,
  same,
  type Foretold,
} from './world.ts';

const CODES = Array.from({ length: 9 }, (_, index) => `CODE0000000${index}`);
const PLAYERS = ['5170925570', '5124780131'];
/** Redeems at the platform without us. */
const OUTSIDER = '7777777777';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DOUBTFUL = BEHAVIOURS.filter((name) => /hides|cut/.test(name));
const KEYS = ['first', 'second'];

const WEIGHTS = {
  ...{ add: 3, redeem: 3, redeemDirectly: 2, wait: 2, extract: 1, undo: 1, lookUpPlayer: 1, lookUpCode: 1 },
  ...{ useUp: 1, purchase: 1, jump: 1, kill: 1, forget: 1, spendOutside: 1 },
};

export async function openForetold(opened: CoreWorld): Promise<Living> {
  const world = await openWorld(opened);
  return {
    async act(random) {
      const what = random.weigh(WEIGHTS);
      world.count(what);
      await ACTS[what](world, random);
      compare(world);
    },
    end: () => endWorld(world),
  };
}

const note = (world: CoreWorld, what: string, given: object) =>
  world.note(`${what} ${JSON.stringify(given)}`);
const account = (random: Seeded) => random.below(3);
const pickKey = (random: Seeded) => (random.chance(0.6) ? random.pick(KEYS) : undefined);
const pickPlayer = (random: Seeded) => (random.chance(0.08) ? '12' : random.pick(PLAYERS));
const pickCode = (random: Seeded) => (random.chance(0.08) ? 'bad' : random.pick(CODES));
const pickBehaviour = (random: Seeded) =>
  random.pick([() => 'redeems', () => random.pick(BEHAVIOURS), () => random.pick(DOUBTFUL)])();

type Act = (world: Foretold, random: Seeded) => Promise<void>;

const ACTS: Record<keyof typeof WEIGHTS, Act> = {
  add,
  extract,
  undo,
  lookUpPlayer,
  lookUpCode,
  useUp,
  purchase,
  forget,
  async redeem(world, random) {
    const what = { account: account(random), playerId: pickPlayer(random), key: pickKey(random) };
    const given = { ...what, denomination: random.pick(DENOMINATIONS), behaviour: pickBehaviour(random) };
    note(world, 'redeem', given);
    await redeem(world, given);
  },
  async redeemDirectly(world, random) {
    const what = { account: account(random), playerId: pickPlayer(random), key: pickKey(random) };
    const given = { ...what, code: pickCode(random), behaviour: pickBehaviour(random) };
    note(world, 'redeem directly', given);
    await redeem(world, given);
  },
  async wait(world, random) {
    const some = random.pick([
      500,
      1_000,
      2_000,
      5_000,
      HOUR_MS,
      WINDOW_MS - MINUTE_MS,
      WINDOW_MS + MINUTE_MS,
    ]);
    const ms = random.chance(0.5) ? some : 1 + random.below(30 * HOUR_MS);
    note(world, 'wait', { ms });
    await pass(world, ms);
  },
  async jump(world, random) {
    const { time } = world;
    const ms = time.machine.now() - time.clock.now() + random.below(60 * HOUR_MS) - 30 * HOUR_MS;
    note(world, 'the calendar is wrong', { ms });
    // Chores forget once a minute what is over; no calendar brings it back.
    if (forgetOver(world)) await pass(world, MINUTE_MS + 7_000);
    forgetOver(world);
    time.setWrong(ms);
    await pass(world, 0);
  },
  async kill(world) {
    note(world, 'kill', {});
    await restart(world);
  },
  spendOutside(world, random) {
    const code = random.pick(CODES);
    note(world, 'somebody redeems', { code });
    world.platform.redeemElsewhere(GAME, code, OUTSIDER);
    return Promise.resolve();
  },
};

async function add(world: Foretold, random: Seeded): Promise<void> {
  const { model, service } = world;
  const [shop, denomination] = [account(random), random.pick(DENOMINATIONS)];
  const codes = Array.from({ length: 1 + random.below(6) }, () => pickCode(random));
  note(world, 'add', { shop, denomination, codes });
  const added = await service.within(
    service.ask((core) => core.codes.add(actorOf(world, shop), GAME, [{ denomination, codes }])),
  );
  if (added.batchId > 0) model.batches.push(added.batchId);
  const told: Record<string, string[]> = { accepted: [], used: [], disowned: [], invalid: [] };
  for (const code of new Set(codes)) told[judgeAdded(model, code, shop)]?.push(code);
  const { used, disowned, invalid, accepted = [] } = told;
  assert.deepEqual(
    [added.used, added.disowned, added.invalid, added.accepted.get(denomination)],
    [used, disowned, invalid, accepted.length],
  );
  for (const code of accepted) {
    const entry = { code, account: shop, denomination, batchId: added.batchId } as const;
    model.codes.push({ ...entry, state: 'available', from: 'available', returns: 0 });
  }
}

async function extract(world: Foretold, random: Seeded): Promise<void> {
  const { model, service } = world;
  const [shop, denomination, amount] = [account(random), random.pick(DENOMINATIONS), 1 + random.below(3)];
  const key = pickKey(random);
  note(world, 'extract', { shop, denomination, amount, key });
  const request = { gameId: GAME, denomination, amount };
  const keyed = { ...request, ...(key !== undefined && { idempotencyKey: { scope: 'http' as const, key } }) };
  const asking = service.ask((core) => core.codes.extract(actorOf(world, shop), keyed));
  const told = await service.within(asking.catch((error: Error) => error));
  const described = JSON.stringify(['extract', denomination, amount]);
  const earlier = findKey(world, shop, key);
  if (earlier && earlier.request !== described) return same(told, { code: 'IDEMPOTENCY_KEY_REUSED' });
  if (earlier) return same(told, { replayed: true, codes: earlier.extracted });
  const spent = listSpent(world);
  const taken = takeFrom('tail', model, { account: shop, denomination, amount }, (code) => spent.has(code));
  const extracted = taken.map(({ code }) => code);
  assert('codes' in told, JSON.stringify(told));
  assert.deepEqual([told.replayed, told.codes], [false, extracted], 'what is taken out');
  for (const entry of taken) entry.state = 'extracted';
  // What took nothing pins no key.
  const endedAt = world.time.machine.now();
  if (extracted.length > 0) rememberKey(world, shop, key, { request: described, extracted, endedAt });
}

async function undo(world: Foretold, random: Seeded): Promise<void> {
  const { model, service, time } = world;
  const batchId = model.batches.length > 0 ? random.pick(model.batches) : 0;
  note(world, 'undo', { batchId });
  const left = model.codes.filter((entry) => entry.batchId === batchId && isTakeable(entry));
  const taken = await service.within(
    service
      .store()
      .write((tables) => tables.batches.takeBack(batchId, Buffer.alloc(0), 1_000, time.machine.now())),
  );
  assert.equal(taken.denominations.length, left.length);
  for (const entry of left) entry.state = 'undone';
}

const GONE = '4040000000';

async function lookUpPlayer(world: Foretold, random: Seeded): Promise<void> {
  const { service, platform } = world;
  const shop = account(random);
  const answer = random.pick(['found', 'notFound', 'unreachable', 'malformed']);
  note(world, 'look up', { shop, answer });
  const players: Record<string, string> = { notFound: GONE, malformed: '12' };
  const playerId = players[answer] ?? '5170925570';
  const [{ manners }, asked] = [platform, world.monotonicNow()];
  if (answer === 'unreachable') platform.manners = { ...manners, isAway: 1 };
  const told = await service.within(
    service.ask((core) => core.findCharacter(actorOf(world, shop), { gameId: GAME, playerId })),
  );
  platform.manners = manners;
  if (answer === 'malformed') return assert.equal(told.status, 'notFound');
  const usage = usageModel(accountOf(world.model, shop), 1, asked);
  assert.equal(told.status, usage ? answer : 'quotaExceeded');
  if (usage && answer === 'unreachable') usage.returned = true;
}

async function lookUpCode(world: Foretold, random: Seeded): Promise<void> {
  const { service, platform, model } = world;
  const [shop, code] = [account(random), random.pick(CODES)];
  note(world, 'look up a code', { shop, code });
  const asked = world.monotonicNow();
  const told = await service.within(
    service.ask((core) => core.findRedemptionTime(actorOf(world, shop), { gameId: GAME, code })),
  );
  const usage = usageModel(accountOf(model, shop), 4, asked);
  if (!usage) return assert.equal(told.status, 'quotaExceeded');
  if (platform.find(GAME, code)) return assert.equal(told.status, 'found');
  const live = findLive(model, code);
  assert.equal(told.status, live ? 'underWay' : 'notFound');
  if (live) usage.returned = true;
}

/** Many usages in one transaction, so that the limit is reached within a short run. */
async function useUp(world: Foretold, random: Seeded): Promise<void> {
  const { model, service } = world;
  const [shop, times] = [account(random), random.pick([10, 240, 299, 310])];
  note(world, 'use up', { shop, times });
  const { accountId } = actorOf(world, shop);
  const now = world.monotonicNow();
  const made = await service.within(
    service.store().write((tables) => {
      for (let count = 0; count < times; count += 1) {
        const room = findRoom(tables, { accountId }, 'redemptionTime', now);
        if (room.status === 'quotaExceeded') return count;
        bookUsage(tables, room, now);
      }
      return times;
    }),
  );
  let expected = 0;
  while (expected < times && usageModel(accountOf(model, shop), 4, now)) expected += 1;
  assert.equal(made, expected);
}

async function purchase(world: Foretold, random: Seeded): Promise<void> {
  const { model, service } = world;
  const shop = account(random);
  note(world, 'purchase', { shop });
  const { accountId } = actorOf(world, shop);
  const payment = { accountId, chargeId: `charge ${world.next()}`, currency: 'XTR', amount: 770 };
  const book = () =>
    service.within(
      service.ask((core) =>
        core.purchases.credit({ ...payment, kind: 'activations', thousands: 1, paidBy: 'member:1' }),
      ),
    );
  assert.equal((await book()).status, 'credited');
  assert.equal((await book()).status, 'alreadyCredited');
  accountOf(model, shop).bought += 4_000;
}

/** What a restored backup leaves: nothing in stock is known to be unspent. */
function forget(world: Foretold): Promise<void> {
  note(world, 'nothing in stock is verified', {});
  const { service, model } = world;
  const file = new Database(service.disk.databasePath());
  file.exec("update codes set state = 'unverified' where state = 'available'");
  file.close();
  for (const entry of model.codes) if (entry.state === 'available') entry.state = 'unverified';
  return Promise.resolve();
}
