// An update is over when what it says is with Telegram, or kept to be said: a kill in between would make it silence.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../test/harness/bot-app.ts';
import { personOf, type Person } from '../../test/harness/bot.ts';
import { makeCode } from '../../test/harness/core.ts';
import { holdAnswersOf, type HeldAnswers } from '../../test/harness/held-answers.ts';
import type { Role } from '../core/index.ts';
import { createStore } from '../store/index.ts';

/** Who writes what, and presses what on the answers; the answer to the last step is held back. */
const STEPS: [who: Role | 'host' | 'stranger', written: string, ...pressed: (string | RegExp)[]][] = [
  ['stranger', '/start'],
  ['stranger', '/stock'],
  ['stranger', 'hello'],
  ['admin', '/start'],
  ['admin', '/help'],
  ['admin', 'hello'],
  ['admin', '/nothing'],
  ['admin', '/cancel'],
  ['admin', '/stock'],
  ['admin', '/quota'],
  ['admin', '/history'],
  ['admin', '/history', /Next/],
  ['admin', '/find 5170925570'],
  ['admin', '/find'],
  ['admin', '/find nobody at all'],
  ['admin', '/receipt'],
  ['admin', '/receipt_1'],
  ['admin', '/receipt_1', 'For the customer'],
  ['admin', '/receipt_999'],
  ['admin', '/settings'],
  ['admin', '/settings', 'Русский'],
  ['admin', '/settings', 'Low stock'],
  ['admin', '/settings', 'Time zone'],
  ['admin', '/settings', 'Notices'],
  ['admin', '/settings Asia/Nowhere'],
  ['admin', '/members'],
  ['admin', '/invite'],
  ['admin', '/invite', 'Operator'],
  ['admin', '/invite operator'],
  ['admin', '/buy_activations'],
  ['admin', '/buy_activations', /1000/],
  ['admin', '/buy_activations 1'],
  ['admin', '/buy_activations x'],
  ['admin', '/subscribe'],
  ['admin', '/paysupport'],
  ['admin', '/terms'],
  ['admin', '/stats'],
  ['admin', '/stats x'],
  ['admin', '/export'],
  ['admin', '/export x'],
  ['admin', '/extract_codes'],
  ['admin', '/extract_codes 60 2'],
  ['admin', '/extract_codes 60 2', 'Cancel'],
  ['admin', '/batches'],
  ['admin', '/batches', /Next/],
  ['admin', '/add_codes'],
  ['admin', '/add_codes 60', 'Cancel'],
  ['admin', '/add_codes 60', 'Done'],
  ['admin', '/redeem'],
  ['admin', '/redeem', 'Cancel'],
  ['admin', '/redeem 5170925570 60'],
  ['admin', '/redeem 5170925570 60', 'Cancel'],
  ['admin', '5170925570 60'],
  ['admin', '5170925570'],
  ['admin', '4045170925570'],
  ['support', '/redeem'],
  ['support', '/export'],
  ['admin', '/members', 'Next ›'],
  ['admin', '/members', /admin/],
  ['admin', '/members', 'Invite somebody'],
  ['admin', '/batches', 'Undo batch 6'],
  ['admin', '/stock', 'Add codes'],
  ['admin', '/redeem', 'Game 1'],
  ['admin', '60S1234567890123'],
  ['owner', '/api_key'],
  ['owner', '/api_key', 'New key'],
  ['host', '/accounts'],
  ['host', '/accounts', 'New account'],
  ['host', '/accounts 1'],
  ['host', '/accounts 1', 'Grant days'],
  ['host', '/accounts 1', 'Grant days', '30 days'],
  ['host', '/accounts 1', 'Payments'],
  ['host', '/payments'],
  ['host', '/payments nobody'],
  ['host', '/health'],
  ['host', '/grant 1 30'],
  ['host', '/grant x'],
  ['host', '/refund x'],
  ['host', '/refund'],
  ['host', '/grant'],
  ['host', '/grant 1'],
  ['host', '/grant nobody 5'],
  ['host', '/accounts nobody at all'],
  ['host', '/payments 1'],
  ['admin', '/start join_nothing'],
  ['admin', '/start receipt_1'],
  ['admin', '/start buy_1'],
  ['admin', '/history x'],
  ['admin', '/history 99'],
  ['admin', '/history yesterday'],
  ['admin', '/receipt x'],
  ['admin', '/invite x'],
  ['admin', '/members @nobody'],
  ['admin', '/members @nobody operator'],
  ['admin', '/settings x'],
  ['admin', '/settings 61 5'],
  ['admin', '/extract_codes 60'],
  ['admin', '/extract_codes 61 1'],
  ['admin', '/extract_codes 60 999'],
  ['admin', '/redeem 12'],
  ['admin', '/redeem 5170925570 325'],
  ['admin', '/redeem 4045170925570 60'],
  ['admin', '/stock nothing'],
  ['admin', '/batches x'],
  ['admin', '/export 367'],
  ['admin', '/stats 30'],
  ['owner', '/webhooks'],
  ['owner', '/members'],
];

