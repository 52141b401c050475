// Messages that show how something goes on: a few edits a minute, at growing distances, the latest word wins. All of it
// is show: where the chat has better to hear it is left out, and what is lost by a restart is only how far it had come
// to be shown.
import type { Api } from 'grammy';

import type { Clock } from '../../clock.ts';
import { createTicking } from '../../ticking.ts';
import { backOff } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { Shown } from '../outgoing.ts';
import { fit, HTML, isRefusal, isUnchanged, MESSAGE_GONE, type Target } from '../replies.ts';
import type { ChatRateLimit } from './rate-limits.ts';
import { asApiSignal } from './api-signal.ts';

/** undefined: nothing is to be shown any more. */
type Render = () => Shown | undefined | Promise<Shown | undefined>;

/** What one message shows of one thing that goes on. */
interface ProgressLine {
  /**
   * Shows it soon; `look` runs when its turn has come. What was to be shown before and was not yet is left out.
   * `orNever`: only where its turn is now. `isAnswer`: somebody waits for it, and it has an answer's share of the chat.
   */
  show(render: Render, options?: { orNever?: boolean; isAnswer?: boolean }): void;
}

export interface Progress extends BotBackground {
  /** Begins to show something in a message, in place of whatever it showed. */
  open(target: Target): ProgressLine;
  /** What the message shows already, or a beginning of it. */
  at(target: Target): ProgressLine;
  /** Whatever the message was to show next is left out; resolves when none of it is under way. */
  end(target: Target): Promise<void>;
}

interface Line {
  target: Target;
  next: Render | undefined;
  isAnswer: boolean;
  /** In elapsed time. */
  notBefore: number;
  edits: number;
  running: Promise<void> | undefined;
  ended: AbortController;
}

const TICK_MS = 300;
const ANSWER_GAP_MS = 1_100;
const growingGapMs = backOff(ANSWER_GAP_MS, 15_000);
const IDLE_MS = 10 * 60 * 1000;
const EDIT_WITHIN_MS = 5_000;
/** A look that took long is not repeated at once: it may take a fifth of the time. */
const PAUSE_FACTOR = 4;
/** However long it took: a process that was held still for a day goes on at once. */
const LONGEST_PAUSE_MS = 60_000;

export interface ProgressDeps {
  api: Api;
  clock: Clock;
  log: BotLog;
  rateLimit: ChatRateLimit;
}

export function createProgress(deps: ProgressDeps): Progress {
  const { clock, log } = deps;
  const lines = new Map<string, Line>();
  let isStopped = false;
  const keyOf = ({ chatId, messageId }: Target) => `${chatId}:${messageId}`;

  function tick(): Promise<void> {
    for (const [key, line] of lines) {
      if (line.next) begin(deps, line);
      else if (!line.running && clock.elapsed() - line.notBefore > IDLE_MS) lines.delete(key);
    }
    return Promise.resolve();
  }
  const ticking = createTicking(TICK_MS, tick, (error) =>
    log.warn({ error: describeError(error) }, 'the progress of something could not be shown'),
  );

  async function end(target: Target): Promise<void> {
    const line = lines.get(keyOf(target));
    if (!line) return;
    lines.delete(keyOf(target));
    line.next = undefined;
    line.ended.abort();
    await line.running;
  }

  function open({ chatId, messageId }: Target): ProgressLine {
    const target = { chatId, messageId };
    void end(target);
    const line = { target, next: undefined, isAnswer: false, edits: 0, running: undefined };
    const opened: Line = { ...line, notBefore: clock.elapsed(), ended: new AbortController() };
    lines.set(keyOf(target), opened);
    return toLine(deps, opened, register);
  }

  /** One that was dropped is known again, so that its end finds it; false where another has begun in its place. */
  function register(line: Line): boolean {
    if (isStopped) return false;
    const key = keyOf(line.target);
    const kept = lines.get(key) ?? line;
    lines.set(key, kept);
    return kept === line;
  }

  return {
    start() {
      isStopped = false;
      ticking.start();
    },
    async stop() {
      isStopped = true;
      await ticking.stop();
      await Promise.all([...lines.values()].map(({ target }) => end(target)));
    },
    open,
    at(target) {
      const line = lines.get(keyOf(target));
      return line ? toLine(deps, line, register) : open(target);
    },
    end,
  };
}

function toLine(deps: ProgressDeps, line: Line, register: (line: Line) => boolean): ProgressLine {
  return {
    show(render, { orNever = false, isAnswer = false } = {}) {
      if (line.ended.signal.aborted || !register(line)) return;
      Object.assign(line, { next: render, isAnswer });
      if (orNever) line.notBefore = deps.clock.elapsed();
      begin(deps, line);
      if (orNever) line.next = undefined;
    },
  };
}

/** Shows what is next, where its turn has come and the chat has room for it. */
function begin(deps: ProgressDeps, line: Line): void {
  if (line.running || deps.clock.elapsed() < line.notBefore) return;
  const { isAnswer, target } = line;
  if (
    !(isAnswer ? deps.rateLimit.allows(target.chatId, 'answer') : deps.rateLimit.takeProgress(target.chatId))
  )
    return;
  line.running = run(deps, line).finally(() => (line.running = undefined));
}

/** Never rejects. */
async function run({ api, clock, log }: ProgressDeps, line: Line): Promise<void> {
  const render = line.next;
  line.next = undefined;
  const began = clock.elapsed();
  try {
    const shown = await render?.();
    const tookMs = clock.elapsed() - began;
    line.edits += 1;
    const gapMs = line.isAnswer ? ANSWER_GAP_MS : growingGapMs(line.edits);
    const pauseMs = Math.min(tookMs * PAUSE_FACTOR, LONGEST_PAUSE_MS);
    line.notBefore = clock.elapsed() + Math.max(gapMs, pauseMs);
    if (shown && !line.ended.signal.aborted) await edit(api, line, shown);
  } catch (error) {
    if (line.ended.signal.aborted || isUnchanged(error) || isRefusal(error, MESSAGE_GONE)) return;
    log.warn({ error: describeError(error) }, 'the progress of something could not be shown');
  }
}

async function edit(api: Api, { target, ended }: Line, { html, keyboard }: Shown): Promise<void> {
  const options = { ...HTML, reply_markup: keyboard };
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(EDIT_WITHIN_MS)]);
  await api.editMessageText(target.chatId, target.messageId, fit(html), options, asApiSignal(signal));
}
