// Button labels sent as a message: `stock`, `склад`, `отмена`. They are the commands that the buttons stand for;
// the words are in the locales, `command: word, word` a line, and understood in every language by everybody.
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { LANGUAGES, type Texts } from '../texts.ts';
import { becomeCommand } from './command-buttons.ts';

/** Where a question takes any words only `cancel` is one: any other may be the answer. */
export function createButtonWords(
  { texts }: Pick<BotDeps, 'texts'>,
  features: readonly Feature[],
): (ctx: BotContext) => void {
  const commands = readWords(texts);
  const taking = new Set(
    features.flatMap(({ conversations = [] }) =>
      conversations.filter(({ takesWords }) => takesWords).map(({ name }) => name),
    ),
  );
  return (ctx) => {
    const text = ctx.message?.text;
    const command = ctx.isPrivate && text !== undefined ? commands.get(text.trim().toLowerCase()) : undefined;
    if (command !== undefined && ctx.message)
      if (command === 'cancel' || !Object.keys(ctx.conversation.active()).some((name) => taking.has(name)))
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
