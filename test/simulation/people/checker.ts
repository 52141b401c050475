// A program that asks more than a day allows, now and then: at most 300 in any 24 hours are let through beside what was bought, and
// who is told to wait is served when the wait is over.
import { call } from './client.ts';
import type { Kind } from './index.ts';

const DAILY = 300;
const ASKED = 330;

export const checker: Kind = {
  kind: 'checker',
  ofTwelve: 0,
  actsADay: 0.1,
  async act(world, self) {
    const { shop, random, name } = self;
    const ask = () =>
      call(world, self, '/redemption-time', { body: { gameId: 'game_id_1', code: shop.mint(60, 1)[0] } });
    let served = 0;
    for (let count = 0; count < ASKED; count += 1) {
      const answer = await ask();
      if (answer?.status === 429) {
        if (served > DAILY && world.diary.paid.length === 0)
          world.diary.amiss.push(`${name} was served ${served} times`);
        return;
      }
      if (answer && answer.status < 500) served += 1;
      if (random.chance(0.02)) await world.time.sleep(200);
    }
  },
};
