// Turns of the event loop, one for each who asks, whoever that is: a process has one loop. A utility; it knows nothing
// of the product.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { runTime } from './clock.ts';
import { createFairQueue } from './fair-queue.ts';

/**
 * The loop accepts one new connection each time it turns: a piece of 10 ms a turn would keep a crowd of them at the
 * door.
 */
const TURNS_BETWEEN = 16;
/** Behind a piece that took less, the next goes in the next turn. */
const SHORT_MS = 1;
/** So many microtasks behind it lies what awaits a turn, through a function or two. */
const HOPS = 8;
/** Where others fill the turns, fewer lie between. */
const LONG_MS = 30;

/**
 * Work that takes milliseconds asks for a turn before each piece: however many ask at once, one piece runs at a time,
 * and what else came meanwhile goes between. Resolves in the order in which it was asked, accounts in turn; at once
 * where nobody had a turn just now.
 */
export function takeTurn(whose?: number): Promise<void> {
  if (isGoing) return new Promise((resolve) => waiting.push({ resolve, whose }));
  isGoing = true;
  give(undefined);
  setImmediate(goOn);
  return Promise.resolve();
}

/**
 * What is listed, slice by slice from its beginning, each in a turn of its own: `list` tells at most `atOnce` behind the
 * row that was told last. None is empty.
 */
export async function* eachSlice<Row>(
  list: (last: Row | undefined) => Row[],
  atOnce: number,
  turn: () => Promise<unknown> = takeTurn,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = list(last);
    last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (rows.length < atOnce) return;
    await turn();
  }
}

/** All of that together. */
export async function listAll<Row>(...how: Parameters<typeof eachSlice<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of eachSlice(...how)) all.push(...rows);
  return all;
}

/** So many turns in a row that others did not need: whoever has several turns to go is not between two of them. */
const IDLE_TURNS = 8;
/** A turn in which somebody did something takes longer. */
const IDLE_TURN_MS = 0.1;

/** Resolves once nobody else has anything to do now; after `mostMs`, whatever goes on. */
export async function waitUntilIdle(mostMs: number): Promise<void> {
  const began = runTime();
  let last = began;
  for (let idle = 0; idle < IDLE_TURNS && last - began < mostMs;) {
    await nextTurn();
    const now = runTime();
    idle = now - last < IDLE_TURN_MS ? idle + 1 : 0;
    last = now;
  }
}

const waiting = createFairQueue<{ resolve: () => void; whose: number | undefined }>();
let isGoing = false;
/** When the newest turn was given, and how long its piece held the loop. */
let began = 0;
let tookMs = 0;

function goOn(turns = 1): void {
  const isNext = tookMs < SHORT_MS || turns === TURNS_BETWEEN || runTime() - began > LONG_MS;
  isGoing = waiting.size() > 0;
  if (isGoing) setImmediate(goOn, isNext ? 1 : turns + 1);
  if (isNext) give(waiting.shift()?.resolve);
}

/** The piece goes on in the microtasks behind it: within a few of them it holds the loop, or takes no time. */
function give(resolve: (() => void) | undefined): void {
  began = runTime();
  tookMs = 0;
  resolve?.();
  for (let hop = 0, at = Promise.resolve(); hop < HOPS; hop += 1) {
    at = at.then(() => void (tookMs = runTime() - began));
  }
}
