// Whatever the service has heard: every order is carried out and told, or told that it was not; every question has an
// answer; every tap is answered. What a restore or a wrong calendar interrupted, and who has blocked the bot, is left
// out (diary.ts).
import type { Order } from '../run/diary.ts';
import type { World } from '../run/world.ts';

/** What was struck so soon after the tap may have been too late for it. */
const STRUCK_WITHIN_MS = 60_000;

/** Of an order. */
const BUTTON_LIVES_MS = 24 * 60 * 60_000;

/** A paste is counted a moment after it came. */
const COUNTED_WITHIN_MS = 4_000;
const PASTED = /\d+S[A-Za-z0-9]{8,}|document/;

const COUNTED_TOGETHER = /(?:Collected|Read|Собрано|Прочитано): (?:[2-9]|\d\d)/;

const REFUSED =
  /nothing|too old|Something went wrong|already used|not a member of an account|may not do this|activations are used up|Активации закончились/i;
const CANCEL = JSON.stringify('/cancel');
const RESULTS: Readonly<Record<string, RegExp>> = {
  // Whoever is asked once more, because the player has just got it, is told, too.
  redeem: /receipt|\n⚠️ /u,
  // One code of a list of one is told as any redemption.
  several: /redeemed|receipt/i,
  add: /Batch/,
  undo: /undone|taken back/,
  extract: /Extraction|taken out/,
};

export function everyOrderIsToldOrRefused(world: World): string[] {
  return world.diary.taps.flatMap((order) => {
    if (order.kind === 'look' || !isHeard(world, order) || isTold(world, order)) return [];
    // That a button is too old is told beside it, where a stop takes it along.
    if ((order.kind === 'walk' || isOfADayBefore(world, order)) && isStruck(world, order)) return [];
    return [
      `the order to ${order.kind} of ${order.user.first_name} (message ${order.messageId}, update ${order.updateId}) was heard, and nothing told of it`,
    ];
  });
}

function isTold({ telegram, said }: World, order: Order): boolean {
  const { kind, user, messageId, asked, data, answer, at } = order;
  if (answer !== undefined) return true;
  const [last] = telegram.api.messages(user, 1);
  const since = (last?.id ?? messageId) - messageId + 1;
  const message = telegram.api.messages(user, since).find(({ id }) => id === messageId);
  if (!message || message.deleted || message.text !== asked) return true;
  // What ran out and came back within a moment is asked anew, in the same words, by a button of its own.
  if (!message.buttons.some((button) => button.callback_data === data)) return true;
  // The pressed message may be gone for Telegram: then its result is a new one.
  const result = RESULTS[kind] ?? /./;
  return said.today.some(
    (words) =>
      words.chatId === user.id && words.at >= at && (REFUSED.test(words.text) || result.test(words.text)),
  );
}

/** Each question has words of its own: those that a later one brought are no answer to it. */
export function everyQuestionIsAnswered(world: World): string[] {
  const { diary, said } = world;
  return diary.questions.flatMap((question) => {
    const { user, text, updateId, isAnswered, at } = question;
    if (isAnswered || !isHeard(world, question)) return [];
    const since = (each: { at: number }) => each.at >= at;
    const asked = diary.questions.filter((each) => each.user === user && since(each) && isHeard(world, each));
    const words = said.today.filter((each) => each.chatId === user.id && since(each));
    if (words.length >= asked.length) return [];
    // What is cancelled before it was looked at is answered by that.
    if (words.length > 0 && asked.some((each) => each.text === CANCEL && each.at > at)) return [];
    // A list that nobody goes on with is dropped after two days: they may have passed before it was counted.
    if (PASTED.test(text) && isPassedOver(diary, at)) return [];
    // Where nothing could be said for hours, what was pasted after it was counted with it.
    if (PASTED.test(text) && words.some((each) => COUNTED_TOGETHER.test(each.text))) return [];
    const told = `${words.length} times was something said since, after ${asked.length} questions`;
    return [`${user.first_name}'s ${text} (update ${updateId}) was heard, and not answered: ${told}`];
  });
}

export function everyTapIsAnswered(world: World): string[] {
  const { diary, telegram } = world;
  return diary.taps.flatMap((tap) => {
    if (!isHeard(world, tap) || telegram.isTapAnswered(tap.queryId) || isStruck(world, tap)) return [];
    return [`the tap of ${tap.user.first_name} (update ${tap.updateId}) was not answered`];
  });
}

/** What a tap was to be told and Telegram did not take is said in the chat. */
export function whatATapIsNotToldIsSaid({ diary, telegram, said }: World): string[] {
  return diary.taps.flatMap(({ user, queryId, updateId }) => {
    const alert = telegram.alerts.get(queryId);
    if (!alert || alert.isTaken || alert.at <= diary.restoredAt || diary.isAway(user)) return [];
    const isSaid = said.today.some(
      ({ chatId, text }) => chatId === user.id && plain(text).includes(alert.text),
    );
    return isSaid
      ? []
      : [`the tap of ${user.first_name} (update ${updateId}) was to be told "${alert.text}"`];
  });
}

const plain = (html: string): string =>
  html.replace(/&(lt|gt|amp|quot);/g, (_, name: keyof typeof SIGNS) => SIGNS[name]);
const SIGNS = { lt: '<', gt: '>', amp: '&', quot: '"' } as const;

const isOfADayBefore = ({ telegram }: World, { user, messageId, at }: Order): boolean => {
  const [last] = telegram.api.messages(user, 1);
  const since = (last?.id ?? messageId) - messageId + 1;
  const message = telegram.api.messages(user, since).find(({ id }) => id === messageId);
  return message !== undefined && message.sentAt < at - BUTTON_LIVES_MS;
};

const isPassedOver = ({ struck }: World['diary'], asked: number): boolean =>
  struck.some(({ what, at }) => what === 'a day passes' && at >= asked && at < asked + COUNTED_WITHIN_MS);

const isStruck = ({ diary }: World, { at: pressed }: Pick<Order, 'at'>): boolean =>
  diary.struck.some(({ at }) => at > pressed - STRUCK_WITHIN_MS && at < pressed + STRUCK_WITHIN_MS);

function isHeard(
  { telegram, diary }: World,
  { user, updateId, at }: Pick<Order, 'user' | 'updateId' | 'at'>,
): boolean {
  return telegram.isHeard(updateId) && at > diary.restoredAt && !diary.isAway(user);
}
