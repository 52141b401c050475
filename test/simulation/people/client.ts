// A program that redeems over HTTP as the published client does: it repeats 408, 429 and 5xx other than 503 twice, and what breaks;
// half of them send a key with each wish.
import type { Wish } from '../diary.ts';
import type { World } from '../world.ts';
import type { Kind, Self } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

const PAUSES_MS = [1_000, 2_000];

export const client: Kind = {
  kind: 'client',
  ofTwelve: 1,
  actsADay: 6,
  async act(world, self) {
    const { random, shop } = self;
    const body = random.chance(0.7)
      ? { gameId: 'game_id_1', denomination: random.pick(DENOMINATIONS) }
      : { gameId: random.pick(['game_id_1', 'game_id_2', 'game_id_3']), codeOverride: shop.mint(60, 1)[0] };
    const playerId = randomPlayer(random);
    const wish: Wish = {
      account: shop.accountId,
      key: random.chance(0.5) ? `wish-${random.text(16)}` : undefined,
      playerId,
      body: { ...body, playerId, requireReceipt: true },
      answers: [],
      lost: 0,
    };
    world.diary.wishes.push(wish);
    await insist(world, self, wish);
  },
};

/** Nobody else's. */
export const randomPlayer = (random: Self['random']) => String(51_000_000_000 + random.below(9e9));

/** As the published client: repeats what is retryable and what breaks, twice. */
async function insist(world: World, self: Self, wish: Wish): Promise<void> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const answer = await call(world, self, '/redeem', wish);
    if (answer === undefined) wish.lost += 1;
    else {
      const { id, errorCode } = (answer.json ?? {}) as { id?: number; errorCode?: string };
      wish.answers.push({ status: answer.status, id, errorCode });
      if (!isRepeated(answer.status)) return;
    }
    if (pauseMs === undefined) return;
    await world.time.sleep(pauseMs);
  }
}

/** One request of a program; undefined where no answer came. */
export async function call(
  { service, diary }: World,
  { shop, name }: Pick<Self, 'shop' | 'name'>,
  path: string,
  { body, key }: { body?: object; key?: string | undefined } = {},
): Promise<{ status: number; headers: Headers; json: unknown } | undefined> {
  diary.note(`${name} asks ${path} ${JSON.stringify(body ?? {}).slice(0, 90)}`);
  const response = await service.ask(path, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${shop.apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
  diary.note(`${name} is answered ${response === 'lost' ? 'nothing' : response.status}`);
  if (response === 'lost') return undefined;
  const json: unknown = await response.json().catch(() => undefined);
  return { status: response.status, headers: response.headers, json };
}

export const isRepeated = (status: number) =>
  status === 408 || status === 429 || (status >= 500 && status !== 503);
