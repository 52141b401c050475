// People who look: operators for what is theirs and for what is not, support through page after page.
import type { SeenMessage } from '../../../src/playground/telegram/types.ts';
import { hasButton, says } from '../phone.ts';
import type { World } from '../world.ts';
import type { Self } from './index.ts';

/** Of a card that was left hours ago. */
const REDEEM = /^Redeem( again)?$/;
const PAGES = /Older|Newer|◀|▶/u;
const MOST_PAGES = 4;

/** Numbers of receipts are known to everybody: from a group, from a colleague, by counting. */
export async function lookAround(
  { diary }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  const old = phone.newest(12).find(hasButton(REDEEM));
  if (old && random.chance(0.4)) return void (await phone.press(old, REDEEM, { kind: 'redeem' }));
  const number = random.pick([...diary.numbers.keys()].slice(-30)) ?? 1;
  await phone.ask(
    random.pick(['/find today', '/find redeemed', '/history', `/receipt ${number}`, `${number}`]),
    says(/./),
  );
}

export async function leaf(
  self: Pick<Self, 'phone' | 'random'>,
  first: SeenMessage | undefined,
): Promise<void> {
  const { phone, random } = self;
  let seen = first;
  for (let page = 1; page <= MOST_PAGES && seen; page += 1) {
    const label = random.pick(seen.buttons.map(({ text }) => text).filter((text) => PAGES.test(text)));
    if (label === undefined) return;
    seen = await phone.press(seen, label);
  }
}
