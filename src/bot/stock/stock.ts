// /stock: what there is of each game and denomination. In groups the numbers alone.
import { InlineKeyboard } from 'grammy';

import { type Game, grantOf } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { anything, button, type Feature, wholeNumber } from '../feature.ts';
import { describeOffset, zoneOf } from '../moments.ts';
import { buttonId } from '../prompts/choices.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { addPages } from '../prompts/paging-keyboard.ts';
import { editHtml, reply } from '../replies.ts';
import { BAD_LIST, badCodeButtons, createPutBack } from './bad-codes.ts';
import { labelStockKey } from './code-order.ts';

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

// The lines of /stock in pages that fit into a message, with the buttons of each. A page is named by the stock key it
// begins with: that stays where it is while counts grow longer.

/** A denomination of a game, and what is said of it, or of all that never were in stock. */
interface StockLine {
  game: Game;
  denomination: number;
  line: string;
}

type StockPage = readonly StockLine[];

/** In one message: with the heading of each game that stays under Telegram's length, and so do the buttons. */
const MOST_STOCK_KEYS = 30;
const MOST_CHARACTERS = 3_600;
/** How long a stock lasts is told up to so many days. */
const MOST_DAYS = 60;

async function listStock(core: BotDeps['core'], ctx: BotContext): Promise<StockPage[]> {
  const pages: StockLine[][] = [];
  let room = 0;
  const stockKeys: StockLine[] = [];
  for (const game of core.games.managed) stockKeys.push(...(await formatStockKeys(core, ctx, game)));
  for (const stockKey of stockKeys) {
    const page = pages.at(-1);
    const size =
      stockKey.line.length +
      (page?.at(-1)?.game === stockKey.game ? 0 : formatHeading(ctx, stockKey.game).length);
    if (page && page.length < MOST_STOCK_KEYS && size <= room) {
      page.push(stockKey);
      room -= size;
    } else {
      pages.push([stockKey]);
      room = MOST_CHARACTERS - stockKey.line.length - formatHeading(ctx, stockKey.game).length;
    }
  }
  return pages;
}

/** The place of the page that has this stock key; the first one where it is nowhere any more. */
function findStockPage(pages: readonly StockPage[], denomination: number, game: string): number {
  const isIt = (stockKey: StockLine) =>
    stockKey.denomination === denomination && buttonId(stockKey.game.id) === game;
  return Math.max(
    0,
    pages.findIndex((page) => page.some(isIt)),
  );
}

/** `zone`: in which today is, as people say it. */
function formatStockPage(ctx: BotContext, page: StockPage, zone: string): string {
  const blocks = [...Map.groupBy(page, ({ game }) => game)].map(([game, stockKeys]) =>
    [formatHeading(ctx, game), ...stockKeys.map(({ line }) => line)].join('\n'),
  );
  return [...blocks, ctx.say('stock-note', { zone })].join('\n\n');
}

/** **Add codes**, where the person may, and the pages beside it. */
function pageKeyboard(
  ctx: BotContext,
  pages: readonly StockPage[],
  at: number,
  /** `badCount`: undefined where there is nothing to say of refused codes. */
  { mayAdd, badCount }: { mayAdd: boolean; badCount?: number | undefined },
): InlineKeyboard | undefined {
  const keyboard = new InlineKeyboard();
  if (mayAdd && pages.length > 0)
    keyboard.text(ctx.label('start-button-add-codes'), commandData('add_codes'));
  const dataOf = (first: StockLine | undefined) =>
    first && `stock:${first.denomination}:${buttonId(first.game.id)}`;
  addPages(keyboard, ctx, { previous: dataOf(pages[at - 1]?.[0]), next: dataOf(pages[at + 1]?.[0]) });
  if (badCount !== undefined)
    keyboard.row().text(ctx.label('button-bad-codes', { count: badCount }), BAD_LIST);
  const rows = keyboard.inline_keyboard.filter((row) => row.length > 0);
  return rows.length > 0 ? new InlineKeyboard(rows) : undefined;
}

/** A line for each denomination that was ever in stock, and one for all others. */
async function formatStockKeys(core: BotDeps['core'], ctx: BotContext, game: Game): Promise<StockLine[]> {
  const actor = actorOf(ctx);
  const spent = await core.extractionHistory.countSpentToday(actor, game.id);
  const pace = await core.extractionHistory.paceOf(actor, game.id);
  const lines = core.codes.countStock(actor, game.id);
  const stockKeys = lines
    .filter(({ wasStocked }) => wasStocked)
    .map(({ denomination, available, promised, reserved, inDoubt }) => {
      const stockKey = labelStockKey(ctx, game, denomination);
      const days = Math.floor(available / (pace.get(denomination) ?? 0));
      const isSoon = available > 0 && days <= MOST_DAYS;
      const isPaused = core.badCodes.isPaused(actor, { gameId: game.id, denomination });
      const counts = { available, reserved, inDoubt, spent: spent.get(denomination) ?? 0 };
      const line = [
        ctx.say('stock-line', { stockKey, ...counts }),
        ...(promised > 0 ? [ctx.say('stock-promised', { count: promised })] : []),
        ...(isSoon ? [ctx.say('stock-lasts', { days })] : []),
        ...(isPaused ? [ctx.say('stock-paused')] : []),
      ].join(' · ');
      return { game, denomination, line };
    });
  const others = lines.filter(({ wasStocked }) => !wasStocked).map(({ denomination }) => denomination);
  const [first] = others;
  if (first !== undefined)
    stockKeys.push({
      game,
      denomination: first,
      line: ctx.say('stock-none', { stockKeys: others.join(' · ') }),
    });
  return stockKeys;
}

const formatHeading = (ctx: BotContext, game: Game) => ctx.say('stock-game', { game: game.id });
