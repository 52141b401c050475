// A program that redeems over HTTP as the published client does: it repeats 408, 429 and 5xx other than 503 twice, and
// what breaks; half of them send a key with each wish.
import { createClient } from '../../../clients/typescript/src/client.ts';
import type { Wish } from '../run/diary.ts';
import { ACTION_QUARTERS, judgeRefusal } from '../promises/quota.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Kind, Self } from './index.ts';
import { integrate } from './integrating.ts';
import { DENOMINATIONS } from './shop.ts';
import { switchOnAgain } from './switching-on.ts';
import { behaviourOf } from '../../../src/platform/sandbox/codes.ts';

const PAUSES_MS = [1_000, 2_000];
const CHARGED = /^\/(redeem|character|redemption-time)\b/;
/** By the service itself, to whom it knows. */
const ANSWERED = new Set([200, 400, 404, 422]);
/** The platform's calendar and ours may differ by five minutes. */
const CERTAINLY_BEFORE_MS = 20 * 60_000;

export const client: Kind = {
  kind: 'client',
  ofAShop: 1,
  actsADay: 1.5,
  async act(world, self) {
    const { random, shop } = self;
    await switchOnAgain(world, self);
    if (random.chance(0.08)) return integrate(world, self);
    const earlier = random.chance(0.2)
      ? world.diary.wishes.filter(
          ({ by, key, at }) =>
            by === self.name && key !== undefined && world.time.clock.now() - at < REPEATED_WITHIN_MS,
        )
      : [];
    // The same order number again is the same order.
    const open = earlier.filter(({ answers }) => isInDoubt(answers.at(-1)?.errorCode));
    const again = random.pick(open.length > 0 && random.chance(0.7) ? open : earlier);
    if (again) return random.chance(0.7) ? insist(world, self, again) : misuse(world, self, again);
    if (random.chance(0.1)) return redeemBefore(world, self);
    if (random.chance(0.05)) return orderThroughAProxy(world, self);
    if (random.chance(0.15)) return wishForMany(world, self);
    const body = random.chance(0.7)
      ? { gameId: chooseManaged(world, self), denomination: random.pick(DENOMINATIONS) }
      : {
          gameId: random.pick(['game_id_1', 'game_id_2', 'game_id_3']),
          codeOverride: copied(random.chance(0.3) ? random.pick(shop.minted()) : shop.mint(60, 1)[0]!, self),
        };
    await wishFor(world, self, body);
  },
};

/** One order of a program, insisted on. */
export async function wishFor(
  world: World,
  self: Self,
  body: object,
  playerId = randomPlayer(self.random),
): Promise<void> {
  const { random, shop } = self;
  const wish: Wish = {
    by: self.name,
    at: world.time.clock.now(),
    account: shop.accountId,
    // Shops number their orders alike.
    key: random.chance(0.5) ? `order-${shop.nextNumber()}` : undefined,
    playerId,
    body: { ...body, playerId, requireReceipt: true },
    answers: [],
    lost: 0,
  };
  world.diary.wishes.push(wish);
  await insist(world, self, wish);
}

/** The number of an order that was carried out, with another player: it is refused, and nothing is begun. */
async function misuse(world: World, self: Self, { key, body, answers }: Wish): Promise<void> {
  if (answers.at(-1)?.status !== 200) return;
  const other: Ordered = { ...body, playerId: randomPlayer(self.random) };
  const answer = await call(world, self, '/redeem', { body: other, key });
  if (!answer || answer.status === 422 || answer.status >= 500 || answer.status === 429) return;
  // A game that an upgrade took away, or whose stock it took, is no order any more, under whatever key.
  if (answer.status === 400 && !isManaged(world, other)) return;
  world.diary.notice(`${self.name} sent another order under ${key}, and is answered ${answer.status}`);
}

/**
 * A program that uses the client, behind a proxy whose page comes in the place of some answers: what it is told was
 * refused was not begun.
 */
async function orderThroughAProxy(world: World, { shop, random, name }: Self): Promise<void> {
  const playerId = randomPlayer(random);
  const client = createClient({
    url: 'http://service.invalid',
    apiKey: shop.apiKey,
    retryForMs: 0,
    async fetch(request) {
      const { method, headers, url } = request;
      const { pathname, search } = new URL(url);
      const body = method === 'POST' ? await request.text() : null;
      const answer = await world.service.ask(pathname + search, { method, headers, body });
      if (answer === 'lost') throw new TypeError('The connection was cut.');
      return random.chance(0.5) ? new Response('<h1>504 Gateway Time-out</h1>', { status: 504 }) : answer;
    },
  });
  const key = `proxy-${random.text(12)}`;
  const told = await client.redeem({ gameId: 'game_id_1', denomination: 60, playerId }, { key });
  const begun = look(world.disk.databasePath(), (file) => file.prepare(BEGUN).get(shop.accountId, playerId));
  if (told.status === 'refused' && begun !== undefined)
    world.diary.notice(`${name} is told that ${key} was refused (${told.httpStatus}), and it was begun`);
}

