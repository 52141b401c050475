// People and what they pay for: who is a member of which shop, in which role, since which invitation. What must be true
// of them after a restore follows from the last thing that was decided in any past that the service knows.
import { DAY_MS } from '../../../../src/clock.ts';
import type { Core, GivenRole, Role } from '../../../../src/core/index.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import {
  accountOf,
  HOST,
  listKnown,
  ownerOf,
  pickShop,
  query,
  tell,
  type Shop,
  type Shops,
} from './world.ts';

const ROLES: readonly GivenRole[] = ['admin', 'operator', 'support'];
/** Few, so that the same people come, go and change shops. */
const PEOPLE = 7;
const FIRST_PERSON = 2_000_000;
const LAST_PERSON = 3_000_000;

interface Membership {
  membership: number;
  telegramId: number;
  shop: Shop;
  role: Role;
}

/** Who must be a member, by what is known: whoever left is out, and of two places the later is theirs. */
function listMemberships(world: Shops): Membership[] {
  const memberships = new Map<number, Membership>();
  for (const since of [...world.known].sort((a, b) => a - b)) {
    const fact = world.facts[since];
    if (fact?.kind === 'joined') memberships.set(fact.membership, fact);
    const known = fact?.kind === 'role' ? memberships.get(fact.membership) : undefined;
    if (fact?.kind === 'role' && known) memberships.set(fact.membership, { ...known, role: fact.role });
  }
  for (const { membership } of listKnown(world, 'left shop')) memberships.delete(membership);
  // In the order of joining: the last one stays.
  return [...new Map([...memberships.values()].map((each) => [each.telegramId, each])).values()];
}

const listStaff = (world: Shops) => listMemberships(world).filter(({ role }) => role !== 'owner');
const nameOf = (telegramId: number) => ({ telegramId, name: `Person ${telegramId}` });
export const ask = <T>({ service }: Shops, work: (core: Core) => Promise<T>): Promise<T> =>
  service.within(service.ask(work));

/** A shop as the host opens it, with a key, and a link for its owner. */
export async function openShop(world: Shops): Promise<void> {
  const request = { name: `Shop ${world.next()}`, days: 3000, purchased: 50_000 };
  const { accountId, apiKey } = await ask(world, ({ accounts }) => accounts.create(HOST, request));
  const shop = { key: apiKey, endsAt: world.time.machine.now() + 3000 * DAY_MS };
  world.shops.push(shop);
  tell(world, { kind: 'key', key: apiKey });
  const link = await ask(world, ({ members }) =>
    members.inviteOwner(HOST, accountId, `owner-${world.next()}`),
  );
  const telegramId = 1_000_000 + world.next();
  await join(world, { telegramId, token: link?.token ?? '', shop, role: 'owner' });
}

/** A shop as a stranger opens it: its key is made by its owner, its days are granted. */
export async function openOwn(world: Shops): Promise<void> {
  const telegramId = 1_000_000 + world.next();
  const { actor } = await ask(world, ({ accounts }) => accounts.openOwn(nameOf(telegramId)));
  world.time.skip(1);
  const { key } = await ask(world, ({ apiKeys }) => apiKeys.issue(actor));
  const shop = { key, endsAt: world.time.machine.now() };
  world.shops.push(shop);
  tell(world, { kind: 'key', key });
  tell(world, { kind: 'joined', membership: world.next(), telegramId, shop, role: 'owner' });
  await grant(world, shop, actor.accountId);
}

async function join(
  world: Shops,
  by: { telegramId: number; token: string; shop: Shop; role: Role },
): Promise<void> {
  const { telegramId, token, shop, role } = by;
  const answer = await ask(world, ({ members }) => members.join(nameOf(telegramId), token));
  if (answer.status === 'joined') {
    if (listKnown(world, 'used link').some((each) => each.token === token))
      world.amiss.push(`a link was used twice: ${token}`);
    tell(world, { kind: 'used link', token });
    tell(world, { kind: 'joined', membership: world.next(), telegramId, shop, role });
  } else if (role === 'owner') world.amiss.push(`the owner of a shop was told ${answer.status}`);
}

/** Somebody gets a link, and follows it, now, later or never. */
export async function invite(world: Shops, random: Seeded): Promise<void> {
  const someone = pickShop(world, random);
  if (!someone) return;
  const role = random.pick(ROLES);
  const { token } = await ask(world, ({ members }) => members.invite(someone.owner, role));
  tell(world, { kind: 'link', token, role, shop: someone.shop, by: someone.owner.telegramId });
  if (random.chance(0.7)) await follow(world, token, random);
}

/** A link that somebody has kept, whichever past gave it; used links are tried as well. */
export async function followLink(world: Shops, random: Seeded): Promise<void> {
  const links = listKnown(world, 'link');
  if (links.length > 0) await follow(world, random.pick(links).token, random);
}

async function follow(world: Shops, token: string, random: Seeded): Promise<void> {
  const link = listKnown(world, 'link').find((each) => each.token === token);
  if (!link) return;
  const telegramId = FIRST_PERSON + random.below(PEOPLE);
  const before = listMemberships(world).find((each) => each.telegramId === telegramId);
  if (before && before.role !== 'owner' && random.chance(0.7)) await leave(world, before, random);
  world.time.skip(1);
  await join(world, { telegramId, token, shop: link.shop, role: link.role });
}

