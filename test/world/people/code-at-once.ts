// An operator whose customer's code is at hand before they are asked for it: they send it where the name is asked
// about, and no other player than the one that they typed is ever shown to them.
import { findButton, hasButton, REDEEM, says } from './phone.ts';
import type { World } from '../run/world.ts';
import { randomPlayer } from './client.ts';
import type { Self } from './index.ts';

const DIRECT_GAME = /^Game 2$/;
const SHOWN_PLAYER = /\bID (\d{5,20})\b/;

export async function sendCodeAtOnce(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const player = randomPlayer(random);
  const asked = await phone.ask('/redeem', says(/./));
  if (!asked || !findButton(asked, DIRECT_GAME)) return;
  await phone.press(asked, DIRECT_GAME);
  const named = await phone.ask(player, ({ text }) => text.includes(`ID ${player}`));
  if (!named) return;
  // As long as a code is, with digits in it that could be a player's.
  const code = `60S${10_000_000 + random.below(90_000_000)}${random.text(5).replaceAll(/\d/g, 'x')}`;
  world.secrets.add(shop.accountId, [code]);
  const next = await phone.ask(code, (message) => SHOWN_PLAYER.test(message.text));
  const [, shown] = SHOWN_PLAYER.exec(next?.text ?? '') ?? [];
  if (shown !== undefined && code.includes(shown))
    world.diary.amiss.push(`${name} sent the code ${code} for ${player}, and is asked about ${shown}`);
  if (shown === player && next && hasButton(REDEEM)(next))
    await phone.press(next, REDEEM, { kind: 'redeem' });
  else await phone.ask('/cancel', says(/./));
}
