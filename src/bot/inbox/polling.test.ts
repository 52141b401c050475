import { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FAULTS } from '../../../test/telegram/faults.ts';
import { createBotApi, type BotApi } from '../../../test/telegram/telegram.ts';
import type { User } from '../../../test/telegram/types.ts';
import { createBotFetch } from '../telegram/client.ts';
import { createPolling, type Polling } from './polling.ts';

/** The machine may be busy with other tests. */
const PATIENT = { timeout: 20_000 };

const TOKEN = '42:test-token';
let telegram: BotApi;
let person: User;
let polling: Polling;
let isFull: boolean;
let heard: string[];
let pauses: number[];
let warnings: string[];
let noted: string[];

beforeEach(async () => {
  telegram = createBotApi({ token: TOKEN });
  const { url } = await telegram.listen();
  person = telegram.createUser({ first_name: 'Person' });
  isFull = false;
  [heard, pauses, warnings, noted] = [[], [], [], []];
  const ignore = () => undefined;
  const warn = (_: object, message: string) => void warnings.push(message);
  polling = createPolling({
    api: new Bot(TOKEN, {
      client: { apiRoot: url, fetch: createBotFetch({ signal: new AbortController().signal }) },
    }).api,
    inbox: {
      isFull: () => isFull,
      accept: (updates: readonly Update[]) =>
        Promise.resolve(void heard.push(...updates.map((one) => one.message?.text ?? 'other'))),
    },
    log: { info: ignore, error: ignore, warn },
    contention: {
      conflicted: () => void noted.push('conflict'),
      fetched: () => void noted.push('fetched'),
    },
    allowed: ['message'],
    async wait(ms) {
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
});
afterEach(async () => {
  await polling.stop();
  await telegram.close();
});

const says = (text: string) => telegram.send(person, person, text);
const hears = (...texts: string[]) => expect.poll(() => heard, PATIENT).toEqual(texts);

test('pages, halves of answers and broken lines cost pauses that grow, and no update', async () => {
  says('one');
  for (const fault of [FAULTS.badGateway, FAULTS.halfOfJson, FAULTS.cut, FAULTS.restart])
    telegram.faults.next('getUpdates', fault);
  telegram.faults.next('getUpdates', { kind: 'flood', retryAfter: 90 });
  polling.start();
  await hears('one');
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 90_000]);
  expect(warnings).toHaveLength(5);
  says('two');
  await hears('one', 'two');
  // What is answered costs none.
  expect(pauses).toHaveLength(5);
});

test('a token that is revoked is asked with again and again, without a line each time', async () => {
  polling.start();
  says('one');
  await hears('one');
  telegram.revoked = true;
  await expect.poll(() => pauses.at(-1), PATIENT).toBe(30_000);
  says('two');
  telegram.revoked = false;
  await hears('one', 'two');
  expect(warnings).toEqual([]);
});

test('ids that begin anywhere after a quiet week are followed', async () => {
  says('one');
  polling.start();
  await hears('one');
  // A week is quiet only after what was said before it is confirmed.
  await expect.poll(() => telegram.unconfirmed(), PATIENT).toEqual([]);
  telegram.countFrom(7);
  says('two');
  says('three');
  await hears('one', 'two', 'three');
  await expect.poll(() => telegram.unconfirmed(), PATIENT).toEqual([]);
});

test('nothing is asked for while too much waits', async () => {
  isFull = true;
  says('one');
  polling.start();
  await expect.poll(() => pauses.length, PATIENT).toBeGreaterThan(3);
  expect([heard, telegram.unconfirmed().length]).toEqual([[], 1]);
  isFull = false;
  await hears('one');
});

test('somebody else who fetches the updates is noted, and given way to for five seconds each time', async () => {
  const conflict = {
    kind: 'error',
    code: 409,
    description: 'Conflict: terminated by other getUpdates request',
  } as const;
  telegram.faults.next('getUpdates', conflict, 3);
  says('one');
  polling.start();
  await hears('one');
  expect([pauses, noted.slice(0, 4), warnings]).toEqual([
    [5_000, 5_000, 5_000],
    ['conflict', 'conflict', 'conflict', 'fetched'],
    [],
  ]);
});