export async function removeMember(world: Shops, random: Seeded): Promise<void> {
  const staff = listStaff(world);
  if (staff.length > 0) await leave(world, random.pick(staff), random);
}

/** By themselves, or removed by the owner. */
async function leave(
  world: Shops,
  { membership, telegramId, shop }: Membership,
  random: Seeded,
): Promise<void> {
  const self = world.service.core().members.findActor(telegramId);
  const owner = ownerOf(world, shop);
  const actor = owner && random.chance(0.5) ? owner : self;
  if (!actor) return;
  const { status } = await ask(world, ({ members }) => members.remove(actor, telegramId));
  if (['removed', 'left'].includes(status)) tell(world, { kind: 'left shop', membership });
  else world.amiss.push(`removing ${telegramId}: ${status}`);
}

export async function changeRole(world: Shops, random: Seeded): Promise<void> {
  const staff = listStaff(world);
  if (staff.length === 0) return;
  const { membership, telegramId, shop } = random.pick(staff);
  const owner = ownerOf(world, shop);
  if (!owner) return;
  const role = random.pick(ROLES);
  const { status } = await ask(world, ({ members }) => members.changeRole(owner, telegramId, role));
  if (status === 'changed') tell(world, { kind: 'role', membership, role });
  else if (status !== 'unchanged') world.amiss.push(`changing ${telegramId}: ${status}`);
}

export async function handOver(world: Shops, random: Seeded): Promise<void> {
  const staff = listStaff(world);
  if (staff.length === 0) return;
  const heir = random.pick(staff);
  const owner = ownerOf(world, heir.shop);
  const former = listMemberships(world).find((each) => each.telegramId === owner?.telegramId);
  if (!owner || !former) return;
  const { status } = await ask(world, ({ members }) => members.handOver(owner, heir.telegramId));
  if (status !== 'handedOver') world.amiss.push(`handing over to ${heir.telegramId}: ${status}`);
  tell(world, { kind: 'role', membership: former.membership, role: 'admin' });
  tell(world, { kind: 'role', membership: heir.membership, role: 'owner' });
}

/** Days of subscription: paid for, or given by the host. */
export async function prolong(world: Shops, random: Seeded): Promise<void> {
  const someone = pickShop(world, random);
  if (!someone) return;
  const { shop, owner } = someone;
  if (random.chance(0.4)) return grant(world, shop, owner.accountId);
  const chargeId = `days-${world.next()}`;
  const payment = { accountId: owner.accountId, chargeId, currency: 'XTR', amount: 990, paidBy: 'member:1' };
  await ask(world, ({ purchases }) => purchases.credit({ ...payment, kind: 'subscription', days: 30 }));
  tell(world, { kind: 'paid', chargeId });
  tell(world, { kind: 'days', shop, chargeId, days: 30 });
}

async function grant(world: Shops, shop: Shop, accountId: number): Promise<void> {
  const orderId = `grant-${world.next()}`;
  await ask(world, ({ accounts }) => accounts.grant(HOST, { accountId, days: 3000, orderId }));
  tell(world, { kind: 'days', shop, chargeId: `host:${orderId}`, days: 3000 });
}

/** Everybody is what was decided last of them. */
export function everybodyIsWhatWasDecided(world: Shops): string[] {
  const rows = query<{ telegramId: number; accountId: number; role: Role }>(
    world,
    `select telegram_id as telegramId, account_id as accountId, role from members where telegram_id < ${LAST_PERSON}`,
  );
  const actual = new Map(rows.map((row) => [row.telegramId, row]));
  const expected = listMemberships(world);
  const strangers = [...actual.keys()].filter((id) => !expected.some(({ telegramId }) => telegramId === id));
  return [
    ...strangers.map((telegramId) => `member ${telegramId} came back`),
    ...expected.flatMap(({ telegramId, shop, role }) => {
      const row = actual.get(telegramId);
      if (!row) return [`member ${telegramId} is gone`];
      if (row.accountId !== accountOf(world, shop)) return [`member ${telegramId} is in ${row.accountId}`];
      return row.role === role ? [] : [`member ${telegramId} is ${row.role}, and was ${role}`];
    }),
  ];
}

/** Whoever paid for days, or was given some, has them. */
export function paidDaysAreThere(world: Shops): string[] {
  const refunded = new Set(listKnown(world, 'refunded').map(({ chargeId }) => chargeId));
  const keys = new Set(listKnown(world, 'key').map(({ key }) => key));
  return world.shops
    .filter(({ key }) => keys.has(key))
    .flatMap((shop) => {
      const days = listKnown(world, 'days')
        .filter((each) => each.shop === shop && !refunded.has(each.chargeId))
        .reduce((sum, each) => sum + each.days, 0);
      const end = world.service.core().accounts.find(accountOf(world, shop) ?? 0)?.subscriptionExpiresAt ?? 0;
      // A grant counts from the moment it is given where nothing ran before.
      const off = end - shop.endsAt - days * DAY_MS;
      return Math.abs(off) > 1000 ? [`the subscription of ${shop.key} ends ${off / DAY_MS} days off`] : [];
    });
}
