// The last lines of a text behind its last code, the last first.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { findFirst, findLastHeading, forget } from './below.ts';
import { linesBehindCodes } from './ending.ts';
import type { PasteToken } from './token.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325]));
const CODE = 'ABCD1234efgh5678';

test.each([
  ['', []],
  [CODE, []],
  [`${CODE}\none\n\n \ntwo`, ['two', 'one']],
  [`one\r\n${CODE}\u2028two\n`, ['two']],
  [`${CODE}\n${CODE} one`, []],
  [`${CODE}\none\ntwo\nthree\nfour`, ['four', 'three', 'two']],
  [`${'x'.repeat(1_022)}\n1`, ['1', 'x'.repeat(1_022)]],
  [`${'x'.repeat(1_023)}\n1`, ['1']],
])('%j ends in %j', (text, lines) => expect(linesBehindCodes(text, 3, vocabulary)).toEqual(lines));

test.each([
  [`${CODE}\n60 UC`, 60],
  [`${CODE}\n325\nthanks`, 325],
  [`60 UC\n${CODE}`, undefined],
  [`${CODE}\n60 UC\n1\n2\n3\n4\n5`, 60],
  [`${CODE}\n60 UC\n1\n2\n3\n4\n5\n6`, undefined],
])('the heading that %j ends in is %j', (text, denomination) => {
  expect(findLastHeading(text, vocabulary)).toBe(denomination);
});

const code = (more: object) =>
  ({ kind: 'code', code: CODE, denomination: 60, ...more }) as unknown as PasteToken;
const heading = (denomination: number | undefined) =>
  ({ kind: 'heading', text: 'A', denomination }) as unknown as PasteToken;

test('the first of a text are codes, or a heading that says something above them', () => {
  expect(findFirst([])).toBeUndefined();
  expect(findFirst([heading(undefined)])).toBeUndefined();
  expect(findFirst([code({})])).toBe('codes');
  expect(findFirst([heading(undefined), code({})])).toBe('codes');
  expect(findFirst([code({}), heading(60)])).toBe('heading');
});

test('what a heading said is forgotten of codes, not what stands beside them', () => {
  const beside = code({ own: '60 UC' });
  expect(forget([heading(60), code({}), beside])).toEqual([
    heading(60),
    code({ denomination: undefined }),
    beside,
  ]);
});
