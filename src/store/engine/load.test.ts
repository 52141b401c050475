// When what waits is a crowd: more than is written in two seconds, by what commits took lately.
import { expect, test } from 'vitest';

import { createLoad, type CommitFigures } from './writer.ts';

const NONE = { writes: 0, ms: 0 };
const A_COMMIT = { writes: 100, ms: 8 };
/** The smallest number that is a crowd, of ordinary writes or of bulk ones. */
function findCrowd(
  commits: Partial<CommitFigures>[],
  kind: 'ordinary' | 'bulk',
  perCommit = A_COMMIT,
): number {
  const load = createLoad();
  for (const commit of commits) load.observe({ ordinary: NONE, bulk: NONE, restMs: 0, ...commit });
  for (let count = 1; ; count += 1)
    if (load.isCrowd({ ordinary: 0, bulk: 0, [kind]: count }, perCommit)) return count;
}

test.each<[what: string, commits: Partial<CommitFigures>[], ordinary: number, bulk: number]>([
  ['before the first commit', [], 10_001, 10_001],
  ['work of 8 ms a write counts an eighth', [{ ordinary: { writes: 1, ms: 8 } }], 2_001, 10_001],
  ['the same by two', [{ ordinary: { writes: 4, ms: 32 } }], 2_001, 10_001],
  ['bulk work counts apart', [{ bulk: { writes: 2, ms: 16 } }], 10_001, 2_001],
  ['a commit without such work changes nothing', [{ ordinary: { writes: 1, ms: 8 } }, {}], 2_001, 10_001],
  [
    'a second commit moves it an eighth of the way',
    [{ ordinary: { writes: 1, ms: 8 } }, { ordinary: { writes: 1, ms: 9 } }],
    1_001,
    10_001,
  ],
  ['what each commit takes besides', [{ restMs: 240 }], 6_667, 6_667],
  ['very slow: still no crowd below 128', [{ ordinary: { writes: 1, ms: 8_000 } }], 128, 10_001],
])('%s', (_what, commits, ordinary, bulk) => {
  expect([findCrowd(commits, 'ordinary'), findCrowd(commits, 'bulk')]).toEqual([ordinary, bulk]);
});

test('work makes commits, too, where few writes fill one', () => {
  const commits = [{ ordinary: { writes: 1, ms: 8 }, restMs: 64 }];
  expect(findCrowd(commits, 'ordinary', { writes: 1_000, ms: 8 })).toBe(1_001);
});
