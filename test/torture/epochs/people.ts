// People and what they pay for: who is a member of which shop, in which role, since which invitation. What must be true
// of them after a restore follows from the last thing that was decided in any past that the service knows.
import { DAY_MS } from '../../../src/clock.ts';
import type { GivenRole, Role } from '../../../src/core/index.ts';
import { accountOf, listKnown, ownerOf, pickShop, query, tell, type Shop, type World } from './world.ts';

const ROLES: readonly GivenRole[] = ['admin', 'operator', 'support'];
/** Few, so that the same people come, go and change shops. */
const PEOPLE = 7;
const FIRST_PERSON = 2_000_000;
const HOST = { kind: 'host', by: 'cli' } as const;

interface Membership {
  membership: number;
  telegramId: number;
  shop: Shop;
  role: Role;
  /** The fact that made them what they are: of two, the later has the higher. */
  since: number;
}

/** Who must be a member, by what is known: whoever left is out, and of two places the later is theirs. */
function listMemberships(world: World): Membership[] {
  const memberships = new Map<number, Membership>();
  for (const since of [...world.known].sort((a, b) => a - b)) {
    const fact = world.facts[since];
    if (fact?.kind === 'joined') memberships.set(fact.membership, { ...fact, since });
    if (fact?.kind === 'role') {
      const known = memberships.get(fact.membership);
      if (known) memberships.set(fact.membership, { ...known, role: fact.role, since });
    }
  }
  for (const { membership } of listKnown(world, 'left shop')) memberships.delete(membership);
  // In the order of joining: the last one stays.
  return [...new Map([...memberships.values()].map((each) => [each.telegramId, each])).values()];
}

const findMembership = (world: World, telegramId: number) =>
  listMemberships(world).find((each) => each.telegramId === telegramId);

const nameOf = (telegramId: number) => ({ telegramId, name: `Person ${telegramId}` });
const pickPerson = (world: World) => FIRST_PERSON + world.seeded.below(PEOPLE);

/** A shop as the host opens it, with a key, and a link for its owner. */
export async function openShop(world: World): Promise<void> {
  const name = `Shop ${world.next()}`;
  const { accountId, apiKey } = await world.core.accounts.create(HOST, { name, days: 3000, purchased: 50 });
  const shop = { key: apiKey, endsAt: world.clock.now() + 3000 * DAY_MS };
  world.shops.push(shop);
  tell(world, { kind: 'key', key: apiKey });
  await inviteOwner(world, shop, accountId);
}

/** A shop as a stranger opens it: its key is made by its owner, its days are granted. */
export async function openOwn(world: World): Promise<void> {
  const telegramId = 1_000_000 + world.next();
  const { actor } = await world.core.accounts.openOwn(nameOf(telegramId));
  const { accountId } = actor;
  world.clock.advance(1);
  const { key } = await world.core.apiKeys.issue(actor);
  const shop = { key, endsAt: world.clock.now() };
  world.shops.push(shop);
  tell(world, { kind: 'key', key });
  tell(world, { kind: 'joined', membership: world.next(), telegramId, shop, role: 'owner' });
  await grant(world, shop, accountId);
}

async function inviteOwner(world: World, shop: Shop, accountId: number): Promise<void> {
  const link = await world.core.members.inviteOwner(HOST, accountId, `owner-${world.next()}`);
  const telegramId = 1_000_000 + world.next();
  const answer = await world.core.members.join(nameOf(telegramId), link?.token ?? '');
  if (answer.status === 'joined')
    tell(world, { kind: 'joined', membership: world.next(), telegramId, shop, role: 'owner' });
  else world.violations.push(`the owner of ${accountId} was told ${answer.status}`);
}

/** Somebody gets a link, and follows it, now, later or never. */
export async function invite(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const role = world.seeded.pick(ROLES);
  const { token } = await world.core.members.invite(someone.owner, role);
  tell(world, { kind: 'link', token, role, shop: someone.shop, by: someone.owner.telegramId });
  if (world.seeded.chance(0.7)) await follow(world, token, pickPerson(world));
}

/** A link that somebody has kept, whichever past gave it; used links are tried as well. */
export async function followLink(world: World): Promise<void> {
  const links = listKnown(world, 'link');
  if (links.length > 0) await follow(world, world.seeded.pick(links).token, pickPerson(world));
}

async function follow(world: World, token: string, telegramId: number): Promise<void> {
  const link = listKnown(world, 'link').find((each) => each.token === token);
  if (!link) return;
  const before = findMembership(world, telegramId);
  if (before && before.role !== 'owner' && world.seeded.chance(0.7)) await leave(world, before);
  world.clock.advance(1);
  const wasUsed = listKnown(world, 'used link').some((each) => each.token === token);
  const answer = await world.core.members.join(nameOf(telegramId), token);
  if (answer.status !== 'joined') return;
  if (wasUsed) world.violations.push(`a link was used twice: ${token}`);
  tell(world, { kind: 'used link', token });
  tell(world, { kind: 'joined', membership: world.next(), telegramId, shop: link.shop, role: link.role });
}

