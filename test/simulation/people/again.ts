// An order for somebody who has just got the same: whoever gives it is warned before anything is spent.
import type { SeenMessage } from '../../../src/playground/telegram/types.ts';
import { hasButton } from '../phone.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';
import type { Self } from './index.ts';

const JUST_NOW_MS = 10 * 60_000;
const SAME = `
  select id from redemptions where account_id = ? and player_id = ? and denomination = ? and state in ('pending', 'in_doubt', 'redeemed')
    and mode = 'database' and game_id = 'game_id_1' and created_at > ?`;
const REDEEM = /^Redeem( again)?$/;

/** Asks for the same once more, and leaves the card as it is. */
export async function orderAgain(
  world: World,
  { phone, shop, name }: Self,
  { player, denomination }: { player: string; denomination: number },
): Promise<void> {
  const { diary, disk, time } = world;
  const since = time.clock.now() - JUST_NOW_MS / 2;
  const listSame = () =>
    look(
      disk.databasePath(),
      (file) => file.prepare(SAME).pluck().all(shop.accountId, player, denomination, since) as number[],
    );
  const [before] = listSame();
  const isOfShop = world.members.get(phone.user.id)?.accountId === shop.accountId;
  const card: SeenMessage | undefined = await phone.ask(`${player} ${denomination}`, hasButton(REDEEM));
  if (!card || before === undefined || !isOfShop || diary.restoredAt > since) return;
  if (time.machine.now() !== time.clock.now() || diary.isCalendarWrongToday) return;
  // A day may have gone by in between, and what was under way may have failed.
  if (time.clock.now() > since + JUST_NOW_MS) return;
  if (!listSame().includes(before)) return;
  const isOfOrder = ({ text }: SeenMessage) => text.includes(player) && text.includes(`${denomination}`);
  if (!isOfOrder(card)) return;
  // A card of the order before may come once more, where Telegram's answer to it was lost.
  const isWarning = (each: SeenMessage) => each.id >= card.id && isOfOrder(each) && each.text.includes('⚠️');
  if (!(await phone.sees(isWarning)))
    diary.amiss.push(`${name} was not warned that ${player} has just got ${denomination} (${before})`);
}
