// Words and buttons that several files of this module need.
import { InlineKeyboard } from 'grammy';

import type { Game } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { inRows, type Choice } from '../prompts/choices.ts';
import { labelStockKey } from './code-order.ts';

/** The button that ends collecting; it works wherever the conversation stands. */
export function doneKeyboard(ctx: Pick<BotContext, 'label'>, importId: number): InlineKeyboard {
  return new InlineKeyboard()
    .text(ctx.label('button-done'), `add:done:${importId}`)
    .text(ctx.label('button-cancel'), `add:stop:${importId}`);
}

/** The buttons where a preview does not hold any more. */
export function previewAgainKeyboard(ctx: Pick<BotContext, 'label'>, importId: number): InlineKeyboard {
  return new InlineKeyboard()
    .text(ctx.label('button-preview-again'), `add:done:${importId}`)
    .text(ctx.label('button-cancel'), `add:stop:${importId}`);
}

const STOCK_KEYS_A_ROW = 3;
const MOST_STOCK_KEYS = 60;

/** A choice for each denomination of a game, of that value. */
export const stockKeyRows = (ctx: Pick<BotContext, 'label'>, game: Game): Choice[][] =>
  inRows(
    game.denominations
      .slice(0, MOST_STOCK_KEYS)
      .map((each) => ({ label: labelStockKey(ctx, game, each), value: String(each) })),
    STOCK_KEYS_A_ROW,
  );

/** Game and denomination as the messages of an import name them. */
export function describeStockKey(
  ctx: Pick<BotContext, 'label'>,
  core: BotDeps['core'],
  { gameId, denomination }: { gameId: string; denomination?: number | undefined },
): { game: string; stockKey: string } {
  const game: Game | undefined = core.games.find(gameId);
  const stockKey =
    denomination === undefined || !game
      ? ctx.label('add-stock-key-by-text')
      : labelStockKey(ctx, game, denomination);
  return { game: gameId, stockKey };
}