const FIRST_HOST = 900_001;
let nextHost = FIRST_HOST;
let t: TestBot;
let held: HeldAnswers;
let file: Database.Database;
beforeAll(async () => {
  t = await startTestBot({
    api: { flood: 'none' },
    bot: { hostIds: Array.from({ length: STEPS.length + 1 }, (_, row) => FIRST_HOST + row) },
    prepare: (api) => void (held = holdAnswersOf(api)),
  });
  file = new Database(t.app().databasePath, { readonly: true });
  const { core } = t.app();
  const { owner } = t.actors;
  const order = () => ({ gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
  await Promise.all(Array.from({ length: 12 }, () => core.redeem(owner, order())));
  for (let n = 0; n < 6; n += 1)
    await core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
});
afterAll(async () => {
  file.close();
  await t.stop();
});

/** A person for each row: a chat's updates wait for each other. Each owner has an account of their own. */
async function bringPeople(steps: typeof STEPS): Promise<Person[]> {
  const people = steps.map(([who]) =>
    t.api.createUser({
      first_name: who,
      language_code: 'en',
      ...(who === 'host' && { id: (nextHost += 1) }),
    }),
  );
  const accountIds = await Promise.all(steps.map(([who]) => findAccount(who)));
  const store = createStore({ path: t.app().databasePath, exclusive: false });
  await store.write(({ members }) => {
    for (const [row, [role]] of steps.entries()) {
      const { id: telegramId, first_name: name } = people[row]!;
      const member = { telegramId, accountId: accountIds[row]!, name, username: null, now: 0 };
      if (role !== 'host' && role !== 'stranger') members.insert({ ...member, role });
    }
  });
  await store.close();
  return people.map((user) => personOf(t.api, user));
}

async function findAccount(who: string): Promise<number> {
  if (who !== 'owner') return t.accountId;
  return (await t.app().core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Another', days: 30 }))
    .accountId;
}

async function step(person: Person, what: string | RegExp, isFirst: boolean): Promise<void> {
  if (isFirst) person.says(String(what));
  else await person.presses(what);
}

const said = (person: Person) =>
  person.all().length + person.all().reduce((sum, { edits }) => sum + edits, 0);

/** All steps but the last, each after the answer to the one before. */
async function goBefore(person: Person, steps: (string | RegExp)[]): Promise<void> {
  for (const [at, what] of steps.entries()) {
    const before = said(person);
    await step(person, what, at === 0);
    await t.api.waitFor(() => said(person) > before, 5_000, `an answer to ${String(what)}`);
  }
}

test.each([0, 1, 2])('whatever is written or pressed: %i', async (part) => {
  const rows = STEPS.filter((_, row) => row % 3 === part);
  const people = await bringPeople(rows);
  await Promise.all(people.map((person, row) => goBefore(person, rows[row]!.slice(1, -1))));
  const witness = personOf(t.api, t.people.operator);
  held.hold(witness.user.id);
  const pressing = people.map((person, row) => {
    const steps = rows[row]!;
    return step(person, steps.at(-1)!, steps.length === 2);
  });
  const silent = () => rows.filter((_, row) => !held.chats().includes(people[row]!.user.id));
  await expect.poll(silent).toEqual([]);
  witness.looksAway();
  witness.says('/help');
  await witness.sees('Every day');
  const updateOf = new Map(t.api.updates().map((update) => [chatOf(update), update.update_id]));
  const isKept = (userId: number) =>
    file.prepare('select 1 from tasks where queue_key = ? and run_at is not null').get(`chat:${userId}`) !==
      undefined ||
    file.prepare('select state from inbox where update_id = ?').pluck().get(updateOf.get(userId)) ===
      'waiting';
  expect(rows.filter((_, row) => !isKept(people[row]!.user.id))).toEqual([]);
  held.release();
  await Promise.all(pressing);
});

function chatOf(update: object): number {
  const { message, callback_query } = update as Record<string, { from: { id: number } } | undefined>;
  return (message ?? callback_query)?.from.id ?? 0;
}
