// Messages row by row: kept once a key, in a chat’s order, held until a job has ended, and forgotten when they are over and old.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const [CHAT, OTHER] = [5, 6];
let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (outbox: Tables['outbox']) => T) => t.store.read(({ outbox }) => work(outbox));
const keep = (
  key: string,
  now: number,
  more: { chatId?: number; jobId?: number; kind?: 'answer' | 'notice' } = {},
) => write(({ outbox }) => outbox.keep({ key, chatId: CHAT, content: `text of ${key}`, now, ...more }));
const next = (chatId = CHAT) => read((outbox) => outbox.findFirst(chatId)?.key);
/** Sends all that waits for a chat, and tells its keys. */
async function send(chatId = CHAT): Promise<string[]> {
  const keys: string[] = [];
  for (let first; (first = read((outbox) => outbox.findFirst(chatId))); keys.push(first.key)) {
    const { id } = first;
    await write(({ outbox }) => outbox.finish(id, 'sent'));
  }
  return keys;
}
const openJob = () =>
  write(({ accounts, jobs }) => {
    const accountId = accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
    return jobs.open({ accountId, actor: 'member:1', kind: 'add', subjectId: accountId, total: 1, now: 0 });
  });

test('in an empty outbox nothing waits', () => {
  expect(read((outbox) => [outbox.countWaiting(), outbox.listChats(), outbox.hasEnded()])).toEqual([
    0,
    [],
    false,
  ]);
  expect(read((outbox) => [outbox.waitsSince(), outbox.findFirst(CHAT)])).toEqual([undefined, undefined]);
});

test('a message is kept once a key, as it first was', async () => {
  expect([await keep('a', 10), await keep('a', 1, { chatId: OTHER })]).toEqual([true, false]);
  expect(read((outbox) => outbox.findFirst(CHAT))).toEqual({
    id: 1,
    key: 'a',
    kind: 'result',
    at: 10,
    content: 'text of a',
  });
  expect(read((outbox) => [outbox.findFirst(OTHER), outbox.countWaiting()])).toEqual([undefined, 1]);
});

test('a chat’s messages come by their moment, then as they were kept', async () => {
  for (const [key, at] of [
    ['late', 30],
    ['first', 10],
    ['second', 10],
  ] as const)
    await keep(key, at);
  await keep('other', 20, { chatId: OTHER });
  await keep('more of other', 20, { chatId: OTHER });
  expect(read((outbox) => [outbox.countWaiting(), outbox.waitsSince()])).toEqual([5, 10]);
  expect(read((outbox) => outbox.listChats().sort())).toEqual([CHAT, OTHER]);
  expect(await send()).toEqual(['first', 'second', 'late']);
  expect(read((outbox) => [outbox.countWaiting(), outbox.waitsSince(), outbox.listChats()])).toEqual([
    2,
    20,
    [OTHER],
  ]);
});

test('a message is over once, sent or dropped, and what waits no longer is said once more', async () => {
  for (const key of ['sent', 'dropped', 'waits']) await keep(key, 10);
  const finished = await write(({ outbox }) => [
    outbox.finish(1, 'sent'),
    outbox.finish(1, 'dropped'),
    outbox.finish(2, 'dropped'),
    outbox.finish(2, 'sent'),
    outbox.finish(99, 'sent'),
  ]);
  expect([finished, next()]).toEqual([[true, false, true, false, false], 'waits']);
  const repeated = await write(({ outbox }) =>
    ['sent', 'sent', 'dropped', 'waits', 'none'].map((key) => outbox.repeat(key, 40)),
  );
  expect(repeated).toEqual([true, false, true, false, false]);
  expect(read((outbox) => outbox.waitsSince())).toBe(10);
  expect(await send()).toEqual(['waits', 'sent', 'dropped']);
});

test('what tells of a job waits for its end, then for its turn from there on', async () => {
  const [job, other] = [await openJob(), await openJob()];
  await keep('of the job', 10, { jobId: job });
  await keep('of another job', 10, { jobId: other });
  await keep('of none', 20);
  const state = () => read((outbox) => [outbox.hasEnded(), outbox.countWaiting(), outbox.waitsSince()]);
  expect([state(), read((outbox) => outbox.listChats()), next()]).toEqual([
    [false, 1, 20],
    [CHAT],
    'of none',
  ]);
  expect(await write(({ outbox }) => outbox.release(25))).toBe(0);
  await write(({ jobs }) => jobs.end(job, 'done', 25));
  expect(state()).toEqual([true, 1, 20]);
  expect(await write(({ outbox }) => [outbox.release(30), outbox.release(31)])).toEqual([1, 0]);
  expect([state(), await send()]).toEqual([
    [false, 2, 20],
    ['of none', 'of the job'],
  ]);
  expect(await send()).toEqual([]);
});

