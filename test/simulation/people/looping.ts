// A program that went wrong sends what is malformed in a loop: it costs nothing, and soon it is not even heard (wire.md).
import type { World } from '../world.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';

/** More than twice as many as are heard in a minute: where one is over meanwhile, one of the two meets its end. */
const SENT = 250;
const MALFORMED = '12';

export async function sendMalformed(world: World, self: Pick<Self, 'shop' | 'name' | 'random'>) {
  const { diary } = world;
  const before = diary.struck.length;
  const isOrder = self.random.chance(0.5);
  const order = { gameId: 'game_id_1', denomination: 60, playerId: MALFORMED };
  const one = () =>
    isOrder
      ? call(world, self, '/redeem', { body: order })
      : call(world, self, `/character?gameId=game_id_1&playerId=${MALFORMED}`);
  const answers = await Promise.all(Array.from({ length: SENT }, one));
  // A process that begins has counted nothing.
  if (diary.struck.length > before || diary.isCalendarWrongToday || diary.isDiskFullToday) return;
  const statuses = answers.map((answer) => answer?.status);
  if (statuses.includes(undefined)) return;
  const heard = statuses.filter((status) => status === (isOrder ? 503 : 404)).length;
  if (heard > 0 && !statuses.includes(429))
    diary.amiss.push(`${self.name} sent ${SENT} malformed requests in a moment, and all were heard`);
}
