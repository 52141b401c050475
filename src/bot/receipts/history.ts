// /history [page]: what was redeemed, newest first, ten lines a page.
import { Composer, type InlineKeyboard } from 'grammy';

import type { PastPage } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { pagingKeyboard } from '../talk/paging-keyboard.ts';
import { PAGE_SIZE, renderPastLines } from './past-lines.ts';
import { answerTap, editHtml, reply } from '../replies.ts';

const LAST_PAGE = 100_000;
/** `history:<page>:<older or newer>:<time>:<id>` of the line beside it (base 36): nothing that is redeemed meanwhile shifts it. */
const DATA = /^history:([1-9][0-9]{0,5}):([on]):([0-9a-z]{1,11}):([0-9a-z]{1,11})$/;

export function createHistory({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): Feature {
  const handlers = new Composer<BotContext>();

  function render(
    ctx: BotContext,
    page: number,
    { lines, hasMore }: PastPage,
  ): { html: string; keyboard: InlineKeyboard | undefined } {
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) {
      const html = page === 1 ? ctx.say('history-empty') : ctx.say('history-no-page', { page: String(page) });
      return { html, keyboard: undefined };
    }
    const list = renderPastLines({ texts, games: core.games, language: ctx.language }, lines);
    const keyboard = pagingKeyboard(ctx, { page, hasMore }, (other) => {
      const [way, beside] = other < page ? ['n', first] : ['o', last];
      return `history:${other}:${way}:${beside.createdAt.toString(36)}:${beside.id.toString(36)}`;
    });
    return { html: `${ctx.say('history-title', { page: String(page) })}\n\n${list}`, keyboard };
  }

  handlers.command('history', requires('searchHistory'), async (ctx) => {
    const page = parsePage(ctx.match);
    if (page === undefined) {
      await reply(ctx, ctx.say('history-page-wrong'));
      return;
    }
    const found = await core.search.page(actorOf(ctx), { page, size: PAGE_SIZE });
    const { html, keyboard } = render(ctx, page, found);
    await reply(ctx, html, keyboard);
  });

  handlers.callbackQuery(DATA, requires('searchHistory'), async (ctx) => {
    const page = Number(ctx.match[1]);
    const [createdAt, id] = [ctx.match[3], ctx.match[4]].map((text) => Number.parseInt(text ?? '', 36));
    if (createdAt === undefined || id === undefined || ![createdAt, id].every(Number.isSafeInteger)) {
      return answerTap(ctx, ctx.label('button-old'), true);
    }
    await answerTap(ctx);
    const cursor = { createdAt, id };
    const beside = ctx.match[2] === 'n' ? { newerThan: cursor } : { olderThan: cursor };
    const { html, keyboard } = render(ctx, page, core.search.beside(actorOf(ctx), beside, PAGE_SIZE));
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
