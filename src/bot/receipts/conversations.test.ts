// /receipt and /find without anything behind them: what is asked, and what each answer leads to.
import { expect, test } from 'vitest';

import { holdConversation, type Heard } from '../../../test/harness/bot-prompts.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { createFindConversation } from './find-conversation.ts';
import { createReceiptConversation, parseReceiptId } from './receipt-conversation.ts';

const CANCEL = ['button-cancel -> prompts:n:cancel'];
const LEFT = [
  ['tap', undefined],
  ['edit 900', 'cancel-done'],
];

async function hold(what: 'receipt' | 'find', hears: readonly Heard[], isBroken = false) {
  const asked: unknown[] = [];
  const show = (_ctx: object, of: unknown) =>
    isBroken ? Promise.reject(new Error('no disk')) : soon(() => void asked.push(of));
  const entry = what === 'find' ? createFindConversation(show) : createReceiptConversation(show);
  return { ...(await holdConversation(entry, { hears })), asked };
}

const ASK = ['reply', 'receipt-ask', CANCEL];
const AGAIN = ['reply', 'receipt-ask-number', CANCEL];

test.each<[hears: Heard[], said: unknown[], asked: unknown[], end: string]>([
  [[], [ASK], [], 'waiting'],
  [[{ text: '#7' }], [ASK], [7], 'over'],
  [[{ text: 'the last' }, {}, { text: '8' }], [ASK, AGAIN, AGAIN], [8], 'over'],
  [[{ choice: 'cancel' }], [ASK, ...LEFT], [], 'over'],
  [[{ text: 'x' }, { choice: 'cancel' }], [ASK, AGAIN, ...LEFT], [], 'over'],
  [[{ data: 'prompts:old:cancel' }], [ASK, ['skipped', undefined]], [], 'waiting'],
])('the number of a receipt: %j', async (hears, said, asked, end) => {
  expect(await hold('receipt', hears)).toEqual({ said, asked, end });
});

const FIND = ['reply', 'find-ask', CANCEL];
const TEXT = ['reply', 'find-need-text'];

test.each<[hears: Heard[], said: unknown[], asked: unknown[], end: string]>([
  [[], [FIND], [], 'waiting'],
  [[{ text: 'ann' }], [FIND], ['ann'], 'over'],
  [[{}, { text: ' ' }, { text: 'ann' }], [FIND, TEXT, TEXT], ['ann'], 'over'],
  [[{ choice: 'cancel' }], [FIND, ...LEFT], [], 'over'],
])('what is looked for: %j', async (hears, said, asked, end) => {
  expect(await hold('find', hears)).toEqual({ said, asked, end });
});

test.each([
  ['receipt', ASK],
  ['find', FIND],
] as const)('a fault of /%s is said', async (what, ask) => {
  const answer = await hold(what, [{ text: '7' }], true);
  expect(answer).toEqual({ said: [ask, ['reply', 'error-conversation']], asked: [], end: 'over' });
});

test.each([
  ['1234', 1234],
  [' #12 ', 12],
  ['№ 5', 5],
  ['/receipt_5', 5],
  ['Receipt 5', 5],
  ['123456789012345', 123_456_789_012_345],
  ['1234567890123456', undefined],
  ['12a', undefined],
  ['', undefined],
])('%j names the receipt %s', (text, id) => expect(parseReceiptId(text)).toBe(id));
