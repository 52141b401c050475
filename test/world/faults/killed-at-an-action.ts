// The process is killed at one of the commits that follow a pressed order: when it was heard, when it is done, when its
// result is kept or brought. The next process is told of it again: it is done once, and whoever pressed has what came
// of it.
import { orderSome } from './acting.ts';
import type { Fault } from './index.ts';
import { killAtACommit } from './kill.ts';

const ACTING = 3;
const MOST_COMMITS = 5;
const WITHIN_MS = 10_000;
const AWAY_MS = 4_000;

export const killedAtAnAction: Fault = {
  name: 'killed at an action',
  weight: 4,
  of: 'end',
  async happen(world, random) {
    const { service, diary } = world;
    if (!service.isServing()) return;
    let isOrdered = false;
    diary.onOrder = () => void (isOrdered = true);
    const acting = orderSome(world, random, ACTING);
    await killAtACommit(world, {
      what: 'at an action',
      which: 1 + random.below(MOST_COMMITS),
      withinMs: WITHIN_MS,
      awayMs: random.below(AWAY_MS),
      counts: () => isOrdered,
    });
    diary.onOrder = () => undefined;
    await acting;
  },
};
