// Notices of one kind that wait for the same person, as one message: however many there are, an answer is not far behind them.
import type { WaitingMessage } from '../../store/bot-store.ts';
import type { Outgoing } from '../outgoing.ts';
import { LONGEST_MESSAGE } from '../replies.ts';

/** How many are looked at for one message. */
export const MOST_GATHERED = 100;

const BETWEEN = '\n\n';

/** What their keys begin with; their kind is in it. */
export const noticeKey = (kind: string, noticeId: number, telegramId: number) =>
  `notice:${kind}:${noticeId}:${telegramId}`;

const kindOf = ({ key }: WaitingMessage) => key.split(':')[1];

/** The first with those of its kind that fit; `ids` are of all that the message says. Other kinds are left where they are. */
export function gather(
  first: WaitingMessage,
  waiting: readonly WaitingMessage[],
): { row: WaitingMessage; ids: number[] } {
  const ids = [first.id];
  const words = wordsOf(first);
  if (words === undefined) return { row: first, ids };
  let html = words;
  for (const each of waiting) {
    const more = wordsOf(each);
    if (each.id === first.id || kindOf(each) !== kindOf(first) || more === undefined) continue;
    // What follows in the same order: one that does not fit ends it.
    if (html.length + BETWEEN.length + more.length > LONGEST_MESSAGE) break;
    if (!html.split(BETWEEN).includes(more)) html += BETWEEN + more;
    ids.push(each.id);
  }
  return { row: { ...first, content: JSON.stringify({ html } satisfies Outgoing) }, ids };
}

/** undefined: it is said alone, since it has buttons, or cannot be read any more. */
function wordsOf({ content }: WaitingMessage): string | undefined {
  if (content === undefined) return undefined;
  const { html, keyboard } = JSON.parse(content) as Partial<Outgoing>;
  return keyboard ? undefined : html;
}
