// What happens to orders, as commands of fast-check: run for real, and held against the model.
import fc from 'fast-check';

import type { OrderRequest } from '../../../src/core/index.ts';
import { bookUsage, findRoom } from '../../../src/core/quota/usage.ts';
import { command, HOUR_MS, isOver, pass, QUARTER_MS, type OrderCommand } from './command.ts';
import { backUp, restore } from './lost-time.ts';
import type { Nature } from '../../world/core/orders/model.ts';
import { actorOf, DENOMINATIONS, GAME, makeOf, newestKey, reader, type OrderWorld } from './world.ts';

const NATURES: Nature[] = ['USED', 'NOBODY', 'INVALID', 'HIDES', 'SWALLOWS', 'STOLEN', 'RISK'];
const natures = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Nature>('GOOD') },
  { weight: 2, arbitrary: fc.constantFrom(...NATURES) },
);
const denominations = fc.constantFrom(...DENOMINATIONS);
const picks = fc.nat({ max: 20 });
/** After which moment that others hear of the process is killed; rarely at all. */
const kills = fc.option(fc.integer({ min: 1, max: 30 }), { nil: Infinity, freq: 3 });

const add = command(
  'add',
  fc.record({ denomination: denominations, codes: fc.array(natures, { minLength: 1, maxLength: 4 }) }),
  async (world, { denomination, codes }) => {
    const made = codes.map(makeOf);
    const added = await world.core().codes.add(reader(world), GAME, [{ denomination, codes: made }]);
    world.batches.push(added.batchId);
    world.added.push(...made);
  },
);

const deadlines = fc.option(fc.constantFrom(HOUR_MS / 2, 2 * HOUR_MS, 30 * HOUR_MS), {
  nil: undefined,
  freq: 2,
});

const place = command(
  'place',
  fc.record({
    items: fc.oneof<fc.MaybeWeightedArbitrary<(number | Nature)[]>[]>(
      { weight: 4, arbitrary: fc.array(denominations, { minLength: 1, maxLength: 4 }) },
      {
        weight: 1,
        arbitrary: fc.array(fc.constantFrom<Nature>('GOOD', 'USED', 'INVALID', 'HIDES'), {
          minLength: 1,
          maxLength: 3,
        }),
      },
    ),
    onShortage: fc.constantFrom('refuse', 'wait'),
    onBadCode: fc.constantFrom('replace', 'replace', 'stop'),
    deadline: deadlines,
    killAt: kills,
  }),
  async (world, { items, deadline, killAt, ...terms }) => {
    const n = (world.made += 1);
    const [key, playerId, apiKeyId] = [`INV-${n}`, String(5_170_000_000 + n), newestKey(world)];
    const entries = items.map((item) =>
      typeof item === 'number' ? { denomination: item, count: 1 } : { code: makeOf(item) },
    );
    const until = deadline === undefined ? undefined : world.clock.now() + deadline;
    const request: OrderRequest = {
      ...{ gameId: GAME, playerId, ...terms, idempotencyKey: { scope: 'http', key }, items: entries },
      ...(until !== undefined && { deadline: until }),
    };
    const isThere = terms.onShortage === 'wait' || hasAll(world, items);
    const send = () => world.core().orders.place(actorOf(world, apiKeyId), request);
    await world.killedDuring(killAt, send);
    const answer = await send();
    if ((answer.status === 'placed') !== isThere) throw new Error(`It was ${answer.status}.`);
    if (answer.status !== 'placed') return;
    const { id } = answer.order;
    const wanted = items.map((item) => (typeof item === 'number' ? item : null));
    const { onBadCode } = terms;
    world.orders.push({
      ...{
        id,
        playerId,
        wanted,
        onBadCode,
        deadline: until,
        marks: [],
        isOfLostTime: false,
        waitedMs: 0,
        placedAt: world.clock.now(),
        request,
        apiKeyId,
      },
    });
  },
);

function hasAll(world: OrderWorld, items: readonly (number | Nature)[]): boolean {
  const { accountId } = world;
  const available = world.core().codes.countAvailable(reader(world), GAME);
  const isPaused = (denomination: number) =>
    world.store().read(({ stockPauses }) => stockPauses.isPaused({ accountId, gameId: GAME, denomination }));
  return (
    DENOMINATIONS.every((denomination) => {
      const count = items.filter((item) => item === denomination).length;
      return count === 0 || (!isPaused(denomination) && count <= (available.get(denomination) ?? 0));
    }) && world.core().quota(reader(world)).daily.remaining >= items.length
  );
}

const pickFrom = <T>(from: readonly T[], pick: number): T | undefined =>
  from[pick % Math.max(1, from.length)];

const cancel = command(
  'cancel',
  fc.record({ pick: picks, killAt: kills }),
  async (world, { pick, killAt }) => {
    const order = pickFrom(world.orders, pick);
    if (!order) return;
    const send = () => world.core().orders.cancel(reader(world), order.id);
    if (isOver(world, order.id)) return void (await send());
    order.marks.push({ what: 'cancel', after: world.findNewest() });
    await world.killedDuring(killAt, send);
    await send();
  },
);

