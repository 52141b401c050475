// A question that the next message answers, or that is left by the button under it.
import type { Message } from 'grammy/types';

import type { InnerContext } from '../context.ts';
import type { Choice, Prompts } from '../conversation.ts';

/** What stands under it. */
export const leaving = ({ label }: Pick<InnerContext, 'label'>): Choice[][] => [
  [{ label: label('button-cancel'), value: 'cancel' }],
];

/** The next message; undefined where `asked` was left, which says so itself. */
export async function hearMessage(
  prompts: Prompts,
  { say }: Pick<InnerContext, 'say'>,
  asked: number | undefined,
): Promise<Message | undefined> {
  const answer = await prompts.hear();
  if (answer.kind === 'message') return answer.message;
  if (asked !== undefined) await prompts.change(asked, say('cancel-done'));
  return undefined;
}

/**
 * Asks until a message is an answer; of any other it says what `read` makes of it, and of what is nothing to it the
 * question is left to others. `given` was said before, and is asked about only where it is no answer. undefined: the
 * question was left.
 */
export async function askFor<T>(
  prompts: Prompts,
  ctx: Pick<InnerContext, 'label' | 'say'>,
  question: string,
  read: (text: string) => { answer: T } | { again: string } | undefined,
  given = '',
): Promise<T | undefined> {
  const before = given === '' ? undefined : read(given);
  if (before && 'answer' in before) return before.answer;
  const asked = await prompts.reply(before?.again ?? question, leaving(ctx));
  for (;;) {
    const message = await hearMessage(prompts, ctx, asked);
    if (!message) return undefined;
    const said = read(message.text ?? '');
    if (!said) return prompts.leave();
    if ('answer' in said) return said.answer;
    await prompts.reply(said.again);
  }
}

/** A name as an answer: one line of so many letters at most; undefined for anything else. */
export function readName(text: string | undefined, longest: number): string | undefined {
  const name = text?.trim() ?? '';
  return name === '' || name.includes('\n') || [...name].length > longest ? undefined : name;
}
