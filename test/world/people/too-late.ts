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

const left = new WeakMap<Self['phone'], { card: SeenMessage; at: number }>();

export function leaveUnpressed({ time }: World, { phone }: Self, card: SeenMessage): void {
  left.set(phone, { card, at: time.clock.now() });
}

/** False where they left none, or it may be pressed still. */
export async function pressTooLate(world: World, { phone, name, random }: Self): Promise<boolean> {
  const { time, diary, disk } = world;
  const { card, at } = left.get(phone) ?? {};
  if (!card || at === undefined || time.clock.now() - at < OVER_AFTER_MS) return false;
  left.delete(phone);
  // A calendar that is wrong has other hours, or had them when the button was made.
  const [, id] = findButton(card, REDEEM)?.callback_data?.split(':') ?? [];
  if (id === undefined || diary.isCalendarWrongToday || diary.wrongLast > at) return false;
  const isTaken = () => look(disk.databasePath(), (file) => file.prepare(TAKEN).pluck().get(id) === 1);
  if (isTaken()) return false;
  const { restoredAt } = diary;
  if (random.chance(0.3)) {
    await phone.press(card, 'Cancel');
    const { answer = '' } =
      diary.taps.findLast(({ user, label }) => user === phone.user && label === 'Cancel') ?? {};
    if (/already used/.test(answer) && diary.restoredAt === restoredAt)
      diary.amiss.push(`${name} cancels what was over, and is told that it was carried out: ${answer}`);
    return true;
  }
  await phone.press(card, REDEEM);
  if (isTaken() && diary.restoredAt === restoredAt)
    diary.amiss.push(`${name} pressed a confirmation that was over, and it was taken: ${card.text}`);
  return true;
}
