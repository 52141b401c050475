// The process is killed in the middle of something: right after a commit, before or after a call is carried out.
import type { Seeded } from '../../harness/seeded.ts';
import type { World } from '../run/world.ts';
import { orderSome } from './acting.ts';
import type { Fault } from './index.ts';

const WITHIN_MS = 8_000;
const MOST_EVENTS = 30;
const AWAY_MS = [500, 6_000] as const;

/** Beside whom it is the others' turn anyway. */
const DOERS = 4;

export const kill: Fault = {
  name: 'kill',
  weight: 4,
  of: 'end',
  async happen(world, random) {
    const acting = random.chance(0.6) ? orderSome(world, random, DOERS) : undefined;
    await strike(world, random, 'killed');
    await acting;
  },
};

/** Ends the process now. */
export function end({ service, diary }: World, how: 'killed' | 'power lost', what: string): void {
  diary.note(`${how}: ${what}`);
  service.kill(how);
}

interface Commit {
  /** For the diary. */
  what: string;
  /** The how manieth of those that count. */
  which: number;
  withinMs: number;
  /** Until the next process is started. */
  awayMs?: number;
  /** Whether one counts that comes now. */
  counts?: () => boolean;
}

/** Kills the process right after that commit, and starts the next; leaves it alone where it does not come in time. */
export async function killAtACommit(
  world: World,
  { what, which, withinMs, awayMs = 0, counts = () => true }: Commit,
): Promise<void> {
  const { service, time } = world;
  let left = which;
  let isOver = false;
  service.onCommit = () => {
    if (isOver || !counts()) return;
    left -= 1;
    if (left > 0) return;
    isOver = true;
    end(world, 'killed', what);
  };
  for (let waited = 0; !isOver && waited < withinMs; waited += LOOK_MS) await time.sleep(LOOK_MS);
  service.onCommit = () => undefined;
  if (!isOver) return;
  await time.sleep(awayMs);
  await service.start();
}

const LOOK_MS = 100;

/** Ends the process at a moment that chance chooses, and starts the next. */
export async function strike(world: World, random: Seeded, how: 'killed' | 'power lost'): Promise<void> {
  const { service, telegram, platform, time } = world;
  let left = 1 + random.below(MOST_EVENTS);
  let isOver = false;
  const count = (what: string) => () => {
    left -= 1;
    if (left !== 0 || isOver) return;
    isOver = true;
    end(world, how, what);
  };
  service.onCommit = count('right after a commit');
  telegram.onCall = (moment, method) => count(`${moment} Telegram carries out ${method}`)();
  platform.onOrder = (moment) => count(`${moment} the platform carries an order out`)();
  for (let waited = 0; !isOver && waited < WITHIN_MS; waited += 500) await time.sleep(500);
  left = 1;
  count('while nothing happens')();
  service.onCommit = () => undefined;
  telegram.onCall = () => undefined;
  platform.onOrder = () => undefined;
  const [least, most] = AWAY_MS;
  await time.sleep(least + random.below(most - least));
  await service.start();
}
