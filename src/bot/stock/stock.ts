// /stock: what there is of each game and denomination. In groups the numbers alone.
import { grantOf } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { badCodeButtons } from './bad-codes.ts';
import { createPutBack } from './put-back.ts';
import { anything, button, wholeNumber, type Feature } from '../feature.ts';
import { describeOffset, zoneOf } from '../moments.ts';
import { editHtml, reply } from '../replies.ts';
import { findStockPage, listStock, pageKeyboard, formatStockPage, type StockPage } from './stock-pages.ts';

export function createStockFeature(deps: Pick<BotDeps, 'core' | 'clock' | 'store' | 'ids'>): Feature {
  const { core, clock } = deps;
  const keyboardOf = (ctx: BotContext, pages: readonly StockPage[], at: number) => {
    const mayAdd = grantOf(actorOf(ctx), 'addCodes') !== 'no';
    const mayHandle = grantOf(actorOf(ctx), 'handleBadCodes') !== 'no';
    const bad = mayHandle ? core.badCodes.list(actorOf(ctx)) : [];
    const badCount = bad.reduce((sum, { used, invalid, inQuestion }) => sum + used + invalid + inQuestion, 0);
    return pageKeyboard(ctx, pages, at, { mayAdd, badCount: bad.length > 0 ? badCount : undefined });
  };
  const word = (ctx: BotContext, page: StockPage) =>
    formatStockPage(ctx, page, describeOffset(zoneOf({ core }, ctx.actor), clock.now()));

  const run = async (ctx: BotContext): Promise<unknown> => {
    const pages = await listStock(core, ctx);
    if (!pages[0]) return reply(ctx, ctx.say('codes-no-game'));
    if (ctx.isPrivate) return reply(ctx, word(ctx, pages[0]), keyboardOf(ctx, pages, 0));
    // Buttons do nothing there.
    for (const page of pages) await reply(ctx, word(ctx, page));
    return undefined;
  };

  const putBack = createPutBack(deps);
  return {
    commands: { stock: { needs: 'seeStock', inGroups: true, run } },
    buttons: {
      // `stock:<denomination>:<game>` of the stock key that a page begins with.
      stock: button('seeStock', [wholeNumber(16), anything], async (ctx, denomination, game) => {
        const pages = await listStock(core, ctx);
        const at = findStockPage(pages, denomination, game);
        const page = pages[at];
        return page && editHtml(ctx, word(ctx, page), keyboardOf(ctx, pages, at));
      }),
      ...badCodeButtons(deps),
      ...putBack.buttons,
    },
    questions: putBack.questions,
  };
}
