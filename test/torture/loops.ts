// The loops over one life of a shop (test/world/life): everything that can be struck in it, or so much of it.
import { countStrikes, LOOPS, sweep, takeThisProcess, type LoopName } from '../world/life/sweep.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';

const ALL = Object.keys(LOOPS) as LoopName[];

/** `count` strikes of these loops, as far from each other; the seed tells where they begin. */
export const sweepLife =
  (names: readonly LoopName[] = ALL) =>
  async ({ count, seed, tell }: TortureOptions): Promise<Findings> => {
    takeThisProcess();
    const stride = Math.max(1, Math.floor((await countStrikes(names)) / count));
    const findings: Findings[] = [];
    for (const name of names)
      findings.push(
        await sweep(name, { stride, from: seed % stride, tell: (line) => tell?.(`${name}: ${line}`) }),
      );
    return merge(...findings);
  };
