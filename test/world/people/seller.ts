// A program that sells links in the place of codes, with the buyers who open them: in browsers, with previews before
// them, in two tabs, with double presses, with a wrong ID, or when it is too late. What is stuck it opens again.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { SoldLink } from '../promises/links.ts';
import { call, randomPlayer } from './client.ts';
import type { Kind, Self } from './index.ts';
import { DENOMINATIONS, type Shop } from './shop.ts';

const GAME = 'game_id_1';
const AMOUNTS = [120, 385, 445];
const TRIES = 8;
const PAUSE_MS = 2_000;
const HOUR_MS = 60 * 60_000;
/** Of one address, with which all of them come here. */
const MINUTE_MS = 61_000;
const NONCE = /name="nonce" value="([\w-]+)"/;
const SHOWN = /<dd>(\d+)<\/dd>/;
const HAS_FAILED = /\bfailed\b/i;

export const seller: Kind = {
  kind: 'seller',
  ofAShop: 1,
  actsADay: 2,
  async act(world, self) {
    const own = world.diary.links.filter(({ by, end }) => by === self.name && end === undefined);
    const has = (weight: number) => (own.length > 0 ? weight : 0);
    const { random } = self;
    switch (random.weigh({ sell: 4, buy: has(5), tend: 2, again: has(1), revoke: has(1), foreign: 0.5 })) {
      case 'sell':
        return sell(world, self);
      case 'buy':
        return buy(world, self, random.pick(own));
      case 'tend':
        return tend(world, self);
      case 'again':
        return sellAgain(world, self, random.pick(own));
      case 'revoke':
        return revoke(world, self, random.pick(own));
      case 'foreign':
        return readForeign(world, self);
    }
  },
};

interface Told {
  claims: { id: string; url: string; items: { count: number }[] }[];
}

/** Some links, of which a buyer or two come at once. */
async function sell(world: World, self: Self): Promise<void> {
  const { random } = self;
  const count = 1 + random.below(3);
  if (random.chance(0.7)) await stockUp(world, self, count);
  const sold = await sellLinks(world, self, {
    count,
    ...(random.chance(0.7) ? { denomination: random.pick(DENOMINATIONS) } : { amount: random.pick(AMOUNTS) }),
    ...(random.chance(0.3) && { forMs: random.pick([3, 30]) * HOUR_MS }),
  });
  await Promise.all(sold.filter(() => random.chance(0.5)).map((link) => buy(world, self, link)));
}

/** Those that are made of what is asked for. */
export async function sellLinks(
  world: World,
  self: Self,
  { forMs, ...asked }: { count: number; denomination?: number; amount?: number; forMs?: number },
): Promise<SoldLink[]> {
  const { shop, name } = self;
  const key = `links-${shop.nextNumber()}`;
  const now = world.time.clock.now();
  const body = {
    ...{ gameId: GAME, reference: key, ...asked },
    ...(forMs !== undefined && { expiresAt: new Date(now + forMs).toISOString() }),
  };
  const told = await insist(world, self, body, key);
  const sold = (told?.claims ?? []).map(({ id, url, items }): SoldLink => ({
    ...{ by: name, account: shop.accountId, at: now, id, path: new URL(url).pathname, body, key },
    codes: items.reduce((sum, each) => sum + each.count, 0),
    ...{ confirmed: new Set(), end: undefined, moves: 0, isOfLostPast: false, isExcused: false },
  }));
  world.diary.links.push(...sold);
  return sold;
}

async function stockUp(world: World, self: Self, count: number): Promise<void> {
  const { shop } = self;
  const fresh = DENOMINATIONS.map((denomination) => ({
    denomination,
    codes: shop.mint(denomination, count),
  }));
  await call(world, self, `/db?gameId=${GAME}`, { body: fresh });
}

/** Until it is answered: the same links, however often. */
async function insist(world: World, self: Self, body: object, key: string): Promise<Told | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await call(world, self, '/claims', { body, key });
    if (answer && answer.status < 300) return answer.json as Told;
    if (answer && answer.status < 500 && answer.status !== 408) return undefined;
    await world.time.sleep(PAUSE_MS);
  }
  return undefined;
}

async function sellAgain(world: World, self: Self, { body, key, path, id }: SoldLink): Promise<void> {
  const told = await insist(world, self, body, key);
  const same = told?.claims.find((claim) => claim.id === id);
  if (told && (same === undefined || new URL(same.url).pathname !== path))
    world.diary.notice(`${self.name} sends ${key} once more, and ${id} is another link`);
}

/** What a browser is shown; undefined where no answer comes. A 429 is waited for. */
async function browse(
  world: World,
  path: string,
  {
    fields,
    cookie = '',
    method = fields ? 'POST' : 'GET',
  }: { fields?: object; cookie?: string | undefined; method?: string } = {},
): Promise<{ status: number; html: string; cookie: string } | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await world.service.ask(path, {
      method,
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en', cookie },
        ...{ origin: 'null', 'sec-fetch-site': 'same-origin' },
      },
      ...(fields && { body: new URLSearchParams(Object.entries(fields)).toString() }),
    });
    if (answer === 'lost') return undefined;
    if (answer.status !== 429) {
      const kept = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return { status: answer.status, html: await answer.text(), cookie: kept };
    }
    await world.time.sleep(MINUTE_MS);
  }
  return undefined;
}