const BEGUN = 'select 1 from redemptions where account_id = ? and player_id = ?';

/** Several orders in one moment; now and then the same code in two of them. */
async function wishForMany(world: World, self: Self): Promise<void> {
  const { random, shop } = self;
  const [code] = shop.mint(60, 1);
  const isTwice = random.chance(0.4);
  const one = () =>
    isTwice
      ? { gameId: 'game_id_1', codeOverride: code }
      : { gameId: 'game_id_1', denomination: random.pick(DENOMINATIONS) };
  await Promise.all(Array.from({ length: 2 + random.below(2) }, () => wishFor(world, self, one())));
}

/**
 * A code that somebody has redeemed without us hours ago: its owner says that it does not work. Mostly it was another
 * player.
 */
async function redeemBefore(world: World, self: Self): Promise<void> {
  const { random, shop } = self;
  const old = usedElsewhere.get(shop) ?? [];
  usedElsewhere.set(shop, old);
  const ready = old.findIndex(({ at }) => world.time.clock.now() - at > CERTAINLY_BEFORE_MS);
  const [known] = ready < 0 ? [] : old.splice(ready, 1);
  if (known) {
    const playerId = random.chance(0.5) ? known.playerId : randomPlayer(random);
    await wishFor(world, self, { gameId: 'game_id_1', codeOverride: known.code }, playerId);
  }
  const [code = ''] = shop.mint(60, 1);
  const playerId = randomPlayer(random);
  world.platform.redeemElsewhere('game_id_1', code, playerId);
  old.push({ code, playerId, at: world.time.clock.now() });
}

const usedElsewhere = new WeakMap<Self['shop'], { code: string; playerId: string; at: number }[]>();

interface Ordered {
  playerId: string;
  gameId?: string;
  denomination?: number;
}

/** Whether what is asked for can be ordered by the catalogue as it is now. */
const isManaged = ({ service }: World, body: Ordered): boolean =>
  body.denomination === undefined || service.games.some(({ id, database }) => id === body.gameId && database);

/** One that an upgrade brought, now and then, where it has a stock. */
function chooseManaged({ service }: World, { random }: Self): string {
  const [first] = service.games;
  return first?.database && first.id !== 'game_id_1' && random.chance(0.3) ? first.id : 'game_id_1';
}

/** Nobody else's. */
export const randomPlayer = (random: Self['random']) => String(51_000_000_000 + random.below(9e9));

let moments = 0;

/** As the published client: repeats what is retryable and what breaks, twice. */
async function insist(world: World, self: Self, wish: Wish): Promise<void> {
  const { random } = self;
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const asked = (moments += 1);
    const answer = await call(world, self, '/redeem', wish);
    if (answer === undefined) wish.lost += 1;
    else {
      const { id, errorCode } = noteRead(world, self.name, answer.json);
      const isReplayed = answer.headers.get('idempotency-replayed') === 'true';
      // Who asks twice at once may hear of the repetition first.
      const isKnown =
        id !== undefined && wish.answers.some((earlier) => earlier.id === id && earlier.told < asked);
      if (isKnown ? !isReplayed : isReplayed && wish.key === undefined)
        world.diary.notice(
          `${self.name} is told of ${id} ${isReplayed ? 'as if it were' : 'and not that it is'} a replay`,
        );
      compareWithWish(world, self.name, wish, answer.json);
      wish.answers.push({ status: answer.status, id, errorCode, asked, told: (moments += 1) });
      if (isInDoubt(errorCode) && 'codeOverride' in wish.body && random.chance(0.7)) {
        await world.time.sleep(500);
        await askAgain(world, self, wish);
      }
      if (!isRepeated(answer.status)) return;
    }
    if (pauseMs === undefined) return;
    await world.time.sleep(pauseMs);
    // The key of an order is kept for a day: where one has passed meanwhile nobody relies on it.
    if (wish.key !== undefined && world.time.clock.now() - wish.at > RELIED_ON_MS) return;
  }
}

interface Read {
  type?: string;
  id?: number;
  errorCode?: string;
  playerId?: string;
  code?: string;
  email?: string;
  settledAt?: string;
}

/** What a program reads of a redemption is held against the books. */
export function noteRead({ diary, time }: World, by: string, json: unknown): Read {
  const { type, id, playerId, code, email: login, settledAt, ...rest } = (json ?? {}) as Read;
  const end = settledAt === undefined ? undefined : type === 'ActivationReceipt' ? 'redeemed' : 'failed';
  if (id !== undefined) diary.told.push({ id, by, playerId, code, login, end, at: time.clock.now() });
  return { ...rest, ...(id !== undefined && { id }) };
}

