// A day of /history: what was redeemed, newest first, ten lines a page, and the days beside it.
import { InlineKeyboard } from 'grammy';

import { grantOf, isDay, type Day, type DayPage, type ListCursor } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, checked, perhaps, type Feature } from '../feature.ts';
import { describeOffset, formatDate, formatShortDate, zoneOf } from '../moments.ts';
import { pagingKeyboard } from '../prompts/paging-keyboard.ts';
import { PAGE_SIZE, renderHistoryLines } from './history-entries.ts';
import { editHtml } from '../replies.ts';

type Deps = Pick<BotDeps, 'core' | 'texts' | 'clock'>;
type Shown = [html: string, keyboard: InlineKeyboard | undefined];

export const createDayButtons = (deps: Deps): Feature['buttons'] => ({
  'history:day': button('searchHistory', [day, perhaps(beside)], async (ctx, which, where) =>
    editHtml(ctx, ...(await showDay(deps, ctx, which, where))),
  ),
});

type Placed = { page: number } & ({ after: ListCursor } | { before: ListCursor });

/** `<page>:<o or n>:<time>:<id>`, in base 36: the line that a page lies beside; nothing redeemed meanwhile shifts it. */
const beside = checked((text): Placed | undefined => {
  const [, page, way, ...numbers] =
    /^([1-9]\d{0,5}):([on]):([0-9a-z]{1,11}):([0-9a-z]{1,11})$/.exec(text) ?? [];
  const [at = Number.NaN, id = Number.NaN] = numbers.map((each) => Number.parseInt(each, 36));
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(id)) return undefined;
  return { page: Number(page), ...(way === 'n' ? { before: { at, id } } : { after: { at, id } }) };
});

/** `<YYYYMMDD>` */
const day = checked((text): Day | undefined => {
  const [year = 0, month = 0, date = 0] = (/^(20\d\d)(\d\d)(\d\d)$/.exec(text) ?? []).slice(1).map(Number);
  const read = { year, month, day: date };
  return isDay(read) ? read : undefined;
});

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
  const place = {
    ...deps,
    games: deps.core.games,
    language: ctx.language,
    timeZone: zone,
    when: 'time',
  } as const;
  return [`${head}\n\n${renderHistoryLines(place, lines)}`, keyboard];
}

/** Whether this person is shown their own alone. */
export function isOwn({ actor }: BotContext): boolean {
  return actor !== undefined && grantOf(actor, 'searchHistory') === 'own';
}

function writeBeside(other: number, page: number, lines: DayPage['lines']): string {
  const [way, beside] = other < page ? ['n', lines[0]] : ['o', lines.at(-1)];
  return `${other}:${way}:${(beside?.createdAt ?? 0).toString(36)}:${(beside?.id ?? 0).toString(36)}`;
}

/** Of a button that shows a day. */
export const dayData = (day: Day): string => `history:day:${writeDay(day)}`;

function writeDay({ year, month, day }: Day): string {
  return `${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`;
}
