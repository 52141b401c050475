// What Telegram does now and then: answers that are none, floods, calls that hang or are carried out unheard, an outage
// of minutes or of more than a day, updates that come again, and people who block the bot.
import { FAULTS } from '../../telegram/faults.ts';
import type { Params } from '../../telegram/params.ts';
import { selvesOf, type Self } from '../people/index.ts';
import { seedOf } from '../run/seeds.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';
import type { Diary } from '../run/diary.ts';

const WAYS = [
  FAULTS.badGateway,
  FAULTS.gatewayTimeoutAfter,
  FAULTS.unavailable,
  FAULTS.restart,
  FAULTS.halfOfJson,
  FAULTS.cut,
  FAULTS.cutAfter,
  FAULTS.hang,
  FAULTS.shortFlood,
  FAULTS.longFlood,
];
const MINUTE_MS = 60_000;
/** Updates expire after a day. */
const TOLD_FOR_MS = 20 * 60 * MINUTE_MS;

/** Some calls fail for a while, each in one of two ways. */
export const failingCalls: Fault = {
  name: 'failing calls',
  weight: 6,
  async happen(world, random) {
    const { telegram, time, diary } = world;
    const share = random.pick([0.05, 0.3, 0.8]);
    const ways = [random.pick(WAYS), random.pick(WAYS)];
    diary.note(`Telegram: ${share} of calls meet ${ways.map((way) => JSON.stringify(way)).join(' or ')}`);
    const orders = ways.map((way) => telegram.api.faults.next(() => random.chance(share / 2), way, Infinity));
    const askers = ['operator', 'support'].map((kind) => random.pick(selvesOf(world, kind)));
    await Promise.all([time.sleep(12_000), ...askers.map((self) => self && askInOrder(world, self))]);
    for (const order of orders) order.cancel();
  },
};

/** Of a hundred. */
const DISLIKED_FOR_GOOD = 3;
const forGood = new WeakMap<object, { cancel(): void }>();

/** Telegram refuses a form of words: a keyboard that it does not like, or the message that is to be edited is gone. */
export const refusals: Fault = {
  name: 'refusals',
  weight: 4,
  async happen({ telegram, time, diary }, random) {
    const { faults } = telegram.api;
    const share = random.pick([0.2, 0.6]);
    // The same words are refused again.
    const dislike = random.below(1_000);
    const isDisliked = (text = '') => seedOf(dislike, text) % 100 < share * 50;
    const isGone = ({ method, params }: { method: string; params: Params }) => {
      if (method !== 'editMessageText' || !random.chance(share)) return false;
      diary.gone.add(`${params.text('chat_id')}:${params.text('message_id')}`);
      return true;
    };
    // A few of them for good: only plainer words get through.
    forGood.get(faults)?.cancel();
    forGood.set(
      faults,
      faults.next(
        ({ method, params }) =>
          /^(sendMessage|editMessageText)$/.test(method) &&
          params.json('reply_markup') !== undefined &&
          seedOf(dislike, params.text('text') ?? '') % 100 < DISLIKED_FOR_GOOD,
        FAULTS.refused,
        Infinity,
      ),
    );
    const orders = [
      faults.next(
        ({ method, params }) =>
          /^(sendMessage|editMessageText)$/.test(method) &&
          params.json('reply_markup') !== undefined &&
          isDisliked(params.text('text')),
        FAULTS.refused,
        Infinity,
      ),
      faults.next(isGone, FAULTS.messageGone, Infinity),
    ];
    await time.sleep(12_000);
    for (const order of orders) order.cancel();
  },
};

/** Nothing gets through, for minutes or a day: what it was told of first is forgotten by then. */
export const outage: Fault = {
  name: 'outage',
  weight: 3,
  of: 'night',
  async happen({ telegram, time, diary }, random) {
    const ms = random.pick([2, 10, 10, 60, 26 * 60]) * MINUTE_MS;
    diary.note(`Telegram cannot be reached for ${ms / MINUTE_MS} minutes`);
    telegram.api.down = true;
    await time.sleep(8_000);
    time.skip(ms);
    await time.sleep(8_000);
    telegram.api.down = false;
  },
};

/** Of seconds: more than a timer takes. */
const LONGER_THAN_TIMERS = 10_000_000;
const MOST_ASKED = 20;

