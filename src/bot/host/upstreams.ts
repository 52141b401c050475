// For /health: how each service that codes are redeemed at stands, and buttons that pause and resume it.
import type { InlineKeyboard } from 'grammy';

import { requiresHost } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { answerTap } from '../replies.ts';
import { moment } from './host-menus.ts';

/** What a message has room for. */
const MOST_SHOWN = 12;
const BUTTON = /^host:upstream:(pause|resume):([a-z][a-z0-9-]{0,31})$/;

type Standing = ReturnType<BotDeps['core']['health']['listUpstreams']>[number];

/** A line and a button of each that orders are sent to. */
export function addUpstreams(deps: BotDeps, ctx: BotContext, keyboard: InlineKeyboard): string[] {
  const chosen = deps.core.health.listUpstreams().filter(({ state }) => state !== 'notChosen');
  return chosen.slice(0, MOST_SHOWN).map((one) => {
    const change = one.state === 'paused' ? 'resume' : 'pause';
    const label = `${ctx.label(`host-button-${change}`)} · ${one.name}`;
    keyboard.text(label, `host:upstream:${change}:${one.name}`).row();
    return ctx.say('host-upstream', { name: one.name, state: formatState(deps, ctx, one) });
  });
}

function formatState(deps: BotDeps, ctx: BotContext, one: Standing): string {
  const { state, since, until, pause, isFailing } = one;
  const at = (ms: number | undefined) => (ms === undefined ? '' : moment(deps, ctx, ms));
  if (state === 'usable' && isFailing) return ctx.label('host-upstream-failing');
  const facts = { since: at(since), until: at(until), reason: pause?.reason ?? '' };
  return ctx.label(`host-upstream-${state}`, facts);
}

/** `showAgain`: what the buttons stand under, as it is after the press. */
export function createUpstreamButtons(
  deps: BotDeps,
  showAgain: (ctx: BotContext) => Promise<void>,
): Handlers {
  const { upstreams } = deps.core;
  const handlers = new Handlers();
  handlers.callbackQuery(BUTTON, requiresHost(), async (ctx) => {
    const [, act, name = ''] = ctx.match;
    // Pressed again it is so already: nothing of it happens twice.
    const change =
      act === 'pause'
        ? upstreams.pause(hostOf(ctx), name, ctx.label('host-upstream-by-host'))
        : upstreams.resume(hostOf(ctx), name);
    const { status } = await change;
    if (status === 'unknown') return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    await showAgain(ctx);
  });
  return handlers;
}
