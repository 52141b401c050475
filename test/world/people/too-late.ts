// Somebody is called away from a confirmation, and comes back to it when it is over: its button orders nothing
// (bot.md).
import type { SeenMessage } from '../../telegram/types.ts';
import { findButton, REDEEM } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

/** A quarter of an hour, and a little. */
const OVER_AFTER_MS = 16 * 60_000;
const TAKEN = 'select taken_by is not null from confirmations where id = ?';

const leftOf = ({ diary }: World) => diary.remember<{ card: SeenMessage; at: number }>(leftOf);

export function leaveUnpressed(world: World, { phone }: Self, card: SeenMessage): void {
  leftOf(world).set(phone, { card, at: world.time.clock.now() });
}

/** False where they left none, or it may be pressed still. */
export async function pressTooLate(world: World, { phone, name, random }: Self): Promise<boolean> {
  const { time, diary, disk } = world;
  const { card, at } = leftOf(world).get(phone) ?? {};
  if (!card || at === undefined || time.clock.now() - at < OVER_AFTER_MS) return false;
  leftOf(world).delete(phone);
  const [, id] = findButton(card, REDEEM)?.callback_data?.split(':') ?? [];
  if (id === undefined) return false;
  const isTaken = () => look(disk.databasePath(), (file) => file.prepare(TAKEN).pluck().get(id) === 1);
  if (isTaken()) return false;
  if (random.chance(0.3)) {
    await phone.press(card, 'Cancel');
    const { answer = '' } =
      diary.taps.findLast(({ user, label }) => user === phone.user && label === 'Cancel') ?? {};
    if (/already used/.test(answer))
      diary.notice(`${name} cancels what was over, and is told that it was carried out: ${answer}`);
    return true;
  }
  await phone.press(card, REDEEM);
  if (isTaken()) diary.notice(`${name} pressed a confirmation that was over, and it was taken: ${card.text}`);
  return true;
}
