// Where words go: to Telegram, or into what is kept for later; and what of its refusals is forgiven, given up, or a
// fault.
import { GrammyError, HttpError, InlineKeyboard } from 'grammy';
import { expect, test } from 'vitest';

import { createPressedContext, createRecordedContext, soon } from '../../test/harness/bot-words.ts';
import { answerTap, editHtml, isGone, reply, show } from './replies.ts';

const refusal = (error_code: number, description: string) =>
  new GrammyError('refused', { ok: false, error_code, description }, 'sendMessage', {});

/** A reply channel that remembers what it was given. */
function listen(mustWait = false) {
  const heard: unknown[] = [];
  const replyChannel = {
    mustWait: () => mustWait,
    save: (chatId: number, content: object) => soon(() => void heard.push(['kept', chatId, content])),
    giveUp: () => void heard.push('given up'),
    forgive: () => void heard.push('forgiven'),
    follow: (work: () => Promise<void>) => void heard.push(work),
  };
  return { replyChannel, heard };
}

const KEYBOARD = new InlineKeyboard().text('label', 'data');
const KEPT_KEYBOARD = { inline_keyboard: [[{ text: 'label', callback_data: 'data' }]] };
const BUTTONS = ['label -> data'];

test('a reply is HTML without a preview, and its message comes back', async () => {
  const calls: unknown[] = [];
  const { ctx } = createRecordedContext({
    reply: (...given: unknown[]) => soon(() => (calls.push(given), { message_id: 900 })),
  });
  expect(await reply(ctx, 'words')).toEqual({ message_id: 900 });
  await reply(ctx, 'words', KEYBOARD);
  const options = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
  expect(calls).toEqual([
    ['words', options],
    ['words', { ...options, reply_markup: KEYBOARD }],
  ]);
});

test('words are said in the chat, or in place of those under the button', async () => {
  const { ctx, said } = createPressedContext('data');
  await show(ctx, 'one', KEYBOARD, 'reply');
  await show(ctx, 'two', KEYBOARD, 'edit');
  await editHtml(ctx, 'three', KEYBOARD, { chatId: 5, messageId: 30 });
  await editHtml(ctx, 'four');
  expect(said).toEqual([
    ['reply', 'one', BUTTONS],
    ['edit', 'two', BUTTONS],
    ['edit 30', 'three', BUTTONS],
    ['edit', 'four'],
  ]);
});

test('while the chat must wait everything is kept, with the place where it belongs', async () => {
  const { replyChannel, heard } = listen(true);
  const { ctx, said } = createPressedContext('data', { replyChannel });
  expect(await reply(ctx, 'one', KEYBOARD)).toBeUndefined();
  await editHtml(ctx, 'two');
  await editHtml(ctx, 'three', KEYBOARD, { chatId: 6, messageId: 30 });
  const message = { message_id: 9, is_topic_message: true, message_thread_id: 4 };
  await reply(createRecordedContext({ replyChannel, msg: message }).ctx, 'four');
  await reply(
    createRecordedContext({ replyChannel, msg: { ...message, is_topic_message: false } }).ctx,
    'five',
  );
  expect(said).toEqual([]);
  expect(heard).toEqual([
    ['kept', 5, { html: 'one', keyboard: KEPT_KEYBOARD }],
    ['kept', 5, { html: 'two', messageId: 8 }],
    ['kept', 6, { html: 'three', keyboard: KEPT_KEYBOARD, messageId: 30 }],
    ['kept', 5, { html: 'four', topic: 4 }],
    ['kept', 5, { html: 'five' }],
  ]);
});

const KEPT = ['kept', 5, { html: 'words' }];

