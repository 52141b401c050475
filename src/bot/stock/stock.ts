// /stock: what there is of each game and denomination. In groups the numbers alone.
import { grantOf } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createBadCodeList } from './bad-codes.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, zoneOf } from '../moments.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import {
  findStockPage,
  listStock,
  pageKeyboard,
  STOCK_PAGE,
  formatStockPage,
  type StockPage,
} from './stock-pages.ts';

export function createStockFeature(deps: Pick<BotDeps, 'core' | 'clock' | 'store' | 'ids'>): Feature {
  const { core, clock } = deps;
  const handlers = new Handlers();
  const keyboardOf = (ctx: BotContext, pages: readonly StockPage[], at: number) => {
    const mayAdd = grantOf(actorOf(ctx), 'addCodes') !== 'no';
    const mayHandle = grantOf(actorOf(ctx), 'handleBadCodes') !== 'no';
    const bad = mayHandle ? core.badCodes.list(actorOf(ctx)) : [];
    const badCount = bad.reduce((sum, { used, invalid, inQuestion }) => sum + used + invalid + inQuestion, 0);
    return pageKeyboard(ctx, pages, at, { mayAdd, badCount: bad.length > 0 ? badCount : undefined });
  };
  const word = (ctx: BotContext, page: StockPage) =>
    formatStockPage(ctx, page, describeOffset(zoneOf({ core }, ctx.actor), clock.now()));

  handlers.command('stock', requires('seeStock'), async (ctx) => {
    const pages = await listStock(core, ctx);
    if (!pages[0]) return void (await reply(ctx, ctx.say('codes-no-game')));
    if (ctx.isPrivate) return void (await reply(ctx, word(ctx, pages[0]), keyboardOf(ctx, pages, 0)));
    // Buttons do nothing there.
    for (const page of pages) await reply(ctx, word(ctx, page));
  });

  handlers.callbackQuery(STOCK_PAGE, requires('seeStock'), async (ctx) => {
    answerTap(ctx);
    const pages = await listStock(core, ctx);
    const at = findStockPage(pages, Number(ctx.match[1]), ctx.match[2] ?? '');
    const page = pages[at];
    if (page) await editHtml(ctx, word(ctx, page), keyboardOf(ctx, pages, at));
  });

  handlers.use(createBadCodeList(deps));

  return { commands: [{ name: 'stock', for: 'seeStock', inGroups: true }], handlers };
}
