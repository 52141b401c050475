// Whatever the service has heard: every order is carried out and told, or told that it was not; every question has an
// answer; every tap is answered. Who has blocked the bot hears nothing.
import type { Order, Question } from '../run/diary.ts';
import type { World } from '../run/world.ts';

/** Of an order. */
const BUTTON_LIVES_MS = 24 * 60 * 60_000;

const PASTED = /\d+S[A-Za-z0-9]{8,}|document/;

const COUNTED_TOGETHER = /(?:Collected|Read|Собрано|Прочитано): (?:[2-9]|\d\d)/;

const REFUSED =
  /nothing|too old|Something went wrong|already used|not a member of an account|no longer a member|may not do this|activations are used up|Активации закончились/i;
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

export const everyOrderIsToldOrRefused = (world: World): string[] =>
  listUntold(world)
    .filter((order) => !isToldBeside(world, order))
    .map(describe);

/** What a stop takes along. */
export const everyOldButtonIsToldOrRefused = (world: World): string[] =>
  listUntold(world)
    .filter((order) => isToldBeside(world, order))
    .map(describe);

const listUntold = (world: World): Order[] =>
  world.diary.taps.filter((order) => order.kind !== 'look' && isHeard(world, order) && !isTold(world, order));

/** That a button is too old is told beside it. */
const isToldBeside = (world: World, order: Order): boolean =>
  order.kind === 'walk' || isOfADayBefore(world, order);

const describe = ({ kind, user, messageId, updateId }: Order): string =>
  `the order to ${kind} of ${user.first_name} (message ${messageId}, update ${updateId}) was heard, and nothing told of it`;

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
export const everyQuestionIsAnswered = (world: World): string[] =>
  listUnanswered(world, ({ text }) => !PASTED.test(text));

/** A list that nobody goes on with is dropped after two days. */
export const everyPasteIsAnswered = (world: World): string[] =>
  listUnanswered(world, ({ text }) => PASTED.test(text));

function listUnanswered(world: World, isMeant: (question: Question) => boolean): string[] {
  const { diary, said } = world;
  return diary.questions.filter(isMeant).flatMap((question) => {
    const { user, text, updateId, isAnswered, at } = question;
    if (isAnswered || !isHeard(world, question)) return [];
    const since = (each: { at: number }) => each.at >= at;
    const asked = diary.questions.filter((each) => each.user === user && since(each) && isHeard(world, each));
    const words = said.today.filter((each) => each.chatId === user.id && since(each));
    if (words.length >= asked.length) return [];
    // What is cancelled before it was looked at is answered by that.
    if (words.length > 0 && asked.some((each) => each.text === CANCEL && each.at > at)) return [];
    // Where nothing could be said for hours, what was pasted after it was counted with it.
    if (PASTED.test(text) && words.some((each) => COUNTED_TOGETHER.test(each.text))) return [];
    const told = `${words.length} times was something said since, after ${asked.length} questions`;
    return [`${user.first_name}'s ${text} (update ${updateId}) was heard, and not answered: ${told}`];
  });
}

export function everyTapIsAnswered(world: World): string[] {
  const { diary, telegram } = world;
  return diary.taps.flatMap((tap) => {
    if (!isHeard(world, tap) || telegram.isTapAnswered(tap.queryId)) return [];
    return [`the tap of ${tap.user.first_name} (update ${tap.updateId}) was not answered`];
  });
}

/** What a tap was to be told and Telegram did not take is said in the chat. */
export function whatATapIsNotToldIsSaid({ diary, telegram, said }: World): string[] {
  return diary.taps.flatMap(({ user, queryId, updateId }) => {
    const alert = telegram.alerts.get(queryId);
    if (!alert || alert.isTaken || diary.isAway(user)) return [];
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

const isHeard = ({ telegram, diary }: World, { user, updateId }: Pick<Order, 'user' | 'updateId'>): boolean =>
  telegram.isHeard(updateId) && !diary.isAway(user);
