// Broken rules in words: each once, a hundred of them listed, five of them in the sentence; and the key that makes a
// repeated request the same.
import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';

import { ACTOR, RECEIPT, type Script } from '../../test/harness/scripted-core.ts';
import { runScenarios, type Scenario } from '../../test/harness/scenarios.ts';
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
  const asked = { playerId: '5124780131', gameId: 'game_id_1', denomination: 60 };
  const request = 'POST /redeem';
  const core: Script = {
    redeem: () => Promise.resolve({ status: 'answered', redemption: RECEIPT, replayed: false }),
  };
  runScenarios([
    ...[
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
      ...[
        '"order-1";a=1',
        '"order-1", "order-2"',
        String.raw`"order\"1"`,
        String.raw`"order\\1"`,
        "'order 1'",
      ],
      `"${'x'.repeat(256)}"`,
    ].map((key) => ({
      ...{ request, status: 400, asked: [] },
      name: `'${key.slice(0, 12)}' is refused`,
      body: asked,
      headers: { 'idempotency-key': key },
      answerHolds: { issues: [{ path: 'Idempotency-Key' }] },
    })),
    {
      ...{ request, status: 200, core },
      name: 'of 255 characters passes',
      body: asked,
      headers: { 'idempotency-key': '~'.repeat(255) },
    },
    ...[
      ['order-1', 'order-1'],
      ['"order-1"', 'order-1'],
      [`"${'~'.repeat(255)}"`, '~'.repeat(255)],
      [String.raw`a\b'`, String.raw`a\b'`],
    ].map(([sent = '', key = '']): Scenario => ({
      ...{ request, status: 200, core },
      name: `${sent.slice(0, 12)} is the key ${key.slice(0, 12)}`,
      body: asked,
      headers: { 'idempotency-key': sent },
      asked: [['redeem', ACTOR, { ...asked, idempotencyKey: { scope: 'http', key } }]],
    })),
  ]);
});
