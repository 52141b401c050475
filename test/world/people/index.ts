// Who is there. To add somebody: a file with a kind of person, and a line here that says how many of each shop's they
// are.
import type { Role } from '../../../src/core/index.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { createPhone, says } from './phone.ts';
import { HOST_ID } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import { admin } from './admin.ts';
import { checker } from './checker.ts';
import { client } from './client.ts';
import { actAsHost } from './host.ts';
import { operator } from './operator.ts';
import { orderer } from './orderer.ts';
import { owner } from './owner.ts';
import { payer } from './payer.ts';
import { seller } from './seller.ts';
import { several } from './several.ts';
import { move } from './mover.ts';
import { openShop, openTrial, type Shop } from './shop.ts';
import { actOnTrial } from './trial.ts';
import { stocker } from './stocker.ts';
import { stranger } from './stranger.ts';
import { support } from './support.ts';
import { walker } from './walker.ts';

export interface Person {
  /** Everybody's own. */
  name: string;
  kind: string;
  actsADay: number;
  userId?: number;
  /** As their Telegram says it. */
  language?: 'en' | 'ru';
  phone?: ReturnType<typeof createPhone>;
  self?: Self;
  /** Does one thing, and waits for what becomes of it as long as such a person would. */
  act(world: World): Promise<void>;
}

/** The people of a kind who have a phone or a program of their own. */
export const selvesOf = ({ people }: Pick<World, 'people'>, kind: string): Self[] =>
  people.flatMap((person) => (person.kind === kind && person.self ? [person.self] : []));

export interface Kind {
  kind: string;
  /** undefined: a program, a stranger. */
  role?: Role;
  /** How many of the people of a shop are so. */
  ofAShop: number;
  actsADay: number;
  /** English where it is not said. */
  language?: (shop: number) => 'en' | 'ru';
  act: Act;
}

export type Act = (world: World, self: Self) => Promise<void>;

/** A person as their kind knows them. */
export interface Self {
  name: string;
  random: Seeded;
  phone: ReturnType<typeof createPhone>;
  shop: Shop;
}

const KINDS: readonly Kind[] = [
  owner,
  admin,
  operator,
  support,
  client,
  stocker,
  payer,
  stranger,
  several,
  walker,
  checker,
  orderer,
  seller,
];

/** Opens shops, and everybody says hello. */
export async function gather(
  world: World,
  count: number,
  stream: (name: string) => Seeded,
): Promise<{ people: Person[]; shops: Shop[] }> {
  const shops: Shop[] = [];
  const people: Person[] = [];
  const host = createPhone(
    world.telegram.api.createUser({ id: HOST_ID, first_name: 'host', language_code: 'en' }),
    world,
  );
  await host.ask('/start', says(/./));
  for (let number = 1; people.length < count; number += 1) {
    const shop = await openShop(world, number, stream(`shop ${number}`));
    shops.push(shop);
    if (number === 1) {
      const self = { name: 'host', random: stream('host'), phone: host, shop };
      people.push({
        name: 'host',
        kind: 'host',
        actsADay: 0.5,
        phone: host,
        act: (now) => actAsHost(now, self),
      });
    }
    for (const kind of KINDS)
      for (let index = 1; index <= kind.ofAShop && people.length < count; index += 1)
        people.push(await addPerson(world, kind, `${kind.kind} ${index} of shop ${number}`, shop, stream));
    shop.meet();
  }
  people.push(await addBeside(world, 'mover', shops[0]!, move, stream));
  people.push(
    await addBeside(world, 'trial', await openTrial(world, stream('shop on trial')), actOnTrial, stream),
  );
  return { people, shops };
}

/** Somebody who is in no shop for long, or in one of their own. */
async function addBeside(
  world: World,
  name: string,
  shop: Shop,
  act: Act,
  stream: (name: string) => Seeded,
): Promise<Person> {
  const user = world.telegram.api.createUser({ first_name: name, language_code: 'en' });
  const self: Self = { name, random: stream(name), phone: createPhone(user, world), shop };
  if (name === 'trial') await shop.join(user, 'owner');
  await self.phone.ask('/start', says(/./));
  return {
    name,
    kind: name,
    actsADay: 1.33,
    userId: user.id,
    language: 'en',
    phone: self.phone,
    self,
    act: (now) => act(now, self),
  };
}

async function addPerson(
  world: World,
  kind: Kind,
  name: string,
  shop: Shop,
  stream: (name: string) => Seeded,
): Promise<Person> {
  const random = stream(name);
  const language = kind.language?.(shop.number) ?? 'en';
  const user = world.telegram.api.createUser({ first_name: name, language_code: language });
  const phone = createPhone(user, world);
  const self: Self = { name, random, phone, shop };
  if (kind.role) await shop.join(user, kind.role);
  await phone.ask('/start', says(/./));
  const { kind: named, actsADay } = kind;
  const act = (now: World) => kind.act(now, self);
  return { name, kind: named, actsADay, userId: user.id, language, phone, self, act };
}
