// /history and /find: receipts day by day, and by whatever is said of them. What was found is kept as identifiers for a day, so that the buttons of
// its pages carry neither what was looked for nor a code.
import { InlineKeyboard } from 'grammy';

import type { Day, Found, MatchReason } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { among, button, type Feature, wholeNumber, word } from '../feature.ts';
import { describeOffset, formatDate, formatDay, formatShortDate, zoneOf } from '../moments.ts';
import { askInWords } from '../prompts/ask.ts';
import { createConfirmation, findConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { pagingKeyboard } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { name } from '../texts.ts';
import { PAGE_SIZE, renderHistoryLines } from './history-entries.ts';
import { createDayButtons, dayData, isOwn, showDay } from './history.ts';
import { showReceipt } from './show-receipt.ts';

type Deps = Pick<BotDeps, 'core' | 'texts' | 'store' | 'clock' | 'ids'>;

const FIND = 'find';
const ACTION = 'find-pages';
const KEPT_MS = 24 * 60 * 60 * 1000;

export function createFindFeature(deps: Deps): Feature {
  const { core } = deps;
  return {
    commands: {
      // A day, or whatever else is said.
      history: {
        needs: 'searchHistory',
        run: async (ctx, text) =>
          text === '' ? reply(ctx, ...(await showDay(deps, ctx))) : answerFind(deps, ctx, text),
      },
      find: {
        needs: 'searchHistory',
        run: (ctx, text) =>
          text === '' ? askInWords(ctx, ctx.say('find-ask'), FIND) : answerFind(deps, ctx, text),
      },
    },
    buttons: {
      ...createDayButtons(deps),
      find: button('searchHistory', [wholeNumber(3), word], (ctx, page, id) => {
        const found = findConfirmation<Found>(deps, ctx, ACTION, id);
        if (found.status === 'refused') return answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
        const kept = found.payload;
        const lines = core.search.read(actorOf(ctx), pick(kept.ids, page));
        if (lines.length === 0) return editHtml(ctx, ctx.say('find-nothing', { what: 'none' }));
        return editHtml(ctx, ...render(deps, ctx, { kept, page, lines, id }));
      }),
      // The outcome of what is looked for, on any day.
      'find:near': button('searchHistory', [among('failed', 'in_doubt')], (ctx, outcome) =>
        answerFind(deps, ctx, outcome.replace('_', ' '), { how: 'edit' }),
      ),
    },
    questions: {
      [FIND]: {
        needs: 'searchHistory',
        takesWords: true,
        async hear(ctx, _of, text) {
          if (text.trim() === '') return ctx.say('find-need-text');
          await answerFind(deps, ctx, text);
          return true;
        },
      },
    },
  };
}

/**
 * Looks for what a text says and tells what is found: one is the receipt itself. Where that is nothing, `replyNothing`
 * says so. Whoever calls it has looked whether this member may search.
 */
export async function answerFind(
  deps: Deps,
  ctx: BotContext,
  text: string,
  { how = 'reply', replyNothing }: { how?: 'reply' | 'edit'; replyNothing?: () => Promise<void> } = {},
): Promise<void> {
  const { core } = deps;
  const day = core.search.readDay(actorOf(ctx), text);
  if (day) {
    await reply(ctx, ...(await showDay(deps, ctx, day)));
    return;
  }
  const kept = await core.search.find(actorOf(ctx), text);
  const lines = core.search.read(actorOf(ctx), pick(kept.ids, 1));
  const [first, another] = lines;
  if (!first && replyNothing) return replyNothing();
  if (!first) {
    const keyboard = how === 'edit' ? undefined : nearKeyboard(ctx, kept.by, dayData);
    return show(ctx, formatNothing(deps, ctx, kept), keyboard, how);
  }
  if (!another && kept.isComplete && !kept.asksForMore) {
    return showReceipt(deps, ctx, first.id, how);
  }
  const order = { action: ACTION, payload: kept, withinMs: KEPT_MS, madeOf: null };
  const data = kept.ids.length > PAGE_SIZE ? createConfirmation(deps, ctx, order) : '';
  const id = data.slice(ACTION.length + 1);
  await show(ctx, ...render(deps, ctx, { kept, page: 1, lines, id }), how);
}

const formatNothing = (deps: Deps, ctx: BotContext, found: Found): string =>
  [sayNothing(ctx, found.by, isOwn(ctx)), ...sayBounds(deps, ctx, found)].join('\n');

/** What may be there beside what was found. */
function sayBounds(deps: Deps, ctx: BotContext, { asksForMore, reached }: Found): string[] {
  const day = reached !== undefined && formatDay(ctx.language, reached, zoneOf(deps, ctx.actor));
  return [
    ...(asksForMore ? [ctx.say('find-more-characters')] : []),
    ...(day ? [ctx.say('find-more', { day })] : []),
  ];
}

function render(
  deps: Deps,
  ctx: BotContext,
  found: { kept: Found; page: number; lines: ReturnType<Deps['core']['search']['read']>; id: string },
): [html: string, keyboard: InlineKeyboard | undefined] {
  const { kept, page, lines, id } = found;
  const { core, texts, clock } = deps;
  const pages = Math.ceil(kept.ids.length / PAGE_SIZE);
  const timeZone = zoneOf(deps, ctx.actor);
  const zone = describeOffset(timeZone, clock.now());
  const what = describeMatchReason(ctx, kept.by);
  const title = [
    ctx.say('find-title', {
      count: kept.ids.length,
      page: String(page),
      pages: String(pages),
      several: Math.min(pages, 2),
      zone,
    }),
    ...(what ? [ctx.say('find-by', { what })] : []),
    ...sayBounds(deps, ctx, kept),
  ];
  const place = { texts, games: core.games, language: ctx.language, timeZone, when: 'moment' } as const;
  const keyboard = pagingKeyboard(ctx, { page, hasMore: page < pages }, (other) => `find:${other}:${id}`);
  return [`${title.join('\n')}\n\n${renderHistoryLines(place, lines)}`, keyboard];
}

function pick(ids: readonly number[], page: number): number[] {
  return ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

// Match reasons: what was looked for, as it was understood: `21 Nov 2026 · failed · ann`; and how it is said that there
// is none, with what is near.

/** More than these are not said back. */
const MOST_WORDS = 6;

/** Plain; empty where nothing was understood. */
export function describeMatchReason(
  { language, label }: Pick<BotContext, 'language' | 'label'>,
  { days, state, words }: MatchReason,
): string {
  const [first, last] = (days ?? []).map((day) => formatDate(language, day));
  const shown = words
    .slice(0, MOST_WORDS)
    .map((word) => name(word))
    .join(' ');
  const parts = [
    first === last || last === undefined ? first : `${first} – ${last}`,
    state && label(`find-state-${state.replace('_', '-')}`),
    words.length > MOST_WORDS ? `${shown} …` : shown,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

type Said = Pick<BotContext, 'language' | 'label' | 'say'>;

/** That there is none of it, in a sentence about what was understood; HTML. `own`: of one's own alone. */
export function sayNothing(ctx: Said, by: MatchReason, own: boolean): string {
  const { days, state, words } = by;
  if (words.length > 0 || (!days && !state)) {
    const what = describeMatchReason(ctx, by);
    return [ctx.say('find-nothing', { what: what || 'none' }), ...sayTooFew(ctx, by)].join(' ');
  }
  const [first, last] = (days ?? []).map((day) => formatShortDate(ctx.language, day));
  const span = first === last ? 'day' : 'span';
  const when = days ? ctx.label('find-when', { span, first: first ?? '', last: last ?? '' }) : 'none';
  return ctx.say('find-nothing-state', { state: state ?? 'any', when, own: own ? 'yes' : 'no' });
}

/** A single word that may be meant as an end of a code, or of an ID. */
function sayTooFew({ say }: Pick<Said, 'say'>, { days, state, words }: MatchReason): string[] {
  const [word = '', another] = words;
  const isAlone = another === undefined && !days && !state;
  if (!isAlone || !/^[A-Za-z0-9]{1,5}$/.test(word)) return [];
  if (!/^\d+$/.test(word)) return [say('find-too-few', { count: word.length })];
  return word.length < 4 ? [say('find-too-few-digits', { count: word.length })] : [];
}

/** What is nearest where there is none on a day: the same outcome on any, and all of the day. `dataOf` of a day. */
export function nearKeyboard(
  { language, label }: Said,
  { days, state }: MatchReason,
  dataOf: (day: Day) => string,
): InlineKeyboard | undefined {
  const [first, last] = (days ?? []).map((day) => ({ day, shown: formatShortDate(language, day) }));
  const keyboard = new InlineKeyboard();
  if (state && first) keyboard.text(label('find-near-state', { state }), `find:near:${state}`).row();
  if (first && first.shown === last?.shown)
    keyboard.text(label('find-near-day', { day: first.shown }), dataOf(first.day));
  return keyboard.inline_keyboard.flat().length === 0 ? undefined : keyboard;
}
