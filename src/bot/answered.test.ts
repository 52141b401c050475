// An update is over when what it says is with Telegram, or kept to be said: a kill in between would make it silence.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { personOf, type Person } from '../../test/harness/bot.ts';
import { makeCode } from '../../test/harness/core.ts';
import { FAULTS, type FaultyCall } from '../../test/telegram/faults.ts';
import { openStage, type Stage } from '../../test/world/play/stage.ts';
import type { Role } from '../core/index.ts';

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
let t: Stage;
let file: Database.Database;
beforeAll(async () => {
  t = await openStage({
    api: { flood: 'none' },
    bot: { hostIds: Array.from({ length: STEPS.length + 1 }, (_, row) => FIRST_HOST + row) },
  });
  file = new Database(t.app().databasePath, { readonly: true });
  const { core } = t.app();
  const { owner } = t.actors;
  const order = () => ({ gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
  for (let n = 0; n < 12; n += 1) await core.redeem(owner, order());
  for (let n = 0; n < 6; n += 1)
    await core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
});
afterAll(async () => {
  file.close();
  await t.stop();
});

/** A person for each row: a chat's updates wait for each other. Each owner has an account of their own. */
async function bringPeople(): Promise<Person[]> {
  const store = t.beside();
  const people: Person[] = [];
  for (const [who] of STEPS) {
    const id = who === 'host' ? { id: (nextHost += 1) } : {};
    const user = t.api.createUser({ first_name: who, language_code: 'en', ...id });
    people.push(personOf(t.api, user));
    if (who === 'host' || who === 'stranger') continue;
    const host = { kind: 'host', by: 'cli' } as const;
    const { accountId } =
      who === 'owner' ? await t.app().core.accounts.create(host, { name: 'Another', days: 30 }) : t;
    const row = { telegramId: user.id, accountId, role: who, name: who, username: null, now: 0 };
    await store.write(({ members }) => members.insert(row));
  }
  await store.close();
  return people;
}

async function step(person: Person, what: string | RegExp, isFirst: boolean): Promise<void> {
  if (isFirst) person.says(String(what));
  else await person.presses(what);
}

/** Whom a call says something to: of a tap, whose number begins with who pressed, where it is an alert. */
function saidTo({ method, params }: FaultyCall): number | undefined {
  if (/^(send(?!ChatAction)|edit)/.test(method)) return Number(params.text('chat_id'));
  const isAlert = method === 'answerCallbackQuery' && params.flag('show_alert');
  return isAlert ? Number(params.text('callback_query_id')?.slice(0, -8)) : undefined;
}

test('whatever is written or pressed', async () => {
  const people = await bringPeople();
  for (const [row, person] of people.entries())
    for (const [at, what] of STEPS[row]!.slice(1, -1).entries()) {
      await step(person, what, at === 0);
      await t.quiet();
    }
  const witness = personOf(t.api, t.people.operator);
  // From now on nothing that is said to anybody else is answered.
  const held = new Set<number>();
  t.api.faults.next(
    (call) => {
      const chatId = saidTo(call);
      if (chatId === undefined || chatId === witness.user.id) return false;
      held.add(chatId);
      return true;
    },
    FAULTS.hang,
    Infinity,
  );
  const pressing = people.map((person, row) => step(person, STEPS[row]!.at(-1)!, STEPS[row]!.length === 2));
  await t.pass(5_000);
  expect(STEPS.filter((_, row) => !held.has(people[row]!.user.id))).toEqual([]);
  witness.looksAway();
  witness.says('/help');
  await witness.sees('Every day');
  const updateOf = new Map(t.api.updates().map((update) => [chatOf(update), update.update_id]));
  const isKept = (userId: number) =>
    file.prepare('select 1 from tasks where queue_key = ? and run_at is not null').get(`chat:${userId}`) !==
      undefined ||
    file.prepare('select state from inbox where update_id = ?').pluck().get(updateOf.get(userId)) ===
      'waiting';
  expect(STEPS.filter((_, row) => !isKept(people[row]!.user.id))).toEqual([]);
  t.api.faults.clear();
  await t.pass(60_000);
  await Promise.all(pressing);
});

function chatOf(update: object): number {
  const { message, callback_query } = update as Record<string, { from: { id: number } } | undefined>;
  return (message ?? callback_query)?.from.id ?? 0;
}
