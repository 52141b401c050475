// The platform says of good codes, for a while, that there are none: a program that goes on selling meanwhile must not
// use up its stock.
import { wishFor } from '../people/client.ts';
import { selvesOf } from '../people/index.ts';
import { GOOD_MANNERS } from '../machine/platform.ts';
import type { Fault } from './index.ts';

const SOLD = 9;

export const badUpstream: Fault = {
  name: 'bad upstream',
  weight: 6,
  async happen(world, random) {
    const { platform, service } = world;
    const clients = selvesOf(world, 'client');
    if (clients.length === 0 || !service.isServing()) return;
    const self = random.pick(clients);
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, rejects: 1 };
    for (let sold = 0; sold < SOLD; sold += 1)
      await wishFor(world, self, { gameId: 'game_id_1', denomination: 60 });
    platform.manners = manners;
  },
};
