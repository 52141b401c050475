// The machine is lost with its folder while programs order, and another goes on from a copy that lacks the last seconds
// or minutes. Whoever was not answered, or has lost their own answers, repeats under their own key; regulars buy the
// same again; codes are taken out of the same stock key all the while; links are used, and come with once more. Judged in the evening: promises/takeovers.ts.
import { join } from 'node:path';

import { copyRunning, removeDatabase } from '../../../src/store/backup/snapshot-file.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { call, noteRead } from '../people/client.ts';
import { selvesOf, type Self } from '../people/index.ts';
import { buy, openRestored, sellLinks } from '../people/seller.ts';
import { GOOD_MANNERS, type Manners } from '../machine/platform.ts';
import { handOut } from '../promises/handed-out.ts';
import type { SoldLink } from '../promises/links.ts';
import type { LostOrder, Takeover } from '../promises/takeovers.ts';
import { closeBooks } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { putInPlace } from './backup.ts';
import type { Fault } from './index.ts';
import { tellOfPaymentsAgain } from './telegram.ts';
import { sellUnswept } from './unswept.ts';

interface Ordered extends LostOrder {
  self: Self;
}

/** What it does not tell of a code at once, and twice more, is nobody's. */
const TELLING: Manners = { ...GOOD_MANNERS, worksOnReceipts: 0 };
const GAME_ID = 'game_id_1';
const ADDED = 150;
const REGULARS = 3;
const ORDERS = 9;
const TAKEN_AT_MOST = 3;
const BUSY_TAKE_OUTS = 6;
/** Known before; a busy lost time takes as much, and none more than the busiest day: that is sold once more. */
const TAKEN_BEFORE = TAKEN_AT_MOST * BUSY_TAKE_OUTS;
/** How long what is lost went on; what goes on before, and until the machine is lost in the middle of it. */
const LOST_MS = [1_500, 15_000, 60_000];
const BEFORE_MS = 5_000;
const UNDER_WAY_MS = 20_000;
const AFTER_MS = 20_000;
/** How often a host ends the sweeps before anybody has sold. */
const SELLS_UNSWEPT = 0.2;
const LINKS = 3;
const TRIES = 8;
const TRY_MS = 5_000;
/** Whoever is answered 429 since the restore comes again once the platform may be asked what was spent. */
const SWEPT_IN_MS = 25_000;
const TAKEN_OVER_MS = 60_000;

export const takeover: Fault = {
  name: 'takeover',
  weight: 6,
  of: 'restore',
  isAlone: true,
  happen: loseTheMachine,
};

/** The platform says of a code that it is redeemed, and not when: of one that came with its order a person decides. */
export const takeoverWithoutTimes: Fault = {
  name: 'takeover without times',
  weight: 4,
  of: 'restore',
  isAlone: true,
  async happen(world, random) {
    world.platform.tellsTimes = false;
    await loseTheMachine(world, random);
    world.platform.tellsTimes = true;
  },
};

async function loseTheMachine(world: World, random: Seeded): Promise<void> {
  const { service, time, disk, diary, platform } = world;
  if (!service.isServing()) return;
  const { manners } = platform;
  platform.manners = { ...GOOD_MANNERS, refuses: 0.1 };
  const players = Array.from({ length: REGULARS }, () => String(53_000_000_000 + random.below(9e9)));
  const over: Around['over'] = { orders: [], handedOut: [] };
  const clients: Self[] = [];
  // Of whose stock nobody may take out just now, as where it is paused, nothing is known that could be measured by.
  for (const self of selvesOf(world, 'client').slice(0, 2))
    if ((await fillUp(world, self, over)) === TAKEN_BEFORE) clients.push(self);
  if (clients.length === 0) return void (platform.manners = manners);
  const around: Around = { clients, players, over };
  if (random.chance(0.7)) await orderSome(world, random, around, { withinMs: BEFORE_MS });
  const links = await sellTo(world, clients);
  const copy = join(disk.backups, 'replica');
  removeDatabase(copy);
  await time.native(() => copyRunning(disk.databasePath(), copy));
  const known = over.orders.length;
  const withinMs = random.pick(LOST_MS);
  const lost = Promise.all([
    orderSome(world, random, around, {
      withinMs,
      takeOuts: random.chance(0.5) ? [random.below(TAKEN_AT_MOST) + 1] : BUSY,
    }),
    ...links.map(({ self, link }) => time.sleep(random.below(withinMs)).then(() => buy(world, self, link))),
  ]);
  await (random.chance(0.5) ? lost : Promise.race([lost, time.sleep(random.below(UNDER_WAY_MS))]));
  await takeOver(world, random, copy);
  over.isUnswept = random.chance(SELLS_UNSWEPT) && (await sellUnswept(world));
  platform.manners = { ...TELLING, losesCodes: random.pick([0, 0.05]), refuses: 0.1 };
  await Promise.all([
    lost,
    ...over.orders.slice(known).map((order) => repeat(world, random, order)),
    orderSome(world, random, around, { withinMs: AFTER_MS, keyed: 1 }),
    ...links.map((sold) => useAgain(world, sold)),
  ]);
  platform.manners = TELLING;
  for (const order of over.orders) await repeat(world, random, order);
  for (const self of clients)
    await takeOut(world, self, over, { amount: ADDED, key: `rest-${random.text(9)}` });
  platform.manners = manners;
  diary.takeovers.push(over);
}

