// Button labels sent as a message: `stock`, `склад`, `отмена`. They are the commands that the buttons stand for;
// the words are in the locales, `command: word, word` a line, and understood in every language by everybody.
import type { BotContext, BotDeps } from '../context.ts';
import { LANGUAGES, type Texts } from '../texts.ts';
import { becomeCommand } from './command-buttons.ts';

/** `onlyCancel`: a question takes any words, of which any other may be the answer. */
export function createButtonWords({
  texts,
}: Pick<BotDeps, 'texts'>): (ctx: BotContext, onlyCancel?: boolean) => void {
  const commands = readWords(texts);
  return (ctx, onlyCancel = false) => {
    const text = ctx.message?.text;
    const command = ctx.isPrivate && text !== undefined ? commands.get(text.trim().toLowerCase()) : undefined;
    if (command !== undefined && ctx.message && (command === 'cancel' || !onlyCancel))
      becomeCommand(ctx.message, command);
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
