// What the inspector covers, and what it leaves to be learned from.
import { expect, test } from 'vitest';

import { redactAnswer, redactCall, redactUpdate } from './redaction.ts';

const typed = (text: string) =>
  (redactUpdate({ update_id: 7, message: { message_id: 1, text } }) as { message: { text: string } }).message
    .text;

test.each([
  ['a pasted code', '60SCANARY0000001', '…000001'],
  ['codes under their heading', '60 UC:\n60SCANARY0000001\nCANARYOFLETTERS', '60 UC:\n…000001\n…ETTERS'],
  ['a code with dashes', 'ABCD-EF12-GH34', '…2-GH34'],
  ['a code of digits alone', '123456789012345', '…012345'],
  ['an invitation', '/start join_canaryTokenOfSomebody', '/start join_••••••'],
])('what a person writes: %s', (_, text, shown) => {
  expect(typed(text)).toBe(shown);
});

test.each(['5170925571 60', '/buy_activations 1', '/receipt_123456', 'Where is my receipt?'])(
  'a person wrote %s, and it stays',
  (text) => expect(typed(text)).toBe(text),
);

test('what the bot hides from the eye, what a button copies and what a field calls a secret is covered whole', () => {
  const call = {
    chat_id: 1,
    text: 'Login: <tg-spoiler>shop@accounts.invalid</tg-spoiler>\nPassword: <tg-spoiler>a&lt;b\nc</tg-spoiler> /receipt_15',
    reply_markup: { inline_keyboard: [[{ text: 'Copy password', copy_text: { text: 'a<b' } }]] },
    provider_token: 'canary',
  };
  expect(redactCall(call)).toEqual({
    chat_id: 1,
    text: 'Login: <tg-spoiler>••••••</tg-spoiler>\nPassword: <tg-spoiler>••••••</tg-spoiler> /receipt_15',
    reply_markup: { inline_keyboard: [[{ text: 'Copy password', copy_text: { text: '••••••' } }]] },
    provider_token: '••••••',
  });
});

test('a message that comes back, as an answer or with a button, is named and not repeated', () => {
  const message = { message_id: 4, chat: { id: 1 }, text: 'Password: canary' };
  expect(redactAnswer(message)).toEqual({ message_id: 4 });
  const update = { update_id: 8, callback_query: { id: '9', data: 'redeem:again:15', message } };
  expect(redactUpdate(update)).toEqual({
    update_id: 8,
    callback_query: { id: '9', data: 'redeem:again:15', message: { message_id: 4, chat: { id: 1 } } },
  });
});
