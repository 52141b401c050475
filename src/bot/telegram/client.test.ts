import { inspect } from 'node:util';
import { Bot, InputFile } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { pause } from '../../waiting.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { createBotApi, type BotApi } from '../../../test/telegram/telegram.ts';
import type { User } from '../../../test/telegram/types.ts';
import { createBotFetch } from './client.ts';
import { readTelegramError } from './telegram-errors.ts';

const TOKEN = '42:token-that-must-not-leak';
let telegram: BotApi;
let url: string;
let stopping: AbortController;
let api: Bot['api'];
let person: User;
/** What was waited for, and did not take long. */
let waits: number[];
let outcomes: string[];

beforeEach(async () => {
  telegram = createBotApi({ token: TOKEN });
  ({ url } = await telegram.listen());
  person = telegram.createUser({ first_name: 'Person' });
  telegram.send(person, person, '/start');
  stopping = new AbortController();
  waits = [];
  outcomes = [];
  api = connect();
});
afterEach(() => telegram.close());

const hastily: typeof pause = (ms, signal) => {
  if (!signal?.aborted) waits.push(ms);
  return Promise.resolve();
};

function connect(fetch?: typeof globalThis.fetch, wait = hastily): Bot['api'] {
  const botFetch = createBotFetch({
    signal: stopping.signal,
    ...(fetch && { fetch }),
    wait,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  const client = { apiRoot: url, fetch: botFetch };
  return new Bot(TOKEN, { client }).api;
}

const say = () => api.sendMessage(person.id, 'hello');
const upload = () => api.sendDocument(person.id, new InputFile(Buffer.from('codes'), 'codes.txt'));
const said = () => telegram.messages(person).filter((one) => one.byBot).length;

async function troubleOf(act: Promise<unknown>) {
  const error: unknown = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(inspect(error, { depth: 8 })).not.toContain('token-that-must-not-leak');
  return readTelegramError(error);
}

const describeBot = () => api.setMyDescription('hello');

test('a short flood is waited out, of a long one the caller hears at once how long it is', async () => {
  telegram.faults.next('setMyDescription', { kind: 'flood', retryAfter: 1 });
  await describeBot();
  const order = telegram.faults.next('setMyDescription', FAULTS.longFlood, Infinity);
  expect(await troubleOf(describeBot())).toEqual({ kind: 'flood', retryAfterMs: 40_000 });
  expect([order.met(), waits]).toEqual([1, [1_100]]);
});

test('whatever is asked for, nobody is left alone for more than an hour', async () => {
  telegram.faults.next('sendMessage', { kind: 'flood', retryAfter: 10_000_000 });
  expect(await troubleOf(say())).toEqual({ kind: 'flood', retryAfterMs: 3_600_000 });
});

test.each([FAULTS.badGateway, FAULTS.restart, FAULTS.halfOfJson, FAULTS.cut])(
  'what is said is sent once, whatever became of it: %j',
  async (fault) => {
    const orders = ['sendMessage', 'sendDocument'].map((method) =>
      telegram.faults.next(method, fault, Infinity),
    );
    for (const act of [say, upload])
      expect(await troubleOf(act())).toEqual({ kind: 'outage', mayHaveArrived: true });
    expect(orders.map((order) => order.met())).toEqual([1, 1]);
  },
);

test.each([FAULTS.badGateway, FAULTS.restart, FAULTS.halfOfJson, FAULTS.cut, FAULTS.cutAfter])(
  'what does nothing twice is done again: %j',
  async (fault) => {
    const { message_id } = await say();
    telegram.faults.next('setMyDescription', fault, 2);
    await describeBot();
    telegram.faults.next('deleteMessage', fault, 1);
    await troubleOf(api.deleteMessage(person.id, message_id));
    expect(telegram.messages(person).filter((one) => one.byBot && !one.deleted)).toEqual([]);
  },
);

test('whoever looks on hears of each attempt: answered, lost, or with a token that is not known', async () => {
  await say();
  telegram.faults.next('sendMessage', FAULTS.badGateway);
  telegram.faults.next('sendMessage', FAULTS.blocked);
  for (let time = 0; time < 2; time += 1) await troubleOf(say());
  telegram.revoked = true;
  expect(await troubleOf(say())).toEqual({ kind: 'revoked' });
  expect(outcomes).toEqual(['answered', 'lost', 'answered', 'unauthorized']);
});

test('a message whose answer cannot be read may have arrived', async () => {
  telegram.faults.next('sendMessage', FAULTS.halfOfJson);
  expect(await troubleOf(say())).toEqual({ kind: 'outage', mayHaveArrived: true });
  expect(said()).toBe(1);
});

test('what never left is sent again, and did not arrive', async () => {
  let asked = 0;
  api = connect(() => {
    asked += 1;
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return Promise.reject(new TypeError(`fetch failed for ${url}/bot${TOKEN}`, { cause }));
  });
  expect(await troubleOf(describeBot())).toEqual({ kind: 'outage', mayHaveArrived: false });
  expect(asked).toBe(4);
});

test('the page of a firewall is no word of Telegram’s', async () => {
  api = connect(() => Promise.resolve(new Response('<h1>403 Forbidden</h1>', { status: 403 })));
  expect(await troubleOf(say())).toEqual({ kind: 'outage', mayHaveArrived: true });
  const flooded = new Response('slow down', { status: 429, headers: { 'retry-after': '90' } });
  api = connect(() => Promise.resolve(flooded));
  expect(await troubleOf(say())).toEqual({ kind: 'flood', retryAfterMs: 90_000 });
});

test('refusals come as they are', async () => {
  telegram.faults.next('sendMessage', FAULTS.deactivated);
  telegram.faults.next('sendMessage', FAULTS.unauthorized);
  const parameters = { migrate_to_chat_id: -100_5 };
  telegram.faults.next('sendMessage', {
    kind: 'error',
    code: 400,
    description: 'Bad Request: moved',
    parameters,
  });
  expect([await troubleOf(say()), await troubleOf(say()), await troubleOf(say())]).toEqual([
    { kind: 'refused', code: 403, description: 'Forbidden: user is deactivated' },
    { kind: 'revoked' },
    { kind: 'refused', code: 400, description: 'Bad Request: moved', movedTo: -100_5 },
  ]);
});

test('a stop ends what hangs and what waits, and says so', async () => {
  api = connect(undefined, pause);
  telegram.faults.next('sendMessage', FAULTS.hang);
  telegram.faults.next('setMyDescription', { kind: 'flood', retryAfter: 1 });
  const troubles = [troubleOf(say()), troubleOf(describeBot())];
  // Both have come there.
  await telegram.waitFor(() => telegram.faults.ordered() === 0);
  stopping.abort();
  expect(await Promise.all(troubles)).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
});

test('an attempt without an answer in its time may have arrived', async () => {
  const timeout = () => Promise.reject(new DOMException('timed out', 'TimeoutError'));
  api = connect(timeout);
  expect(await troubleOf(say())).toEqual({ kind: 'outage', mayHaveArrived: true });
});

test('what is no call of Telegram’s is no trouble with it', () => {
  expect(readTelegramError(new Error('ours'))).toBeUndefined();
});
