// What waits to be said: in order, until Telegram takes it, and no chat holds up another. What Telegram refuses is told
// by chats/forms.txt.
import Database from 'better-sqlite3';
import type { User } from 'grammy/types';
import { afterEach, expect, test } from 'vitest';

import { FAULTS, type Fault } from '../../../test/telegram/faults.ts';
import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { systemClock } from '../../clock.ts';
import { createBotStore, type OutgoingRow } from '../../store/bot-store.ts';
import type { Store } from '../../store/index.ts';
import { toOutgoingRow } from '../outgoing.ts';

let t: Stage;
let beside: Store;
let owner: User;
let admin: User;
let seen: Map<number, number>;

/** Telegram counts by the time that passes. */
async function open(options: StageOptions = {}): Promise<void> {
  t = await openStage({ floodClock: systemClock, ...options, api: { floodClock: systemClock } });
  beside = t.beside();
  ({ owner, admin } = t.people);
  seen = new Map([owner, admin].map((one) => [one.id, t.api.messages(one).length]));
}
afterEach(async () => {
  await beside.close();
  await t.stop();
});

let kept = 0;
const row = ({ id }: User, html: string): OutgoingRow => toOutgoingRow(`row:${(kept += 1)}`, id, { html });
const notice = ({ id }: User, kind: string, html: string): OutgoingRow => ({
  ...toOutgoingRow(`notice:${kind}:${(kept += 1)}:${id}`, id, { html }),
  kind: 'notice',
});
const put = (...rows: OutgoingRow[]) => createBotStore(beside, () => Date.now()).outbox.save(rows);
/** What the bot has said in this chat since it was opened. */
const said = (user: User) =>
  t.api
    .messages(user)
    .slice(seen.get(user.id))
    .flatMap(({ byBot, text }) => (byBot ? [text.split('\n')[0]] : []));
const meets = (user: User, fault: Fault, times = 1) =>
  t.api.faults.next(
    ({ method, params }) => method === 'sendMessage' && Number(params.text('chat_id')) === user.id,
    fault,
    times,
  );

test('what an earlier process left goes before anything new in its chat', async () => {
  await open();
  await t.restart(async () => {
    await put(row(owner, 'left by the one before'));
    meets(owner, FAULTS.restart);
    t.api.send(owner, owner, '/quota');
  });
  await t.quiet();
  expect(said(owner)).toEqual(['left by the one before', 'Daily quota']);
});

test('a chat that Telegram closes waits as long as it is asked to, in order, the bot types there, and nobody else waits', async () => {
  await open();
  const flood = meets(owner, { kind: 'flood', retryAfter: 245 }, Infinity);
  await put(row(owner, 'one'), row(admin, 'beside'));
  t.api.send(owner, owner, '/quota');
  await t.pass(10_000);
  flood.cancel();
  await put(row(owner, 'two'), row(admin, 'later'));
  await t.pass(225_000);
  expect([said(owner), said(admin)]).toEqual([[], ['beside', 'later']]);
  await t.pass(15_000);
  expect(said(owner)).toEqual(['one', 'Daily quota', 'two']);
  const typed = t.api.calls('sendChatAction').map(({ payload }) => payload['chat_id']);
  expect([new Set(typed), typed.length > 40]).toEqual([new Set([owner.id]), true]);
});

test('what hangs in ten chats holds up no other, and is said when it can be', async () => {
  await open();
  const crowd = Array.from({ length: 10 }, (_, n) => t.api.createUser({ first_name: `P${n}` }));
  for (const person of crowd) t.api.send(person, person, '/help');
  await t.quiet();
  for (const person of crowd) meets(person, FAULTS.hang);
  await put(...crowd.map((person) => row(person, 'hangs')), row(owner, 'free'));
  await t.pass(3_000);
  expect(said(owner)).toEqual(['free']);
  await t.quiet();
  for (const person of crowd) expect(t.api.messages(person).at(-1)?.text).toBe('hangs');
});

test('an outage is repeated until it is over, first things first, and words of an update are said once', async () => {
  await open();
  t.api.faults.next('sendMessage', FAULTS.restart, 3);
  // No chat's: the token is wrong for now.
  t.api.faults.next('sendMessage', { kind: 'error', code: 404, description: 'Not Found' }, 2);
  await put(row(owner, 'one'));
  t.api.send(owner, owner, '/quota');
  await t.pass(1_000);
  await put(row(owner, 'two'));
  t.api.redeliver(t.api.updates().at(-1)!.update_id);
  await t.quiet();
  expect(said(owner)).toEqual(['one', 'Daily quota', 'two']);
});

