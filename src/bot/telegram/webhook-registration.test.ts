// Webhooks that Telegram does not take: said once, tried again ever more seldom, and never the end of the bot.
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { BotStore, OutgoingRow } from '../../store/bot-store.ts';
import { createTexts } from '../texts.ts';
import { createListening, type Listening } from './webhook-registration.ts';

const WEBHOOK = { url: 'https://shop.example:444/a-path-that-is-secret', secret: 'of-the-webhook' };
const [HOST, OTHER] = [1, 2];

let answers: (Error | undefined)[];
let waited: number[];
let goOn: (() => void)[];
let rows: OutgoingRow[];
let logged: string[];
let listening: Listening;
let interrupted: number;

beforeEach(() => {
  [answers, waited, goOn, rows, logged] = [[], [], [], [], []];
  interrupted = 0;
  listening = open();
});
afterEach(() => listening.stop());

function open(): Listening {
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const setWebhook = () => {
    const answer = answers.shift();
    return answer ? Promise.reject(answer) : Promise.resolve(true as const);
  };
  const outbox = {
    keep(messages: readonly OutgoingRow[]) {
      rows.push(...messages.filter(({ key }) => !rows.some((row) => row.key === key)));
      return Promise.resolve();
    },
  };
  return createListening({
    api: { setWebhook, deleteWebhook: () => Promise.resolve(true) },
    allowed: ['message'],
    log: { info: note, warn: note, error: note },
    keeping: { outbox, preferences: { find: () => undefined } } as unknown as BotStore,
    settings: { hostIds: [HOST, OTHER] } as never,
    texts: createTexts(TEST_GAMES),
    wait: (ms, signal) => {
      waited.push(ms);
      return new Promise((resolve, reject) => {
        goOn.push(() => resolve(undefined));
        const interrupt = () => {
          interrupted += 1;
          reject(new Error('stopped'));
        };
        signal.addEventListener('abort', () => setImmediate(interrupt));
      });
    },
  });
}

function refuse(description: string, code = 400): GrammyError {
  return new GrammyError('refused', { ok: false, error_code: code, description }, 'setWebhook', {});
}

const PORT = 'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443';

test('a refusal is one line in the log and one message a host, tried again ever more seldom until it is taken', async () => {
  answers = [refuse(PORT), refuse(PORT), refuse('Bad Gateway', 502), refuse(PORT)];
  await listening.begin(WEBHOOK);
  for (let tried = 1; tried <= 4; tried += 1) {
    await expect.poll(() => waited.length).toBe(tried);
    goOn.at(-1)?.();
  }
  await expect.poll(() => logged.at(-1)).toMatch(/has taken the webhook/);
  expect(waited).toEqual([30_000, 60_000, 120_000, 240_000]);
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
  expect([rows, waited]).toEqual([[], []]);
});

test('a stop waits for the try that is under way', async () => {
  answers = [refuse(PORT)];
  await listening.begin(WEBHOOK);
  expect([waited, interrupted]).toEqual([[30_000], 0]);
  await listening.stop();
  expect(interrupted).toBe(1);
});
