// Row 26 of the scorecard: a machine under load is lost with its folder, and another goes on from what its replica has.
// No player gets two codes for one order, no order is swallowed, no code goes to two buyers. Over real processes, one
// platform and the real clients' manners.
import { merge, type Findings, type TortureOptions } from '../findings.ts';
import { live, type LifeOptions } from './takeover/life.ts';
import { copyOnce, fetchLitestream } from './takeover/replicas.ts';

/** Of a life of the small size, by a plain copy. */
const COPIED: Omit<LifeOptions, 'seed' | 'takeovers'> = {
  replicate: copyOnce(1_000),
  servedMs: [1_300, 2_000],
  codes: 300,
};
const MOST_TAKEOVERS = 3;
/** One in so many has the interval that Litestream has by itself. */
const SELDOM_SYNCED = 10;

/** `count` takeovers from what Litestream has brought away until then. */
export async function takeOverByLitestream({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const litestream = await fetchLitestream();
  try {
    const often = litestream.replicate('1s');
    const seldom = litestream.replicate('10s');
    const seldomCount = Math.floor(count / SELDOM_SYNCED);
    const isSeldom = { replicate: seldom, servedMs: [40_000, 60_000], codes: 3_000 } as const;
    const isOften = { replicate: often, servedMs: [5_000, 9_000], codes: 800 } as const;
    return merge(
      await liveOn({ count: count - seldomCount, seed, tell, ...isOften }),
      await liveOn({ count: seldomCount, seed: seed + count, tell, ...isSeldom }),
    );
  } finally {
    litestream.remove();
  }
}

/** `count` takeovers from a copy that was made by hand a while before. */
export const takeOverByCopy = ({ count, seed }: TortureOptions): Promise<Findings> =>
  liveOn({ count, seed, tell: undefined, ...COPIED });

async function liveOn({
  count,
  seed,
  tell,
  ...life
}: Omit<LifeOptions, 'takeovers'> & { count: number; tell: TortureOptions['tell'] }): Promise<Findings> {
  const lives: Findings[] = [];
  for (let done = 0; done < count;) {
    const takeovers = Math.min(1 + (lives.length % MOST_TAKEOVERS), count - done);
    lives.push(await live({ seed: seed + lives.length, takeovers, ...life }));
    done += takeovers;
    tell?.(`${done} of ${count} takeovers: ${JSON.stringify(lives.at(-1)?.tried)}`);
    lives.at(-1)?.violations.forEach((violation) => tell?.(violation));
  }
  return merge(...lives);
}
