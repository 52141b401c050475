// A lane a chat: what waits to be said there leaves in order, one after another, until Telegram takes it; no chat holds up another.
// Rows first, so that a restart loses nothing; what Telegram took is noted after it, so that everything is said at least once.
import type { Api } from 'grammy';

import type { Clock } from '../../clock.ts';
import { createTicking } from '../../ticking.ts';
import type { BotLog } from '../context.ts';
import { describeError, findPassingCause } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { BotKeeping, WaitingMessage } from '../keeping.ts';
import { digestContent, toOutgoingRow, type Content, type Voice } from '../outgoing.ts';
import { isGone } from '../replies.ts';
import type { Meter } from './meter.ts';
import { bring, type BringingDeps } from './outbox.ts';
import type { Progress } from './progress.ts';
import { findTrouble } from './trouble.ts';

export interface Lanes extends BotBackground {
  /** Something was kept for this chat: its turn has come. */
  wake(chatId: number): void;
  /** What becomes of the words of this update. */
  voiceOf(updateId: number): Voice;
}

export interface LanesDeps extends BringingDeps {
  api: Api;
  keeping: Pick<BotKeeping, 'outbox'>;
  clock: Clock;
  log: BotLog;
  meter: Meter;
  progress: Progress;
}

interface Lane {
  running: boolean;
  failures: number;
  /** In elapsed time. */
  notBefore: number;
  /** Telegram has named that time. */
  closed: boolean;
}

const TICK_MS = 400;
/** Under way at once, not counting those that take long: what hangs holds up nobody else. */
const AT_ONCE = 8;
const LONG_MS = 1_500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_MISTAKES = 4;
const GIVEN_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
const STOP_WITHIN_MS = 2_000;

export function createLanes(deps: LanesDeps): Lanes {
  const { keeping, clock, log, meter } = deps;
  const lanes = new Map<number, Lane>();
  const underWay = new Set<Promise<void>>();
  const giveUp = new AbortController();
  // Old is what is old by the calendar and by the time since the start: a calendar that jumps forward gives up nothing.
  const startedAt = clock.now() - clock.elapsed();
  let started = false;
  let stopped = false;
  let quick = 0;

  const ticking = createTicking(TICK_MS, tick, (error) =>
    log.error({ error: describeError(error) }, 'sending what waits failed, it is tried again'),
  );

  async function tick(): Promise<void> {
    await keeping.outbox.release();
    for (const chatId of keeping.outbox.listChats()) laneOf(chatId);
    pump();
  }

  function laneOf(chatId: number): Lane {
    const lane = lanes.get(chatId) ?? { running: false, failures: 0, notBefore: 0, closed: false };
    lanes.set(chatId, lane);
    return lane;
  }

  function pump(): void {
    if (!started) return;
    for (const [chatId, lane] of lanes) {
      if (stopped || quick >= AT_ONCE) return;
      const isReady = !lane.running && clock.elapsed() >= lane.notBefore && meter.allows(chatId, 'lane');
      if (isReady) begin(chatId, lane);
    }
  }

  function begin(chatId: number, lane: Lane): void {
    lane.running = true;
    quick += 1;
    let isQuick = true;
    const slow = () => {
      if (isQuick) quick -= 1;
      isQuick = false;
    };
    const timer = setTimeout(() => {
      slow();
      pump();
    }, LONG_MS);
    const task: Promise<void> = sendFirst(chatId, lane).finally(() => {
      clearTimeout(timer);
      slow();
      lane.running = false;
      underWay.delete(task);
      pump();
    });
    underWay.add(task);
  }

  /** Never rejects. */
  async function sendFirst(chatId: number, lane: Lane): Promise<void> {
    let row: WaitingMessage | undefined;
    try {
      row = keeping.outbox.findFirst(chatId);
      if (!row) return void lanes.delete(chatId);
      const state = await send(chatId, lane, row);
      await keeping.outbox.finish(row.id, state);
      lane.failures = 0;
      lane.notBefore = 0;
      lane.closed = false;
    } catch (error) {
      fail(lane, row, error);
    }
  }

  async function send(chatId: number, lane: Lane, row: WaitingMessage): Promise<'sent' | 'dropped'> {
    try {
      if (row.content === undefined) throw new Error('A message cannot be read any more.');
      const content = JSON.parse(row.content) as Content;
      const { messageId } = content;
      if (messageId !== undefined) await deps.progress.end({ chatId, messageId });
      await bring(deps, chatId, content, giveUp.signal);
      return 'sent';
    } catch (error) {
      if (giveUp.signal.aborted || !isFinal(row, error, lane.failures)) throw error;
      log.warn(
        { outboxId: row.id, error: describeError(error) },
        'a message could not be delivered: it is dropped',
      );
      return 'dropped';
    }
  }

  function isFinal(row: WaitingMessage, error: unknown, failures: number): boolean {
    const trouble = findTrouble(error);
    // A 404 is no chat's: the token is wrong, and will be right again.
    if (trouble?.kind === 'refused' && trouble.code !== 404) return true;
    if (row.content === undefined || isGone(error)) return true;
    // A mistake of ours, and not of the disk: it will be the same the next time.
    if (!trouble && failures >= MOST_MISTAKES && findPassingCause(error) === undefined) return true;
    const now = Math.min(clock.now(), startedAt + clock.elapsed());
    return now - row.at > GIVEN_UP_AFTER_MS;
  }

  function fail(lane: Lane, row: WaitingMessage | undefined, error: unknown): void {
    if (giveUp.signal.aborted) return;
    lane.failures += 1;
    const trouble = findTrouble(error);
    lane.closed = trouble?.kind === 'flood';
    const asked = trouble?.kind === 'flood' ? trouble.retryAfterMs : 0;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(lane.failures - 1, 20), LONGEST_PAUSE_MS);
    lane.notBefore = clock.elapsed() + Math.max(asked, pauseMs);
    log.warn(
      { outboxId: row?.id, failures: lane.failures, error: describeError(error) },
      'a message could not be sent, it is tried again',
    );
  }

  function wake(chatId: number): void {
    laneOf(chatId);
    setImmediate(pump);
  }

  return {
    start() {
      started = true;
      ticking.start();
    },
    async stop() {
      stopped = true;
      await ticking.stop();
      const timer = setTimeout(() => giveUp.abort(), STOP_WITHIN_MS);
      await Promise.all(underWay);
      clearTimeout(timer);
      giveUp.abort();
    },
    wake,
    voiceOf: (updateId) => ({
      mustWait: (chatId) => lanes.has(chatId) || !meter.allows(chatId, 'answer'),
      async keep(chatId, content) {
        const key = `words:${updateId}:${digestContent({ ...content })}`;
        await keeping.outbox.keep([toOutgoingRow(key, chatId, content)]);
        const lane = laneOf(chatId);
        // Whoever writes hears the bot again: what waited for better times is tried at once.
        if (!lane.closed && lane.failures > 1) lane.notBefore = 0;
        setImmediate(pump);
      },
      wake,
      giveUp: (error) => log.warn({ updateId, error: describeError(error) }, 'nobody is there to be told'),
      forgive: (error) =>
        log.warn({ updateId, error: describeError(error) }, 'something could not be said at once'),
    }),
  };
}
