// /health: how the service and its upstreams stand, and asking the platform about what is in doubt at once.
import { readFileSync } from 'node:fs';
import { InlineKeyboard } from 'grammy';

import type { SellByVerificationAnswer } from '../../core/index.ts';
import { asset } from '../../files.ts';
import { type BotContext, type BotDeps, hostOf } from '../context.ts';
import { among, button, type Feature, perhaps, wholeNumber, word } from '../feature.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { answerTap, reply, show } from '../replies.ts';
import type { ConnectionStatus } from '../telegram/connection-status.ts';
import { moment } from './host-menus.ts';

const PACKAGE_FILE = asset('package.json');

export function createHealthFeature(deps: BotDeps, connection: ConnectionStatus): Feature {
  const startedAt = deps.clock.elapsed();
  const showHealth = async (ctx: BotContext, how: 'reply' | 'edit'): Promise<void> => {
    const { health, doubts } = deps.core;
    const { pending } = health.countOpen();
    const inDoubt = doubts.summary(hostOf(ctx));
    const reachable = await health.platformReachable();
    const lines = [
      ctx.say('host-health', {
        telegram: ctx.label(`host-telegram-${connection.current()}`, {
          since: moment(deps, ctx, connection.since()),
        }),
        platform: describePlatform(ctx, reachable, health),
        pending: String(pending),
        doubts: formatDoubts(deps, ctx, inDoubt),
        // The one that asks is under way itself.
        inbox: String(Math.max(0, deps.store.inbox.countWaiting() - 1)),
        setAside: String(deps.store.inbox.countSetAside()),
        tasks: formatTasks(deps, ctx),
        backup: describeBackup(deps, ctx),
        uptime: describeUptime(ctx, deps.clock.elapsed() - startedAt),
        version: readVersion(),
      }),
      ...deps.core.hostAlerts.list().map(({ name, of, since }) =>
        ctx.say('host-health-alert', {
          name,
          of: of === undefined ? '' : ` (${of})`,
          since: moment(deps, ctx, since),
        }),
      ),
    ];
    const keyboard = new InlineKeyboard();
    lines.push(...addUpstreams(deps, ctx, keyboard), ...addSweeps(deps, ctx, keyboard));
    const games = await health.listUnproven();
    if (games.length > 0) lines.push(ctx.say('host-unproven', { games: games.join(', ') }));
    if (inDoubt.count > 0) keyboard.text(ctx.label('host-button-ask-now'), 'host:ask');
    keyboard.text(ctx.label('host-button-look-again'), commandData('health'));
    await show(ctx, lines.join('\n'), keyboard, how);
  };
  const askNow = async (ctx: BotContext, accountId: number | undefined): Promise<void> => {
    const asked = await deps.core.doubts.askNow(hostOf(ctx), accountId);
    if (asked.status === 'justAsked') return answerTap(ctx, ctx.label('host-just-asked'), true);
    const keyboard = new InlineKeyboard().text(ctx.label('host-button-look-again'), commandData('health'));
    const key = asked.count === 0 ? 'host-asked-none' : 'host-asked';
    await reply(ctx, ctx.say(key, { count: asked.count }), keyboard);
  };
  return {
    commands: { health: { needs: 'hosts', run: (ctx) => showHealth(ctx, 'reply') } },
    buttons: {
      'host:ask': button('hosts', [perhaps(wholeNumber())], askNow),
      ...upstreamButtons(deps, (ctx) => showHealth(ctx, 'edit')),
      ...sweepButtons(deps),
    },
  };
}

/** `2, the oldest since 21 Nov 2026, 10:36 UTC` */
function formatDoubts(
  deps: BotDeps,
  ctx: BotContext,
  { count, held, oldestAt }: { count: number; held: number; oldestAt: number | undefined },
): string {
  if (oldestAt === undefined) return String(count);
  const since = moment(deps, ctx, oldestAt);
  const doubts = ctx.label('host-doubts-since', { count: String(count), since });
  return held === 0 ? doubts : ctx.label('host-doubts-held', { doubts, held: String(held) });
}

/** `results 2 since 21 Nov 2026, 10:36 UTC`, of each task that waits; else `0`. */
function formatTasks(deps: BotDeps, ctx: BotContext): string {
  const waiting = deps.store.outbox.listWaiting().map(({ task, count, since }) =>
    ctx.label('host-tasks-since', {
      tasks: ctx.label(`host-tasks-${task}`),
      count: String(count),
      since: moment(deps, ctx, since),
    }),
  );
  return waiting.join(', ') || '0';
}