/** A form of its page. */
async function send(
  world: World,
  link: SoldLink,
  fields: object,
  cookie?: string,
): ReturnType<typeof browse> {
  link.moves += 1;
  const shown = await browse(world, link.path, { fields, cookie });
  link.moves += 1;
  return shown;
}

/** One buyer, with a browser of their own and an ID that nobody else has. */
export async function buy(world: World, self: Self, link: SoldLink): Promise<void> {
  const { random } = self;
  const { path } = link;
  if (random.chance(0.4)) await preview(world, self, link);
  const playerId = randomPlayer(random);
  if (random.chance(0.2))
    await send(world, link, { playerId: random.pick(['12', `404${playerId.slice(3)}`]) });
  const asked = await send(world, link, { playerId });
  const first = await browse(world, path, { cookie: asked?.cookie ?? '' });
  const nonce = NONCE.exec(first?.html ?? '')?.[1];
  if (nonce === undefined || first === undefined) return;
  // Of two who came at once the page shows the one who was looked up last: it says whom a press is for.
  const shown = SHOWN.exec(first.html)?.[1];
  if (random.chance(0.2)) await send(world, link, { playerId: randomPlayer(random) });
  if (random.chance(0.2)) return;
  if (shown !== undefined) link.confirmed.add(shown);
  const presses = Array.from({ length: 1 + random.below(3) }, () =>
    send(world, link, { nonce }, first.cookie),
  );
  await Promise.all(presses);
  await comeBack(world, link, first.cookie);
}

const ROW = `select state, looks, misses, player_id as playerId, confirmed_at as confirmedAt from claims where name = ?`;

/** A chat that shows what a link leads to: nothing of it is begun, or counted, by that. */
async function preview(world: World, { name, random }: Self, link: SoldLink): Promise<void> {
  const read = () =>
    look(world.disk.databasePath(), (file) => file.prepare(ROW).get(link.id)) as
      { state: string; confirmedAt: number | null } | undefined;
  const [before, moves] = [read(), link.moves];
  await browse(world, link.path, { method: random.pick(['GET', 'HEAD']) });
  const after = read();
  // What is over by then is over by itself.
  const isSo = after?.state === 'expired' || JSON.stringify(after) === JSON.stringify(before);
  if (!isSo && moves === link.moves && before?.confirmedAt === null)
    world.diary.notice(`${name}: ${link.id} was previewed, and is ${JSON.stringify([before, after])}`);
}

/** The page says how it stands, never that it has failed; the login is for the browser that confirmed. */
async function comeBack(world: World, { id, path }: SoldLink, cookie: string): Promise<void> {
  const page = await browse(world, path, { cookie });
  const others = await browse(world, path);
  if (HAS_FAILED.test(page?.html ?? '')) world.diary.notice(`the page of ${id} says that it has failed`);
  if (/<dt>Password/.test(others?.html ?? ''))
    world.diary.notice(`the page of ${id} shows a password to whoever has the link`);
}

/** Opens what is stuck; what a restore has found open, all at once. */
async function tend(world: World, self: Self): Promise<void> {
  const { shop, random } = self;
  if (random.chance(0.5)) await openRestored(world, shop);
  const stuck = await call(world, self, '/claims?state=stuck');
  for (const link of world.diary.links) link.moves += 1;
  for (const { id, trouble } of stuck?.status === 200
    ? (stuck.json as { id: string; trouble: string }[])
    : [])
    // Whether one of before a restore was used nobody knows better here: it is not said that it was not.
    if (trouble !== 'afterRestore') await call(world, self, `/claims/${id}/reopen`, { method: 'POST' });
}

/** False where the service is not there, or asks still what the lost time has spent. */
export async function openRestored(world: World, { accountId }: Pick<Shop, 'accountId'>): Promise<boolean> {
  if (!world.service.isServing()) return false;
  const telegramId = ownerOf(world, accountId);
  const actor = { kind: 'member', accountId, telegramId, role: 'owner' } as const;
  return world.service
    .command((core) => core.claims.reopenRestored(actor))
    .then(
      () => true,
      () => false,
    );
}

const OWNER = "select telegram_id from members where account_id = ? and role = 'owner'";
const ownerOf = ({ disk }: World, accountId: number): number =>
  look(disk.databasePath(), (file) => file.prepare(OWNER).pluck().get(accountId) as number);

/** Whoever has it is served nothing from then on. */
async function revoke(world: World, self: Self, link: SoldLink): Promise<void> {
  link.moves += 1;
  const answer = await call(world, self, `/claims/${link.id}/revoke`, { method: 'POST' });
  if (answer?.status !== 200) return;
  link.end = 'revoked';
  const page = await browse(world, link.path);
  if (page && page.status !== 404)
    world.diary.notice(`${self.name} has revoked ${link.id}, and its page is answered ${page.status}`);
}

async function readForeign(world: World, self: Self): Promise<void> {
  const others = world.diary.links.filter(({ account }) => account !== self.shop.accountId);
  if (others.length === 0) return;
  const { id } = self.random.pick(others);
  const act = self.random.pick(['', '/revoke', '/reopen']);
  const answer = await call(world, self, `/claims/${id}${act}`, { method: act === '' ? 'GET' : 'POST' });
  if (answer && answer.status < 300)
    world.diary.notice(
      `${self.name} is answered ${answer.status} at ${id}${act}, which is of another account`,
    );
}
