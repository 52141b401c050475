// What /webhooks shows, word by word: the list, and an address with how its last messages went.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Delivery, Webhook } from '../../core/index.ts';
import { WEBHOOK_PROBLEMS } from '../../core/accounts/webhook-problems.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { createTexts, type Language } from '../texts.ts';
import { showWebhook, showWebhooks, formatWebhookUrl } from './webhooks-cards.ts';

const texts = createTexts(TEST_GAMES);
const AT = Date.UTC(2026, 10, 21, 7, 36);
const ON: Webhook = {
  id: 3,
  url: 'https://shop.example/hooks',
  events: ['redemption.settled', 'stock.low'],
  createdAt: AT,
};
const FAILING: Webhook = { ...ON, id: 4, url: 'https://other.example/', failingSince: AT };
const OFF: Webhook = { ...FAILING, id: 5, disabledAt: AT + 60_000 };
const SENT: Delivery = {
  id: 1,
  messageId: 'msg_000000000001',
  type: 'stock.low',
  createdAt: AT,
  state: 'waiting',
  attempts: 0,
};

async function show(
  work: (deps: BotDeps, ctx: BotContext) => Promise<void>,
  deliveries: Delivery[] = [],
  language: Language = 'en',
) {
  const said: { text: string[]; buttons: (string | undefined)[][] }[] = [];
  const actor = { kind: 'member', accountId: 1, telegramId: 9, role: 'owner' };
  const ctx: BotContext = fake({
    actor,
    language,
    chat: { id: 9, type: 'private' },
    say: (key: string, values?: object) => texts.say(language, key, values as never),
    label: (key: string, values?: object) => texts.label(language, key, values as never),
    reply: (html: string, { reply_markup: markup }: { reply_markup: { inline_keyboard: object[][] } }) => {
      const buttons = (markup.inline_keyboard as { text: string; callback_data: string }[][])
        .filter((row) => row.length > 0)
        .map((row) => row.map(({ text, callback_data: data }) => `${text} → ${data}`));
      said.push({ text: html.replace(/<[^>]*>|[\u2066-\u2069]/g, '').split('\n'), buttons });
      return Promise.resolve();
    },
  });
  const core = {
    webhooks: { list: () => [ON, FAILING, OFF], listDeliveries: () => deliveries },
    accounts: { timeZoneOf: () => 'UTC' },
  };
  await work(fake({ core }), ctx);
  return said[0];
}

test('the list says how each address does', async () => {
  expect(await show((deps, ctx) => showWebhooks(deps, ctx, 'reply'))).toEqual({
    text: [
      'Webhooks: your programs are told at these addresses.',
      '1. https://shop.example/hooks — ✅ on',
      '2. https://other.example/ — ⚠️ failing',
      '3. https://other.example/ — ⛔ switched off',
    ],
    buttons: [
      ['1. shop.example → hook:show:3'],
      ['2. other.example → hook:show:4'],
      ['3. other.example → hook:show:5'],
      ['Add an address → hook:new'],
    ],
  });
});

test.each([
  [3, ['✅ On'], 'Send a test → hook:test:3'],
  [
    4,
    [
      '⚠️ Nothing has gone through since 21 Nov 2026, 07:36 UTC. I try again at growing distances, and switch it off after three days.',
    ],
    'Send a test → hook:test:4',
  ],
  [
    5,
    [
      '⛔ Switched off since 21 Nov 2026, 07:37 UTC: it took nothing for three days. Put your program right, then switch it on again.',
    ],
    'Switch on again → hook:on:5',
  ],
])('address %i with its state, what it is told of, and what can be done', async (id, state, first) => {
  const shown = await show((deps, ctx) => showWebhook(deps, ctx, id, 'reply'));
  expect(shown?.text.slice(1)).toEqual([
    ...state,
    'Told of: redemption is final, stock is low',
    '',
    'Nothing has been sent in the last seven days.',
  ]);
  expect(shown?.buttons).toEqual([
    [first, `Refresh → hook:show:${id}`],
    [`Remove → hook:remove:${id}`],
    ['‹ Back → hook:list'],
  ]);
});

test('each message says how it went, and when it is tried next', async () => {
  const problem = 'It answered 500.';
  const shown = await show(
    (deps, ctx) => showWebhook(deps, ctx, 3, 'reply'),
    [
      SENT,
      { ...SENT, attempts: 1, status: 500, problem, nextAttemptAt: AT + 60_000 },
      { ...SENT, attempts: 1, state: 'delivered', status: 204 },
      { ...SENT, attempts: 9, state: 'failed', status: 500, problem },
    ],
  );
  expect(shown?.text.slice(4)).toEqual([
    'Last messages:',
    '21 Nov, 07:36 · stock is low — ⏳ on its way',
    '21 Nov, 07:36 · stock is low — ⏳ It answered 500. Next try 21 Nov, 07:37',
    '21 Nov, 07:36 · stock is low — ✅ taken (204)',
    '21 Nov, 07:36 · stock is low — ❌ It answered 500. Not tried any more',
  ]);
});

test('why one failed is worded in the language of the reader, and shown as it is kept where nobody knows it', async () => {
  const problems: [kept: string, shown: string][] = [
    ['It answered 500.', 'Ответ 500.'],
    ['It answered 301, and redirects are not followed.', 'Ответ 301, а перенаправления не поддерживаются.'],
    ['It did not answer within 10 s.', 'Нет ответа за 10 с.'],
    ['The connection failed (EX<b>).', 'Соединиться не удалось (EX&lt;b&gt;).'],
    ['The host has an address that is not public.', 'У сервера непубличный IP-адрес.'],
    ['Something else.', 'Something else.'],
  ];
  const deliveries = problems.map(([problem]) => ({ ...SENT, state: 'failed' as const, problem }));
  const shown = await show((deps, ctx) => showWebhook(deps, ctx, 3, 'reply'), deliveries, 'ru');
  expect(shown?.text.slice(5).map((line) => line.split('❌ ')[1])).toEqual(
    problems.map(([, words]) => `${words} Попыток больше не будет`),
  );
  const keys = WEBHOOK_PROBLEMS.map((problem) =>
    problem.replace(/[A-Z]/g, (each) => `-${each.toLowerCase()}`),
  );
  for (const key of keys) expect(texts.label('ru', `hook-problem-${key}`, { detail: 'x' })).toMatch(/[а-я]/);
});

test('one that is gone shows the list', async () => {
  const shown = await show((deps, ctx) => showWebhook(deps, ctx, 99, 'reply'));
  expect(shown?.text[0]).toBe('Webhooks: your programs are told at these addresses.');
});

test('of an address 200 characters are shown', () => {
  const url = (length: number) => ({ url: 'x'.repeat(length) });
  expect(formatWebhookUrl(url(200))).toBe('x'.repeat(200));
  expect(formatWebhookUrl(url(201))).toBe(`${'x'.repeat(200)}…`);
});
