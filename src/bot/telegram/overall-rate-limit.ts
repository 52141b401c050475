// Rate limit of all messages together: Telegram allows about 30 a second. Who has just asked goes first: a hundred look-ups that
// end in one moment are four seconds of messages, and whoever waited for them for long does not notice.
import { AsyncLocalStorage } from 'node:async_hooks';

import { runTime, type Clock } from '../../clock.ts';

/**
 * Resolves when the next message may leave. Of those who have just asked the newest and the oldest are let go by turns: a crowd that
 * asks in one moment is four seconds of messages too, and whoever asks after it does not wait for all of it. The others go in the
 * order of asking. What is said in one chat is not asked for side by side, so that its order holds.
 */
export type OverallRateLimit = (signal: AbortSignal) => Promise<void>;

/** What may go at once after a quiet moment. */
const BURST = 5;
/** After so many in a row that have just asked, one of the others: nobody waits for ever. */
const IN_A_ROW = 4;
/** Whoever waits for longer than this waits for something else than the bot. */
const JUST_MS = 1_000;

const asked = new AsyncLocalStorage<number | undefined>();

/** Runs the work of somebody's question: what is said in it soon is said before what was not just asked. */
export function runAsked<T>(work: () => T): T {
  return asked.run(runTime(), work);
}

/** Runs work that nobody's question is answered by, whoever caused it to run now. */
export function runUnasked<T>(work: () => T): T {
  return asked.run(undefined, work);
}

function isJustAsked(): boolean {
  const since = asked.getStore();
  return since !== undefined && runTime() - since < JUST_MS;
}

/** `clock`: what Telegram counts by. */
export function createOverallRateLimit(perSecond: number, clock: Pick<Clock, 'elapsed'>): OverallRateLimit {
  const [hasty, others]: [(() => void)[], (() => void)[]] = [[], []];
  let tokens = BURST;
  let filledAt = clock.elapsed();
  let inARow = 0;
  let timer: NodeJS.Timeout | undefined;

  function takeNext(): (() => void) | undefined {
    const isOthersTurn = others.length > 0 && (hasty.length === 0 || inARow >= IN_A_ROW);
    inARow = isOthersTurn ? 0 : inARow + 1;
    if (isOthersTurn) return others.shift();
    return inARow % 2 === 1 ? hasty.pop() : hasty.shift();
  }

  function letGo(): void {
    const now = clock.elapsed();
    tokens = Math.min(BURST, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    for (; tokens >= 1 && hasty.length + others.length > 0; tokens -= 1) takeNext()?.();
    if (hasty.length + others.length === 0 || timer) return;
    const again = () => {
      timer = undefined;
      letGo();
    };
    timer = setTimeout(again, Math.ceil(((1 - tokens) / perSecond) * 1000));
  }

  return (signal) =>
    new Promise((resolve) => {
      const line = isJustAsked() ? hasty : others;
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      // Whoever is given up does not wait, and takes nobody's turn.
      const leave = () => {
        const at = line.indexOf(go);
        if (at >= 0) line.splice(at, 1);
        go();
      };
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', leave);
      line.push(go);
      letGo();
    });
}
