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

/** A page of a list, counted from 0, and those beside it; the last page where there are fewer by now. */
export function cutListPage<Row>(
  rows: readonly Row[],
  { page, size, dataOf }: { page: number; size: number; dataOf: (page: number) => string },
): { shown: Row[]; beside: Beside } {
  const last = Math.max(0, Math.ceil(rows.length / size) - 1);
  const current = Math.min(page, last);
  return {
    shown: rows.slice(current * size, (current + 1) * size),
    beside: { previous: current > 0 && dataOf(current - 1), next: current < last && dataOf(current + 1) },
  };
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
