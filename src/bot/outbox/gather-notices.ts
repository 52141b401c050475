// Notices of one kind that wait for the same person, as one message: however many there are, an answer is not far
// behind them.
import type { Task } from '../../store/bot-store.ts';
import type { Outgoing } from '../outgoing.ts';
import { LONGEST_MESSAGE } from '../replies.ts';

/** How many are looked at for one message. */
export const MOST_GATHERED = 100;

const BETWEEN = '\n\n';

/** What their keys begin with; their kind is in it. */
export const noticeKey = (kind: string, noticeId: number, telegramId: number) =>
  `notice:${kind}:${noticeId}:${telegramId}`;

const kindOf = ({ key }: Task) => key?.split(':')[1];

/**
 * The first with those of its kind that fit; `also`: the others that the message says. Other kinds are left where they
 * are.
 */
export function gather(first: Task, waiting: readonly Task[]): { task: Task; also: number[] } {
  const also: number[] = [];
  const words = wordsOf(first);
  if (words === undefined) return { task: first, also };
  let html = words;
  for (const each of waiting) {
    const more = wordsOf(each);
    if (each.id === first.id || kindOf(each) !== kindOf(first) || more === undefined) continue;
    // What follows in the same order: one that does not fit ends it.
    if (html.length + BETWEEN.length + more.length > LONGEST_MESSAGE) break;
    if (!html.split(BETWEEN).includes(more)) html += BETWEEN + more;
    also.push(each.id);
  }
  return { task: { ...first, payload: JSON.stringify({ html } satisfies Outgoing) }, also };
}

/** undefined: it is said alone, since it has buttons, or cannot be read any more. */
function wordsOf({ payload }: Task): string | undefined {
  if (payload === undefined) return undefined;
  const { html, keyboard } = JSON.parse(payload) as Partial<Outgoing>;
  return keyboard ? undefined : html;
}
