// A program that keeps the stock: adds codes and takes some out, with a key or without, repeats where nothing came back, and knows
// that what it was given is its own.
import { handOut } from '../promises/handed-out.ts';
import { call, isRepeated } from './client.ts';
import type { Kind } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

export const stocker: Kind = {
  kind: 'stocker',
  ofTwelve: 1,
  actsADay: 3,
  async act(world, self) {
    const { random, shop, name } = self;
    const denomination = random.pick(DENOMINATIONS);
    if (random.chance(0.5)) {
      const codes = shop.mint(denomination, 1 + random.below(6));
      await call(world, self, '/db?gameId=game_id_1', {
        body: [{ denomination, codes }],
        key: `add-${random.text(12)}`,
      });
      return;
    }
    const key = `extract-${random.text(12)}`;
    const body = { denomination, amount: 1 + random.below(4) };
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const answer = await call(world, self, '/db/extract?gameId=game_id_1', { body, key });
      if (answer?.status === 200) handOut(world, `${name} ${key}`, answer.json as string[]);
      if (answer && !isRepeated(answer.status)) return;
      await world.time.sleep(1_000 * attempt);
    }
  },
};
