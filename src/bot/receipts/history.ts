// /history [page]: what was redeemed, newest first, ten lines a page.
import { Composer, type InlineKeyboard } from 'grammy';

import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { pagingKeyboard } from '../talk/paging-keyboard.ts';
import { PAGE_SIZE, renderPastLines } from './past-lines.ts';
import { answerTap, editHtml, reply } from '../replies.ts';

const LAST_PAGE = 100_000;
/** `history:<page>:<until in base 36>`: later pages tell of the same past, whatever is redeemed meanwhile. */
const DATA = /^history:([1-9][0-9]{0,5}):([0-9a-z]{1,11})$/;

export function createHistory({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): Feature {
  const handlers = new Composer<BotContext>();

  function render(
    ctx: BotContext,
    page: number,
    until?: number,
  ): { html: string; keyboard: InlineKeyboard | undefined } {
    const found = core.search.page(actorOf(ctx), { page, size: PAGE_SIZE, until });
    if (found.lines.length === 0) {
      const html = page === 1 ? ctx.say('history-empty') : ctx.say('history-no-page', { page: String(page) });
      return { html, keyboard: undefined };
    }
    const list = renderPastLines({ texts, games: core.games, language: ctx.language }, found.lines);
    const anchor = found.until.toString(36);
    const keyboard = pagingKeyboard(
      ctx,
      { page, hasMore: found.hasMore },
      (other) => `history:${other}:${anchor}`,
    );
    return { html: `${ctx.say('history-title', { page: String(page) })}\n\n${list}`, keyboard };
  }

  handlers.command('history', requires('searchHistory'), async (ctx) => {
    const page = parsePage(ctx.match);
    if (page === undefined) {
      await reply(ctx, ctx.say('history-page-wrong'));
      return;
    }
    const { html, keyboard } = render(ctx, page);
    await reply(ctx, html, keyboard);
  });

  handlers.callbackQuery(DATA, requires('searchHistory'), async (ctx) => {
    const [page, until] = [Number(ctx.match[1]), Number.parseInt(ctx.match[2] ?? '', 36)];
    if (page > LAST_PAGE || !Number.isSafeInteger(until)) {
      return answerTap(ctx, ctx.label('button-old'), true);
    }
    await answerTap(ctx);
    const { html, keyboard } = render(ctx, page, until);
    await editHtml(ctx, html, keyboard);
  });

  return { commands: [{ name: 'history', for: 'searchHistory' }], handlers };
}

/** 1 when nothing is given; undefined when it is no page. */
function parsePage(text: string): number | undefined {
  const given = text.trim();
  if (given === '') return 1;
  const page = /^[0-9]{1,6}$/.test(given) ? Number(given) : 0;
  return page >= 1 && page <= LAST_PAGE ? page : undefined;
}
