// A CSV ends with its reader, also while there is nothing to write.
import { expect, test } from 'vitest';

import { streamText, writeCsv } from './csv.ts';

test('a reader that leaves while nothing fits ends what is read for it', async () => {
  let [asked, isEnded, endings] = [0, false, 0];
  async function* texts() {
    try {
      yield 'names\n';
      for (;;) {
        asked += 1;
        await new Promise(setImmediate);
        yield '';
      }
    } finally {
      isEnded = true;
    }
  }
  const reader = streamText(texts(), () => void (endings += 1)).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('names\n');
  const next = reader.read();
  while (asked < 3) await new Promise(setImmediate);
  await reader.cancel();
  expect((await next).done).toBe(true);
  expect([isEnded, endings]).toEqual([true, 1]);
});

test('so many rows are in one, and its last line says that there are more', async () => {
  async function* slices() {
    for (const rows of [[1, 2], [3]]) yield await Promise.resolve(rows);
  }
  const columns = [['n', (n: number) => n] as const];
  const linesOf = async (most: number) => {
    let text = '';
    for await (const part of writeCsv(columns, slices(), { timeZone: 'UTC', most, more: 'more' }))
      text += part;
    return text.split('\r\n').slice(1, -1);
  };
  expect(await Promise.all([1, 2, 3].map(linesOf))).toEqual([
    ['1', 'more'],
    ['1', '2', 'more'],
    ['1', '2', '3'],
  ]);
});
