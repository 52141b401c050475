// A program that lives by orders: it places them under the numbers of its invoices, repeats what was not answered,
// looks after those that have no end, has stopped ones go on, and takes its time for none of them.
import type { WireOrder } from '../../../src/wire/orders.ts';
import type { Invoice } from '../promises/invoices.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call, randomPlayer } from './client.ts';
import type { Kind, Self } from './index.ts';
import { cancel, follow, insist, resume } from './ordering.ts';
import { DENOMINATIONS } from './shop.ts';

const AMOUNTS = [60, 120, 180, 325, 385, 445, 720, 985];
const NOTICES = 5;
const CANCELLED_WITHIN_MS = 6_000;
const DEADLINES_MS = [20_000, 3 * 60 * 60_000, 30 * 60 * 60_000];
const GAME = 'game_id_1';
const NEVER_STOCKED = 8100;

export const orderer: Kind = {
  kind: 'orderer',
  ofAShop: 1,
  actsADay: 2,
  async act(world, self) {
    const own = world.diary.invoices.filter(({ by }) => by === self.name);
    const open = own.filter(({ last }) => last === undefined || last.state === 'stopped' || !last.endedAt);
    const { random } = self;
    switch (
      random.weigh({
        place: 6,
        notice: 1,
        lookAfter: open.length > 0 ? 5 : 0,
        read: 1,
        foreign: 0.5,
        twice: 0.5,
      })
    ) {
      case 'place':
        return place(world, self);
      case 'notice':
        return beToldOften(world, self);
      case 'lookAfter':
        return lookAfter(world, self, random.pick(open));
      case 'read':
        return own.length > 0 ? readAgain(world, self, random.pick(own)) : undefined;
      case 'foreign':
        return readForeign(world, self);
      case 'twice':
        return goOnTwice(world, self);
    }
  },
};

async function place(world: World, self: Self): Promise<void> {
  const { random } = self;
  const invoice = write(world, self);
  if (random.chance(0.7)) await stockUp(world, self, invoice);
  const placed = await insist(world, self, invoice);
  if (!placed) return;
  if (random.chance(0.2)) {
    await world.time.sleep(random.below(CANCELLED_WITHIN_MS));
    await cancel(world, self, invoice);
  }
  await follow(world, self, invoice);
  if (invoice.last?.state === 'stopped' && random.chance(0.4)) await goOn(world, self, invoice);
}

/** What a buyer wants, as this program asks for it from now on. */
function write(world: World, self: Self): Invoice {
  const { random, shop, name } = self;
  const key = `invoice-${shop.nextNumber()}`;
  const playerId = randomPlayer(random);
  const now = world.time.clock.now();
  const items = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.12)
      ? { codeOverride: shop.mint(60, 1)[0] ?? '' }
      : { denomination: random.pick(DENOMINATIONS), count: 1 + random.below(2) },
  );
  const isSum = random.chance(0.3);
  const amount = random.pick(AMOUNTS);
  const codes = items.reduce((sum, { count = 1 }: { count?: number }) => sum + count, 0);
  const invoice: Invoice = {
    ...{ by: name, account: shop.accountId, key, playerId, at: now },
    body: {
      ...{ gameId: GAME, playerId, reference: key },
      ...(isSum ? { amount } : { items }),
      ...(random.chance(0.6) && { onShortage: 'wait' }),
      ...(random.chance(0.3) && { onBadCode: 'stop' }),
      ...(random.chance(0.3) && { deadline: new Date(now + random.pick(DEADLINES_MS)).toISOString() }),
    },
    wanted: isSum ? { amount } : { codes },
    ...{ id: undefined, last: undefined, cancelled: undefined },
  };
  world.diary.invoices.push(invoice);
  return invoice;
}

/** What it sells it buys. */
async function stockUp(world: World, self: Self, { body }: Invoice): Promise<void> {
  const {
    items = [
      { denomination: 60, count: 2 },
      { denomination: 325, count: 1 },
    ],
  } = body as {
    items?: { denomination?: number; count?: number }[];
  };
  const fresh = items.flatMap(({ denomination, count = 1 }) =>
    denomination === undefined ? [] : [{ denomination, codes: self.shop.mint(denomination, count) }],
  );
  if (fresh.length > 0) await call(world, self, `/db?gameId=${GAME}`, { body: fresh });
}

