// The end of a day: what the books say was done beside what people read. Every order that was heard was carried out
// once and told, or told that it was not; nothing was done that nobody was told of; every question that was heard is
// answered.
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';

import { checkConservation } from '../../../src/store/backup/conservation.ts';
import type { BotApi } from '../../telegram/telegram.ts';
import type { SeenMessage, User } from '../../telegram/types.ts';
import type { TestBot } from '../../harness/bot-app.ts';
import { read, stateOfOrder, type Day, type Order, type OrderKind } from './people.ts';

const QUIET_WITHIN_MS = 150_000;
const LOOK_MS = 100;

/** By what the books know it, in the words and buttons of its message; undefined where that does not tell of it. */
const READ: Partial<Record<OrderKind, (message: SeenMessage) => string | undefined>> = {
  redeem: ({ text }) => /\/receipt_(\d+)/.exec(text)?.[1],
  add: ({ text }) => /^Batch (\d+)/.exec(text)?.[1],
  undo: ({ text }) => /^Batch (\d+) is undone/.exec(text)?.[1],
  extract: ({ buttons }) =>
    buttons.flatMap(({ callback_data: data = '' }) => /^extract:again:(\d+)$/.exec(data)?.[1] ?? [])[0],
};

/** Their words may have made room for a file: killed in between, it comes again. */
const FILED = ['add', 'undo', 'extract'];

/** What was done, by the books. */
const DONE: Partial<Record<OrderKind, string>> = {
  redeem: "select id from redemptions where actor like 'member:%'",
  add: "select id from batches where actor like 'member:%'",
  undo: 'select id from batches where undone_at is not null',
  extract: 'select id from extractions',
};

/** Resolves when nothing waits to be handled, said or delivered; false where that never came. */
export async function becomesQuiet(t: TestBot): Promise<boolean> {
  const file = new Database(t.app().databasePath, { readonly: true });
  const waiting = file
    .prepare(
      `select (select count(*) from inbox where state = 'waiting') + (select count(*) from tasks where run_at is not null)
        + (select count(*) from jobs where state = 'running') + (select count(*) from redemptions where state in ('pending', 'in_doubt'))`,
    )
    .pluck();
  try {
    for (let calm = 0, until = performance.now() + QUIET_WITHIN_MS; performance.now() < until;) {
      calm = waiting.get() === 0 && t.api.unconfirmed().length === 0 ? calm + 1 : 0;
      if (calm >= 5) return true;
      await pause(LOOK_MS);
    }
    return false;
  } finally {
    file.close();
  }
}

/** What is wrong; and how many payments were never told of by Telegram, so that only its list knew them. */
export function judge(t: TestBot, day: Day): { violations: string[]; paidUnheard: number } {
  const file = new Database(t.app().databasePath, { readonly: true });
  try {
    const heard = new Set(file.prepare('select update_id from inbox').pluck().all() as number[]);
    const drift = checkConservation(file).rows.map((each) => `drift: ${JSON.stringify(each)}`);
    const violations = [
      ...judgeOrders(day, heard),
      ...judgeBooks(day, file),
      ...judgeQuestions(day, heard),
      ...judgeMoney(day, file),
      ...drift,
    ];
    const unheard = day.diary.paid.filter(({ updateId }) => !heard.has(updateId));
    return { violations, paidUnheard: unheard.length };
  } finally {
    file.close();
  }
}

function judgeOrders({ api, diary }: Day, heard: ReadonlySet<number>): string[] {
  return diary.orders.flatMap((order) => {
    if (!heard.has(order.updateId)) return [];
    const isToldThere = stateOfOrder(api, order) === 'changed';
    if (isToldThere || order.answer !== undefined || isRefusedBeside(api, order)) return [];
    return [`${describe(order)} was heard, and nothing was told of it`];
  });
}

/** An alert that Telegram did not take is said in the chat. */
function isRefusedBeside(api: BotApi, { user, messageId }: Order): boolean {
  return read(api, user).some(
    ({ id, text }) =>
      id > messageId && /nothing (was|is) (done|added)|too old|already added or cancelled/i.test(text),
  );
}

/** Each of what was done is told by one order, and each that tells of something tells of what was done. */
function judgeBooks({ api, diary }: Day, file: Database.Database): string[] {
  return Object.entries(READ).flatMap(([kind, readId]) => {
    const orders = diary.orders.filter((order) => order.kind === kind);
    const places = new Set(orders.map(({ user, messageId }) => `${user.id}:${messageId}`));
    const messages = [...places].flatMap((place) => {
      const [userId, messageId] = place.split(':').map(Number);
      return read(api, { id: userId } as User).filter(({ id }) => id === messageId);
    });
    const inPlace = messages.flatMap((message) => readId(message) ?? []);
    const inFiles = FILED.includes(kind) ? orders.flatMap(({ user }) => readFiles(api, user, readId)) : [];
    const told = [...inPlace, ...new Set(inFiles.filter((id) => !inPlace.includes(id)))];
    const silent = messages.flatMap((each) => (readId(each) ? [] : [each.text.slice(0, 80)]));
    const done = (
      file
        .prepare(DONE[kind as OrderKind] ?? '')
        .pluck()
        .all() as number[]
    ).map(String);
    const untold = done.filter((id) => !told.includes(id));
    const invented = told.filter((id) => !done.includes(id));
    const twice = told.filter((id, index) => told.indexOf(id) !== index);
    return [
      ...untold.map(
        (id) => `${kind} ${id} was done, and nobody was told; there stands: ${silent.join(' / ')}`,
      ),
      ...invented.map((id) => `${kind} ${id} was told, and not done`),
      ...twice.map((id) => `${kind} ${id} is told of as two orders`),
    ];
  });
}

const readFiles = (api: BotApi, user: User, readId: (message: SeenMessage) => string | undefined) =>
  read(api, user)
    .filter(({ document }) => document !== undefined)
    .flatMap((message) => readId(message) ?? []);

function judgeQuestions({ api, diary }: Day, heard: ReadonlySet<number>): string[] {
  return diary.questions.flatMap(({ user, text, updateId, fits, isAnswered }) => {
    if (isAnswered || !heard.has(updateId) || read(api, user).some(fits)) return [];
    return [`${user.first_name}'s ${text} was heard, and not answered`];
  });
}

function judgeMoney({ api, diary }: Day, file: Database.Database): string[] {
  const booked = file.prepare('select count(*) from purchases where charge_id = ?').pluck();
  const wrong = diary.paid.flatMap(({ chargeId }) => {
    const times = booked.get(chargeId);
    return times === 1 ? [] : [`the charge ${chargeId} was booked ${String(times)} times`];
  });
  const payers = new Set(diary.paid.map(({ user }) => user));
  const untold = [...payers].flatMap((user) => {
    const thanks = read(api, user).filter(({ text }) => text.startsWith('Thank you! Paid')).length;
    const paid = diary.paid.filter((each) => each.user === user).length;
    return thanks < paid ? [`${user.first_name} paid ${paid} times and was thanked ${thanks} times`] : [];
  });
  return [...wrong, ...untold];
}

const describe = ({ kind, user, messageId, updateId }: Order) =>
  `the order to ${kind} of ${user.first_name} (message ${messageId}, update ${updateId})`;
