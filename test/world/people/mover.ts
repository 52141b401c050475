// Somebody who changes from shop to shop, and presses what they were shown where they were before, or leaves an order
// of several codes under way there: nothing of it is redeemed where they are now.
import { hasButton, REDEEM } from './phone.ts';
import { findAccountOf, look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { alone } from './phone.ts';
import type { Act, Self } from './index.ts';
import { randomPlayer } from './client.ts';
import type { Shop } from './shop.ts';

const SEVERAL_MS = 15_000;
const THERE = 'select 1 from members where telegram_id = ? and account_id = ?';
const OF_PLAYER = 'select id from redemptions where account_id = ? and player_id = ?';

/** Whoever moves twice at once orders where they have just come to. */
export const move: Act = (world, self) => alone(self.phone, () => moveOn(world, self));

async function moveOn(world: World, { phone, random, name }: Self): Promise<void> {
  const { shops, diary, disk } = world;
  const { user } = phone;
  // By the books: of a move that a kill cut off they are not told.
  const whereTheyAre = findAccountOf(disk, user.id);
  const from = shops.find(({ accountId }) => accountId === whereTheyAre);
  const others = shops.filter((shop) => shop !== from);
  if (others.length === 0) return;
  const to = random.pick(others);
  const player = randomPlayer(random);
  const isUnderWay = random.chance(0.4);
  const card = from && (await phone.ask(`${player} 60${isUnderWay ? ' x3' : ''}`, hasButton(REDEEM)));
  if (card && isUnderWay) await phone.press(card, REDEEM, { kind: 'several' });
  // What they order on their last day somewhere they may.
  if (from) diary.staffing.push({ id: user.id, role: 'operator', accountId: from.accountId });
  diary.staffing.push(
    { id: user.id, role: undefined },
    { id: user.id, role: 'operator', accountId: to.accountId },
  );
  const hasMoved = await go(world, user, from, to).catch(() => false);
  const isThere = () =>
    look(disk.databasePath(), (file) => file.prepare(THERE).get(user.id, to.accountId)) !== undefined;
  // A restore takes them to where they were then, and what they ask there is ordered there.
  if (!hasMoved || !card || !isThere()) return;
  if (!isUnderWay) await phone.press(card, REDEEM);
  await world.time.sleep(isUnderWay ? SEVERAL_MS : 1_000);
  const begun = look(disk.databasePath(), (file) => file.prepare(OF_PLAYER).get(to.accountId, player));
  if (begun) diary.notice(`${name} ordered for ${player} in one shop, and it was redeemed in another`);
}

async function go(
  { service, members }: World,
  user: Parameters<Shop['join']>[0],
  from: Shop | undefined,
  to: Shop,
): Promise<boolean> {
  const self = members.get(user.id);
  if (from && self) {
    const actor = {
      kind: 'member',
      accountId: from.accountId,
      telegramId: user.id,
      role: self.role,
    } as const;
    await service.command((core) => core.members.remove(actor, user.id));
  }
  await to.join(user, 'operator');
  return true;
}
