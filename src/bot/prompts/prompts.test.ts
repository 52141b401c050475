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
