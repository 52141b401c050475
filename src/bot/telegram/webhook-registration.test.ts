// Webhooks that Telegram does not take: said once, tried again ever more seldom, and never the end of the bot.
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { createTexts } from '../texts.ts';
import { createWebhookRegistration, type WebhookRegistration } from './webhook-registration.ts';

const WEBHOOK = { url: 'https://shop.example:444/a-path-that-is-secret', secret: 'of-the-webhook' };
const [HOST, OTHER] = [1, 2];

let answers: (Error | undefined)[];
let rows: OutgoingRow[];
let logged: string[];
let listening: WebhookRegistration;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [answers, rows, logged] = [[], [], []];
  listening = open();
});
afterEach(async () => {
  await listening.stop();
  vi.useRealTimers();
});

function open(): WebhookRegistration {
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const setWebhook = () => {
    const answer = answers.shift();
    return answer ? Promise.reject(answer) : Promise.resolve(true as const);
  };
  const outbox = {
    save(messages: readonly OutgoingRow[]) {
      rows.push(...messages.filter(({ key }) => !rows.some((row) => row.key === key)));
      return Promise.resolve();
    },
  };
  return createWebhookRegistration({
    api: { setWebhook, deleteWebhook: () => Promise.resolve(true) },
    allowed: ['message'],
    log: { info: note, warn: note, error: note },
    store: fake({ outbox, preferences: { find: () => undefined } }),
    settings: fake({ hostIds: [HOST, OTHER] }),
    texts: createTexts(TEST_GAMES),
  });
}

function refuse(description: string, code = 400): GrammyError {
  return new GrammyError('refused', { ok: false, error_code: code, description }, 'setWebhook', {});
}

const PORT = 'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443';

test('a refusal is one line in the log and one message a host, tried again ever more seldom until it is taken', async () => {
  answers = [refuse(PORT), refuse(PORT), refuse('Bad Gateway', 502), refuse(PORT)];
  await listening.begin(WEBHOOK);
  for (const [ms, left] of [
    [30_000, 2],
    [60_000, 1],
    [120_000, 0],
  ] as const) {
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(answers).toHaveLength(left + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(left);
  }
  await vi.advanceTimersByTimeAsync(240_000 - 1);
  expect(logged.join()).not.toMatch(/has taken the webhook/);
  await vi.advanceTimersByTimeAsync(1);
  expect(logged.at(-1)).toMatch(/has taken the webhook/);
  const errors = logged.filter((line) => line.startsWith('Telegram refuses the webhook'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('shop.example:444');
  expect(errors[0]).toContain('only on ports 80');
  expect(rows.map(({ chatId }) => chatId)).toEqual([HOST, OTHER]);
  expect(rows[0]?.content).toMatch(/shop\.example:444.*only on ports/);
  expect(logged.join() + rows.map(({ content }) => content).join()).not.toMatch(/a-path|of-the-webhook/);
});

test('the next start tells the hosts nothing that they were told', async () => {
  answers = [refuse(PORT)];
  await listening.begin(WEBHOOK);
  await listening.stop();
  answers = [refuse(PORT)];
  listening = open();
  await listening.begin(WEBHOOK);
  expect(rows).toHaveLength(2);
});

test('what is no refusal is for whoever waits out an outage', async () => {
  answers = [refuse('Unauthorized', 401)];
  await expect(listening.begin(WEBHOOK)).rejects.toThrow('Unauthorized');
  expect([rows, vi.getTimerCount()]).toEqual([[], 0]);
});

test('a stop ends the pause, and nothing is tried after it', async () => {
  answers = [refuse(PORT), refuse(PORT)];
  await listening.begin(WEBHOOK);
  expect(vi.getTimerCount()).toBe(1);
  await listening.stop();
  expect([vi.getTimerCount(), answers.length]).toEqual([0, 1]);
});
