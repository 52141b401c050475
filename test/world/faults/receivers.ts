// A program that is told by webhooks does not listen for some hours, or for more than a day.
import type { Mood } from '../machine/receivers.ts';
import type { Fault } from './index.ts';

const MOODS: readonly Mood[] = ['failing', 'redirecting', 'silent', 'refusing', 'breaking off'];
const HOUR_MS = 60 * 60_000;

export const deafReceiver: Fault = {
  name: 'deaf receiver',
  weight: 4,
  happen({ receivers, shops, time, diary }, random) {
    const shop = random.pick(shops);
    if (!shop) return Promise.resolve();
    const [mood, hours] = [random.pick(MOODS) ?? 'failing', random.pick([1, 6, 20]) ?? 1];
    receivers.moods.set(shop.hook, { mood, until: time.clock.now() + hours * HOUR_MS });
    diary.note(`the receiver of shop ${shop.number} is ${mood} for ${hours} h`);
    return Promise.resolve();
  },
};
