// One line: how far what it says of its codes reaches, and what is taken for one code that somebody spaced out.
import { describe, expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './paste.ts';

const game = pasteGame([60, 325]);
const [A, B, C, D] = ['AAAA1111bbbb2222', 'BBBB3333cccc4444', 'CCCC5555dddd6666', 'DDDD7777eeee8888'];
const read = (text: string) =>
  [...readPaste([{ kind: 'file', text }], game, {})].flatMap((token) => {
    if (token.kind === 'malformed') return [`! ${token.text} (${token.denomination ?? '?'})`];
    return token.kind === 'code' ? [`${token.denomination ?? '?'} ${token.code}`] : [];
  });

test('the amount that a line begins with holds to its end, however long it is, and no further', () => {
  const long = `60 UC ${B} ${'x '.repeat(5_000)} ${C}`;
  expect(read(`325 UC\n${A}\n${long}\n${D}`)).toEqual([`325 ${A}`, `60 ${B}`, `60 ${C}`, `325 ${D}`]);
});

describe('a code that somebody spaced out', () => {
  const eight = 'AB12 CD34 EF56 GH78 JK90 LM12 NP34 QR56';

  test.each(['AB12 CD34 EF56', eight, 'AB123 CD456 EF789'])('is shown whole: %s', (spaced) => {
    expect(read(`60 UC\n- ${spaced} -\n${A}`)).toEqual([`! ${spaced} (60)`, `60 ${A}`]);
  });

  test.each([
    ['two words', 'ABC123 DEF456'],
    ['nine words', `${eight} ST78`],
    ['words of three characters', 'AB1 CD2 EF3 GH4'],
    ['words without a digit', 'ABCD EFGH JKLM'],
    ['words of several lengths', 'AB12 CD34 EF567'],
    ['small letters', 'ab12 cd34 ef56'],
  ])('is no line of %s', (_, line) => {
    expect(read(`60 UC\n${line}\n${A}`)).not.toContain(`! ${line} (60)`);
    expect(read(`60 UC\n${line}\n${A}`).at(-1)).toBe(`60 ${A}`);
  });

  test('is said of the amount in force', () => {
    expect(read('AB12 CD34 EF56')).toEqual(['! AB12 CD34 EF56 (?)']);
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