const resume = command(
  'resume',
  fc.record({ pick: picks, deadline: deadlines, killAt: kills }),
  async (world, { pick, deadline, killAt }) => {
    const order = pickFrom(
      world.orders.filter(({ id }) => isOver(world, id)),
      pick,
    );
    if (!order) return;
    const apiKeyId = newestKey(world);
    const idempotencyKey = { scope: 'http', key: `resume-${(world.made += 1)}` } as const;
    const until = deadline === undefined ? undefined : world.clock.now() + deadline;
    const send = () =>
      world.core().orders.resume(actorOf(world, apiKeyId), order.id, {
        ...{ idempotencyKey },
        ...(until !== undefined && { deadline: until }),
      });
    const isStopped = world.core().orders.find(reader(world), order.id)?.state === 'stopped';
    if (isStopped) {
      const after = world.findNewest();
      order.marks.push({ what: 'allow', after }, { what: 'resume', after, deadline: until });
      Object.assign(order, { apiKeyId, waitedMs: 0, waits: undefined, ended: undefined });
    }
    await world.killedDuring(killAt, send);
    const answer = await send();
    if ((answer?.status === 'resumed') !== isStopped) throw new Error(`${order.id} was ${answer?.status}.`);
  },
);

const wait = command(
  'wait',
  fc.record({ ms: fc.constantFrom(10_000, QUARTER_MS, HOUR_MS + 1_000, 25 * HOUR_MS), killAt: kills }),
  async (world, { ms, killAt }) => {
    if (await world.killedDuring(killAt, () => pass(world, ms))) await world.look();
    await world.look();
  },
);

const switchPlatform = command('platform down or up', fc.boolean(), ({ platform }, isDown) => {
  platform.isDown = isDown;
  return Promise.resolve();
});

const namePlayers = command('name nobody or players', fc.boolean(), ({ platform }, namesNobody) => {
  platform.namesNobody = namesNobody;
  return Promise.resolve();
});

const kill = command('kill', fc.constant(0), (world) => world.goOn());

const revoke = command('revoke', fc.constant(0), async (world) => {
  const { accountId, keys, clock } = world;
  const now = clock.now();
  const [old = 1] = keys.slice(-1);
  const fresh = await world.store().write(({ apiKeys, orders }) => {
    apiKeys.revoke(accountId, old, now);
    orders.lookNow({ accountId, actor: `apiKey:${old}`, now });
    return apiKeys.insert({
      accountId,
      digest: Buffer.from(`key ${keys.length}`),
      prefix: 'crs_',
      createdBy: 'host:cli',
      now,
    });
  });
  keys.push(fresh);
  const after = world.findNewest();
  for (const order of world.orders)
    if (order.apiKeyId === old && !isOver(world, order.id)) order.marks.push({ what: 'revoke', after });
  await pass(world, QUARTER_MS);
});

const useUp = command('use up', fc.constantFrom(3, 290, 300), async (world, times) => {
  const now = world.clock.now();
  await world.store().write((tables) => {
    for (let count = 0; count < times; count += 1) {
      const room = findRoom(tables, world.accountId, 'redemptionTime', now);
      if (room.status === 'quotaExceeded') return;
      bookUsage(tables, room, now);
    }
  });
});

/** What others take: never what is promised. */
const takeAway = command(
  'redeem, extract or undo',
  fc.record({ what: fc.constantFrom('redeem', 'extract', 'undo'), denomination: denominations, pick: picks }),
  async (world, { what, denomination, pick }) => {
    const actor = reader(world);
    const free = world.core().codes.countAvailable(actor, GAME).get(denomination) ?? 0;
    if (what === 'undo') {
      const batchId = pickFrom(world.batches, pick) ?? 0;
      await world
        .store()
        .write(({ batches }) => batches.takeBack(batchId, Buffer.alloc(0), 1_000, world.clock.now()));
    } else if (what === 'extract') {
      const { codes } = await world.core().codes.extract(actor, { gameId: GAME, denomination, amount: 2 });
      if (codes.length > free) throw new Error('More was handed out than is free.');
    } else {
      const playerId = String(6_000_000_000 + (world.made += 1));
      const told = await world
        .core()
        .redeem(actorOf(world, newestKey(world)), { gameId: GAME, playerId, denomination });
      const began = told.status === 'answered' && told.redemption.errorCode !== 'NO_CODES_AVAILABLE';
      if (began && free === 0) throw new Error('What is promised was taken.');
    }
  },
);

export const ORDER_COMMANDS: fc.Arbitrary<OrderCommand>[] = [
  ...[add, add, add, place, place, place, place, wait, wait],
  ...[
    cancel,
    resume,
    resume,
    switchPlatform,
    namePlayers,
    kill,
    revoke,
    useUp,
    takeAway,
    backUp,
    backUp,
    restore,
    restore,
    restore,
  ],
];
