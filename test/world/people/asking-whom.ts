// An operator asks whom they redeemed for last, or for the same again: players of their own are offered, and nobody
// else's.
import { findButton, hasButton, REDEEM, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

const FIRST_GAME = /^Game 1$|one$/;
const PLAYER = / · (\d{5,20})$/;
const ROLE = 'select role from members where telegram_id = ?';
const OWN = 'select 1 from redemptions where actor = ? and player_id = ? limit 1';

export async function askWhom({ disk, diary }: World, { phone, name }: Self): Promise<void> {
  const { id } = phone.user;
  const isOperator = () =>
    look(disk.databasePath(), (file) => file.prepare(ROLE).pluck().get(id) === 'operator');
  if (!isOperator()) return;
  const asked = await phone.ask('/redeem', says(/./));
  const seen = asked && findButton(asked, FIRST_GAME) ? await phone.press(asked, FIRST_GAME) : asked;
  const players = (seen?.buttons ?? []).flatMap(({ text }) => PLAYER.exec(text)?.[1] ?? []);
  const foreign = look(disk.databasePath(), (file) =>
    players.find((playerId) => file.prepare(OWN).get(`member:${id}`, playerId) === undefined),
  );
  // Who was an admin a moment ago was offered everybody's.
  if (foreign !== undefined && isOperator())
    diary.notice(`${name} is offered ${foreign}, for whom they redeemed nothing`);
  await phone.ask('/cancel', says(/./));
}

export async function askAgain({ disk, diary }: World, { phone, random, name }: Self): Promise<void> {
  const card = await phone.ask(random.pick(['again', 'same again']), hasButton(REDEEM));
  const [, player] = / (\d{5,20})\b/.exec(card?.text ?? '') ?? [];
  if (player === undefined) return;
  const isOwn = look(
    disk.databasePath(),
    (file) => file.prepare(OWN).get(`member:${phone.user.id}`, player) !== undefined,
  );
  // A card of what they asked for before may come only now.
  const isAsked = diary.questions.some(({ user, text }) => user === phone.user && text.includes(player));
  if (!isOwn && !isAsked)
    diary.notice(`${name} asks for the same again, and is offered ${player}, for whom they redeemed nothing`);
}