test.each<[what: string, error: Error, heard: unknown[]]>([
  ['a flood', refusal(429, 'Too Many Requests: retry after 5'), ['forgiven', KEPT]],
  ['an outage', new HttpError('away', new Error('away')), ['forgiven', KEPT]],
  ['what is said already', refusal(400, 'Bad Request: message is not modified: as it was'), []],
  ['whoever blocked the bot', refusal(403, 'Forbidden: bot was blocked by the user'), ['given up']],
  ['a chat that is gone', refusal(400, 'Bad Request: chat not found'), ['given up']],
])('%s fails no update', async (_what, error, heard) => {
  const made = listen();
  const { ctx } = createRecordedContext({
    replyChannel: made.replyChannel,
    reply: () => Promise.reject(error),
  });
  expect(await reply(ctx, 'words')).toBeUndefined();
  expect(made.heard).toEqual(heard);
});

test('a fault of ours is one, and so is everything where nothing can be kept', async () => {
  const { replyChannel, heard } = listen();
  const fault = new Error('no disk');
  const failing = (error: Error, changes: object) =>
    reply(createRecordedContext({ reply: () => Promise.reject(error), ...changes }).ctx, 'words');
  await expect(failing(fault, { replyChannel })).rejects.toBe(fault);
  const flood = refusal(429, 'Too Many Requests');
  await expect(failing(flood, { replyChannel: undefined })).rejects.toBe(flood);
  await expect(failing(flood, { replyChannel, chat: undefined })).rejects.toBe(flood);
  expect(heard).toEqual([]);
});

test.each([
  [refusal(403, 'Forbidden: anything'), true],
  [refusal(400, 'Bad Request: PEER_ID_INVALID'), true],
  [refusal(400, 'Bad Request: user is deactivated'), true],
  [refusal(400, "Forbidden: bot can't initiate conversation with a user"), true],
  [refusal(400, 'Bad Request: bot was kicked from the chat'), true],
  [refusal(400, 'Bad Request: not enough rights to send text messages'), true],
  [refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat'), true],
  [refusal(400, 'Bad Request: message text is empty'), false],
  [refusal(404, 'Not Found: chat not found'), false],
  [new Error('chat not found'), false],
])('%s: nobody is there: %s', (error, isNobody) => expect(isGone(error)).toBe(isNobody));

test('a tap is answered once, with words, as an alert, or with nothing', async () => {
  const answers: unknown[] = [];
  const answer = async (...how: [text?: string, alert?: boolean]) => {
    const answerCallbackQuery = (given: object) => Promise.resolve(answers.push(given));
    const { ctx } = createPressedContext('data', { answerCallbackQuery });
    answerTap(ctx, ...how);
    answerTap(ctx, 'again', true);
  };
  await answer();
  await answer('words');
  await answer('alert', true);
  expect(answers).toEqual([{}, { text: 'words', show_alert: false }, { text: 'alert', show_alert: true }]);
  const { ctx, said } = createRecordedContext();
  answerTap(ctx, 'no tap', true);
  expect(said).toEqual([]);
});

const OLD = refusal(400, 'Bad Request: query is too old');

test('an alert that Telegram does not take is said in the chat, and the update is over when it is', async () => {
  const { replyChannel, heard } = listen();
  const { ctx } = createPressedContext('data', {
    replyChannel,
    answerCallbackQuery: () => Promise.reject(OLD),
  });
  answerTap(ctx, 'a < b', true);
  const [follow] = heard as [() => Promise<void>];
  await follow();
  expect(heard.slice(1)).toEqual(['forgiven', ['kept', 5, { html: 'a &lt; b' }]]);
});

test.each<[what: string, text: string | undefined, alert: boolean, fields: object]>([
  ['words that are no alert', 'words', false, {}],
  ['nothing', undefined, true, {}],
  ['an alert in a group', 'words', true, { chat: { id: -5, type: 'group' } }],
])('%s that Telegram does not take are forgiven', async (_what, text, alert, fields) => {
  const { replyChannel, heard } = listen();
  const refuse = { answerCallbackQuery: () => Promise.reject(OLD) };
  answerTap(createPressedContext('data', { replyChannel, ...refuse, ...fields }).ctx, text, alert);
  await soon(() => undefined);
  expect(heard).toEqual(['forgiven']);
});
