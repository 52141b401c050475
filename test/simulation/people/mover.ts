// Somebody who changes from shop to shop, and presses what they were shown where they were before: it orders nothing where they are now.
import { hasButton } from '../phone.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';
import type { Act } from './index.ts';
import { randomPlayer } from './client.ts';
import type { Shop } from './shop.ts';

const REDEEM = /^Redeem( again)?$/;
const THERE = 'select 1 from members where telegram_id = ? and account_id = ?';
const OF_PLAYER = 'select id from redemptions where account_id = ? and player_id = ?';

export const move: Act = async (world, { phone, random, name }) => {
  const { members, shops, diary, disk } = world;
  const { user } = phone;
  const from = shops.find(({ accountId }) => accountId === members.get(user.id)?.accountId);
  const others = shops.filter((shop) => shop !== from);
  if (others.length === 0) return;
  const to = random.pick(others);
  const player = randomPlayer(random);
  const card = from && (await phone.ask(`${player} 60`, hasButton(REDEEM)));
  diary.staffing.push(
    { id: user.id, role: undefined },
    { id: user.id, role: 'operator', accountId: to.accountId },
  );
  const hasMoved = await go(world, user, from, to).catch(() => false);
  const isThere = () =>
    look(disk.databasePath(), (file) => file.prepare(THERE).get(user.id, to.accountId)) !== undefined;
  if (!hasMoved || !card || !isThere()) return;
  await phone.press(card, REDEEM);
  await world.time.sleep(1_000);
  const begun = look(disk.databasePath(), (file) => file.prepare(OF_PLAYER).get(to.accountId, player));
  if (begun) diary.amiss.push(`${name} ordered for ${player} in one shop, and it was redeemed in another`);
};

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
