// What is counted once, however often the write that counts it runs.
import { expect, test } from 'vitest';

import { once } from './memoize.ts';

test('what was worked out is not worked out again, even where it came to nothing', () => {
  const asked: string[] = [];
  const work = (name: string, answer: number | undefined) =>
    once(() => {
      asked.push(name);
      return answer;
    });
  const [nothing, three] = [work('nothing', undefined), work('three', 3)];
  expect(asked).toEqual([]);
  expect([nothing(), nothing(), three(), three()]).toEqual([undefined, undefined, 3, 3]);
  expect(asked).toEqual(['nothing', 'three']);
});
