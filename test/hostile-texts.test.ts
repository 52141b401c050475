// No text of a message's length keeps any reader of the service busy. `npm run torture -- 11` goes on with drawn ones.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { drawnTexts, knownTexts } from './harness/hostile-texts.ts';
import { findDear, openTextReaders, type TextReaders } from './harness/text-readers.ts';

const texts = [...knownTexts({ brief: true }), ...drawnTexts(20_256, 50)];

let opened: TextReaders;
beforeAll(async () => {
  opened = await openTextReaders();
});
afterAll(() => opened.close());

test(
  'a text of full length costs no reader more than 20 ms of the processor',
  { timeout: 180_000 },
  async () => {
    expect(texts.filter(({ length }) => length !== 4_096)).toEqual([]);
    const found: string[] = [];
    for (const reader of opened.readers) found.push(...(await findDear(reader, texts)).dear);
    expect(found).toEqual([]);
  },
);

test('what a reader takes of the processor is found', async () => {
  const read = () => {
    const from = process.threadCpuUsage();
    while (process.threadCpuUsage(from).user < 40_000);
  };
  const { dear, mostMs } = await findDear({ what: 'a dear reader', read }, ['0@']);
  expect(mostMs).toBeGreaterThanOrEqual(40);
  expect(dear).toEqual([expect.stringMatching(/^a dear reader: \d+\.\d ms for "0@"/)]);
});
