// Words that are kept for later: as rows, with their buttons, and plain.
import { InlineKeyboard } from 'grammy';
import { expect, test } from 'vitest';

import { toOutgoing, toOutgoingRow, toPlain } from './outgoing.ts';

test('words are a row, with their buttons', () => {
  expect(toOutgoingRow('key', 5, { html: 'a' })).toEqual({ key: 'key', chatId: 5, content: '{"html":"a"}' });
  expect(toOutgoing('a')).toEqual({ html: 'a' });
  const keyboard = { inline_keyboard: [[{ text: 'b', callback_data: 'c' }]] };
  expect(toOutgoing('a', new InlineKeyboard().text('b', 'c'))).toEqual({ html: 'a', keyboard });
});

test('plain words are those of the message, whatever they look like', () => {
  expect(toPlain('<b>a</b> &lt;b&gt; &quot;c&quot; &amp;lt; <a href="x">d</a>')).toBe('a <b> "c" &lt; d');
});
