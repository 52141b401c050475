import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Two cores, and much of the time is waiting for processes, disks and clocks.
    maxWorkers: 4,
  },
});
