// An operator in a hurry: redeems for players all day, presses twice, goes away in the middle.
import { hasButton, says } from '../phone.ts';
import type { Kind, Self } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

const REDEEM = /^Redeem( again)?$/;

export const operator: Kind = {
  kind: 'operator',
  role: 'operator',
  ofTwelve: 3,
  actsADay: 3,
  async act(_world, self) {
    const { phone, random } = self;
    const player = playerOf(self);
    const text = random.chance(0.5)
      ? `/redeem ${player} ${random.pick(DENOMINATIONS)}`
      : `${player} ${random.pick(DENOMINATIONS)}`;
    const card = await phone.ask(
      text,
      (message) => hasButton(REDEEM)(message) || says(/no |not |unknown|nothing/i)(message),
    );
    if (!card || !hasButton(REDEEM)(card)) return;
    const pressed = phone.press(card, REDEEM, { kind: 'redeem' });
    if (random.chance(0.3)) void phone.press(card, REDEEM, { kind: 'redeem' });
    await pressed;
    if (random.chance(0.8)) await phone.sees(says(/receipt_\d+/));
  },
};

/** One of a few, or somebody new; some do not exist. */
export function playerOf({ random }: Pick<Self, 'random'>): string {
  if (random.chance(0.03)) return `404${10_000 + random.below(1_000)}`;
  return random.chance(0.2)
    ? String(5_170_000_000 + random.below(5))
    : String(5_171_000_000 + random.below(1e8));
}