test('notices of one kind are one message, as far as it holds them, each once; they come after what is not one', async () => {
  await open();
  await t.restart(() =>
    put(
      ...Array.from({ length: 45 }, (_, n) => notice(owner, 'webhookOff', `off ${n}`)),
      notice(owner, 'webhookOff', 'off 1'),
      notice(owner, 'stockLow', 'low'),
      ...[0, 1, 2, 3].map((n) => notice(admin, 'webhookOff', `${n}`.repeat(1_500))),
      ...[owner, admin].map((each) => row(each, 'ordered')),
    ),
  );
  await t.quiet();
  const texts = (user: User) =>
    t.api
      .messages(user)
      .slice(seen.get(user.id))
      .map(({ text }) => text);
  const all = Array.from({ length: 45 }, (_, n) => `off ${n}`).join('\n\n');
  expect(texts(owner)).toEqual(['ordered', all, 'low']);
  expect(texts(admin).map((text) => text.length)).toEqual([7, 3_002, 3_002]);
});

test('what cannot be said for a week is given up; a calendar that jumps gives up nothing', async () => {
  let [jumped, passed] = [0, 0];
  const elapsed = () => systemClock.elapsed() + passed;
  await open({ clock: { now: () => systemClock.now() + jumped + passed, elapsed } });
  const DAY_MS = 24 * 60 * 60 * 1_000;
  const outage = t.api.faults.next('sendMessage', FAULTS.restart, Infinity);
  await put(row(owner, 'one'));
  await t.pass(5_000);
  jumped = 30 * DAY_MS;
  await t.pass(120_000);
  await put(row(admin, 'another'));
  passed = 7 * DAY_MS - 240_000;
  await t.pass(100_000);
  outage.cancel();
  await t.pass(70_000);
  expect(said(owner)).toEqual(['one']);
  const again = t.api.faults.next('sendMessage', FAULTS.restart, Infinity);
  await put(row(owner, 'two'));
  await t.pass(5_000);
  passed += 7 * DAY_MS;
  await t.pass(120_000);
  again.cancel();
  await t.pass(120_000);
  expect(said(owner)).toEqual(['one', expect.stringContaining('I cannot show it')]);
});

test('words that Telegram did not take in a topic are said in that topic', async () => {
  await open();
  const forum = t.api.createGroup({ title: 'Shop', members: [owner], type: 'supergroup', hearsAll: true });
  t.api.faults.next('sendMessage', FAULTS.restart);
  t.api.send(owner, forum, '/quota', { topic: 5 });
  await t.quiet();
  const calls = t.api.calls('sendMessage').filter(({ payload }) => payload['chat_id'] === forum.id);
  expect(calls.map(({ payload }) => payload['message_thread_id'])).toEqual([5]);
});

test('of words nothing is kept once they are said, or cannot be', async () => {
  await open();
  for (const words of ['/quota', '/help', '/stock']) t.api.send(owner, owner, words);
  await t.quiet();
  meets(admin, FAULTS.blocked);
  t.api.send(admin, admin, '/terms');
  await t.quiet();
  const file = new Database(t.app().databasePath, { readonly: true });
  const lengths = "select distinct length(payload_secret) from tasks where task = 'answer'";
  expect(file.prepare(lengths).all()).toHaveLength(1);
  file.close();
});

test('where the topic is there no more they are said without it', async () => {
  await open();
  const forum = t.api.createGroup({ title: 'Shop', members: [owner], type: 'supergroup', hearsAll: true });
  const gone = { kind: 'error', code: 400, description: 'Bad Request: message thread not found' } as const;
  t.api.faults.next(({ params }) => params.text('message_thread_id') === '5', gone, 2);
  t.api.send(owner, forum, '/quota', { topic: 5 });
  await t.quiet();
  const calls = t.api.calls('sendMessage').filter(({ payload }) => payload['chat_id'] === forum.id);
  expect(calls.map(({ payload }) => payload['message_thread_id'])).toEqual([undefined]);
});
