// Broken rules in words: each once, a hundred of them listed, five of them in the sentence; and the key that makes a
// repeated request the same.
import { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeCode } from '../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../test/harness/http.ts';
import { HttpProblem } from './errors.ts';
import { parse } from './requests.ts';

const Numbers = z.array(z.number({ error: 'must be a number' }));

/** What is told of so many that are none. */
function refuse(count: number): HttpProblem['body'] {
  try {
    parse(Numbers, Array(count).fill('x'));
  } catch (error) {
    if (error instanceof HttpProblem) return error.body;
  }
  throw new Error('it was not refused');
}

const sentence = (rules: number, rest = '') =>
  `The request breaks a rule: ${Array.from({ length: rules }, (_, at) => `${at} must be a number`).join('; ')}${rest}.`;

test('five broken rules are all in the sentence', () => {
  expect(refuse(1).error).toBe(sentence(1));
  expect(refuse(5).error).toBe(sentence(5));
});

test('of more, the sentence has five, and tells where the others are', () => {
  expect(refuse(6).error).toBe(sentence(5, '; and 1 more, see issues'));
  expect(refuse(100).error).toBe(sentence(5, '; and 95 more, see issues'));
  expect(refuse(100).issues).toHaveLength(100);
});

test('of more than a hundred the first hundred are listed, and that these are not all', () => {
  const { error, issues } = refuse(101);
  expect(error).toBe(sentence(5, '; and 96 more, issues has the first 100 of all'));
  expect(issues).toHaveLength(100);
  expect(issues?.at(-1)).toEqual({ path: '99', message: 'must be a number' });
});

describe('Idempotency-Key', () => {
  let http: TestHttp;
  beforeAll(async () => {
    http = await openTestHttp();
  });
  afterAll(() => http.close());
  const add = (key: string, code = makeCode()) =>
    http.ask('POST /db', {
      body: [{ denomination: 60, codes: [code] }],
      headers: { 'idempotency-key': key },
    });

  test.each([
    ...[
      'two words',
      'x'.repeat(256),
      '',
      'umläut',
      '""',
      '"',
      '"order-1',
      'order-1"',
      'order"1',
      '""order-1""',
    ],
    ...['"order-1";a=1', '"order-1", "order-2"', String.raw`"order\"1"`, String.raw`"order\\1"`, "'order 1'"],
    `"${'x'.repeat(256)}"`,
  ])('%s is refused', async (key) => {
    const { status, json } = await add(key);
    expect([status, json.issues[0].path]).toEqual([400, 'Idempotency-Key']);
  });

  test.each([
    ['order-1', '"order-1"'],
    ['~'.repeat(255), `"${'~'.repeat(255)}"`],
    [String.raw`a\b'`, String.raw`a\b'`],
  ])('%s is the same as %s', async (key, again) => {
    const [code, replayed] = [makeCode(), [] as unknown[]];
    for (const each of [key, again]) {
      const { status, headers } = await add(each, code);
      replayed.push([status, headers.get('idempotency-replayed')]);
    }
    expect(replayed).toEqual([
      [200, null],
      [200, 'true'],
    ]);
  });
});
