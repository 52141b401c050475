// The lines of /stock in pages that fit into a message, with the buttons of each. A page is named by the lot it begins with: that
// stays where it is while counts grow longer.
import { InlineKeyboard } from 'grammy';

import type { Game } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { buttonId } from '../prompts/prompts.ts';
import { BAD_LIST } from './bad-codes.ts';
import { wordLot } from './code-order.ts';
import { addPages } from '../prompts/paging-keyboard.ts';

/** A denomination of a game, and what is said of it, or of all that never were in stock. */
interface Lot {
  game: Game;
  denomination: number;
  line: string;
}

export type StockPage = readonly Lot[];

/** In one message: with the heading of each game that stays under Telegram's length, and so do the buttons. */
const MOST_LOTS = 30;
const MOST_CHARACTERS = 3_600;
/** How long a stock lasts is told up to so many days. */
const MOST_DAYS = 60;

/** `stock:<denomination>:<game>` of the lot that a page begins with. */
export const STOCK_PAGE = /^stock:(\d{1,16}):(.+)$/;

export async function listStock(core: BotDeps['core'], ctx: BotContext): Promise<StockPage[]> {
  const pages: Lot[][] = [];
  let room = 0;
  const lots: Lot[] = [];
  for (const game of core.games.managed) lots.push(...(await wordLots(core, ctx, game)));
  for (const lot of lots) {
    const page = pages.at(-1);
    const size = lot.line.length + (page?.at(-1)?.game === lot.game ? 0 : wordHeading(ctx, lot.game).length);
    if (page && page.length < MOST_LOTS && size <= room) {
      page.push(lot);
      room -= size;
    } else {
      pages.push([lot]);
      room = MOST_CHARACTERS - lot.line.length - wordHeading(ctx, lot.game).length;
    }
  }
  return pages;
}

/** The place of the page that has this lot; the first one where it is nowhere any more. */
export function findPage(pages: readonly StockPage[], denomination: number, game: string): number {
  const isIt = (lot: Lot) => lot.denomination === denomination && buttonId(lot.game.id) === game;
  return Math.max(
    0,
    pages.findIndex((page) => page.some(isIt)),
  );
}

/** `zone`: in which today is, as people say it. */
export function wordPage(ctx: BotContext, page: StockPage, zone: string): string {
  const blocks = [...Map.groupBy(page, ({ game }) => game)].map(([game, lots]) =>
    [wordHeading(ctx, game), ...lots.map(({ line }) => line)].join('\n'),
  );
  return [...blocks, ctx.say('stock-note', { zone })].join('\n\n');
}

/** **Add codes**, where the person may, and the pages beside it. */
export function pageKeyboard(
  ctx: BotContext,
  pages: readonly StockPage[],
  at: number,
  /** `badCount`: undefined where there is nothing to say of refused codes. */
  { mayAdd, badCount }: { mayAdd: boolean; badCount?: number | undefined },
): InlineKeyboard | undefined {
  const keyboard = new InlineKeyboard();
  if (mayAdd && pages.length > 0)
    keyboard.text(ctx.label('start-button-add-codes'), commandData('add_codes'));
  const dataOf = (first: Lot | undefined) =>
    first && `stock:${first.denomination}:${buttonId(first.game.id)}`;
  addPages(keyboard, ctx, { previous: dataOf(pages[at - 1]?.[0]), next: dataOf(pages[at + 1]?.[0]) });
  if (badCount !== undefined)
    keyboard.row().text(ctx.label('button-bad-codes', { count: badCount }), BAD_LIST);
  const rows = keyboard.inline_keyboard.filter((row) => row.length > 0);
  return rows.length > 0 ? new InlineKeyboard(rows) : undefined;
}

/** A line for each denomination that was ever in stock, and one for all others. */
async function wordLots(core: BotDeps['core'], ctx: BotContext, game: Game): Promise<Lot[]> {
  const actor = actorOf(ctx);
  const spent = await core.handedOut.countSpentToday(actor, game.id);
  const pace = core.handedOut.paceOf(actor, game.id);
  const lines = core.codes.countStock(actor, game.id);
  const lots = lines
    .filter(({ wasStocked }) => wasStocked)
    .map(({ denomination, available, reserved, inDoubt }) => {
      const lot = wordLot(ctx, game, denomination);
      const days = Math.floor(available / (pace.get(denomination) ?? 0));
      const isSoon = available > 0 && days <= MOST_DAYS;
      const isPaused = core.badCodes.isPaused(actor, { gameId: game.id, denomination });
      const counts = { available, reserved, inDoubt, spent: spent.get(denomination) ?? 0 };
      const line = [
        ctx.say('stock-line', { lot, ...counts }),
        ...(isSoon ? [ctx.say('stock-lasts', { days })] : []),
        ...(isPaused ? [ctx.say('stock-paused')] : []),
      ].join(' · ');
      return { game, denomination, line };
    });
  const others = lines.filter(({ wasStocked }) => !wasStocked).map(({ denomination }) => denomination);
  const [first] = others;
  if (first !== undefined)
    lots.push({ game, denomination: first, line: ctx.say('stock-none', { lots: others.join(' · ') }) });
  return lots;
}

const wordHeading = (ctx: BotContext, game: Game) => ctx.say('stock-game', { game: game.id });
