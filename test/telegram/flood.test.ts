import { afterEach, beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../src/clock.ts';
import { createBotApi, type BotApi } from './telegram.ts';
import type { ChatRef, User } from './types.ts';

const token = '42:test-token';
let clock: ManualClock;
let api: BotApi;
let url: string;
let user: User;

beforeEach(async () => {
  clock = createManualClock(1_750_000_000_000);
  api = createBotApi({ token, clock, floodClock: clock });
  ({ url } = await api.listen());
  user = newPerson();
});
afterEach(() => api.close());

function newPerson(): User {
  const person = api.createUser({ first_name: 'Person' });
  api.send(person, person, '/start');
  return person;
}

/** The seconds to wait, 0 when it passed; the header says the same. */
async function call(method: string, payload: object): Promise<number> {
  const answer = await fetch(`${url}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  const body = (await answer.json()) as { description?: string; parameters?: { retry_after: number } };
  if (answer.ok) return 0;
  const wait = body.parameters?.retry_after;
  expect(answer.headers.get('retry-after')).toBe(String(wait));
  expect([answer.status, body.description]).toEqual([429, `Too Many Requests: retry after ${wait}`]);
  return wait ?? -1;
}

const say = (chat: ChatRef = user) => call('sendMessage', { chat_id: chat.id, text: 'hello' });
let edits = 0;
const edit = (chat: ChatRef = user) =>
  call('editMessageText', {
    chat_id: chat.id,
    message_id: api.messages(chat).find((one) => one.byBot)?.id,
    text: `text ${(edits += 1)}`,
  });

/** Calls once a second until one is refused: how many passed, and the seconds to wait. */
async function floodWith(act: () => Promise<number>): Promise<[number, number]> {
  for (let passed = 0; passed < 100; passed += 1) {
    const wait = await act();
    if (wait > 0) return [passed, wait];
    clock.advance(1000);
  }
  return [100, 0];
}

test('twenty messages and edits a minute fit into a chat, whichever they are', async () => {
  let turn = 0;
  await say();
  expect(await floodWith(() => ((turn += 1) % 2 === 0 ? say() : edit()))).toEqual([19, 30]);
});

test('three seconds apart is a pace for ever, answers to taps and chat actions are free', async () => {
  await say();
  for (let count = 0; count < 60; count += 1) {
    clock.advance(3_001);
    expect(await edit()).toBe(0);
    expect(await call('sendChatAction', { chat_id: user.id, action: 'typing' })).toBe(0);
  }
});

test('a burst passes, but not for long', async () => {
  const waits = [];
  for (let count = 0; count < 11; count += 1) waits.push(await say());
  expect(waits).toEqual([...Array.from({ length: 10 }, () => 0), 30]);
});

test('a chat that is closed refuses messages and edits until its time is over; other chats are open', async () => {
  const other = newPerson();
  await floodWith(say);
  clock.advance(10_000);
  expect([await say(), await edit(), await say(other)]).toEqual([20, 20, 0]);
  clock.advance(20_000);
  expect([await edit(), await say()]).toEqual([0, 0]);
});

test('who does it again waits longer each time, up to 245 s, and is forgiven in the end', async () => {
  const waits = [];
  for (let count = 0; count < 5; count += 1) {
    const [, wait] = await floodWith(say);
    waits.push(wait);
    clock.advance(wait * 1000);
  }
  expect(waits).toEqual([30, 60, 120, 245, 245]);
  clock.advance(600_001);
  expect(await floodWith(say)).toEqual([20, 30]);
});

test('by the FAQ a private chat takes one a second for ever, a burst that is short, and a group its twenty', async () => {
  await api.close();
  api = createBotApi({ token, clock, floodClock: clock, flood: 'faq' });
  ({ url } = await api.listen());
  user = newPerson();
  expect(await floodWith(say)).toEqual([100, 0]);
  const waits = [];
  for (let count = 0; count < 11; count += 1) waits.push(await say());
  expect(waits.findIndex((wait) => wait > 0)).toBeGreaterThan(8);
  const group = api.createGroup({ title: 'Shop', members: [user] });
  expect(await floodWith(() => say(group))).toEqual([20, 30]);
});

test('a group has the same twenty', async () => {
  const group = api.createGroup({ title: 'Shop', members: [user] });
  expect(await floodWith(() => say(group))).toEqual([20, 30]);
});

test('the thirty-first message of a second has to wait, whatever its chat; the next second it passes', async () => {
  const people = Array.from({ length: 4 }, newPerson);
  for (let count = 0; count < 30; count += 1) expect(await say(people[count % 4])).toBe(0);
  expect(await say()).toBe(1);
  clock.advance(1000);
  expect(await say()).toBe(0);
});

test('a test may choose other limits, or none', async () => {
  for (const flood of [{ perPrivateMinute: 2, penaltySeconds: [7] }, 'none'] as const) {
    await api.close();
    api = createBotApi({ token, clock, floodClock: clock, flood });
    ({ url } = await api.listen());
    user = newPerson();
    expect(await floodWith(say)).toEqual(flood === 'none' ? [100, 0] : [2, 7]);
  }
});
