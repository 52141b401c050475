// Button labels sent as a message: `stock`, `склад`, `отмена`. They are the commands that the buttons stand for;
// the words are in the locales, `command: word, word` a line, and understood in every language by everybody.
import type { MiddlewareFn } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import { LANGUAGES, type Texts } from '../texts.ts';
import { becomeCommand } from './command-buttons.ts';

/** In the middle of a question only `cancel` is one: any other word may be the answer. */
export function readButtonWords({ texts }: Pick<BotDeps, 'texts'>): MiddlewareFn<BotContext> {
  const commands = readWords(texts);
  return (ctx, next) => {
    const text = ctx.message?.text;
    const command = ctx.isPrivate && text !== undefined ? commands.get(text.trim().toLowerCase()) : undefined;
    if (command !== undefined && ctx.message)
      if (command === 'cancel' || Object.keys(ctx.conversation.active()).length === 0)
        becomeCommand(ctx.message, command);
    return next();
  };
}

function readWords(texts: Texts): ReadonlyMap<string, string> {
  const lines = LANGUAGES.flatMap((language) => texts.label(language, 'button-words').split('\n'));
  return new Map(
    lines.flatMap((line) => {
      const [command = '', words = ''] = line.split(':');
      return words.split(',').map((word) => [word.trim(), command.trim()] as const);
    }),
  );
}
