// Limits of an API key, from its button in /api_key: activations a day, addresses, a last day, all in one message.
import {
  isDayLimit,
  MOST_PER_DAY,
  parseIsoDay,
  rangeOfDays,
  type ApiKeySummary,
  type KeyLimits,
} from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, type Feature } from '../feature.ts';
import { formatDay, zoneOf } from '../moments.ts';
import { askInWords } from '../prompts/ask.ts';
import { answerTap, reply } from '../replies.ts';
import { name } from '../texts.ts';

const LIMITS = 'key-limits';
const NOTHING = /^(?:none|off|нет|выкл)$/iu;
const MOST_WORDS = 30;

type Deps = Pick<BotDeps, 'core'>;

export function createKeyLimits(deps: Deps): Required<Pick<Feature, 'buttons' | 'questions'>> {
  const needs = 'manageApiKeys';
  const { apiKeys } = deps.core;
  const find = (ctx: BotContext, id: number) =>
    apiKeys.list(actorOf(ctx)).find((key) => key.id === id && !key.revoked);
  return {
    buttons: {
      'key:limits': button(needs, [wholeNumber()], async (ctx, id) => {
        const key = find(ctx, id);
        if (!key) return answerTap(ctx, ctx.label('key-gone'), true);
        const html = [describeAll(deps, ctx, key, 'key-limits-of'), '', ctx.say('key-limits-ask')].join('\n');
        await askInWords(ctx, html, LIMITS, String(id));
      }),
    },
    questions: {
      [LIMITS]: {
        needs,
        takesWords: true,
        async hear(ctx, id, text) {
          const read = readLimits(text, zoneOf(deps, ctx.actor));
          if (read === undefined) return false;
          if ('wrong' in read) return ctx.say('key-limits-wrong', { word: read.wrong });
          const { dayLimit = null, addresses = null, expiresAt = null } = read;
          await apiKeys.limit(actorOf(ctx), Number(id), { dayLimit, addresses, expiresAt });
          const key = find(ctx, Number(id));
          await reply(ctx, key ? describeAll(deps, ctx, key, 'key-limited') : ctx.say('key-unknown'));
          return true;
        },
      },
    },
  };
}

/** `Till, crs_…`. */
export const callKey = ({ name: called, prefix }: Pick<ApiKeySummary, 'name' | 'prefix'>): string =>
  called === undefined ? `${prefix}…` : `${name(called)}, ${prefix}…`;

/** What it has, a line each, below these words of it. */
function describeAll(deps: Deps, ctx: BotContext, of: ApiKeySummary, key: string): string {
  const { dayLimit, addresses = [], expiresAt } = of.limits;
  const until =
    expiresAt === undefined ? '' : formatDay(ctx.language, expiresAt - 1, zoneOf(deps, ctx.actor));
  const lines = [
    dayLimit !== undefined && ctx.say('key-limits-day', { count: String(dayLimit) }),
    ...addresses.map((address) => ctx.say('key-limits-from', { address })),
    until !== '' && ctx.say('key-limits-until', { day: until }),
  ].filter((line) => line !== false);
  return [
    ctx.say(key, { key: callKey(of) }),
    ...(lines.length > 0 ? lines : [ctx.say('key-limits-none')]),
  ].join('\n');
}

/** All that a message says; what it leaves out limits nothing. Undefined where it says something else. */
function readLimits(text: string, timeZone: string): KeyLimits | { wrong: string } | undefined {
  const words = text.split(/[\s;]+|,(?!\d)/u).filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  if (words.length === 1 && NOTHING.test(words[0]!)) return {};
  const limits: { dayLimit?: number; addresses?: string[]; expiresAt?: number } = {};
  for (const word of words) {
    const day = readLastDay(word);
    if (day) limits.expiresAt = rangeOfDays({ to: day }, timeZone).until;
    else if (/^\d+(?:[.,]\d+)?$/.test(word)) {
      const number = Number(word.replace(',', '.'));
      // A player, or an order for one.
      if (number > MOST_PER_DAY || limits.dayLimit !== undefined) return undefined;
      if (!isDayLimit(number)) return { wrong: word };
      limits.dayLimit = number;
    } else if (/^[\da-f.:/]+$/i.test(word) && /[.:]/.test(word)) (limits.addresses ??= []).push(word);
    else return word === words[0] ? undefined : { wrong: word };
  }
  return limits;
}

/** `2026-12-31`, `31.12.2026`. */
const readLastDay = (word: string) =>
  parseIsoDay(
    word.replace(/^(\d{1,2})\.(\d{1,2})\.(20\d\d)$/, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    ),
  );
