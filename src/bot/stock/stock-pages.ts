// The lines of /stock in pages that fit into a message, with the buttons of each. A page is named by the lot it begins with: that
// stays where it is while counts grow longer.
import { InlineKeyboard } from 'grammy';

import type { Game } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { buttonId } from '../talk/talk.ts';
import { BAD_LIST } from './bad-codes.ts';
import { wordLot } from './code-order.ts';
import { addPages } from '../talk/paging-keyboard.ts';

/** A denomination of a game, and what is said of it. */
interface Lot {
  game: Game;
  denomination: number;
  line: string;
}

export type StockPage = readonly Lot[];

/** In one message: with the heading of each game that stays under Telegram's length, and so do the buttons. */
const MOST_LOTS = 30;
const MOST_CHARACTERS = 3_600;
const BUTTONS_A_ROW = 2;
const LONGEST_DATA_BYTES = 64;

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

/** **Add** for each lot of the page, where the person may, and the pages beside it. */
export function pageKeyboard(
  ctx: BotContext,
  pages: readonly StockPage[],
  at: number,
  /** `badCount`: undefined where there is nothing to say of refused codes. */
  { mayAdd, manyGames, badCount }: { mayAdd: boolean; manyGames: boolean; badCount?: number | undefined },
): InlineKeyboard | undefined {
  const keyboard = new InlineKeyboard();
  if (mayAdd) addButtons(ctx, keyboard, pages[at] ?? [], manyGames);
  const dataOf = (first: Lot | undefined) =>
    first && `stock:${first.denomination}:${buttonId(first.game.id)}`;
  addPages(keyboard, ctx, { previous: dataOf(pages[at - 1]?.[0]), next: dataOf(pages[at + 1]?.[0]) });
  if (badCount !== undefined)
    keyboard.row().text(ctx.label('button-bad-codes', { count: badCount }), BAD_LIST);
  const rows = keyboard.inline_keyboard.filter((row) => row.length > 0);
  return rows.length > 0 ? new InlineKeyboard(rows) : undefined;
}

function addButtons(ctx: BotContext, keyboard: InlineKeyboard, page: StockPage, manyGames: boolean): void {
  let count = 0;
  for (const { game, denomination } of page) {
    const data = `add:new:${denomination}:${game.id}`;
    if (Buffer.byteLength(data) > LONGEST_DATA_BYTES) continue;
    if (count > 0 && count % BUTTONS_A_ROW === 0) keyboard.row();
    count += 1;
    const variables = { lot: wordLot(ctx, game, denomination), game: game.id };
    keyboard.text(ctx.label(manyGames ? 'button-add-lot-of' : 'button-add-lot', variables), data);
  }
}

async function wordLots(core: BotDeps['core'], ctx: BotContext, game: Game): Promise<Lot[]> {
  const actor = actorOf(ctx);
  const spent = await core.handedOut.countSpentToday(actor, game.id);
  return core.codes.countStock(actor, game.id).map(({ denomination, ...counts }) => {
    const lot = wordLot(ctx, game, denomination);
    const line = ctx.say('stock-line', { lot, ...counts, spent: spent.get(denomination) ?? 0 });
    if (core.badCodes.isPaused(actor, { gameId: game.id, denomination }))
      return { game, denomination, line: `${line} · ${ctx.say('stock-paused')}` };
    return { game, denomination, line };
  });
}

const wordHeading = (ctx: BotContext, game: Game) => ctx.say('stock-game', { game: game.id });