/** Whoever asks for updates is to come back after months: they are asked for again after an hour, and not at once. */
export const longPause: Fault = {
  name: 'a long pause',
  weight: 1,
  of: 'night',
  async happen({ telegram, time, diary }) {
    const flood = { kind: 'flood', retryAfter: LONGER_THAN_TIMERS } as const;
    const order = telegram.api.faults.next('getUpdates', flood, Infinity);
    await time.sleep(20_000);
    order.cancel();
    diary.note(`Telegram asked for a pause of ${LONGER_THAN_TIMERS} s, ${order.met()} times`);
    if (order.met() > MOST_ASKED)
      diary.amissBeside.push(
        `updates were asked for ${order.met()} times in 20 s while a long pause was asked for`,
      );
    time.suspend(60 * MINUTE_MS);
    await time.sleep(8_000);
  },
};

/**
 * Somebody pays, and Telegram goes away for more than a day before it could say so: only its list knows of the payment
 * then.
 */
export const paidIntoTheNight: Fault = {
  name: 'paid into the night',
  weight: 2,
  of: 'night',
  async happen(world, random) {
    const { telegram, time, diary, people } = world;
    const payers = people.filter(({ kind }) => kind === 'payer');
    const payer = random.pick(payers);
    if (!payer) return;
    const charged = diary.paid.length;
    const { onCall } = telegram;
    telegram.onCall = (moment, method) => {
      if (moment === 'after' && method === 'answerPreCheckoutQuery') telegram.api.down = true;
      else onCall(moment, method);
    };
    await payer.act(world);
    telegram.onCall = onCall;
    diary.note(`Telegram goes away after ${diary.paid.length - charged} payments`);
    time.skip(26 * 60 * MINUTE_MS);
    await time.sleep(5_000);
    telegram.api.down = false;
    for (const paid of diary.paid.slice(charged)) paid.isHeardToday = false;
  },
};

/** Updates that were told already are told again. */
export const again: Fault = {
  name: 'again',
  weight: 3,
  async happen(world, random) {
    const { telegram, time, diary } = world;
    for (let count = 0; count < 6; count += 1) {
      const update = random.pick(telegram.api.updates().slice(-12));
      if (random.chance(0.2)) tellOfPaymentsAgain(world);
      if (update) telegram.api.redeliver(update.update_id);
      if (update) diary.note(`update ${update.update_id} is delivered again`);
      await time.sleep(1_500);
    }
  },
};

/** Whatever was paid in the last hours is told once more. */
export function tellOfPaymentsAgain({ telegram, diary, time }: World): void {
  for (const { updateId, at } of diary.paid)
    if (telegram.isHeard(updateId) && time.clock.now() - at < TOLD_FOR_MS) {
      telegram.api.redeliver(updateId);
      diary.note(`the payment of update ${updateId} is told again`);
    }
}

export const slowness: Fault = {
  name: 'slowness',
  weight: 2,
  async happen({ telegram, time }, random) {
    telegram.slownessMs = random.pick([1_000, 4_000, 12_000]);
    await time.sleep(15_000);
    telegram.slownessMs = 0;
  },
};

/** Somebody blocks the bot, and comes back in a while. */
export const blocking: Fault = {
  name: 'blocking',
  weight: 1,
  async happen({ telegram, time, diary, members }, random) {
    const id = random.pick([...members.keys()]);
    if (id === undefined) return;
    const user = { id, is_bot: false, first_name: '' };
    diary.goAway(user);
    telegram.api.block(user);
    diary.note(`${id} blocks the bot`);
    await time.sleep(12_000);
    telegram.api.block(user, false);
  },
};

// Somebody asks two things, one right after the other, while Telegram fails: whatever is said late, it is said in their
// order.

/** Nobody else asks for these, and neither is ever said unasked. */
const FIRST = /^<b>(?:Terms|Условия)<\/b>/;
const SECOND = /^<b>(?:Questions about a payment|Вопросы об оплате)<\/b>/;
const BETWEEN_MS = 3_000;

async function askInOrder(
  { time, diary }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  // Who has asked today may hear of it late.
  if (diary.inOrder.some(({ chatId }) => chatId === phone.user.id)) return;
  const pair: Diary['inOrder'][number] = { chatId: phone.user.id, first: FIRST, second: SECOND };
  diary.inOrder.push(pair);
  phone.say('/terms');
  await time.sleep(100 + random.below(BETWEEN_MS));
  phone.say('/paysupport');
}
