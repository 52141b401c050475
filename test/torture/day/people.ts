// The people of a shop, who ask and order all day: each order is a button that is pressed, each question a message.
// What became of either is looked up at the end of the day (judging.ts); here they wait for a while, and go on with
// something else.
import type { BotApi } from '../../telegram/telegram.ts';
import type { SeenMessage, User } from '../../telegram/types.ts';
import { makeCode } from '../../harness/core.ts';
import type { Seeded } from '../../harness/seeded.ts';

export type OrderKind = 'redeem' | 'add' | 'undo' | 'extract' | 'role';

/** A pressed button. */
export interface Order {
  kind: OrderKind;
  user: User;
  /** The message under which it stood, with its words as they were. */
  messageId: number;
  asked: string;
  updateId: number;
  /** What the bot answered to the tap, if it said anything there. */
  answer: string | undefined;
}

interface Question {
  user: User;
  text: string;
  updateId: number;
  /** Whether this is an answer to it. */
  fits(message: SeenMessage): boolean;
  /** It was answered while they waited: its message may have changed since. */
  isAnswered: boolean;
}

interface Diary {
  orders: Order[];
  questions: Question[];
  /** Charges that Telegram took. */
  paid: { user: User; chargeId: string; updateId: number }[];
}

interface People {
  operator: User;
  admin: User;
  support: User;
  owner: User;
}

export interface Day {
  api: BotApi;
  seeded: Seeded;
  people: People;
  /** Whose role the owner changes. */
  spare: User;
  diary: Diary;
  /** How long they wait for an answer until they go on with something else. */
  waitMs: number;
}

const LOOK_MS = 20;
let players = 0;
let numbers = 0;

/** Everybody does one thing; resolves when they have seen what became of it, or have waited long enough. */
export async function doOneThing(day: Day): Promise<void> {
  await Promise.all([operate(day), administrate(day), support(day), own(day)]);
}

async function operate(day: Day): Promise<void> {
  const { operator } = day.people;
  const playerId = String(5_170_000_000 + (players += 1));
  const asked = await ask(day, operator, `/redeem ${playerId} 60`, withButton(/^Redeem( again)?$/));
  if (asked) await order(day, operator, 'redeem', asked, /^Redeem( again)?$/);
}

async function administrate(day: Day): Promise<void> {
  const { admin } = day.people;
  switch (day.seeded.weigh({ add: 5, undo: 2, extract: 3, export: 2, statistics: 1, threshold: 2 })) {
    case 'add':
      return void (await add(day));
    case 'undo': {
      const added = await add(day);
      if (added) await order(day, admin, 'undo', added, 'Undo');
      return;
    }
    case 'extract': {
      const asked = await ask(day, admin, '/extract_codes 325', withButton('Take out 1'));
      if (!asked) return;
      // Two amounts of one confirmation, side by side: one of them is taken out.
      const amounts = ['Take out 1', 'Take out 10'].filter((label) => withButton(label)(asked));
      await Promise.all(amounts.map((label) => order(day, admin, 'extract', asked, label)));
      return;
    }
    case 'export':
      return question(
        day,
        admin,
        '/export 7',
        ({ document, text }) => document !== undefined || /no receipts/.test(text),
      );
    case 'statistics':
      return question(
        day,
        admin,
        '/stats 7',
        ({ photo, text }) => photo !== undefined || /last 7 days/.test(text),
      );
    case 'threshold': {
      const threshold = 1_000 + (numbers += 1);
      return question(day, admin, `/settings 60 ${threshold}`, ({ text }) =>
        text.replaceAll(',', '').includes(`fewer than ${threshold} `),
      );
    }
  }
}

