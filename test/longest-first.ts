// The order of test files: those that take longest begin first, so that none of them is left over when all others have ended. On a
// fresh machine vitest knows no durations, and goes by the size of files.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Half a minute and more on two cores, longest first. */
const LONGEST = [
  'test/torture/chat.test.ts',
  'test/simulation/simulation.test.ts',
  'test/torture/faults.test.ts',
  'test/bot/kills.test.ts',
  'test/torture/crash.test.ts',
  'test/browser/tour.test.ts',
  'src/cli.test.ts',
];

/** @throws Error where a file of the list was moved. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const moved = LONGEST.find((file) => !existsSync(join(root, file)));
    if (moved !== undefined) throw new Error(`${moved} is named in test/longest-first.ts, and is not there.`);
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(relative(root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
