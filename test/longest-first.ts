// The order of test files: those that have a process to themselves, then the many that share one; of each, those that
// take longest begin first, so that none of them is left over when all others have ended. Vitest itself knows no
// durations on a fresh machine, and goes by the size of files.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Ten seconds and more on two cores, about longest first. */
const LONGEST = [
  'test/browser/tour.test.ts',
  'test/torture/process.test.ts',
  'test/torture/clients.test.ts',
  'test/bot/host-alerts.test.ts',
  'playground/playground.test.ts',
  'test/world/run/simulation.test.ts',
  'test/browser/playground.test.ts',
  'test/bot/crowd.test.ts',
  'src/cli.test.ts',
  'src/bot/redemption/live-messages.test.ts',
  'test/browser/docs.test.ts',
  'test/contract/upstream.test.ts',
  'src/bot/stock/add-codes.test.ts',
  'test/bot/authorisation.test.ts',
  'test/bench/bench.test.ts',
];

/** @throws Error where a file of the list was moved. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const moved = LONGEST.find((file) => !existsSync(join(root, file)));
    if (moved !== undefined) throw new Error(`${moved} is named in test/longest-first.ts, and is not there.`);
    const sorted = await super.sort(files);
    const place = ({ moduleId, project }: TestSpecification) => {
      // A process that is shared ends where the next file is not for it, and another loads every module anew.
      const after = project.config.isolate ? 0 : 2 * LONGEST.length;
      const at = LONGEST.indexOf(relative(root, moduleId));
      return after + (at === -1 ? LONGEST.length : at);
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