const isInDoubt = (errorCode: string | undefined) =>
  errorCode === 'UNKNOWN' || errorCode === 'INVALID_ACTIVATION_RESPONSE';

/** What became of a code whose answer was lost: "not redeemed" is believed, and must be true in the end. */
async function askAgain(world: World, self: Self, { body: wanted, playerId }: Wish): Promise<void> {
  const { gameId, codeOverride } = wanted as { gameId: string; codeOverride: string };
  const code = codeOverride.trim();
  const answer = await call(world, self, '/redemption-time', { body: { gameId, code } });
  const { errorCode } = (answer?.json ?? {}) as { errorCode?: string };
  if (errorCode === 'CODE_NOT_FOUND') world.diary.believed.push({ gameId, code, playerId });
}

/** One request of a program; undefined where no answer came. */
export async function call(
  world: World,
  { shop, name }: Pick<Self, 'shop' | 'name'>,
  path: string,
  {
    body,
    key,
    method = body ? 'POST' : 'GET',
  }: { body?: object; key?: string | undefined; method?: string } = {},
): Promise<{ status: number; headers: Headers; json: unknown } | undefined> {
  const { service, diary } = world;
  const from = world.time.clock.now();
  diary.note(`${name} asks ${path} ${JSON.stringify(body ?? {}).slice(0, 90)}`);
  const response = await service.ask(path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${shop.apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
  diary.note(`${name} is answered ${response === 'lost' ? 'nothing' : response.status}`);
  if (response === 'lost') {
    if (path === '/redemption-time')
      diary.lookUps.push({ account: shop.accountId, from, to: world.time.clock.now(), status: 0 });
    return undefined;
  }
  const json: unknown = await response.json().catch(() => undefined);
  if (CHARGED.test(path) && ANSWERED.has(response.status) && !response.headers.get('ratelimit'))
    diary.notice(`${name} is answered ${response.status} at ${path}, and not told what is left`);
  if (response.status === 429 && (json as { limit?: number } | undefined)?.limit !== undefined) {
    const retryAfterS = Number(response.headers.get('retry-after'));
    const cost = costOf(path, body);
    if (cost !== undefined) judgeRefusal(world, { by: name, accountId: shop.accountId, cost, retryAfterS });
  }
  if (path === '/redemption-time')
    diary.lookUps.push({
      account: shop.accountId,
      from,
      to: world.time.clock.now(),
      status: response.status,
    });
  return { status: response.status, headers: response.headers, json };
}

/** In quarters of an activation; undefined of an order whose codes only the service knows. */
function costOf(path: string, body: { items?: readonly { count?: number }[] } = {}): number | undefined {
  if (path.startsWith('/character')) return 1;
  if (!path.startsWith('/orders')) return ACTION_QUARTERS;
  return body.items?.reduce((sum, { count = 1 }) => sum + count * ACTION_QUARTERS, 0);
}

export const isRepeated = (status: number) =>
  status === 408 || status === 429 || (status >= 500 && status !== 503);

// What programs send that nobody thought of, a code with blanks around it; and what they make of the answers.

const AROUND: readonly (readonly [before: string, after: string])[] = [
  ['', ' '],
  [' ', ''],
  ['', '\n'],
  ['\t', '\r\n'],
];

/** As it is copied from a table or a mail, now and then. */
function copied(code: string, { random }: Pick<Self, 'random'>): string {
  if (!random.chance(0.15)) return code;
  const [before, after] = random.pick(AROUND);
  return before + code + after;
}

/** What an answer says is about what was asked. */
function compareWithWish(world: World, by: string, wish: Wish, json: unknown): void {
  const { playerId, errorCode } = (json ?? {}) as { playerId?: string; errorCode?: string };
  const { codeOverride: code } = wish.body as { codeOverride?: string };
  if (playerId !== undefined && playerId !== wish.playerId)
    world.diary.notice(`${by} asked for ${wish.playerId}, and is told of ${playerId}`);
  const isRejected = world.platform.rejected.has(code?.trim() ?? '');
  const isWell = code !== undefined && !isRejected && behaviourOf(code.trim()).kind !== 'refuses';
  if (errorCode === 'INVALID_CODE' && isWell)
    world.diary.notice(`${by} is told that ${JSON.stringify(code)} is no code`);
}

// How long the people who send an `Idempotency-Key` count on it: it is kept for 24 hours (wire.md, `Idempotency-Key`).

/**
 * Until so much later the same wish is sent again on purpose: whatever the pauses between its attempts, the key is
 * known.
 */
export const REPEATED_WITHIN_MS = 20 * 60 * 60_000;
/** Where a day has passed between two attempts, the second would be another order. */
export const RELIED_ON_MS = 24 * 60 * 60_000 - 60_000;
