// The address of a new webhook: asked for until one is taken, and left by its button.
import { expect, test } from 'vitest';

import { holdConversation, type Heard } from '../../../test/harness/bot-prompts.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { createWebhookConversation } from './webhooks-conversation.ts';

const ASK = ['reply', 'hook-ask-url', ['button-cancel -> prompts:n:cancel']];

test.each<[what: string, hears: Heard[], asked: string[], said: unknown[], end: string]>([
  ['one that is taken', [{ text: ' https://a ' }], ['https://a'], [], 'over'],
  [
    'what is no address first',
    [{ text: 'no' }, {}, { text: 'https://a' }],
    ['no', '', 'https://a'],
    [],
    'over',
  ],
  ['what is no address alone', [{ text: 'no' }], ['no'], [], 'waiting'],
  [
    'none',
    [{ choice: 'cancel' }],
    [],
    [
      ['tap', undefined],
      ['edit 900', 'cancel-done'],
    ],
    'over',
  ],
  ['one that cannot be looked at', [{ text: 'fault' }], [], [['reply', 'error-conversation']], 'over'],
])('%s', async (_what, hears, asked, said, end) => {
  const given: string[] = [];
  const entry = createWebhookConversation((_ctx, url) =>
    soon(() => {
      if (url === 'fault') throw new Error('no disk');
      given.push(url);
      return url.startsWith('https:');
    }),
  );
  expect([await holdConversation(entry, { hears }), given]).toEqual([{ said: [ASK, ...said], end }, asked]);
});

test('whoever was removed meanwhile is told so', async () => {
  const entry = createWebhookConversation(() => Promise.resolve(true));
  const { said, end } = await holdConversation(entry, {
    hears: [{ text: 'https://a' }],
    fields: { actor: undefined },
  });
  expect([said, end]).toEqual([[ASK, ['reply', 'refusal-stranger']], 'over']);
});