/** The payment is told again and again in one moment. */
async function beToldOften(world: World, self: Self): Promise<void> {
  const invoice = write(world, self);
  await Promise.all(Array.from({ length: NOTICES }, () => insist(world, self, invoice)));
  await follow(world, self, invoice);
}

/** One that has no end as far as its program knows. */
async function lookAfter(world: World, self: Self, invoice: Invoice): Promise<void> {
  const { random } = self;
  if (!(await insist(world, self, invoice))) return;
  if (invoice.last?.endedAt === undefined && random.chance(0.3)) await cancel(world, self, invoice);
  if (invoice.last?.state === 'stopped') return goOn(world, self, invoice);
  await follow(world, self, invoice);
}

async function goOn(world: World, self: Self, invoice: Invoice): Promise<void> {
  if (self.random.chance(0.5)) await stockUp(world, self, invoice);
  await resume(world, self, invoice);
  await follow(world, self, invoice);
}

const KEY_ID = 'select id from api_keys where account_id = ? and prefix = ? and revoked_at is null';

/**
 * An order that was cancelled goes to another player, by two who had looked at it before: what is missing of it goes
 * once.
 */
async function goOnTwice(world: World, self: Self): Promise<void> {
  const { service, diary } = world;
  const { shop, random } = self;
  const items = [{ denomination: NEVER_STOCKED }];
  const body = { gameId: GAME, playerId: randomPlayer(random), items, onShortage: 'wait' };
  const placed = await call(world, self, '/orders', { body, key: `twice-${random.text(12)}` });
  const { id } = (placed?.json ?? {}) as { id?: string };
  if (id === undefined) return;
  await call(world, self, `/orders/${id}/cancel`, { method: 'POST' });
  const key = look(world.disk.databasePath(), (file) =>
    file.prepare(KEY_ID).pluck().get(shop.accountId, shop.apiKey.slice(0, 12)),
  ) as number | undefined;
  if (key === undefined || !service.isServing()) return;
  const actor = { kind: 'apiKey', accountId: shop.accountId, apiKeyId: key } as const;
  const seen = await service.command((core) => Promise.resolve(core.orders.find(actor, id)?.standing));
  const rest = {
    ...{ gameId: GAME, items: [{ denomination: 60, count: 1 }], insteadOf: { id, seen } },
    ...({ onShortage: 'wait', onBadCode: 'stop' } as const),
  };
  const players = [randomPlayer(random), randomPlayer(random)];
  const answers = await Promise.allSettled(
    players.map((playerId) =>
      service.command((core) =>
        core.orders.place(actor, {
          ...rest,
          playerId,
          idempotencyKey: { scope: 'page', key: `${id} ${playerId}` },
        }),
      ),
    ),
  );
  const goingOn = answers.filter(
    (answer) => answer.status === 'fulfilled' && answer.value.status === 'placed',
  );
  if (seen !== undefined && goingOn.length > 1)
    diary.notice(`what is missing of ${id} goes on for ${players.join(' and for ')}`);
}

/** In a list, by its label; and its number for another buyer is refused. */
async function readAgain(world: World, self: Self, invoice: Invoice): Promise<void> {
  const { diary } = world;
  const { id, key, body } = invoice;
  if (id === undefined) return;
  const listed = await call(world, self, `/orders?reference=${key}`);
  const found = (listed?.status === 200 ? (listed.json as WireOrder[]) : []).map((order) => order.id);
  if (listed?.status === 200 && found.join() !== id)
    diary.notice(`${self.name} looks for ${key}, and finds ${found.join()} in place of ${id}`);
  const other = await call(world, self, '/orders', {
    body: { ...body, playerId: randomPlayer(self.random) },
    key,
  });
  const isRefused = !other || other.status >= 400;
  if (!isRefused)
    diary.notice(`${self.name} sends another order under ${key}, and is answered ${other.status}`);
}

async function readForeign(world: World, self: Self): Promise<void> {
  const others = world.diary.invoices.filter(
    ({ account, id }) => account !== self.shop.accountId && id !== undefined,
  );
  if (others.length === 0) return;
  const { id } = self.random.pick(others);
  const path = self.random.pick([`/orders/${id}`, `/orders/${id}/cancel`]);
  const answer = await call(world, self, path, { method: path.endsWith('cancel') ? 'POST' : 'GET' });
  if (answer && answer.status < 300)
    world.diary.notice(`${self.name} is answered ${answer.status} at ${path}, which is of another account`);
}
