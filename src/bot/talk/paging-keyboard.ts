// Buttons to the page before and the page after of a list.
import { InlineKeyboard } from 'grammy';

import type { BotContext } from '../context.ts';

/** `dataOf` gives the callback data of a page; undefined where there is neither page. */
export function pagingKeyboard(
  ctx: Pick<BotContext, 'label'>,
  { page, hasMore }: { page: number; hasMore: boolean },
  dataOf: (page: number) => string,
): InlineKeyboard | undefined {
  if (page === 1 && !hasMore) return undefined;
  const keyboard = new InlineKeyboard();
  if (page > 1) keyboard.text(ctx.label('past-newer'), dataOf(page - 1));
  if (hasMore) keyboard.text(ctx.label('past-older'), dataOf(page + 1));
  return keyboard;
}
