// The process is killed when it has said that a payment may be taken: the next one hears of it by an update, and finds
// it in Telegram's list in the same moment. It is credited once.
import { selvesOf } from '../people/index.ts';
import { payAtOnce } from '../people/payer.ts';
import type { Fault } from './index.ts';
import { end } from './kill.ts';

const AWAY_MS = 1_000;

export const killedAtTheTill: Fault = {
  name: 'killed at the till',
  weight: 1,
  of: 'end',
  async happen(world, random) {
    const { telegram, service, time } = world;
    const payer = random.pick(selvesOf(world, 'payer'));
    if (!payer || !service.isServing()) return;
    const { onCall } = telegram;
    let isKilled = false;
    telegram.onCall = (moment, method) => {
      onCall(moment, method);
      if (isKilled || moment !== 'after' || method !== 'answerPreCheckoutQuery') return;
      isKilled = true;
      end(world, 'killed', 'when a payment was about to be taken');
    };
    await payAtOnce(world, payer);
    telegram.onCall = onCall;
    if (!isKilled) return;
    await time.sleep(random.below(AWAY_MS));
    await service.start();
  },
};
