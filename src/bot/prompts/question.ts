// A question that the next message answers, or that is left by the button under it.
import type { Message } from 'grammy/types';

import type { InnerContext } from '../context.ts';
import type { Choice, Prompts } from './prompts.ts';

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

/** A name as an answer: one line of so many letters at most; undefined for anything else. */
export function readName(text: string | undefined, longest: number): string | undefined {
  const name = text?.trim() ?? '';
  return name === '' || name.includes('\n') || [...name].length > longest ? undefined : name;
}
