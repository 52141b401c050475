// Row 19: bulk jobs. Programs and people add, import, take back, take out and redeem at once; in the middle the process
// is killed, deployed, deployed with another catalogue, or its disk refuses. Afterwards everybody goes on, and every
// code is in exactly one place. In one process of ours, a share of it by SIGKILL of the real one.
import { setTimeout as pause } from 'node:timers/promises';

import { rotSlice, auditNotices } from './bulk/setting-aside.ts';
import { killTheService } from './bulk/killed-service.ts';
import {
  audit,
  closeLife,
  count,
  die,
  makeBackup,
  openLife,
  rise,
  settle,
  stop,
  waitUntilQuiet,
  type Catalogue,
  type Life,
} from './bulk/life.ts';
import { emptyStock, makeWishes, pursue } from './bulk/wishes.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';

const ROUNDS_A_LIFE = 5;
const LIVES_AT_ONCE = 4;
/** One round in so many is of the real process. */
const REAL_EVERY = 20;
const MOST_WISHES = 5;
const MOST_INTERRUPTIONS = 3;
/** In one of so many writes a process is struck; a round has some sixty. */
const WRITES = [6, 20, 60];
const STRUCK_WITHIN_MS = 3_000;
/** How long a process lives that is interrupted by something else than one of its writes. */
const LONGEST_MS = 60;
const TRIES = 12;

const WEIGHTS = {
  kill: 8,
  'kill at the platform': 1,
  'refusing disk': 2,
  deployment: 4,
  'another catalogue': 3,
  rot: 1,
};
type Interruption = keyof typeof WEIGHTS;

/** `count` rounds; the same seed is the same wishes and interruptions, not the same microseconds. */
export async function interruptJobs({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const real = Math.ceil(count / REAL_EVERY);
  const lives = Array.from({ length: Math.ceil((count - real) / ROUNDS_A_LIFE) }, (_, life) => ({
    seed: seed + life,
    rounds: Math.min(ROUNDS_A_LIFE, count - real - life * ROUNDS_A_LIFE),
  }));
  const findings: Findings[] = [];
  // What waits for the platform alone keeps no process alive.
  const awake = setInterval(() => undefined, 1000);
  const waiting = lives.values();
  const lane = async () => {
    for (const life of waiting) {
      findings.push(await liveOnce(life.seed, life.rounds));
      if (findings.length % 10 === 0) tell?.(`${findings.length} of ${lives.length} lives`);
    }
  };
  await Promise.all([
    ...Array.from({ length: LIVES_AT_ONCE }, lane),
    killTheService({ count: real, seed, ...(tell && { tell }) }).then((found) => findings.push(found)),
  ]);
  clearInterval(awake);
  return merge(...findings);
}

/** One life of a service, of so many rounds. */
async function liveOnce(seed: number, rounds: number): Promise<Findings> {
  const life = await openLife(seed);
  let round = 0;
  try {
    for (; round < rounds && life.violations.length === 0; round += 1) {
      await playRound(life);
      life.clock.advance(1 + life.seeded.below(120_000));
    }
    if (life.violations.length === 0) await emptyStock(life);
  } finally {
    await closeLife(life);
  }
  const { tried, violations } = life;
  tried.rounds = round;
  return { tried, violations: violations.map((violation) => `life ${seed}, round ${round}: ${violation}`) };
}

async function playRound(life: Life): Promise<void> {
  const { seeded } = life;
  for (let left = 2 + seeded.below(MOST_WISHES); left > 0; left -= 1)
    life.wishes.push(...(await makeWishes(life)));
  for (let left = 1 + seeded.below(MOST_INTERRUPTIONS); left > 0; left -= 1) {
    await interrupt(life, seeded.weigh(WEIGHTS));
  }
  await finish(life);
}

/** Lets everybody ask, and interrupts it. */
async function interrupt(life: Life, how: Interruption): Promise<void> {
  const { seeded, gate } = life;
  count(life, how);
  const nth = 1 + seeded.below(seeded.pick(WRITES));
  if (how === 'kill') gate.dieAt(nth, seeded.pick(['before', 'after']));
  if (how === 'kill at the platform') gate.dieAt(1 + seeded.below(3), 'asked');
  if (how === 'refusing disk') gate.refuseFrom(nth, 1 + seeded.below(8));
  const asking = Promise.all([
    ...life.wishes.filter(({ state }) => state === 'open').map((wish) => pursue(life, wish)),
    seeded.chance(0.4) ? makeBackup(life) : undefined,
  ]);
  const isAtWrite = ['kill', 'kill at the platform', 'refusing disk'].includes(how);
  await Promise.race([asking, gate.death, pause(isAtWrite ? STRUCK_WITHIN_MS : seeded.below(LONGEST_MS))]);
  await end(life, how);
  await asking;
  await goOn(life, how);
}

async function end(life: Life, how: Interruption): Promise<void> {
  const { seeded, gate } = life;
  switch (how) {
    case 'kill':
    case 'kill at the platform':
      if (!gate.isOver()) count(life, 'killed at its end');
      return die(life);
    case 'refusing disk':
      return gate.mend();
    case 'deployment':
      return stop(life, seeded.pick([0, 10, 200]));
    case 'another catalogue':
      return stop(life, 0);
    case 'rot':
      return seeded.chance(0.5) ? stop(life, seeded.pick([0, 20])) : die(life);
  }
}

async function goOn(life: Life, how: Interruption): Promise<void> {
  switch (how) {
    case 'refusing disk':
      return;
    case 'another catalogue':
      return liveWithout(life, life.seeded.pick(['without the game', 'without the denomination']));
    case 'rot':
      rotSlice(life);
      await rise(life);
      return auditNotices(life);
    default:
      return rise(life);
  }
}

/** What has lost its game is set aside, and stops nobody else; then the catalogue is whole again. */
async function liveWithout(life: Life, catalogue: Catalogue): Promise<void> {
  await rise(life, catalogue);
  const open = life.wishes.filter(({ state }) => state === 'open');
  if (life.seeded.chance(0.5)) await Promise.all(open.map((wish) => pursue(life, wish)));
  await auditNotices(life);
  await stop(life, 0);
  await rise(life);
}

/** Everybody is answered in the end; nothing goes on, and everything is as it was told. */
async function finish(life: Life): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const open = life.wishes.filter(({ state }) => state === 'open');
    if (open.length === 0) break;
    await Promise.all(open.map((wish) => pursue(life, wish, 2)));
  }
  for (const { name, state } of life.wishes)
    if (state === 'open') life.violations.push(`${name} is never answered`);
  await waitUntilQuiet(life);
  await settle(life);
  audit(life);
}
