// The number of an extraction that was carried out, sent with another wish: it is refused, and nothing is taken under
// it.
import type { Extraction } from '../run/diary.ts';
import type { World } from '../run/world.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

export async function extractOther(
  world: World,
  self: Self,
  { key, body, codes, at }: Extraction,
): Promise<void> {
  const { random, name } = self;
  const { diary } = world;
  // What took nothing pins no key.
  if (!codes?.length) return;
  const since = diary.restoredAt;
  const others = DENOMINATIONS.filter((denomination) => denomination !== body.denomination);
  const other = random.chance(0.5)
    ? { ...body, amount: body.amount + 1 }
    : { ...body, denomination: random.pick(others) };
  const answer = await call(world, self, '/db/extract?gameId=game_id_1', { body: other, key });
  // Whatever else it is refused for (a key that is revoked, a subscription that is over), nothing is taken.
  if (answer?.status !== 200) return;
  // What a restore closed, it knows no key of.
  if (diary.restoredAt === since && since < Math.min(at, diary.judgedUntil))
    diary.amiss.push(
      `${name} asked for ${JSON.stringify(other)} under ${key}, the key of ${JSON.stringify(body)}, and is answered ${answer.status}`,
    );
}
