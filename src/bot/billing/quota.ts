// /quota: what of the daily quota is used and left, when it comes back, what was bought, and until when the
// subscription goes.
import { DAY_MS } from '../../clock.ts';
import { COST_QUARTERS, grantOf, type QuotaStatus } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { formatDay, formatMoment, formatTime, zoneOf } from '../moments.ts';
import { reply } from '../replies.ts';
import { writeActivations } from '../texts.ts';
import { wayOutKey } from '../errors.ts';

const BAR_LENGTH = 12;

export function createQuotaFeature({ core, clock }: Pick<BotDeps, 'core' | 'clock'>): Feature {
  const run = (ctx: BotContext): Promise<unknown> => {
    const actor = actorOf(ctx);
    const place = { now: clock.now(), timeZone: zoneOf({ core }, actor) };
    const lines = describeQuota(ctx, core.quota(actor), place);
    if (grantOf(actor, 'purchase') !== 'no') lines.push('', ctx.say('quota-buy'));
    return reply(ctx, lines.join('\n'));
  };
  return { commands: { quota: { needs: 'seeQuota', inGroups: true, run } } };
}

interface Place {
  now: number;
  timeZone: string;
}

function describeQuota(ctx: BotContext, quota: QuotaStatus, place: Place): string[] {
  const { daily, purchased, secondsUntilNext } = quota;
  const next = place.now + secondsUntilNext * 1000;
  const dayOf = (at: number) => formatDay(ctx.language, at, place.timeZone);
  return [
    ctx.say('quota-title'),
    drawBar(daily.used / daily.limit),
    ctx.say('quota-daily', {
      used: writeActivations(ctx.language, daily.used),
      limit: String(daily.limit),
      left: writeActivations(ctx.language, daily.remaining),
    }),
    daily.used === 0
      ? ctx.say('quota-all-free')
      : ctx.say('quota-next', {
          time: describeTime(ctx, secondsUntilNext),
          at: formatTime(next, place.timeZone),
          day: dayOf(next) === dayOf(place.now) ? 'today' : 'tomorrow',
        }),
    ctx.say('quota-costs', {
      redeem: writeActivations(ctx.language, COST_QUARTERS.redeem / 4),
      name: writeActivations(ctx.language, COST_QUARTERS.character / 4),
    }),
    ctx.say('quota-purchased', { purchased: writeActivations(ctx.language, purchased) }),
    describeSubscription(ctx, quota.subscriptionExpiresAt, place),
  ];
}

/** `▰▰▰▱▱▱`; neither empty while something is used nor full while something is left. */
export function drawBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_LENGTH);
  const shown = share > 0 && share < 1 ? Math.min(BAR_LENGTH - 1, Math.max(1, filled)) : filled;
  return '▰'.repeat(shown) + '▱'.repeat(BAR_LENGTH - shown);
}

function describeTime(ctx: BotContext, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const hours = Math.floor(minutes / 60);
  return hours === 0
    ? ctx.label('quota-minutes', { minutes: String(minutes) })
    : ctx.label('quota-hours', { hours: String(hours), minutes: String(minutes % 60) });
}

function describeSubscription(ctx: BotContext, endsAt: number | undefined, { now, timeZone }: Place): string {
  if (endsAt === undefined) return ctx.say(wayOutKey(ctx, 'quota-subscription-none'));
  const when = formatMoment(ctx.language, endsAt, timeZone);
  if (endsAt <= now) return ctx.say(wayOutKey(ctx, 'quota-subscription-ended'), { when });
  return ctx.say('quota-subscription', { when, days: Math.ceil((endsAt - now) / DAY_MS) });
}
