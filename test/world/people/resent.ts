// What suppliers send besides fresh codes: some that stand in the stock already, some that are spent, somebody else's,
// one of them twice, and what is no code. Whoever adds them knows what must become of each.
import { hashOf } from '../promises/ledger.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';
import type { Shop } from './shop.ts';

export interface Resent {
  denomination: number;
  /** As the supplier lists them. */
  codes: string[];
  fresh: string[];
  /** This account has them, or they are spent. */
  used: string[];
  /** Another account's. */
  disowned: string[];
  invalid: string[];
}

/** So many older ones are taken first: nobody takes these meanwhile. */
const SAFELY_BEHIND = 8;
const STATES = `
  select c.code_hash as hash, c.account_id as accountId, c.state,
    (select count(*) from codes o where o.account_id = c.account_id and o.game_id = c.game_id and o.denomination = c.denomination
      and o.state = 'available' and o.id < c.id) as before
  from codes c where c.game_id = 'game_id_1' and c.code_hash = ? and c.state in ('available', 'redeemed')`;

export function listAgain(world: World, { random, shop }: Self, denomination: number): Resent {
  const fresh = shop.mint(denomination, 1 + random.below(3));
  const used = pick(world, shop, denomination, fresh, () => random.chance(0.4));
  const other = random.pick(world.shops.filter(({ accountId }) => accountId !== shop.accountId));
  const disowned = other ? pick(world, other, denomination, [], () => random.chance(0.1), 'available') : [];
  const invalid = random.chance(0.3) ? ['not-a-code'] : [];
  const codes = [...fresh, ...used, ...disowned, ...invalid, ...fresh.slice(0, 1)];
  return { denomination, codes: shuffled(codes, random), fresh, used, disowned, invalid };
}

/** Of a shop's newest codes those that are certainly theirs, and will be for a while. */
function pick(
  { disk }: World,
  shop: Shop,
  denomination: number,
  but: readonly string[],
  isTaken: () => boolean,
  only?: string,
): string[] {
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(STATES);
    return shop.minted().filter((code) => {
      if (!code.startsWith(`${denomination}S`) || but.includes(code) || !isTaken()) return false;
      const rows = find.all(Buffer.from(hashOf('game_id_1', code), 'hex')) as {
        accountId: number;
        state: string;
        before: number;
      }[];
      const [row] = rows;
      if (rows.length !== 1 || row?.accountId !== shop.accountId) return false;
      return row.state === 'redeemed' ? only === undefined : row.before >= SAFELY_BEHIND;
    });
  });
}

function shuffled(codes: string[], random: Self['random']): string[] {
  const left = [...codes];
  return codes.map(() => left.splice(random.below(left.length), 1)[0] ?? '');
}
