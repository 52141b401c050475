// One line: how far what it says of its codes reaches, and what is taken for one code that somebody spaced out.
import { describe, expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './reading.ts';

const game = pasteGame([60, 325, 1800, 3850, 8100]);
const [A, B, C, D] = ['AAAA1111bbbb2222', 'BBBB3333cccc4444', 'CCCC5555dddd6666', 'DDDD7777eeee8888'];
const read = (text: string) =>
  [...readPaste([{ kind: 'file', text }], game, {})].flatMap((token) => {
    if (token.kind === 'unknown') return [`! ${token.text}`];
    return token.kind === 'code' ? [`${token.denomination ?? '?'} ${token.code}`] : [];
  });

test('the amount that a line begins with holds to its end, however long it is, and no further', () => {
  const long = `60 UC ${B} ${'x '.repeat(5_000)} ${C}`;
  expect(read(`325 UC\n${A}\n${long}\n${D}`)).toEqual([`325 ${A}`, `60 ${B}`, `60 ${C}`, `325 ${D}`]);
});

describe('a code that somebody spaced out', () => {
  const eight = 'AB12 CD34 EF56 GH78 JK90 LM12 NP34 QR56';

  test.each(['AB12 CD34 EF56', eight, 'AB123 CD456 EF789', 'k7Qz 2mXb 9tRw 4hNe', 'ABCD EFGH IJ12 K345'])(
    'is the code of its groups: %s',
    (spaced) => {
      expect(read(`60 UC\n- ${spaced} -\n${A}`)).toEqual([`60 ${spaced.replaceAll(' ', '')}`, `60 ${A}`]);
    },
  );

  test.each([
    ['slashes between', 'k7Qz/2mXb/9tRw/4hNe'],
    ['bars between', 'k7Qz | 2mXb | 9tRw'],
    ['colons between', 'AB12:CD34:EF56'],
    ['columns', 'AB12;CD34;EF56'],
    ['digits alone', '1234 5678 9012 3456'],
  ])('is not understood as a whole with %s', (_, groups) => {
    expect(read(`60 UC\n${groups}\n${A}`)).toEqual([`! ${groups}`, `60 ${A}`]);
  });

  test.each([
    ['two words', 'ABC123 DEF456'],
    ['nine words', `${eight} ST78`],
    ['words of several lengths', 'AB12 CD34 EF567'],
  ])('is no line of %s, and each of them is not understood', (_, line) => {
    expect(read(`60 UC\n${line}\n${A}`)).toEqual([...line.split(' ').map((word) => `! ${word}`), `60 ${A}`]);
  });

  test.each(['1800 3850 8100', 'ABCD EFGH JKLM', 'CARD CODE 1234'])('is none: %s', (line) => {
    expect(read(`60 UC\n${line}`).filter((found) => !found.startsWith('!'))).toEqual([]);
  });
});

test('a heading is shown by its first 64 characters', () => {
  const shown = (text: string) =>
    [...readPaste([{ kind: 'file', text }], game, {})].flatMap((token) =>
      token.kind === 'heading' ? [token.text] : [],
    );
  const heading = `60 UC ${'.'.repeat(58)}`;
  expect(shown(`${heading}\n${A}`)).toEqual([heading]);
  expect(shown(`${heading}.\n${A}`)).toEqual([`${heading}…`]);
});
