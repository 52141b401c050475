// Match reasons: what was looked for, as it was understood: `21 Nov 2026 · failed · ann`; and how it is said that there
// is none, with what is near.
import { InlineKeyboard } from 'grammy';

import type { Day, MatchReason } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { formatDate, formatShortDate } from '../moments.ts';
import { name } from '../texts.ts';

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
