// A program that adds what another shop has: codes that were sold twice. Each stays with whoever had it, and is told as
// another's.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from '../promises/ledger.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';

const OWNER = `
  select account_id from codes where code_hash = ? and game_id = 'game_id_1' and state in ('available', 'unverified')`;

export async function addForeign(world: World, self: Self): Promise<void> {
  const { random, shop, name } = self;
  const others = world.shops.filter((each) => each !== shop);
  const code = others.length === 0 ? undefined : random.pick(random.pick(others).minted());
  const denomination = Number(/^(\d+)S/.exec(code ?? '')?.[1]);
  if (code === undefined || denomination < 60) return;
  const ownerOf = () =>
    look(world.disk.databasePath(), (file) =>
      file
        .prepare(OWNER)
        .pluck()
        .get(Buffer.from(hashOf('game_id_1', code), 'hex')),
    ) as number | undefined;
  const before = ownerOf();
  // What nobody has any more is added like any other.
  if (before === undefined || before === shop.accountId) return;
  world.secrets.add(shop.accountId, [code]);
  const answer = await call(world, self, '/db?gameId=game_id_1', { body: [{ denomination, codes: [code] }] });
  if (answer?.status !== 200) return;
  if (ownerOf() !== before) return;
  const { disowned } = answer.json as { disowned: string[] };
  if (!disowned.includes(code))
    world.diary.notice(
      `${name} added ${code} of account ${before}, and is told ${JSON.stringify(answer.json)}`,
    );
}
