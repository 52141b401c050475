// What a conversation says where saying it fails.
import { expect, test, vi } from 'vitest';

import type { BotContext, BotConversation, InnerContext } from '../context.ts';
import { createPrompts } from './prompts.ts';

test.each([
  ['a full disk', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }), 'lose'],
  ['what is at fault itself', new Error('no such thing'), 'forgive'],
] as const)(
  '%s: words that cannot even be kept fail the update only where it helps',
  async (_, error, action) => {
    const replyChannel = {
      mustWait: () => true,
      save: () => Promise.reject(error),
      lose: vi.fn(),
      forgive: vi.fn(),
    };
    const outer = { chat: { id: 7 }, replyChannel } as unknown as BotContext;
    const conversation = { external: (work: (outer: BotContext) => unknown) => work(outer) };
    const prompts = await createPrompts(
      conversation as unknown as BotConversation,
      { chat: { id: 7 } } as unknown as InnerContext,
      () => 'nonce',
    );
    expect(await prompts.reply('Which one?')).toBeUndefined();
    await prompts.change(12, 'This one?');
    expect(replyChannel[action].mock.calls).toEqual([[error], [error]]);
    expect(replyChannel[action === 'lose' ? 'forgive' : 'lose']).not.toHaveBeenCalled();
  },
);

test.each([
  [true, 'heard'],
  [false, 'passed on'],
])('a file, where files are taken: %s, is %s', async (takesFiles, outcome) => {
  const file = { message_id: 4, document: { file_id: 'f' } };
  const heard = [{ message: file }, { message: { message_id: 5, text: 'words' } }];
  const skip = vi.fn(() => Promise.resolve());
  const conversation = {
    external: (work: (outer: object) => unknown) => work({}),
    wait: () => heard.shift(),
    skip,
  };
  const prompts = await createPrompts(
    conversation as unknown as BotConversation,
    {} as unknown as InnerContext,
    () => 'nonce',
    { takesFiles },
  );
  const answer = await prompts.hear();
  expect(answer.kind === 'message' && answer.message.message_id).toBe(outcome === 'heard' ? 4 : 5);
  expect(skip.mock.calls).toEqual(outcome === 'heard' ? [] : [[{ next: true }]]);
});
