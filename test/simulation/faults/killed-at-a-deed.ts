// The process is killed at one of the commits that follow a pressed order: when it was heard, when it is done, when its result is kept or
// brought. The next process is told of it again: it is done once, and whoever pressed has what came of it.
import { orderSome } from './acting.ts';
import type { Fault } from './index.ts';

const ACTING = 3;
const MOST_COMMITS = 5;
const WITHIN_MS = 10_000;
const AWAY_MS = 4_000;

export const killedAtADeed: Fault = {
  name: 'killed at a deed',
  weight: 4,
  async happen(world, random) {
    const { service, diary, time } = world;
    if (!service.isServing()) return;
    let [left, isOver] = [Infinity, false];
    diary.onOrder = () => {
      if (left === Infinity) left = 1 + random.below(MOST_COMMITS);
    };
    service.onCommit = () => {
      left -= 1;
      if (left > 0 || isOver) return;
      isOver = true;
      diary.note('killed: at a deed');
      diary.struck.push({ what: 'killed', at: time.clock.now() });
      service.kill();
    };
    const acting = orderSome(world, random, ACTING);
    for (let waited = 0; !isOver && waited < WITHIN_MS; waited += 250) await time.sleep(250);
    diary.onOrder = () => undefined;
    service.onCommit = () => undefined;
    if (isOver) {
      await time.sleep(random.below(AWAY_MS));
      await service.start();
    }
    await acting;
  },
};
