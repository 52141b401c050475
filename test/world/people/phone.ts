// The phone of a person: what they write, press and see in their private chat with the bot, noted in the diary.
import type { PersonMessage } from '../../telegram/people.ts';
import type { Button, ChatRef, SeenMessage, TapAnswer, User } from '../../telegram/types.ts';
import type { Diary, Order, Question } from '../run/diary.ts';
import type { Telegram } from '../machine/telegram.ts';
import type { Time } from '../machine/time.ts';
import type { Self } from './index.ts';

type Fits = (message: SeenMessage) => boolean;

export interface Phone {
  user: User;
  /**
   * Writes; resolves with the newest message of the bot's after it that fits, undefined where none came in time, or
   * another.
   */
  ask(content: PersonMessage, fits: Fits, withinMs?: number): Promise<SeenMessage | undefined>;
  /** Writes and waits for nothing. */
  say(content: PersonMessage, chat?: ChatRef): void;
  /** A paste of any length, as a client cuts it. */
  paste(text: string): void;
  /**
   * Presses a button; resolves when something came of it, or not in time. `orders`: it is an order, to be carried out
   * and told.
   */
  press(message: SeenMessage, label: Label, orders?: Ordering): Promise<SeenMessage | undefined>;
  /** The newest message that fits, now or within the time. */
  sees(fits: Fits, withinMs?: number): Promise<SeenMessage | undefined>;
  /** The bot's newest messages as they stand, the last one last. */
  newest(count?: number): SeenMessage[];
}

export type Label = string | RegExp;

/** The button that is the order, also where the same was just redeemed. */
export const REDEEM = /^Redeem( again)?$/;
/** The same for several players. */
export const REDEEM_ALL = /^Redeem all( again)?$/;

interface Ordering {
  kind: string;
}

const PATIENCE_MS = 25_000;
/**
 * Whose tap is answered, and who is told something else than what they asked for, waits no longer than this for more.
 */
const AFTER_ANSWER_MS = 4_000;
const LOOKED_AT = 4;
const BUTTONS_KEPT = 20;
const SLIPS_EVERY = 5;

export function createPhone(
  user: User,
  { telegram, time, diary }: { telegram: Telegram; time: Time; diary: Diary },
): Phone {
  const { api } = telegram;
  let ordered = 0;
  const newest = (count = LOOKED_AT) =>
    api.messages(user, count).filter((message) => message.byBot && !message.deleted);

  function waitFor<T>(look: () => T | undefined, withinMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const finish = (found: T | undefined) => {
        isOver = true;
        clearTimeout(timer);
        unwatch();
        resolve(found);
      };
      let isOver = false;
      const timer = setTimeout(finish, withinMs, undefined);
      const unwatch = telegram.watchChat(user.id, () => {
        const found = isOver ? undefined : look();
        if (found !== undefined) finish(found);
      });
      const found = look();
      if (found !== undefined) finish(found);
    });
  }

  const sees = (fits: Fits, withinMs = PATIENCE_MS) => waitFor(() => newest().findLast(fits), withinMs);

  return {
    user,
    newest,
    sees,
    say(content, chat = user) {
      const { updateId } = api.send(user, chat, content);
      diary.note(`${user.first_name} says ${word(content)} (update ${updateId ?? 'none'})`);
    },
    paste(text) {
      api.sendLong(user, user, text);
      diary.note(`${user.first_name} pastes ${text.length} characters`);
    },
    async ask(content, fits, withinMs = PATIENCE_MS) {
      const { updateId = 0, message } = api.send(user, user, content);
      diary.note(`${user.first_name} asks ${word(content)} (update ${updateId})`);
      const isAnswer = (each: SeenMessage) => each.id > message.id && fits(each);
      const question: Question = {
        user,
        text: word(content),
        updateId,
        messageId: message.id,
        at: time.clock.now(),
        isAnswered: false,
      };
      diary.questions.push(question);
      const answered = waitFor(() => newest().findLast(isAnswer), withinMs);
      const another = waitFor(() => newest().findLast(({ id }) => id > message.id), withinMs);
      const givenUp = another.then(() => time.sleep(AFTER_ANSWER_MS)).then(() => undefined);
      const answer = await Promise.race([answered, givenUp]);
      if (answer) question.isAnswered = true;
      return answer;
    },
    async press(message, label, orders) {
      const button = findButton(message, label);
      if (button?.callback_data === undefined) return undefined;
      const pressed = api.press(user, message, { data: button.callback_data });
      const update = api.updates().at(-1);
      const updateId = update?.update_id ?? 0;
      // A finger that slips: an order is an order, however often its button was pressed.
      ordered += orders ? 1 : 0;
      if (orders && ordered % SLIPS_EVERY === 0)
        void api.press(user, message, { data: button.callback_data });
      diary.note(`${user.first_name} presses ${button.text} under ${message.id} (update ${updateId})`);
      const order: Order = {
        kind: orders?.kind ?? 'look',
        user,
        messageId: message.id,
        asked: message.text,
        data: button.callback_data,
        label: button.text,
        updateId,
        queryId: (update?.callback_query as { id: string } | undefined)?.id ?? '',
        answer: undefined,
        at: time.clock.now(),
      };
      diary.taps.push(order);
      if (button.callback_data.startsWith('bad:go:')) diary.wentOn.push({ userId: user.id, at: order.at });
      if (button.callback_data.startsWith('try-again:')) diary.triedAgain.add(user.id);
      if (orders) diary.buttons.push(button.callback_data);
      if (orders) diary.onOrder();
      if (diary.buttons.length > BUTTONS_KEPT) diary.buttons.shift();
      const answered = pressed.then((answer: TapAnswer | undefined) => (order.answer = answer?.text));
      const changed = waitFor(() => {
        const now = newest().filter((each) => each.id >= message.id);
        return now.findLast(
          (each) => each.id > message.id || each.text !== message.text || each.edits !== message.edits,
        );
      }, PATIENCE_MS);
      return Promise.race([changed, answered.then(() => time.sleep(AFTER_ANSWER_MS)).then(() => undefined)]);
    },
  };
}

export function findButton({ buttons }: SeenMessage, label: Label): Button | undefined {
  return buttons.find(({ text }) => (typeof label === 'string' ? text === label : label.test(text)));
}

export const hasButton = (label: Label) => (message: SeenMessage) => findButton(message, label) !== undefined;

/** Of the question whether codes are to be taken out. */
export const TAKE_OUT = /^Take out \d+$/;

export const says = (pattern: RegExp) => (message: SeenMessage) => pattern.test(message.text);

function word(content: PersonMessage): string {
  const text =
    typeof content === 'string'
      ? content
      : JSON.stringify(content, (key, value: unknown) => (key === 'bytes' ? '…' : value));
  return JSON.stringify(text.slice(0, 80));
}

// One thing at a time of those that one person cannot do two of at once: whose answers, or whose next messages, would
// be taken for those of the other. Where a fault has people act twice, the second is left out.

const busy = new WeakSet<Self['phone']>();

export async function alone(phone: Self['phone'], work: () => Promise<unknown>): Promise<void> {
  if (busy.has(phone)) return;
  busy.add(phone);
  try {
    await work();
  } finally {
    busy.delete(phone);
  }
}
