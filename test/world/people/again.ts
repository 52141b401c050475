// An order for somebody who has just got the same: whoever gives it is warned before anything is spent.
import type { SeenMessage } from '../../telegram/types.ts';
import { hasButton, REDEEM } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { randomPlayer, wishFor } from './client.ts';
import type { Self } from './index.ts';

const JUST_NOW_MS = 10 * 60_000;
const SAME = `
  select id from redemptions where account_id = ? and player_id = ? and denomination = ? and state in ('pending', 'in_doubt', 'redeemed')
    and mode = 'database' and game_id = 'game_id_1' and created_at > ?`;

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
  if (!card || before === undefined || !isOfShop) return;
  // A day may have gone by in between, and what was under way may have failed.
  if (time.clock.now() > since + JUST_NOW_MS) return;
  if (!listSame().includes(before)) return;
  const isOfOrder = ({ text }: SeenMessage) => text.includes(player) && text.includes(`${denomination}`);
  if (!isOfOrder(card)) return;
  // A card of the order before may come once more, where Telegram's answer to it was lost.
  const isWarning = (each: SeenMessage) => each.id >= card.id && isOfOrder(each) && each.text.includes('⚠️');
  if (!(await phone.sees(isWarning)))
    diary.notice(`${name} was not warned that ${player} has just got ${denomination} (${before})`);
}

const OF_PLAYER = `
  select id, state, actor, created_at as at from redemptions
  where player_id = ? and denomination = 60 and game_id = 'game_id_1' order by id`;

interface OfPlayer {
  id: number;
  state: string;
  actor: string;
  at: number;
}

/** While a card stands there, a program of the shop redeems the same: whoever presses it is asked once more. */
export async function orderMeanwhile(world: World, self: Self): Promise<void> {
  const { diary, disk, time } = world;
  const { phone, random, shop, name } = self;
  if (world.members.get(phone.user.id)?.accountId !== shop.accountId) return;
  const player = randomPlayer(random);
  const list = () => look(disk.databasePath(), (file) => file.prepare(OF_PLAYER).all(player) as OfPlayer[]);
  const began = time.clock.now();
  const card = await phone.ask(
    `${player} 60`,
    (message) => message.text.includes(player) && hasButton('Redeem')(message),
  );
  if (!card) return;
  await wishFor(world, self, { gameId: 'game_id_1', denomination: 60 }, player);
  const [first] = list();
  if (first?.state === 'failed' || first?.actor.startsWith('apiKey:') !== true) return;
  await phone.press(card, 'Redeem', { kind: 'redeem' });
  // A program that heard nothing may have asked twice.
  const [same, ...others] = list();
  const second = others.find(({ actor }) => actor === `member:${phone.user.id}`);
  if (same?.id !== first.id || same.state === 'failed' || second === undefined) return;
  if (time.clock.now() - began < JUST_NOW_MS / 2)
    diary.notice(
      `${name} was not asked again about ${player}, who had got 60 by redemption ${first.id}: ${second.id} began`,
    );
}
