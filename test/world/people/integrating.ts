// A program that registers addresses of its own for what it wants to be told, tries them, looks how they do, and takes
// them away again; and tries those of others.
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/core/index.ts';
import { RECEIVER } from '../machine/receivers.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';

const OURS = 'select id from webhooks where account_id = ? and removed_at is null order by id';
const FOREIGN = 'select id from webhooks where account_id <> ? and removed_at is null order by id';

export async function integrate(world: World, self: Self): Promise<void> {
  const { random } = self;
  switch (random.weigh({ add: 3, test: 2, list: 2, remove: 1, foreign: 2 })) {
    case 'add':
      return register(world, self);
    case 'test':
      return test(world, self);
    case 'list':
      return list(world, self);
    case 'remove':
      return removeAddress(world, self);
    case 'foreign':
      return tryForeign(world, self);
  }
}

async function register(world: World, self: Self): Promise<void> {
  const events = WEBHOOK_EVENTS.filter(() => self.random.chance(0.4));
  if (events.length > 0) await registerFor(world, self, events);
}

/** Their program has one more address, and is told of these there. */
export async function registerFor(
  world: World,
  self: Pick<Self, 'name' | 'shop' | 'random'>,
  events: readonly WebhookEvent[],
): Promise<void> {
  const { random, shop } = self;
  const key = shop.apiKey;
  const path = `/extra-${shop.number}-${random.text(6)}`;
  const answer = await call(world, self, '/webhooks', { body: { url: `${RECEIVER}${path}`, events } });
  const { id, secret } = (answer?.json ?? {}) as { id?: number; secret?: string };
  if (answer?.status !== 201 || id === undefined || secret === undefined) return;
  world.receivers.extra.set(path, {
    accountId: shop.accountId,
    secret,
    events: new Set<WebhookEvent>(events),
    id,
    key,
    hopedSince: world.time.clock.now(),
  });
}

async function test(world: World, self: Self): Promise<void> {
  const id = pickOwn(world, self);
  if (id === undefined) return;
  const answer = await call(world, self, `/webhooks/${id}/test`, { body: {} });
  const isTheirs = idsOf(world, OURS, self.shop.accountId).includes(id);
  if (answer?.status === 404 && isTheirs)
    world.diary.notice(
      `${self.name} tries the address ${id}, which is theirs, and is told that there is none`,
    );
}

async function list(world: World, self: Self): Promise<void> {
  const before = idsOf(world, OURS, self.shop.accountId);
  const answer = await call(world, self, '/webhooks');
  const after = new Set(idsOf(world, OURS, self.shop.accountId));
  if (answer?.status !== 200) return;
  const told = (answer.json as { id: number }[]).map(({ id }) => id);
  const missing = before.find((id) => after.has(id) && !told.includes(id));
  const foreign = told.find((id) => !after.has(id) && !before.includes(id));
  if (missing !== undefined || foreign !== undefined)
    world.diary.notice(
      `${self.name} is told of the webhooks ${told.join()}, and the books say ${before.join()}`,
    );
}

export async function removeAddress(world: World, self: Self): Promise<void> {
  const { receivers, shop } = { receivers: world.receivers, shop: self.shop };
  const own = [...receivers.extra].filter(
    ([, { accountId, removedAt }]) => accountId === shop.accountId && removedAt === undefined,
  );
  if (own.length === 0) return;
  const [, address] = self.random.pick(own);
  const answer = await call(world, self, `/webhooks/${address.id}`, { method: 'DELETE' });
  if (answer?.status === 204) address.removedAt = world.time.clock.now();
}

async function tryForeign(world: World, self: Self): Promise<void> {
  const foreign = idsOf(world, FOREIGN, self.shop.accountId);
  if (foreign.length === 0) return;
  const id = self.random.pick(foreign);
  const path = self.random.pick([`/webhooks/${id}/deliveries`, `/webhooks/${id}/enable`]);
  const answer = await call(world, self, path, path.endsWith('enable') ? { body: {} } : {});
  if (answer?.status === 200)
    world.diary.notice(`${self.name} is answered at ${path}, which is of another account`);
}

const idsOf = ({ disk }: World, sql: string, accountId: number): number[] =>
  look(disk.databasePath(), (file) => file.prepare(sql).pluck().all(accountId) as number[]);

function pickOwn(world: World, { shop, random }: Self): number | undefined {
  const ids = idsOf(world, OURS, shop.accountId);
  return ids.length > 0 ? random.pick(ids) : undefined;
}
