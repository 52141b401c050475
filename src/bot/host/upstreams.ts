// For /health: how each service that codes are redeemed at stands, and buttons that pause and resume it.
import type { InlineKeyboard } from 'grammy';

import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { among, button, word, type Feature } from '../feature.ts';
import { answerTap } from '../replies.ts';
import { moment } from './host-menus.ts';

/** What a message has room for. */
const MOST_SHOWN = 12;

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
export const upstreamButtons = (
  { core: { upstreams } }: BotDeps,
  showAgain: (ctx: BotContext) => Promise<void>,
): Feature['buttons'] => ({
  'host:upstream': button('hosts', [among('pause', 'resume'), word], async (ctx, act, name) => {
    // Pressed again it is so already: nothing of it happens twice.
    const change =
      act === 'pause'
        ? upstreams.pause(hostOf(ctx), name, ctx.label('host-upstream-by-host'))
        : upstreams.resume(hostOf(ctx), name);
    const { status } = await change;
    if (status === 'unknown') answerTap(ctx, ctx.label('button-old'), true);
    else await showAgain(ctx);
  }),
});
