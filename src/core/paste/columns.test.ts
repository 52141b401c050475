// Tables with a column per denomination: which headers are one, which rows fit, and what is asked about instead.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './reading.ts';

const game = pasteGame([60, 325, 660]);
const [A, B, C, D] = ['AAAA1111bbbb2222', 'BBBB3333cccc4444', 'CCCC5555dddd6666', 'DDDD7777eeee8888'];

/** `60 CODE`, `? CODE` where it is asked about, `! text` for malformed. */
function read(text: string): string[] {
  return [...readPaste([{ kind: 'message', text }], game, {})].flatMap((token) => {
    if (token.kind === 'code') return [`${token.denomination ?? '?'} ${token.code}`];
    return token.kind === 'unknown' ? [`! ${token.text}`] : [];
  });
}

test.each([
  `60\t325\n${A}\t${B}\n${C}\t${D}`,
  `60 UC;325 UC\n${A};${B}\n${C};${D}`,
  `"60","325"\r\n"${A}","${B}"\r\n"${C}","${D}"`,
  `| 60 UC | 325 UC |\n|---|---|\n| ${A} | ${B} |\n| ${C} | ${D} |`,
  `№\t60 юс\t325 юс\tdate\n1\t${A}\t${B}\t21.11.2026\n2\t${C}\t${D}\t`,
  `660 UC\n60 (2 pcs)\t325 (2 pcs)\n${A}\t${B}\n\n${C}\t${D}`,
])('%j', (text) => {
  expect(read(text)).toEqual([`60 ${A}`, `325 ${B}`, `60 ${C}`, `325 ${D}`]);
});

test('a cell may be empty: the columns stay where they are', () => {
  expect(read(`60\t325\t660\n\t${A}\t\n${B}\t${C}\n\t\t${D}`)).toEqual([
    `325 ${A}`,
    `60 ${B}`,
    `325 ${C}`,
    `660 ${D}`,
  ]);
});

test.each([
  ['a list under two denominations', `60, 325\n${A}\n${B}`],
  ['cells left out where that leaves them open', `60;325;660\n${A};${B}`],
  ['more cells than columns', `60;325\n${A};${B};${C}`],
  ['another delimiter', `60;325\n${A},${B}`],
])('%s is asked about', (_what, text) => {
  expect(new Set(read(text).map((found) => found.slice(0, 1)))).toEqual(new Set(['?']));
});

test('what stands in a cell beside a code is asked about, and a broken code is told of', () => {
  expect(read(`60\t325\n${A} sold\t${B}\nABC-123\t${C}`)).toEqual([
    `? ${A}`,
    `325 ${B}`,
    '! ABC-123',
    `325 ${C}`,
  ]);
});

test('a heading ends them, and one row of another kind does not', () => {
  expect(read(`60;325\n${A};${B}\n660 UC\n${C};${D}`)).toEqual([
    `60 ${A}`,
    `325 ${B}`,
    `660 ${C}`,
    `660 ${D}`,
  ]);
  expect(read(`60\t325\n660\t${A}\n${B}\t${C}`)).toEqual([`660 ${A}`, `60 ${B}`, `325 ${C}`]);
});