/** `the real one, reachable, its clock is 6 min behind ours` */
function describePlatform(ctx: BotContext, isReachable: boolean, health: BotDeps['core']['health']): string {
  const which = ctx.label(health.isSandbox ? 'host-sandbox' : 'host-platform-real');
  const aheadMs = health.platformAheadMs();
  const reachability = ctx.label(isReachable ? 'host-reachable' : 'host-unreachable');
  const clock = aheadMs === undefined ? [] : [formatClock(ctx, aheadMs)];
  return [which, reachability, ...clock].join(', ');
}

/** It is told in whole seconds, and by an answer that was on its way. */
const SAME_MS = 3_000;
const WORDED_IN_MINUTES_MS = 2 * 60_000;

function formatClock(ctx: BotContext, aheadMs: number): string {
  const ms = Math.abs(aheadMs);
  if (ms <= SAME_MS) return ctx.label('host-clock-same');
  const seconds = String(Math.round(ms / 1000));
  const amount = ms < WORDED_IN_MINUTES_MS ? ctx.label('host-seconds', { seconds }) : describeUptime(ctx, ms);
  return ctx.label(aheadMs > 0 ? 'host-clock-ahead' : 'host-clock-behind', { amount });
}

function describeBackup(deps: BotDeps, ctx: BotContext): string {
  const { lastBackupAt } = deps.settings;
  if (!lastBackupAt) return ctx.label('host-backup-off');
  const at = lastBackupAt();
  return at === undefined ? ctx.label('host-backup-none') : moment(deps, ctx, at);
}

/** In its two largest units, rounded down: `3 h 5 min`. */
function describeUptime(ctx: BotContext, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return ctx.label('host-uptime-days', { days: String(days), hours: String(hours % 24) });
  if (hours > 0)
    return ctx.label('host-uptime-hours', { hours: String(hours), minutes: String(minutes % 60) });
  if (minutes > 0) return ctx.label('host-uptime-minutes', { minutes: String(minutes) });
  return ctx.label('host-uptime-fresh');
}

function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string }).version;
}

// The host ends the questions that follow a restore, and sells by verification alone: asked once more.

const ASK = 'host:sweeps';

/** For /health: a line, and a button, where sweeps are open. */
function addSweeps(deps: BotDeps, ctx: BotContext, keyboard: InlineKeyboard): string[] {
  const count = countOpen(deps, ctx);
  if (count === 0) return [];
  keyboard.text(ctx.label('host-button-sell-unswept'), ASK).row();
  return [ctx.say('host-sweeps', { count })];
}

const countOpen = (deps: BotDeps, ctx: BotContext) => deps.core.sweeps.list(hostOf(ctx)).length;

function sweepButtons(deps: BotDeps): Feature['buttons'] {
  const selling = confirming<object>(deps, 'host-sell-unswept', {
    needs: 'hosts',
    asks: (ctx) => ({
      html: ctx.say('host-ask-sell-unswept', { count: countOpen(deps, ctx) }),
      label: ctx.label('host-button-sell-unswept'),
      style: 'danger',
    }),
    async does(ctx, { ends, result }) {
      const again = new InlineKeyboard().text(ctx.label('host-button-look-again'), commandData('health'));
      const inTransaction = ends((answer: SellByVerificationAnswer) => {
        const count = answer.status === 'ended' ? answer.count : 0;
        return [result(toOutgoing(ctx.say('host-sell-unswept-done', { count }), again))];
      });
      await deps.core.sweeps.sellByVerification(hostOf(ctx), { inTransaction });
    },
  });
  const ask = (ctx: BotContext): unknown =>
    countOpen(deps, ctx) === 0 ? answerTap(ctx, ctx.label('button-old'), true) : selling.ask(ctx, {}, 'edit');
  return { [ASK]: button('hosts', [], ask), ...selling.button };
}

// For /health: how each service that codes are redeemed at stands, and buttons that pause and resume it.

/** What a message has room for. */
const MOST_SHOWN = 12;

type Standing = ReturnType<BotDeps['core']['health']['listUpstreams']>[number];

/** A line and a button of each that orders are sent to. */
function addUpstreams(deps: BotDeps, ctx: BotContext, keyboard: InlineKeyboard): string[] {
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
const upstreamButtons = (
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
