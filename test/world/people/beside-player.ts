// A customer's message with their ID and the codes that they bought elsewhere: one of them is chosen, and no other is
// redeemed.
import { findButton, hasButton, REDEEM, says } from './phone.ts';
import type { World } from '../run/world.ts';
import { randomPlayer } from './client.ts';
import type { Self } from './index.ts';

const ON_THE_WAY = /^Game 1$|one$/;
const STEPS = 4;

export async function redeemOneOf(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const codes = shop.mint(60, 2 + random.below(2));
  const wanted = random.pick(codes);
  const asked = await phone.ask(`${randomPlayer(random)}\n${codes.join('\n')}`, says(/./));
  const label = new RegExp(`…${wanted.slice(-4)}$`);
  if (!asked || !findButton(asked, label)) return;
  let seen = await phone.press(asked, label);
  for (let step = 0; step < STEPS && seen && !hasButton(REDEEM)(seen); step += 1)
    seen = findButton(seen, ON_THE_WAY)
      ? await phone.press(seen, ON_THE_WAY)
      : await phone.sees(hasButton(REDEEM), 5_000);
  if (!seen || !hasButton(REDEEM)(seen)) return;
  const other = codes.find((code) => code !== wanted && seen?.text.includes(code));
  if (other !== undefined)
    return void world.diary.amiss.push(`${name} chose ${wanted}, and is asked whether to redeem ${other}`);
  await phone.press(seen, REDEEM, { kind: 'redeem' });
}
