// A code was sold twice: somebody else redeems it, for a player of theirs, while it lies in a stock or nobody knows
// what became of it.
import { hashOf } from '../promises/ledger.ts';
import { GOOD_MANNERS } from '../machine/platform.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { randomPlayer, wishFor } from '../people/client.ts';
import { selvesOf } from '../people/index.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

/** What of them is in doubt is told, and may be somebody else's in the end. */
const ORDERS = 4;
const LOOKS = 6;
const LOOK_MS = 2_000;
const DOUBTED =
  "select code_hash from redemptions where state in ('pending', 'in_doubt') and game_id = 'game_id_1' and code_hash is not null";

export const redeemedElsewhere: Fault = {
  name: 'redeemed elsewhere',
  weight: 4,
  async happen(world, random) {
    const { platform, diary, time, shops, secrets } = world;
    const { manners } = platform;
    // It happens where answers are late or lost: then it is not known whose redemption the platform tells of.
    platform.manners = { ...GOOD_MANNERS, hidesFailure: 0.5 };
    const orders = actSome(world, random, { count: ORDERS, by: ({ kind }) => kind === 'orderer' });
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await time.sleep(LOOK_MS);
      const doubted = findDoubted(world, secrets.codes());
      const code = random.pick(doubted.length > 0 ? doubted : shops.flatMap((shop) => [...shop.minted()]));
      if (code === undefined || (doubted.length === 0 && looks > 0)) continue;
      platform.redeemElsewhere('game_id_1', code, String(52_000_000_000 + random.below(9e9)));
      diary.note(`somebody else redeems ${code}`);
    }
    if (random.chance(0.4)) await redeemUsed(world, random);
    platform.manners = manners;
    await orders;
  },
};

const LONG_AGO_MS = 40 * 60_000;

/**
 * A customer sends a code that they used themselves long ago, and no answer comes: it is not ours, although it was for
 * them.
 */
async function redeemUsed(world: World, random: Seeded): Promise<void> {
  const { platform, time, diary } = world;
  const client = random.pick(selvesOf(world, 'client'));
  if (!client || time.machine.now() !== time.clock.now()) return;
  const [code = ''] = client.shop.mint(60, 1);
  const player = randomPlayer(random);
  platform.redeemElsewhere('game_id_1', code, player, LONG_AGO_MS);
  platform.manners = { ...GOOD_MANNERS, hidesFailure: 1 };
  diary.note(`${code} was used long ago`);
  await wishFor(world, client, { gameId: 'game_id_1', codeOverride: code }, player);
}

function findDoubted({ disk }: World, codes: readonly string[]): string[] {
  const hashes = look(disk.databasePath(), (file) => file.prepare(DOUBTED).pluck().all() as Buffer[]);
  const open = new Set(hashes.map((hash) => hash.toString('hex')));
  return open.size === 0 ? [] : codes.filter((code) => open.has(hashOf('game_id_1', code)));
}
