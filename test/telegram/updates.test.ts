import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../src/clock.ts';
import { createBacklog } from './backlog.ts';
import { createParams } from './params.ts';
import { createPolls } from './polls.ts';
import { createBotApi, type BotApi, type BotApiOptions } from './telegram.ts';
import type { SeenMessage, Update, User } from './types.ts';

const token = '42:test-token';
const HOUR_MS = 3_600_000;
let clock: ManualClock;
/** What was paused for, and took no time. */
let pauses: number[];
const pause = (ms: number) => new Promise<void>((resolve) => setImmediate(resolve, void pauses.push(ms)));
let api: BotApi;
let url: string;
let user: User;

beforeEach(() => open());
afterEach(() => api.close());

async function open(options: Partial<BotApiOptions> = {}): Promise<void> {
  clock = createManualClock(1_750_000_000_000);
  pauses = [];
  api = createBotApi({ token, clock, pause, ...options });
  ({ url } = await api.listen());
  user = api.createUser({ first_name: 'Owner' });
}

async function call(
  method: string,
  payload: object = {},
): Promise<{ result: unknown; description?: string }> {
  const answer = await fetch(`${url}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  return (await answer.json()) as { result: unknown; description?: string };
}

const poll = async (payload: object = {}) => (await call('getUpdates', payload)).result as Update[];
const says = (text: string) => api.send(user, user, text).updateId!;
const textOf = (update: Update) => (update['message'] as { text: string }).text;

/** A message of the bot with a button, and an invoice. */
async function showThings(): Promise<{ message: SeenMessage; invoice: SeenMessage }> {
  api.send(user, user, '/start');
  const keyboard = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
  await call('sendMessage', { chat_id: user.id, text: 'question', reply_markup: keyboard });
  const invoice = { title: 'Pack', description: 'of 10', payload: 'p', currency: 'XTR' };
  await call('sendInvoice', { chat_id: user.id, ...invoice, prices: [{ label: 'Pack', amount: 1 }] });
  const [message, paid] = api.messages(user).filter((one) => one.byBot);
  return { message: message!, invoice: paid! };
}

test('what waits is counted, and comes by the hundred at most', async () => {
  for (let n = 0; n < 102; n += 1) says(String(n));
  expect((await call('getWebhookInfo')).result).toMatchObject({ pending_update_count: 102 });
  expect((await call('getWebhookInfo')).result).not.toHaveProperty('allowed_updates');
  const lengthOf = async (payload: object) => {
    clock.advance(HOUR_MS);
    return (await poll(payload)).length;
  };
  const asked = [{}, { limit: 101 }, { limit: 2 }, { limit: 0 }];
  const lengths: number[] = [];
  for (const payload of asked) lengths.push(await lengthOf(payload));
  expect(lengths).toEqual([100, 100, 2, 1]);
  await poll({ allowed_updates: ['message'] });
  expect((await call('getWebhookInfo')).result).toMatchObject({ allowed_updates: ['message'] });
});

describe('what the bot does not take in time', () => {
  test('is gone: messages after a day, taps and checkouts after 150 seconds', async () => {
    const { message, invoice } = await showThings();
    void api.press(user, message, 'Go');
    void api.pay(user, invoice);
    clock.advance(149_000);
    expect(api.unconfirmed()).toHaveLength(3);
    clock.advance(1_000);
    expect((await poll()).map(textOf)).toEqual(['/start']);
    clock.advance(24 * HOUR_MS);
    says('later');
    expect((await poll()).map(textOf)).toEqual(['later']);
  });
});

describe('numbers of updates', () => {
  test('begin anywhere after a week without one; an offset of before is ignored then', async () => {
    const first = says('one');
    expect(await poll({ offset: first + 1 })).toEqual([]);
    clock.advance(6 * 24 * HOUR_MS);
    expect(says('two')).toBe(first + 1);
    clock.advance(7 * 24 * HOUR_MS);
    const wild = says('three');
    expect(Math.abs(wild - first)).toBeGreaterThan(10);
    expect((await poll({ offset: first + 2 })).map((one) => one.update_id)).toEqual([wild]);
    clock.advance(3_000);
    expect(await poll({ offset: wild + 1 })).toEqual([]);
  });

  test('may be lower than before: the queue is given from its head, and confirmed by the new ones', async () => {
    says('one');
    api.countFrom(7);
    expect([says('two'), says('three')]).toEqual([7, 8]);
    expect((await poll({ offset: 900 })).map(textOf)).toEqual(['one', 'two', 'three']);
    clock.advance(3_000);
    expect((await poll({ offset: 8 })).map(textOf)).toContain('three');
  });
});

describe('who polls in haste', () => {
  test('with the same offset gets one update', async () => {
    for (const text of ['one', 'two']) says(text);
    expect((await poll()).map(textOf)).toEqual(['one', 'two']);
    clock.advance(499);
    expect((await poll()).map(textOf)).toEqual(['one']);
    clock.advance(500);
    expect((await poll()).map(textOf)).toEqual(['one', 'two']);
  });

  test('with the same offset waits, though it asked for an answer at once', async () => {
    const backlog = createBacklog(clock, 1);
    const polls = createPolls(backlog, clock, pause);
    const ask = () => polls.getUpdates(createParams({}), AbortSignal.timeout(60_000));
    expect(await ask()).toEqual([]);
    const hasty = ask();
    const update = { update_id: 1, message: {} };
    backlog.add(update, false);
    polls.wake();
    expect(await hasty).toEqual([update]);
  });

  test('together with others hears of it, the second time later', async () => {
    const polls = createPolls(createBacklog(clock, 1), clock, pause);
    const [first, second] = [1, 2, 3].map((offset) =>
      polls.getUpdates(createParams({ offset, timeout: 20 }), AbortSignal.timeout(60_000)),
    );
    const conflict = 'Conflict: terminated by other getUpdates request';
    await expect(first).rejects.toThrow(conflict);
    expect(pauses).toEqual([3_000]);
    await expect(second).rejects.toThrow(conflict);
    polls.end(undefined);
  });
});

describe('a webhook', () => {
  let server: Server;
  let taken: string[];
  /** What it answers to the update of this text, one time after the other; 200 without. */
  let answers: Record<string, ([status: number, headers?: Record<string, string>] | 'later')[]>;
  let held: (() => void)[];

  beforeEach(async () => {
    [taken, answers, held] = [[], {}, []];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const [, [kind, content]] = Object.entries(JSON.parse(body) as Update) as [
          unknown,
          [string, { text?: string }],
        ];
        const name = content.text ?? kind;
        taken.push(name);
        const answer = answers[name]?.shift();
        if (answer === 'later') held.push(() => response.writeHead(200).end());
        else response.writeHead(answer?.[0] ?? 200, answer?.[1] ?? {}).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settled = () => expect.poll(() => api.unconfirmed()).toEqual([]);

  test('gets messages of one chat in order, but a tap overtakes the message before it', async () => {
    const { message } = await showThings();
    await call('setWebhook', { url: address() });
    await settled();
    answers = { one: ['later'] };
    says('one');
    says('two');
    void api.press(user, message, 'Go');
    await expect.poll(() => taken).toEqual(['/start', 'one', 'callback_query']);
    held[0]!();
    await settled();
    expect(taken.at(-1)).toBe('two');
  });

  test('gets so many at once as it asked for', async () => {
    const others = [1, 2, 3].map((number) => api.createUser({ first_name: `Person ${number}` }));
    await call('setWebhook', { url: address(), max_connections: 2 });
    answers = { a: ['later'], b: ['later'] };
    ['a', 'b', 'c'].forEach((text, at) => api.send(others[at]!, others[at]!, text));
    await expect.poll(() => held.length).toBe(2);
    expect(taken).toEqual(['a', 'b']);
    held[0]!();
    await expect.poll(() => taken).toEqual(['a', 'b', 'c']);
    held[1]!();
    await settled();
  });

  test('is asked again at once, then after pauses, and as late as it says; any 2xx is a yes', async () => {
    await call('setWebhook', { url: address() });
    answers = {
      one: [[500], [500], [500], [500]],
      two: [
        [503, { 'retry-after': '90' }],
        [429, { 'retry-after': '7200' }],
      ],
      three: [[204]],
    };
    says('one');
    await settled();
    says('two');
    await settled();
    says('three');
    await settled();
    expect(pauses).toEqual([0, 2_000, 4_000, 8_000, 90_000, 3_600_000]);
    expect(taken.at(-1)).toBe('three');
  });

  test('that says for 23 hours that it is gone is believed', async () => {
    await call('setWebhook', { url: address() });
    answers = { one: [[410]], two: [[410]] };
    says('one');
    await settled();
    clock.advance(22 * HOUR_MS);
    says('two');
    await settled();
    clock.advance(23 * HOUR_MS + 1);
    answers = { three: [[410]] };
    says('three');
    await expect.poll(async () => (await call('getWebhookInfo')).result).toMatchObject({ url: '' });
    expect(api.unconfirmed()).toHaveLength(1);
  });

  test('at api.telegram.org is on https and four ports; a server of one’s own takes all', async () => {
    const tried = async (address: string) =>
      (await call('setWebhook', { url: address })).description ?? 'taken';
    expect(await tried('http://10.0.0.1:3000/')).toBe('taken');
    await api.close();
    await open({ official: true });
    expect(await tried('http://example.org/')).toBe(
      'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
    );
    expect(await tried('https://example.org:3000/')).toBe(
      'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
    );
    expect(await tried('https://127.0.0.1:8443/')).toMatch(/IP address 127.0.0.1 is reserved/);
    expect(await tried('https://example.org:88/')).toBe('taken');
  });
});
