// An operator in a hurry: redeems for players all day, presses twice, goes away in the middle.
import { hasButton, says } from '../phone.ts';
import type { World } from '../world.ts';
import type { Kind, Self } from './index.ts';
import { DENOMINATIONS } from './shop.ts';

const REDEEM = /^Redeem( again)?$/;

export const operator: Kind = {
  kind: 'operator',
  role: 'operator',
  ofTwelve: 2,
  actsADay: 3,
  async act(world, self) {
    const { phone, random } = self;
    if (random.chance(0.06)) return forge(world, self);
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

/** Sends what the button of somebody else would, pressed by them already or not. */
export async function forge(
  { telegram, diary, members }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  const [message] = phone.newest(1);
  const whose = random.pick([...members.keys()]) ?? 0;
  const seen = telegram.api.messages({ id: whose }, 3).flatMap(({ buttons }) => buttons);
  const data = random.chance(0.6) ? random.pick(seen)?.callback_data : diary.buttons.at(-1 - random.below(6));
  if (!message || data === undefined || whose === phone.user.id) return;
  diary.note(`${phone.user.first_name} sends ${data}`);
  await telegram.api.press(phone.user, message, { data });
}

/** One of a few, or somebody new; some do not exist. */
export function playerOf({ random }: Pick<Self, 'random'>): string {
  if (random.chance(0.03)) return `404${10_000 + random.below(1_000)}`;
  return random.chance(0.2)
    ? String(5_170_000_000 + random.below(5))
    : String(5_171_000_000 + random.below(1e8));
}