interface Sold {
  self: Self;
  link: SoldLink;
}

/** Some links of the first of them. */
async function sellTo(world: World, [self]: readonly Self[]): Promise<Sold[]> {
  if (!self) return [];
  const links = await sellLinks(world, self, { count: LINKS, denomination: 60 });
  return links.map((link) => ({ self, link }));
}

/** Others come with it, as soon as its shop has let it be used again. */
async function useAgain(world: World, { self, link }: Sold): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await world.time.sleep(SWEPT_IN_MS);
    // Whoever comes while it is asked what was spent is told to try again, and does.
    if (await openRestored(world, self.shop)) await buy(world, self, link);
  }
}

/** A stock of which codes were handed out before. */
async function fillUp(world: World, self: Self, over: Takeover<Ordered>): Promise<number> {
  const body = [{ denomination: 60, codes: self.shop.mint(60, ADDED) }];
  await call(world, self, `/db?gameId=${GAME_ID}`, { body });
  return takeOut(world, self, over, { amount: TAKEN_BEFORE, key: `before-${self.random.text(9)}` });
}

const BUSY: readonly number[] = Array.from({ length: BUSY_TAKE_OUTS }, () => TAKEN_AT_MOST);

interface Ordering {
  withinMs: number;
  /** How many codes each takes out. */
  takeOuts?: readonly number[];
  keyed?: number;
}

interface Around {
  clients: readonly Self[];
  players: readonly string[];
  over: Takeover<Ordered>;
}

/**
 * Orders of regulars, and codes that each shop takes out, at any moment of a time. The shops number their orders alike.
 * `keyed`: as a service that has just been restored takes one without a number for what it was asked before.
 */
async function orderSome(
  world: World,
  random: Seeded,
  { clients, players, over }: Around,
  { withinMs, takeOuts = [1 + random.below(TAKEN_AT_MOST)], keyed = 0.75 }: Ordering,
): Promise<void> {
  const series = random.text(6);
  const at = <T>(work: () => Promise<T>) => world.time.sleep(random.below(withinMs)).then(work);
  const takenOut = clients.flatMap((self) =>
    takeOuts.map((amount, index) =>
      at(async () => void (await takeOut(world, self, over, { amount, key: `take-${series}-${index}` }))),
    ),
  );
  const orders = clients.flatMap((self) =>
    Array.from({ length: ORDERS }, (_, index) => {
      const key = random.chance(keyed) ? `again-${series}-${index}` : undefined;
      const playerId = random.pick(players);
      return at(() => {
        const order: Ordered = { self, accountId: self.shop.accountId, playerId, key, answers: [] };
        over.orders.push(order);
        return send(world, order);
      });
    }),
  );
  await Promise.all([...takenOut, ...orders]);
}

async function send(world: World, { self, playerId, key, answers }: Ordered): Promise<void> {
  const body = { gameId: GAME_ID, denomination: 60, playerId };
  const answer = await call(world, self, '/redeem', { body, key });
  if (!answer) return;
  const { status, json } = answer;
  noteRead(world, self.name, json);
  const { code, email: login } = (status === 200 ? json : {}) as { code?: string; email?: string };
  answers.push({ status, code, login });
}

/** Under its own key, until an answer is there that is final. Whoever has none asks for nothing twice. */
async function repeat(world: World, random: Seeded, order: Ordered): Promise<void> {
  if (order.key === undefined) return;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await world.time.sleep(random.below(TRY_MS));
    await send(world, order);
    const last = order.answers.at(-1);
    if (last !== undefined && last.status < 429) return;
    if (last?.status === 429) await world.time.sleep(SWEPT_IN_MS);
  }
}

async function takeOut(
  world: World,
  self: Self,
  { handedOut }: Pick<Takeover, 'handedOut'>,
  { amount, key }: { amount: number; key: string },
): Promise<number> {
  const body = { denomination: 60, amount };
  const answer = await call(world, self, `/db/extract?gameId=${GAME_ID}`, { body, key });
  if (answer?.status !== 200) return 0;
  const by = `${self.name} ${key}`;
  const codes = answer.json as string[];
  handOut(world, by, codes);
  handedOut.push(...codes.map((code) => ({ accountId: self.shop.accountId, by, code })));
  return codes.length;
}

/** Nothing is left but the copy. */
async function takeOver(world: World, random: Seeded, copy: string): Promise<void> {
  const { service, disk, time, secrets } = world;
  secrets.remember();
  service.kill();
  closeBooks();
  removeDatabase(disk.databasePath());
  putInPlace(world, copy);
  if (random.chance(0.5)) await time.sleep(random.below(TAKEN_OVER_MS));
  await service.start();
  tellOfPaymentsAgain(world);
}
