// A program that redeems over HTTP as the published client does: it repeats 408, 429 and 5xx other than 503 twice, and what breaks;
// half of them send a key with each wish.
import type { Wish } from '../diary.ts';
import type { World } from '../world.ts';
import type { Kind, Self } from './index.ts';
import { playerOf } from './operator.ts';
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
    const wish: Wish = {
      account: shop.accountId,
      key: random.chance(0.5) ? `wish-${self.name}-${world.day}-${random.text(8)}` : undefined,
      body: { ...body, playerId: playerOf(self), requireReceipt: true },
      answer: undefined,
    };
    world.diary.wishes.push(wish);
    await insist(world, self, '/redeem', wish);
  },
};

/** As the published client: repeats what is retryable and what breaks, twice. */
export async function insist(
  world: World,
  { shop, name }: Pick<Self, 'shop' | 'name'>,
  path: string,
  wish: Wish,
): Promise<void> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    world.diary.note(`${name} asks ${path} ${JSON.stringify(wish.body).slice(0, 90)}`);
    const response = await world.service.ask(path, {
      method: 'POST',
      body: JSON.stringify(wish.body),
      headers: {
        authorization: `Bearer ${shop.apiKey}`,
        'content-type': 'application/json',
        ...(wish.key !== undefined && { 'idempotency-key': wish.key }),
      },
    });
    if (response !== 'lost') {
      const answer = { status: response.status, json: await response.json().catch(() => undefined) };
      world.diary.note(`${name} is answered ${answer.status}`);
      if (!isRepeated(answer.status)) return void (wish.answer = answer);
    }
    if (pauseMs === undefined) return;
    await world.time.sleep(pauseMs);
  }
}

const isRepeated = (status: number) => status === 408 || status === 429 || (status >= 500 && status !== 503);
