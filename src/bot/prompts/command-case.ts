// Commands in capitals: Telegram sends /Stock as it was typed (a phone begins a line with a capital), marks it as a command all
// the same, and grammY asks for the very letters. They are made small here, once, for everybody who asks.
import type { MiddlewareFn } from 'grammy';

import type { BotContext } from '../context.ts';
import { findCommand } from './start-conversation.ts';

/** Changes the letters of the command alone: what follows it may be a code or a token. */
export function readAnyCase(): MiddlewareFn<BotContext> {
  return (ctx, next) => {
    const command = findCommand(ctx);
    const { message } = ctx;
    if (command !== undefined && message?.text !== undefined)
      message.text = `/${command}${message.text.slice(command.length + 1)}`;
    return next();
  };
}
