// What is said where the activations are used up: when the next comes back, and to whom the way to more is offered.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createTexts } from '../texts.ts';
import { replyNotBegun } from './payment-required.ts';

const texts = createTexts(TEST_GAMES);

async function tell(seconds: number, role = 'owner') {
  const said: { html: string; buttons: string[] }[] = [];
  const ctx = {
    actor: { kind: 'member', telegramId: 5, accountId: 1, role },
    say: texts.say.bind(undefined, 'en'),
    label: texts.label.bind(undefined, 'en'),
    reply: (html: string, options: { reply_markup?: { inline_keyboard: { text: string }[][] } }) => {
      const buttons = options.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
      said.push({ html, buttons });
      return Promise.resolve({});
    },
  };
  await replyNotBegun(ctx as never, { status: 'quotaExceeded', retryAfterSeconds: seconds });
  return said[0];
}

test.each([
  [1, '1 min'],
  [3_540, '59 min'],
  [3_541, '1 h 0 min'],
  [7_260, '2 h 1 min'],
  [86_400, '24 h 0 min'],
])('%i s are %s', async (seconds, time) => {
  expect((await tell(seconds))?.html).toContain(`comes back in ${time}.`);
});

test('who may pay gets the button, the others are told whom to ask', async () => {
  const [owner, operator] = [await tell(60), await tell(60, 'operator')];
  expect([owner?.buttons.length, owner?.html.includes('Ask the owner')]).toEqual([1, false]);
  expect([operator?.buttons.length, operator?.html.includes('Ask the owner')]).toEqual([0, true]);
});
