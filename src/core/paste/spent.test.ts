// Codes that the paste calls used, sold or broken are never filed silently.
import { describe, expect, test } from 'vitest';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './reading.ts';

const game = pasteGame([60, 325, 660]);
const A = 'AAAA1111bbbb2222';
const B = 'BBBB3333cccc4444';
const C = 'CCCC5555dddd6666';

const read = (text: string) =>
  [...readPaste([{ kind: 'message', text }], game, {})].flatMap((token) =>
    token.kind === 'code' ? [`${token.denomination ?? '?'} ${token.code}`] : [],
  );
const said = (text: string) =>
  [...readPaste([{ kind: 'message', text }], game, {})].flatMap((token) =>
    token.kind === 'code' && token.denomination === undefined ? [token.own] : [],
  );

describe('a code that its line calls spent', () => {
  test.each([
    'used',
    '- sold',
    '(already used)',
    '✅ used',
    '❌',
    'activated 20.11',
    'does not work',
    'not valid',
    'использован',
    '- продан',
    'не работает',
    'возврат',
    'погашен',
  ])('is asked about, and no other: %s', (mark) => {
    expect(read(`60 UC\n${A}\n${B} ${mark}\n${C}`)).toEqual([`60 ${A}`, `? ${B}`, `60 ${C}`]);
    expect(read(`1) ${A}\n2) ${B} ${mark}\n3) ${C} 325 UC`)).toEqual([`? ${A}`, `? ${B}`, `325 ${C}`]);
    expect(read(`${B} 60 UC ${mark}\n${A} 60 UC`)).toEqual([`? ${B}`, `60 ${A}`]);
  });

  test('is asked about by its mark, one for all denominations, and says what it is worth', () => {
    expect(said(`60 UC\n${A} used\n325 UC\n${B} Used\n${C} 660 UC sold`)).toEqual(['used', 'used', 'sold']);
    const tokens = [
      ...readPaste([{ kind: 'message', text: `60 UC\n${A} used\n${B} 325 UC used` }], game, {}),
    ];
    expect(tokens.flatMap((token) => (token.kind === 'code' ? [token.good] : []))).toEqual([60, 325]);
  });

  test('is asked about in tables, by the row or by what stands beside the columns', () => {
    expect(read(`code,value,status\n${A},60,new\n${B},60,used\n${C},325,new`)).toEqual([
      `? ${A}`,
      `? ${B}`,
      `? ${C}`,
    ]);
    expect(read(`code,value,note\n${A},60,new\n${B},60,used`)).toEqual([`60 ${A}`, `? ${B}`]);
    expect(read(`60\t325\tnote\n${A}\t${B}\tsold\n${C}\t\t`)).toEqual([`? ${A}`, `? ${B}`, `60 ${C}`]);
    expect(read(`60\t325\n${A} sold\t${B}`)).toEqual([`? ${A}`, `325 ${B}`]);
  });
});

test.each(['Used:', 'USED', 'Уже проданные:', '--- использованные, не брать ---'])(
  'codes under %j are of no heading above it',
  (line) => {
    expect(read(`60 UC\n${A}\n${line}\n${B}\n${C}`)).toEqual([`60 ${A}`, `? ${B}`, `? ${C}`]);
    expect(read(`60 UC\n${line}\n${B}`)).toEqual([`? ${B}`]);
    expect(read(`60 UC\n${A}\n${line}\n${B}\n325 UC\n${C}`)).toEqual([`60 ${A}`, `? ${B}`, `325 ${C}`]);
  },
);

test('`used: CODE` holds for the codes that follow', () => {
  expect(read(`60 UC\n${A}\nused: ${B}\n${C}`)).toEqual([`60 ${A}`, `? ${B}`, `? ${C}`]);
});

test('`CODE used:` holds for that code alone', () => {
  expect(read(`60 UC\n${A} used:\n${C}`)).toEqual([`? ${A}`, `60 ${C}`]);
});

test('a code is asked about with what stands beside it, or by the mark alone', () => {
  expect(said(`${A} 99 UC used\n${B} sold`)).toEqual(['99 UC, used', 'sold']);
});

test.each([
  'not used',
  'unused',
  'never been used',
  'not yet activated',
  'не использован',
  'неиспользованный',
  'ещё не активирован',
  'to be redeemed',
  'without refund',
])('%j may be the opposite, which a person tells', (mark) => {
  expect(read(`60 UC\n${A} ${mark}`)).toEqual([`? ${A}`]);
});

test('a code with such letters in it is a code', () => {
  expect(read(`60 UC\nAB12-USED-CD34\n${A}`)).toEqual(['60 AB12USEDCD34', `60 ${A}`]);
});
