// /health: how the service and its upstreams stand, and asking the platform about what is in doubt at once.
import { readFileSync } from 'node:fs';
import { InlineKeyboard } from 'grammy';

import { asset } from '../../files.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { button, perhaps, wholeNumber, type Feature } from '../feature.ts';
import type { ConnectionStatus } from '../telegram/connection-status.ts';
import { answerTap, reply, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { moment } from './host-menus.ts';
import { addSweeps, sweepButtons } from './sweeps.ts';
import { addUpstreams, upstreamButtons } from './upstreams.ts';

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
