// Whole services, one before one or more that are its upstreams, with a line to each that can be cut. All share one
// clock, and those behind one truth.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { PlatformConfig } from '../../src/config.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startCutLine, type CutLine, type Fate } from './cut-line.ts';
import { createForwardClock, type ForwardClock } from './forward-clock.ts';

export interface Chain {
  /** What clients talk to. Its upstreams are `inners`. */
  outer: TestApp;
  /** Their platform is a sandbox. */
  inners: TestApp[];
  /** To each of them. */
  lines: CutLine[];
  /** The first of them. */
  inner: TestApp;
  line: CutLine;
  clock: ForwardClock;
  /** Waits until nothing runs, lets a minute pass, and has both sides look at the doubts that are due. */
  letMinutePass(): Promise<void>;
  /** Goes on so until no doubt is left on either side, and no login is awaited. Throws when some stay. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  /** Asked for the fate of each connection between the two. */
  choose: () => Fate;
  /** Activations beside the daily quota, on each side. */
  purchased?: number;
  /** How many services stand behind; one, without. */
  behind?: number;
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
const MAX_HOURS = 8;

export async function startChain({ choose, purchased = 0, behind = 1 }: ChainOptions): Promise<Chain> {
  const clock = createForwardClock();
  const ofInner = { clock, purchased, platformTimeoutMs: INNER_TIMEOUT_MS };
  const inner = await startTestApp(ofInner);
  const sandbox = { kind: 'sandbox', path: inner.sandboxPath, latencyMs: 2, upstreams: 1 } as const;
  const inners = [inner];
  while (inners.length < behind) inners.push(await startTestApp({ ...ofInner, platform: sandbox }));
  const line = await startCutLine(inner.url, choose);
  const lines = [line];
  for (const { url } of inners.slice(1)) lines.push(await startCutLine(url, choose));
  const folder = mkdtempSync(join(tmpdir(), 'redemption-chain-'));
  const platform =
    behind === 1
      ? ({ kind: 'upstream', url: line.url, token: inner.apiKey } as const)
      : describeUpstreams(folder, inners, lines);
  const outer = await startTestApp({ clock, purchased, platform, platformTimeoutMs: OUTER_TIMEOUT_MS });
  const sides = [...inners, outer];
  return {
    ...{ outer, inner, inners, line, lines, clock },
    letMinutePass: () => letMinutePass(lines, sides, clock),
    settle: () => settle(lines, sides, clock),
    async stop() {
      await outer.stop();
      for (const each of lines) await each.close();
      for (const each of inners) await each.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** As the settings of the outer side have them: each is asked about what the others were sent. */
function describeUpstreams(folder: string, inners: TestApp[], lines: CutLine[]): PlatformConfig {
  const file = join(folder, 'upstreams.json');
  const entries = lines.map(({ url }, at) => ({
    ...{ name: `inner-${at + 1}`, profile: 'interface', url, token: `$INNER_${at + 1}`, witness: true },
  }));
  writeFileSync(file, JSON.stringify(entries));
  const readVariable = (variable: string) => inners[Number(variable.slice('INNER_'.length)) - 1]?.apiKey;
  return { kind: 'upstreams', file, profiles: 'data/profiles', readVariable };
}

async function letMinutePass(
  lines: readonly CutLine[],
  sides: readonly TestApp[],
  clock: ForwardClock,
): Promise<void> {
  // A minute that passes in no time must not overtake a request that is on its way: in a real minute it would have
  // arrived.
  for (const line of lines) await line.quiet();
  await sleep(50);
  while (count(sides, 'pending') > 0) await sleep(20);
  clock.advance(MINUTE_MS);
  // Both begin in the turn in which the time passed, so no service's own sweep comes first and is still at it
  // afterwards.
  await Promise.all(sides.map(({ core }) => core.settleDoubts()));
}

async function settle(
  lines: readonly CutLine[],
  sides: readonly TestApp[],
  clock: ForwardClock,
): Promise<void> {
  for (let minute = 0; minute < MAX_MINUTES; minute += 1) {
    await letMinutePass(lines, sides, clock);
    if (count(sides, 'inDoubt') === 0) return fetchLogins(sides, clock);
    // For the looks of the services' own sweeps, which settleDoubts leaves to them.
    await sleep(50);
  }
  throw new Error(`${count(sides, 'inDoubt')} doubts were never settled.`);
}

/** Where who keeps a receipt was silent for long, its login comes later. */
async function fetchLogins(sides: readonly TestApp[], clock: ForwardClock): Promise<void> {
  for (let hour = 0; sides.some(isLoginAwaited); hour += 1) {
    if (hour === MAX_HOURS) throw new Error('A login that is awaited never came.');
    clock.advance(60 * MINUTE_MS);
    for (const { core } of sides) await core.settleDoubts();
  }
}

function isLoginAwaited({ databasePath }: TestApp): boolean {
  const file = new Database(databasePath, { readonly: true });
  const awaited = `select 1 from redemptions where state = 'redeemed' and next_look_at is not null`;
  try {
    return file.prepare(awaited).get() !== undefined;
  } finally {
    file.close();
  }
}

function count(sides: readonly TestApp[], state: 'pending' | 'inDoubt'): number {
  return sides.reduce((sum, { core }) => sum + core.health.countOpen()[state], 0);
}
