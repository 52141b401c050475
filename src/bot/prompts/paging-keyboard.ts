// Paging keyboard: turning the pages of a list, and the way back from what was opened of it: the same words in the same
// places everywhere.
import { InlineKeyboard } from 'grammy';

import type { BotContext } from '../context.ts';

type Labels = Pick<BotContext, 'label'>;

/** Callback data; absent where there is no such page. */
interface Beside {
  previous?: string | false | undefined;
  next?: string | false | undefined;
}

/** Adds the buttons to the pages before and after, in a row of their own. */
export function addPages(
  keyboard: InlineKeyboard,
  { label }: Labels,
  { previous, next }: Beside,
): InlineKeyboard {
  beginRow(keyboard);
  if (previous) keyboard.text(label('page-previous'), previous);
  if (next) keyboard.text(label('page-next'), next);
  return keyboard;
}

/** Adds the way back: the last row. */
export const addBack = (keyboard: InlineKeyboard, { label }: Labels, data: string): InlineKeyboard =>
  beginRow(keyboard).text(label('button-back'), data);

/** Leaves no empty row behind. */
const beginRow = (keyboard: InlineKeyboard): InlineKeyboard =>
  keyboard.inline_keyboard.at(-1)?.length === 0 ? keyboard : keyboard.row();

/** Those of a list alone. `dataOf` gives the callback data of a page; undefined where there is no other. */
export function pagingKeyboard(
  labels: Labels,
  { page, hasMore }: { page: number; hasMore: boolean },
  dataOf: (page: number) => string,
): InlineKeyboard | undefined {
  if (page === 1 && !hasMore) return undefined;
  const beside = { previous: page > 1 && dataOf(page - 1), next: hasMore && dataOf(page + 1) };
  return addPages(new InlineKeyboard(), labels, beside);
}
