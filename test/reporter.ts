// Ends a run with one plain line that anything can read: `N passed, N failed, N skipped`.
import type { Reporter, TestModule } from 'vitest/node';

export default class PlainTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') count[state] += 1;
        else count.skipped += 1;
      }
    }
    // After the default reporter's own summary, which is written in the same turn.
    setImmediate(() =>
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`),
    );
  }
}