/** The message that tells what was added, with its Undo. */
async function add(day: Day): Promise<SeenMessage | undefined> {
  const { admin } = day.people;
  const codes = Array.from({ length: 3 }, () => makeCode()).join(' ');
  const asked = await ask(day, admin, `/add_codes 325 ${codes}`, withButton(/^(Add 3|Drop them)/));
  // Another import may be open still: it is told, and nothing is added beside it.
  if (!asked || !withButton(/^Add 3/)(asked)) return undefined;
  await order(day, admin, 'add', asked, /^Add 3/);
  return read(day.api, admin).find((message) => message.id === asked.id && withButton('Undo')(message));
}

async function support(day: Day): Promise<void> {
  const number = 100_000 + (numbers += 1);
  await question(day, day.people.support, `/receipt ${number}`, ({ text }) => text.includes(` ${number} `));
}

async function own(day: Day): Promise<void> {
  const { owner } = day.people;
  if (day.seeded.chance(0.3)) return pay(day, owner);
  const role = day.seeded.pick(['operator', 'support']);
  const asked = await ask(day, owner, `/members ${day.spare.id} ${role}`, withButton(`Make ${role}`));
  if (asked) await order(day, owner, 'role', asked, `Make ${role}`);
}

/** Asks for an invoice and pays it. */
export async function pay(day: Day, payer: User): Promise<void> {
  const asked = await ask(day, payer, '/buy_activations 1', ({ invoice }) => invoice !== undefined);
  if (!asked) return;
  const paid = await day.api.pay(payer, asked);
  if (!('chargeId' in paid)) return;
  day.diary.paid.push({ user: payer, chargeId: paid.chargeId, updateId: paid.updateId ?? 0 });
}

export const read = (api: BotApi, user: User) =>
  api.messages(user).filter((message) => message.byBot && !message.deleted);

const withButton = (label: string | RegExp) => (message: SeenMessage) =>
  findButton(message, label) !== undefined;

function findButton({ buttons }: SeenMessage, label: string | RegExp) {
  return buttons.find(({ text }) => (typeof label === 'string' ? text === label : label.test(text)));
}

async function question(day: Day, user: User, text: string, fits: Question['fits']): Promise<void> {
  await ask(day, user, text, fits);
}

/** Says something; the newest message of the bot's after it that fits, undefined where it did not come in time. */
async function ask(
  { api, diary, waitMs }: Day,
  user: User,
  text: string,
  fits: Question['fits'],
): Promise<SeenMessage | undefined> {
  const { updateId, message } = api.send(user, user, text);
  const isAnswer = (each: SeenMessage) => each.id > message.id && fits(each);
  const asked: Question = { user, text, updateId: updateId ?? 0, fits: isAnswer, isAnswered: false };
  diary.questions.push(asked);
  const answer = await waitFor(waitMs, () => read(api, user).findLast(isAnswer));
  asked.isAnswered = answer !== undefined;
  return answer;
}

async function order(
  { api, diary, waitMs }: Day,
  user: User,
  kind: OrderKind,
  asked: SeenMessage,
  label: string | RegExp,
): Promise<void> {
  const data = findButton(asked, label)?.callback_data ?? '';
  const pressed = api.press(user, asked, { data });
  const updateId = api.updates().at(-1)?.update_id ?? 0;
  const made: Order = { kind, user, messageId: asked.id, asked: asked.text, updateId, answer: undefined };
  diary.orders.push(made);
  void pressed.then((answer) => (made.answer = answer?.text));
  await waitFor(waitMs, () => made.answer !== undefined || stateOfOrder(api, made) !== 'asked' || undefined);
}

/** What stands in the pressed message: what stood there, or what became of it, or that it goes on. */
export function stateOfOrder(api: BotApi, { user, messageId, asked }: Order): 'asked' | 'changed' {
  const message = read(api, user).find(({ id }) => id === messageId);
  return message === undefined || message.text !== asked ? 'changed' : 'asked';
}

async function waitFor<T>(ms: number, look: () => T | undefined): Promise<T | undefined> {
  for (const until = performance.now() + ms; performance.now() < until;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return undefined;
}
