import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores, and much of the time is waiting for processes, disks and clocks.
    maxWorkers: 4,
  },
});
