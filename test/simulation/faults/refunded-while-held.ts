// A payment goes back while orders that were paid with its activations have no end yet: what they give back later was
// given back by Telegram already.
import { refundByTelegram } from '../people/host.ts';
import { selvesOf } from '../people/index.ts';
import { BUY, payAtOnce } from '../people/payer.ts';
import { GOOD_MANNERS } from '../platform.ts';
import { actSome } from './acting.ts';
import { useUp } from './busy.ts';
import type { Fault } from './index.ts';

const ACTING = 8;
const HEARD_MS = 2_000;
const HIDDEN_MS = 55_000;
const ORDERING = new Set(['operator', 'client', 'several']);

export const refundedWhileHeld: Fault = {
  name: 'refunded while held',
  weight: 3,
  async happen(world, random) {
    const { platform, time, diary } = world;
    const payer = random.pick(selvesOf(world, 'payer'));
    if (!payer) return;
    const { accountId } = payer.shop;
    const charged = diary.paid.length;
    await payAtOnce(world, payer, BUY);
    await time.sleep(HEARD_MS);
    useUp(world, accountId, random, 'kept');
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, hidesFailure: 0.8 };
    const acting = actSome(world, random, {
      count: ACTING,
      by: ({ kind, self }) => ORDERING.has(kind) && self?.shop.accountId === accountId,
    });
    await time.sleep(HIDDEN_MS);
    diary.struck.push({ what: 'a long doubt', at: time.clock.now() });
    const [paid] = diary.paid.slice(charged);
    if (paid) refundByTelegram(world, (each) => each === paid);
    await time.sleep(HEARD_MS);
    // Some buy again before it comes back.
    if (random.chance(0.3)) await payAtOnce(world, payer, BUY);
    platform.manners = manners;
    await acting;
  },
};
