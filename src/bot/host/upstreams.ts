// /upstreams: a card for each service that codes are redeemed at, and pausing it, resuming it, asking it about what
// nobody knows.
import { InlineKeyboard } from 'grammy';

import type { UpstreamSummary } from '../../core/index.ts';
import { requiresHost } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { answerTap, reply, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { moment } from './host-menus.ts';

/** What a message has room for. */
const MOST_CARDS = 12;
const BUTTON = /^host:upstream:(pause|resume|ask):([a-z][a-z0-9-]{0,31})$/;

export function createUpstreamCards(deps: BotDeps): Handlers {
  const { upstreams } = deps.core;
  const handlers = new Handlers();
  handlers.command('upstreams', requiresHost(), (ctx) => showUpstreams(deps, ctx, 'reply'));
  handlers.callbackQuery(BUTTON, requiresHost(), async (ctx) => {
    const [, act, name = ''] = ctx.match;
    if (act === 'ask') {
      const asked = await upstreams.askNow(hostOf(ctx), name);
      if (asked.status === 'justAsked') return answerTap(ctx, ctx.label('host-just-asked'), true);
      answerTap(ctx);
      const keyboard = new InlineKeyboard().text(
        ctx.label('host-button-look-again'),
        commandData('upstreams'),
      );
      const key = asked.count === 0 ? 'host-asked-none' : 'host-asked';
      return void (await reply(ctx, ctx.say(key, { count: asked.count }), keyboard));
    }
    // Pressed again it is so already: nothing of it happens twice.
    const change =
      act === 'pause'
        ? upstreams.pause(hostOf(ctx), name, ctx.label('host-upstream-by-host'))
        : upstreams.resume(hostOf(ctx), name);
    const { status } = await change;
    if (status === 'unknown') return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    await showUpstreams(deps, ctx, 'edit');
  });
  return handlers;
}

async function showUpstreams(deps: BotDeps, ctx: BotContext, how: 'reply' | 'edit'): Promise<void> {
  const all = deps.core.upstreams.list(hostOf(ctx));
  const shown = all.slice(0, MOST_CARDS);
  const keyboard = new InlineKeyboard();
  for (const one of shown) addButtons(keyboard, ctx, one, shown.length > 1);
  keyboard.text(ctx.label('host-button-look-again'), commandData('upstreams'));
  const more = all.length - shown.length;
  const rest = more > 0 ? [ctx.say('host-more', { count: String(more) })] : [];
  const html = [...shown.map((one) => formatCard(deps, ctx, one)), ...rest].join('\n\n');
  await show(ctx, html, keyboard, how);
}

/** `isOneOfSeveral`: the buttons say of which. */
function addButtons(
  keyboard: InlineKeyboard,
  ctx: BotContext,
  { name, state, unknown }: UpstreamSummary,
  isOneOfSeveral: boolean,
): void {
  const label = (key: string) => (isOneOfSeveral ? `${ctx.label(key)} · ${name}` : ctx.label(key));
  const change = state === 'paused' ? 'resume' : 'pause';
  if (state !== 'notChosen') keyboard.text(label(`host-button-${change}`), `host:upstream:${change}:${name}`);
  // A name may be as long as a row.
  if (isOneOfSeveral && state !== 'notChosen' && unknown > 0) keyboard.row();
  if (unknown > 0) keyboard.text(label('host-button-ask-now'), `host:upstream:ask:${name}`);
  if (state !== 'notChosen' || unknown > 0) keyboard.row();
}

function formatCard(deps: BotDeps, ctx: BotContext, one: UpstreamSummary): string {
  const { name, profile, tier, provesBy, day, open, unknown, cases } = one;
  const ids = cases.map(({ redemptionId }) => redemptionId).join(', ');
  const proofs = provesBy.map((proof) => ctx.label(`host-upstream-proof-${proof}`)).join(', ');
  return [
    ctx.say('host-upstream', { name, profile, tier: String(tier), proofs }),
    formatState(deps, ctx, one),
    formatDayFigures(ctx, day),
    ...(day.costs.length === 0 ? [] : [ctx.say('host-upstream-costs', { costs: day.costs.join(', ') })]),
    ctx.say('host-upstream-open', { open: String(open), unknown: String(unknown) }),
    ...(ids === '' ? [] : [ctx.say('host-upstream-cases', { ids })]),
  ].join('\n');
}

function formatState(deps: BotDeps, ctx: BotContext, one: UpstreamSummary): string {
  const { state, since, until, pause, isFailing } = one;
  const at = (ms: number | undefined) => (ms === undefined ? '' : moment(deps, ctx, ms));
  if (state === 'usable' && isFailing) return ctx.say('host-upstream-failing');
  const facts = { since: at(since), until: at(until), reason: pause?.reason ?? '' };
  return ctx.say(`host-upstream-${state}`, facts);
}

function formatDayFigures(ctx: BotContext, { attempts, redeemed, medianMs }: UpstreamSummary['day']): string {
  if (attempts === 0) return ctx.say('host-upstream-day-none');
  const facts = { redeemed: String(redeemed), attempts: String(attempts) };
  if (medianMs === undefined) return ctx.say('host-upstream-day', facts);
  return ctx.say('host-upstream-day-median', { ...facts, seconds: (medianMs / 1000).toFixed(1) });
}
