// The owner of a shop, who looks at how it goes, gives people other roles, removes them and takes them in again, and
// changes the key of the programs while they use it.
import type { Role } from '../../../src/core/index.ts';
import type { SeenMessage } from '../../telegram/types.ts';
import { hasButton, says } from './phone.ts';
import { findAccountOf } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import {
  followLate,
  followOldLink,
  followLateLink,
  inviteTwo,
  keepLink,
  orphanLink,
  tokenIn,
} from './links.ts';
import { askForHelp } from './overstepping.ts';
import { exportWhole } from './overstepping.ts';
import { handOver } from './handing-over.ts';
import type { Kind, Self } from './index.ts';
import { walk } from './walker.ts';

const GIVEN = ['admin', 'operator', 'support'] as const;

export const owner: Kind = {
  kind: 'owner',
  role: 'owner',
  ofAShop: 1,
  actsADay: 0.5,
  async act(world, self) {
    const { phone, random } = self;
    if (await followLateLink(world, self)) return;
    switch (
      random.weigh({
        look: 2,
        walk: 3,
        role: 2,
        remove: 1,
        takeIn: 3,
        key: 1,
        export: 0.5,
        help: 0.4,
        two: 0.4,
        orphan: 1.5,
        handOver: 0.7,
      })
    ) {
      case 'look':
        return void (await phone.ask(
          random.pick(['/stock', '/quota', '/history', '/start', '/members']),
          says(/./),
        ));
      case 'walk':
        return walk(world, self, ['/members', '/api_key', '/settings', '/quota', '/stock']);
      case 'role':
        return giveRole(world, self);
      case 'remove':
        return remove(world, self);
      case 'takeIn':
        return takeIn(world, self);
      case 'key':
        return changeKey(world, self);
      case 'export':
        return exportWhole(self);
      case 'two':
        return inviteTwo(world, self);
      case 'help':
        return askForHelp(world, self);
      case 'handOver':
        return handOver(world, self);
      case 'orphan':
        return orphanLink(world, self, (id, role) => giveTo(world, self, id, role));
    }
  },
};

/** Of whoever works here, but the owner; payers stay what they are. */
function pickStaff({ members, people }: World, { shop, random }: Self): number | undefined {
  const payers = new Set(people.filter(({ kind }) => kind === 'payer').map(({ userId }) => userId));
  const staff = [...members].filter(
    ([id, { accountId, role }]) => accountId === shop.accountId && role !== 'owner' && !payers.has(id),
  );
  return random.pick(staff)?.[0];
}

/** Mostly back to what they came as: the shop is to go on. */
async function giveRole(world: World, self: Self): Promise<void> {
  const { random, shop } = self;
  const id = pickStaff(world, self);
  if (id === undefined) return;
  const role = random.chance(0.4) ? random.pick(GIVEN) : shop.cameAs.get(id);
  if (role !== undefined) await giveTo(world, self, id, role);
}

async function giveTo(world: World, self: Self, id: number, role: Role): Promise<void> {
  const asked = await self.phone.ask(`/members ${id} ${role}`, says(/./));
  if (!asked || !isFor(asked, new RegExp(`^New role for .* ${role}\\?`), `Make ${role}`)) return;
  await order(world, self, asked, { id, role }, `Make ${role}`);
}

/** Whoever asks for several things at once looks at what is to be confirmed. */
const isFor = (asked: SeenMessage, words: RegExp, label: string) =>
  hasButton(label)(asked) && words.test(asked.text);

/** `isDone` once the owner has read that it is. */
async function order(
  { diary, time }: World,
  { phone, shop }: Self,
  asked: SeenMessage,
  wanted: { id: number; role: Role | undefined },
  label: string,
): Promise<void> {
  const ordered = { ...wanted, accountId: shop.accountId, isDone: false, at: time.clock.now() };
  diary.staffing.push(ordered);
  const done = await phone.press(asked, label, { kind: 'staff' });
  ordered.isDone = done?.id === asked.id && done.text.startsWith('Done: ');
}

async function remove(world: World, self: Self): Promise<void> {
  const id = pickStaff(world, self);
  if (id === undefined) return;
  const asked = await self.phone.ask(`/members ${id} remove`, says(/./));
  if (!asked || !isFor(asked, /^Remove /, 'Remove')) return;
  await order(world, self, asked, { id, role: undefined }, 'Remove');
}

/** Somebody who was removed: the link goes to them by another way, and they follow it. */
async function takeIn(world: World, self: Self): Promise<void> {
  const { phone, random, shop } = self;
  if (random.chance(0.2)) return followLate(world, self);
  const gone = [...shop.cameAs].filter(([id]) => world.members.get(id)?.accountId !== shop.accountId);
  const [id, role] = random.pick(gone) ?? [];
  if (id === undefined || role === undefined) return;
  // They have come back since the evening.
  if (findAccountOf(world.disk, id) === shop.accountId) return;
  const who = world.people.find(({ userId }) => userId === id);
  if (who && random.chance(0.35)) return followOldLink(world, self, who);
  // Whoever invites two at once looks which link is for whom.
  const asked = await phone.ask(`/invite ${role}`, says(new RegExp(`role: \\W*${role}\\b[^]*start=join_`)));
  const token = tokenIn(asked?.text);
  if (token === undefined || !who?.phone) return;
  // Some links nobody follows in time.
  if (random.chance(0.35)) return keepLink(world, shop, { token, userId: id, role });
  world.diary.staffing.push({ id, role, accountId: shop.accountId });
  await who.phone.ask(`/start ${token}`, says(/./));
  keepLink(world, shop, { token, userId: id, role });
}

/** A new one for the programs; once it works, the old one is revoked. */
async function changeKey(world: World, self: Self): Promise<void> {
  const { phone, shop, random } = self;
  // A key is of the account that its maker is in: whoever was removed may have one of their own by now.
  if (findAccountOf(world.disk, phone.user.id) !== shop.accountId) return;
  const named = random.chance(0.5) ? ` key of day ${world.day}` : '';
  const asked = await phone.ask(`/api_key new${named}`, says(/./));
  if (!asked || !isFor(asked, /new API key/, 'Make the key')) return;
  await phone.press(asked, 'Make the key', { kind: 'key' });
  const shown = await phone.sees(says(/crs_[\w-]{43}/), 10_000);
  const key = /crs_[\w-]{43}/.exec(shown?.text ?? '')?.[0];
  if (key === undefined || shop.keys.includes(key)) return;
  const old = shop.apiKey;
  world.secrets.add(-phone.user.id, [key]);
  shop.keys.push(key);
  shop.apiKey = key;
  await revoke(world, self, old);
}

/** Sometimes with the addresses that it registered, but for the shop's own, which came with its first key. */
async function revoke({ receivers, time }: World, { phone, random, shop }: Self, key: string) {
  const known = [...receivers.extra.values()].filter((address) => address.key === key);
  const asked = await phone.ask(`/api_key revoke ${key.slice(0, 12)}`, says(/Revoke the key/));
  if (!asked) return;
  const isWithThem = key !== shop.keys[0] && random.chance(0.6);
  const label = hasButton('Revoke')(asked) ? 'Revoke' : isWithThem ? /^Revoke, remove/ : 'Revoke only';
  if (!hasButton(label)(asked)) return;
  const done = await phone.press(asked, label, { kind: 'key' });
  if (label instanceof RegExp && done && /is revoked/.test(done.text))
    for (const address of known) address.removedAt ??= time.clock.now();
}
