// Codes under the name of another game are never filed under a denomination of this one.
import { expect, test } from 'vitest';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import type { Game } from '../games.ts';
import { readPaste } from './reading.ts';

const game: Game = { ...pasteGame([60, 325, 660]), name: { en: 'Game 1', ru: 'Игра 1' } };
const other: Game = { ...game, id: 'game_id_2', name: { en: 'Game 2', ru: 'Игра 2' }, currency: 'diamonds' };
const A = 'AAAA1111bbbb2222';
const B = 'BBBB3333cccc4444';

const read = (text: string, others = [other]) =>
  [...readPaste([{ kind: 'message', text }], game, { others })].flatMap((token) => {
    if (token.kind === 'heading') return [`${token.text} → ${token.denomination ?? '?'}`];
    return token.kind === 'code' ? [[token.denomination ?? '?', token.code, token.own].join(' ').trim()] : [];
  });

test('a denomination under its name is of that game', () => {
  expect(read(`Game 2\n60\n${A}`)).toEqual(['Game 2 → ?', 'Game 2, 60 → ?', `? ${A}`]);
  expect(read(`игра  2:\n${A} 60`)).toEqual(['игра  2: → ?', `? ${A} игра  2: 60`]);
  expect(read(`60 UC\n${A}\nGame 2\n${B}`)).toEqual(['60 UC → 60', `60 ${A}`, 'Game 2 → ?', `? ${B}`]);
  expect(read(`Game 2 60 UC\n${A}`)).toEqual(['Game 2 60 UC → ?', `? ${A}`]);
});

test('this game, or its currency, ends it', () => {
  expect(read(`Game 2\n60\n${A}\n60 UC\n${B}`).slice(-2)).toEqual(['60 UC → 60', `60 ${B}`]);
  expect(read(`Game 2\n60\n${A}\nGame 1\n325\n${B}`).slice(-2)).toEqual(['325 → 325', `325 ${B}`]);
  expect(read(`Game 2\n60\n${A}\nGame 1\n${B}`).at(-1)).toBe(`? ${B}`);
});

test('a line with codes that names it is asked about by itself', () => {
  expect(read(`60 UC\n${A} Game 2\n${B}`)).toEqual(['60 UC → 60', `? ${A} Game 2`, `60 ${B}`]);
});

test('another number is no name, and without other games nothing is kept back', () => {
  expect(read(`Game 22\n60 UC\n${A}`).at(-1)).toBe(`60 ${A}`);
  expect(read(`Game 2\n60\n${A}`, []).at(-1)).toBe(`60 ${A}`);
});
