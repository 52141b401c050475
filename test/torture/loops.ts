// The loops over one life of a shop (test/world/life): everything that can be struck in it, or so much of it.
import { countStrikes, LOOPS, sweep, takeThisProcess } from '../world/life/sweep.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';

/** Of row 10: each `stride`th statement of that life. */
export function failStatements(
  stride: number,
  seed: number,
  tell: TortureOptions['tell'],
): Promise<Findings> {
  takeThisProcess();
  return sweep('statements', { stride, from: seed % stride, tell });
}

/** `count` strikes of all, as far from each other; the seed tells where they begin. */
export async function sweepLife({ count, seed, tell }: TortureOptions): Promise<Findings> {
  takeThisProcess();
  const stride = Math.max(1, Math.floor((await countStrikes()) / count));
  const findings: Findings[] = [];
  for (const name of Object.keys(LOOPS) as (keyof typeof LOOPS)[])
    findings.push(
      await sweep(name, { stride, from: seed % stride, tell: (line) => tell?.(`${name}: ${line}`) }),
    );
  return merge(...findings);
}