test('what waits for a job that is not known any more is released, but for what is over', async () => {
  for (const key of ['a', 'b', 'dropped']) await keep(key, 10, { jobId: 77 });
  await write(({ outbox }) => outbox.finish(3, 'dropped'));
  expect(await write(({ outbox }) => [outbox.hasEnded(), outbox.release(50), outbox.hasEnded()])).toEqual([
    true,
    2,
    false,
  ]);
  expect(read((outbox) => outbox.findFirst(CHAT))).toMatchObject({ key: 'a', at: 50 });
  expect(await send()).toEqual(['a', 'b']);
});

test('what is over and of until then is forgotten, as many as were asked for', async () => {
  for (const [key, at] of [
    ['a', 10],
    ['b', 10],
    ['c', 20],
    ['waits', 10],
  ] as const)
    await keep(key, at);
  await write(({ outbox }) => [
    outbox.finish(1, 'sent'),
    outbox.finish(2, 'dropped'),
    outbox.finish(3, 'sent'),
  ]);
  const forget = (until: number, limit: number) => write(({ outbox }) => outbox.forget(until, 0, limit));
  expect([await forget(9, 9), await forget(10, 1), await forget(10, 9), await forget(19, 9)]).toEqual([
    0, 1, 1, 0,
  ]);
  expect([await forget(20, 9), next()]).toEqual([1, 'waits']);
  expect([await keep('a', 50), await keep('waits', 50)]).toEqual([true, false]);
});

test('notices come after all else, however old; of answers the newest few stay, and nothing else goes', async () => {
  for (const key of ['notice 1', 'notice 2']) await keep(key, 1, { kind: 'notice' });
  for (const key of ['answer 1', 'answer 2', 'answer 3']) await keep(key, 20, { kind: 'answer' });
  await keep('result', 10);
  await keep('of another', 10, { chatId: OTHER, kind: 'answer' });
  expect(read((outbox) => outbox.listNotices(CHAT, 9).map(({ key }) => key))).toEqual([
    'notice 1',
    'notice 2',
  ]);
  expect(await write(({ outbox }) => [outbox.dropAnswers(CHAT, 2), outbox.dropAnswers(CHAT, 2)])).toEqual([
    1, 0,
  ]);
  expect(await send()).toEqual(['result', 'answer 2', 'answer 3', 'notice 1', 'notice 2']);
  expect(await send(OTHER)).toEqual(['of another']);
});

test('what a chat is owed waits for the chat to open, and is forgotten later than the rest', async () => {
  for (const key of ['pending', 'too', 'sent']) await keep(key, 10);
  await write(({ outbox }) => [
    outbox.finish(1, 'pending'),
    outbox.finish(2, 'pending'),
    outbox.finish(3, 'sent'),
  ]);
  expect(read((outbox) => [outbox.isOwed(CHAT), outbox.isOwed(OTHER), outbox.countWaiting()])).toEqual([
    true,
    false,
    0,
  ]);
  expect(await write(({ outbox }) => outbox.forget(50, 9, 9))).toBe(1);
  expect(await write(({ outbox }) => [outbox.open(OTHER, 60), outbox.open(CHAT, 60)])).toEqual([0, 2]);
  expect(await send()).toEqual(['pending', 'too']);
  expect(read((outbox) => outbox.isOwed(CHAT))).toBe(false);
  await keep('for ever', 10);
  await write(({ outbox }) => outbox.finish(4, 'pending'));
  expect(await write(({ outbox }) => outbox.forget(50, 10, 9))).toBe(1);
});

test('one that does not open any more comes in its turn with nothing in it', async () => {
  await keep('a', 10);
  t.inspect((file) => file.exec('update outbox set message_secret = zeroblob(60)'));
  expect(read((outbox) => outbox.findFirst(CHAT))).toMatchObject({ id: 1, key: 'a', content: undefined });
});
