// /history [page or day]: what was redeemed, newest first, ten lines a page: day by day, or by the number of a page
// over everything.
import { InlineKeyboard } from 'grammy';

import { grantOf, isDay, type Day, type DayPage, type HistoryPage } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, formatDate, formatShortDate, zoneOf } from '../moments.ts';
import { pagingKeyboard } from '../prompts/paging-keyboard.ts';
import { PAGE_SIZE, renderHistoryLines } from './history-entries.ts';
import { answerTap, editHtml, reply } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'texts' | 'clock'>;
type Shown = [html: string, keyboard: InlineKeyboard | undefined];

const LAST_PAGE = 100_000;
/** The line that a page lies beside, its time and id in base 36: nothing that is redeemed meanwhile shifts it. */
const BESIDE = '([1-9][0-9]{0,5}):([on]):([0-9a-z]{1,11}):([0-9a-z]{1,11})';
/** `history:<page>:<older or newer>:<time>:<id>` */
const PAGE_DATA = new RegExp(`^history:${BESIDE}$`);
/** `history:day:<YYYYMMDD>`, and where in it. */
const DAY_DATA = new RegExp(`^history:day:(20\\d\\d)(\\d\\d)(\\d\\d)(?::${BESIDE})?$`);

export function createHistoryFeature(deps: Deps): Feature {
  const { core } = deps;
  const handlers = new Handlers();
  const allowed = requires('searchHistory');

  handlers.command('history', allowed, async (ctx) => {
    const asked = ctx.match.trim();
    const day = asked === '' ? undefined : core.search.readDay(actorOf(ctx), asked);
    if (asked === '' || day) return reply(ctx, ...(await showDay(deps, ctx, day)));
    const page = /^[0-9]{1,6}$/.test(asked) ? Number(asked) : 0;
    if (page < 1 || page > LAST_PAGE) return reply(ctx, ctx.say('history-page-wrong'));
    const found = await core.search.page(actorOf(ctx), { page, size: PAGE_SIZE });
    await reply(ctx, ...renderPage(deps, ctx, page, found));
  });

  handlers.callbackQuery(DAY_DATA, allowed, async (ctx) => {
    const [year = 0, month = 0, date = 0] = [1, 2, 3].map((part) => Number(ctx.match[part]));
    const day = { year, month, day: date };
    const beside = ctx.match[4] === undefined ? undefined : readBeside([...ctx.match].slice(4));
    if (!isDay(day) || (ctx.match[4] !== undefined && !beside)) return answerOld(ctx);
    answerTap(ctx);
    await editHtml(ctx, ...(await showDay(deps, ctx, day, beside)));
  });

  handlers.callbackQuery(PAGE_DATA, allowed, async (ctx) => {
    const beside = readBeside([...ctx.match].slice(1));
    if (!beside) return answerOld(ctx);
    answerTap(ctx);
    const found = await core.search.beside(actorOf(ctx), beside, PAGE_SIZE);
    await editHtml(ctx, ...renderPage(deps, ctx, beside.page, found));
  });

  return { commands: [{ name: 'history', for: 'searchHistory' }], handlers };
}

type Placed = { page: number } & ({ olderThan: Cursor } | { newerThan: Cursor });
interface Cursor {
  createdAt: number;
  id: number;
}

/** `page`, `o` or `n`, time and id; undefined where they are no numbers. */
function readBeside([page, way, ...numbers]: readonly (string | undefined)[]): Placed | undefined {
  const [createdAt = Number.NaN, id = Number.NaN] = numbers.map((text) => Number.parseInt(text ?? '', 36));
  if (!Number.isSafeInteger(createdAt) || !Number.isSafeInteger(id)) return undefined;
  const cursor = { createdAt, id };
  return { page: Number(page), ...(way === 'n' ? { newerThan: cursor } : { olderThan: cursor }) };
}

const answerOld = (ctx: BotContext) => answerTap(ctx, ctx.label('button-old'), true);

