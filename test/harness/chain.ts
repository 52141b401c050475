// Two whole services, one behind the other, with a line between them that can be cut. Both share one clock.
import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApp, type TestApp } from './app.ts';
import { startCutLine, type CutLine, type Fate } from './cut-line.ts';
import { createForwardClock, type ForwardClock } from './forward-clock.ts';

export interface Chain {
  /** What clients talk to. Its platform is `inner`. */
  outer: TestApp;
  /** Its platform is a sandbox. */
  inner: TestApp;
  line: CutLine;
  clock: ForwardClock;
  /** Waits until nothing runs, lets a minute pass, and has both sides look at the doubts that are due. */
  letMinutePass(): Promise<void>;
  /** Goes on so until no doubt is left on either side. Throws when some stay. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  /** Asked for the fate of each connection between the two. */
  choose: () => Fate;
  /** Activations beside the daily quota, on each side. */
  purchased?: number;
}

/** The outer side gives up later than the inner one, so that the inner one's own "unknown" is heard, too. */
const INNER_TIMEOUT_MS = 250;
const OUTER_TIMEOUT_MS = 800;

/** Longer than the first pauses between looks, shorter than the settling period. */
const MINUTE_MS = 60_000;
/**
 * Pauses double from 10 s, so a doubt takes a handful of looks; a day is never passed, or usages would leave the
 * window.
 */
const MAX_MINUTES = 600;

export async function startChain({ choose, purchased = 0 }: ChainOptions): Promise<Chain> {
  const clock = createForwardClock();
  const inner = await startTestApp({ clock, purchased, platformTimeoutMs: INNER_TIMEOUT_MS });
  const line = await startCutLine(inner.url, choose);
  const platform = { kind: 'upstream', url: line.url, token: inner.apiKey } as const;
  const outer = await startTestApp({ clock, purchased, platform, platformTimeoutMs: OUTER_TIMEOUT_MS });
  return {
    outer,
    inner,
    line,
    clock,
    letMinutePass: () => letMinutePass(line, [inner, outer], clock),
    settle: () => settle(line, [inner, outer], clock),
    async stop() {
      await outer.stop();
      await line.close();
      await inner.stop();
    },
  };
}

async function letMinutePass(line: CutLine, sides: readonly TestApp[], clock: ForwardClock): Promise<void> {
  // A minute that passes in no time must not overtake a request that is on its way: in a real minute it would have
  // arrived.
  await line.quiet();
  await sleep(50);
  while (count(sides, 'pending') > 0) await sleep(20);
  clock.advance(MINUTE_MS);
  // Both begin in the turn in which the time passed, so no service's own sweep comes first and is still at it
  // afterwards.
  await Promise.all(sides.map(({ core }) => core.settleDoubts()));
}

async function settle(line: CutLine, sides: readonly TestApp[], clock: ForwardClock): Promise<void> {
  for (let minute = 0; minute < MAX_MINUTES; minute += 1) {
    await letMinutePass(line, sides, clock);
    if (count(sides, 'inDoubt') === 0) return;
    // For the looks of the services' own sweeps, which settleDoubts leaves to them.
    await sleep(50);
  }
  throw new Error(`${count(sides, 'inDoubt')} doubts were never settled.`);
}

function count(sides: readonly TestApp[], state: 'pending' | 'inDoubt'): number {
  return sides.reduce((sum, { core }) => sum + core.health.countOpen()[state], 0);
}
