import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** A module that is put in another's place is so for whoever loaded it before, too: they share nothing. */
const MOCKED = ['src/**/*.mocked.test.ts'];

/** What is too long for `npm test`: real processes by the dozen, loads. `npm run torture` begins with it. */
const LONG = [
  'test/{torture,bench}/**/*.test.ts',
  'test/{built,npm-scripts}.test.ts',
  'test/bot/{host-alerts,host-alerts-lasting,crowd}.test.ts',
  'playground/playground.test.ts',
  'src/cli/restore.test.ts',
];

/** By chance: a hundred times in `npm test`. */
const LAWS = 'src/core/paste/laws.test.ts';

/** A real browser: Debian's chromium. */
const BROWSER = 'test/browser/**/*.test.ts';

const SHARED = ['{src,playground}/**/*.test.ts', 'test/*.test.ts', 'test/{bot,contract,telegram}/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['./test/memory-folder.ts', './test/compiled-once.ts', './test/starts.ts'],
    // In shuffled order (`--sequence.shuffle.files`) Vitest's own takes its place.
    sequence: process.argv.includes('--sequence.shuffle.files') ? {} : { sequencer: LongestFirst },
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // What is polled for comes, or never does: a busy machine is no finding.
    expect: { poll: { timeout: 60_000 } },
    // Two cores, and much of the time is waiting for processes, disks and clocks.
    maxWorkers: 4,
    // What a test makes is gone with it: a larger young generation is swept less often.
    execArgv: ['--min-semi-space-size=16'],
    projects: [
      // One process after another loads every module anew: a third of the processor's time. What leaves nothing behind
      // in a module shares one.
      {
        extends: true,
        test: { name: 'shared', include: SHARED, exclude: [...MOCKED, ...LONG], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['{test,clients}/**/*.test.ts', ...MOCKED],
          exclude: [
            '**/node_modules/**',
            ...SHARED.filter((files) => files.startsWith('test/')),
            ...LONG,
            BROWSER,
          ],
        },
      },
      { extends: true, test: { name: 'browser', include: [BROWSER] } },
      {
        extends: true,
        test: { name: 'long', include: [...LONG, LAWS], env: { LAW_RUNS: '3000', LAW_SEED: '20260113' } },
      },
    ],
  },
});
