// A list that was added is sent again under its key, hours after: it is told as it was told first. And a code that is
// listed as two things is added as none.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from '../promises/ledger.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';
import { REPEATED_WITHIN_MS } from './client.ts';

interface Added {
  key: string;
  body: object;
  told: unknown;
}

const KEPT = 6;
const listsOf = ({ diary }: World) => diary.remember<(Added & { at: number })[]>(listsOf);

export function noteAdded(world: World, { shop }: Self, added: Added): void {
  listsOf(world).set(
    shop,
    [...(listsOf(world).get(shop) ?? []), { ...added, at: world.time.clock.now() }].slice(-KEPT),
  );
}

export async function addAgain(world: World, self: Self): Promise<void> {
  const { diary, time } = world;
  const known = (listsOf(world).get(self.shop) ?? []).filter(
    ({ at }) => time.clock.now() - at < REPEATED_WITHIN_MS,
  );
  const first = known.length > 0 ? self.random.pick(known) : undefined;
  if (!first) return;
  const answer = await call(world, self, '/db?gameId=game_id_1', { body: first.body, key: first.key });
  if (answer?.status !== 200) return;
  if (wordOf(answer.json) !== wordOf(first.told))
    diary.notice(
      `${self.name} sent ${first.key} again, and is told ${wordOf(answer.json)} after ${wordOf(first.told)}`,
    );
}

/** Without what is in stock by now. */
function wordOf(told: unknown): string {
  const { accepted, used, disowned, invalid } = told as Record<string, unknown>;
  return JSON.stringify([accepted, used, disowned, invalid]);
}

const STORED = 'select 1 from codes where code_hash = ?';

export async function addTwofold(world: World, self: Self): Promise<void> {
  const [code = ''] = self.shop.mint(60, 1);
  const body = [
    { denomination: 660, codes: [code] },
    { denomination: 60, codes: [code] },
  ];
  const answer = await call(world, self, '/db?gameId=game_id_1', { body });
  const hash = Buffer.from(hashOf('game_id_1', code), 'hex');
  const isStored = look(world.disk.databasePath(), (file) => file.prepare(STORED).get(hash)) !== undefined;
  if (answer?.status === 200 || isStored)
    world.diary.notice(
      `${self.name} listed ${code} under two denominations, and is answered ${answer?.status}`,
    );
}