/**
 * A day, the last on which there is something where none is named: for /history, and for a search that names nothing
 * but a day.
 */
export async function showDay(deps: Deps, ctx: BotContext, asked?: Day, beside?: Placed): Promise<Shown> {
  const found = await deps.core.search.day(actorOf(ctx), { day: asked, beside, size: PAGE_SIZE });
  if (!found) return [ctx.say(isOwn(ctx) ? 'history-empty-own' : 'history-empty'), undefined];
  return renderDay(deps, ctx, found, beside?.page ?? 1);
}

function renderDay(deps: Deps, ctx: BotContext, found: DayPage, page: number): Shown {
  const { day, lines, hasMore, earlier, later, total } = found;
  const facts = { day: formatDate(ctx.language, day), own: isOwn(ctx) ? 'yes' : 'no' };
  const data = dayData(day);
  const keyboard = new InlineKeyboard(
    pagingKeyboard(ctx, { page, hasMore }, (other) => `${data}:${writeBeside(other, page, lines)}`)
      ?.inline_keyboard,
  ).row();
  const short = (other: Day) => ({ day: formatShortDate(ctx.language, other) });
  if (earlier) keyboard.text(ctx.label('history-day-earlier', short(earlier)), dayData(earlier));
  if (later) keyboard.text(ctx.label('history-day-later', short(later)), dayData(later));
  if (lines.length === 0) return [ctx.say('history-day-empty', facts), keyboard];
  const zone = zoneOf(deps, ctx.actor);
  const title = ctx.say('history-day', {
    ...facts,
    page: String(page),
    several: page === 1 && !hasMore ? 0 : 1,
    zone: describeOffset(zone, lines[0]?.createdAt ?? deps.clock.now()),
  });
  const head = total ? `${title}\n${ctx.say('history-total', { ...total })}` : title;
  return [`${head}\n\n${renderLines(deps, ctx, lines, 'time')}`, keyboard];
}

function renderPage(deps: Deps, ctx: BotContext, page: number, { lines, hasMore }: HistoryPage): Shown {
  if (lines.length === 0) {
    const empty = isOwn(ctx) ? 'history-empty-own' : 'history-empty';
    return [page === 1 ? ctx.say(empty) : ctx.say('history-no-page', { page: String(page) }), undefined];
  }
  const keyboard = pagingKeyboard(
    ctx,
    { page, hasMore },
    (other) => `history:${writeBeside(other, page, lines)}`,
  );
  const zone = describeOffset(zoneOf(deps, ctx.actor), lines[0]?.createdAt ?? deps.clock.now());
  const title = ctx.say('history-title', { page: String(page), own: isOwn(ctx) ? 'yes' : 'no', zone });
  return [`${title}\n\n${renderLines(deps, ctx, lines, 'moment')}`, keyboard];
}

function renderLines(
  deps: Deps,
  ctx: BotContext,
  lines: HistoryPage['lines'],
  when: 'time' | 'moment',
): string {
  const { texts, core } = deps;
  const place = { texts, games: core.games, language: ctx.language, timeZone: zoneOf(deps, ctx.actor), when };
  return renderHistoryLines(place, lines);
}

/** Whether this person is shown their own alone. */
export function isOwn({ actor }: BotContext): boolean {
  return actor !== undefined && grantOf(actor, 'searchHistory') === 'own';
}

function writeBeside(other: number, page: number, lines: HistoryPage['lines']): string {
  const [way, beside] = other < page ? ['n', lines[0]] : ['o', lines.at(-1)];
  return `${other}:${way}:${(beside?.createdAt ?? 0).toString(36)}:${(beside?.id ?? 0).toString(36)}`;
}

/** Of a button that shows a day. */
export const dayData = (day: Day): string => `history:day:${writeDay(day)}`;

function writeDay({ year, month, day }: Day): string {
  return `${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`;
}
