// Lines that anybody can cause.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestHttp } from '../../test/harness/http.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('requests without an account are logged one by one up to sixty a minute, and then counted', async () => {
  const http = await openTestHttp();
  const { log } = http;
  const ask = async (count: number, key: string) => {
    const before = log.lines.length;
    for (let asked = 0; asked < count; asked++)
      await http.ask(asked % 2 ? 'GET /quota' : 'GET /nowhere', { key });
    return log.lines.length - before;
  };
  expect(await ask(200, 'wrong')).toBe(60);
  // Who has a key is logged all the same.
  const known = log.lines.length;
  await http.ask('GET /quota');
  expect(log.lines.length).toBe(known + 1);
  vi.advanceTimersByTime(60_000);
  expect(log.lines.slice(known + 1).map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 'warn', message: 'more requests without an account were not logged one by one', requests: 140 },
  ]);
  expect(await ask(2, 'wrong')).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(log.lines).toHaveLength(known + 4);
  await http.close();
});