export async function removeMember(world: World): Promise<void> {
  const staff = listMemberships(world).filter(({ role }) => role !== 'owner');
  if (staff.length > 0) await leave(world, world.seeded.pick(staff));
}

/** By themselves, or removed by the owner. */
async function leave(world: World, { membership, telegramId, shop }: Membership): Promise<void> {
  const self = world.core.members.findActor(telegramId);
  const owner = ownerOf(world, shop);
  const actor = owner && world.seeded.chance(0.5) ? owner : self;
  if (!actor) return;
  const { status } = await world.core.members.remove(actor, telegramId);
  if (['removed', 'left'].includes(status)) tell(world, { kind: 'left shop', membership });
  else world.violations.push(`removing ${telegramId}: ${status}`);
}

export async function changeRole(world: World): Promise<void> {
  const staff = listMemberships(world).filter(({ role }) => role !== 'owner');
  if (staff.length === 0) return;
  const { membership, telegramId, shop } = world.seeded.pick(staff);
  const owner = ownerOf(world, shop);
  if (!owner) return;
  const role = world.seeded.pick(ROLES);
  const { status } = await world.core.members.changeRole(owner, telegramId, role);
  if (status === 'changed') tell(world, { kind: 'role', membership, role });
  else if (status !== 'unchanged') world.violations.push(`changing ${telegramId}: ${status}`);
}

export async function handOver(world: World): Promise<void> {
  const staff = listMemberships(world).filter(({ role }) => role !== 'owner');
  if (staff.length === 0) return;
  const heir = world.seeded.pick(staff);
  const owner = ownerOf(world, heir.shop);
  const former = owner && findMembership(world, owner.telegramId);
  if (!former) return;
  const { status } = await world.core.members.handOver(owner, heir.telegramId);
  if (status !== 'handedOver') world.violations.push(`handing over to ${heir.telegramId}: ${status}`);
  tell(world, { kind: 'role', membership: former.membership, role: 'admin' });
  tell(world, { kind: 'role', membership: heir.membership, role: 'owner' });
}

/** Days of subscription: paid for, or given by the host. */
export async function prolong(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { shop, owner } = someone;
  if (world.seeded.chance(0.4)) return grant(world, shop, owner.accountId);
  const chargeId = `days-${world.next()}`;
  const payment = { accountId: owner.accountId, chargeId, currency: 'XTR', amount: 990, paidBy: 'member:1' };
  await world.core.purchases.credit({ ...payment, kind: 'subscription', days: 30 });
  tell(world, { kind: 'paid', chargeId });
  tell(world, { kind: 'days', shop, chargeId, days: 30 });
}

async function grant(world: World, shop: Shop, accountId: number): Promise<void> {
  const orderId = `grant-${world.next()}`;
  await world.core.accounts.grant(HOST, { accountId, days: 3000, orderId });
  tell(world, { kind: 'days', shop, chargeId: `host:${orderId}`, days: 3000 });
}

export function auditPeople(world: World): void {
  const actual = new Map(
    query<{ telegramId: number; accountId: number; role: Role }>(
      world.path,
      'select telegram_id as telegramId, account_id as accountId, role from members',
    ).map((row) => [row.telegramId, row]),
  );
  const expected = listMemberships(world);
  for (const telegramId of actual.keys())
    if (!expected.some((each) => each.telegramId === telegramId))
      world.violations.push(`member ${telegramId} came back`);
  for (const { telegramId, shop, role } of expected) {
    const row = actual.get(telegramId);
    const wrong = (what: string) => void world.violations.push(`member ${telegramId} is ${what}`);
    if (!row) wrong('gone');
    else if (row.accountId !== accountOf(world, shop)) wrong(`in ${row.accountId}`);
    else if (row.role !== role) wrong(`${row.role}, and was ${role}`);
  }
}

/** Whoever paid for days, or was given some, has them. */
export function auditDays(world: World): void {
  const refunded = new Set(listKnown(world, 'refunded').map(({ chargeId }) => chargeId));
  const keys = new Set(listKnown(world, 'key').map(({ key }) => key));
  for (const shop of world.shops.filter(({ key }) => keys.has(key))) {
    const days = listKnown(world, 'days')
      .filter((each) => each.shop === shop && !refunded.has(each.chargeId))
      .reduce((sum, each) => sum + each.days, 0);
    const due = shop.endsAt + days * DAY_MS;
    const end = world.core.accounts.find(accountOf(world, shop) ?? 0)?.subscriptionExpiresAt ?? 0;
    // A grant counts from the moment it is given where nothing ran before.
    if (Math.abs(end - due) > 1000)
      world.violations.push(`the subscription of ${shop.key} ends ${(end - due) / DAY_MS} days off`);
  }
}
