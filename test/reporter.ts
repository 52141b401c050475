// Ends a run with one plain line that anything can read: `N passed, N failed, N skipped`; before it, what passed at the
// second try alone, and why it had failed.
import type { Reporter, TestModule } from 'vitest/node';

export default class PlainTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const flaky: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed' || result.state === 'failed') count[result.state] += 1;
        else count.skipped += 1;
        if (test.diagnostic()?.flaky) {
          const why = (result.errors ?? []).map(({ message }) => message).join('\n');
          flaky.push(`passed at the second try: ${module.moduleId} > ${test.fullName}\n${why}`);
        }
      }
    }
    // After the default reporter's own summary, which is written in the same turn.
    setImmediate(() => {
      for (const each of flaky) console.log(each);
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }
}
