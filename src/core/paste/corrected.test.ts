// A text that takes back its headings at the end is asked about; notes that only follow the codes are not.
import { expect, test } from 'vitest';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import type { PastePiece } from './messages.ts';
import { readPaste } from './reading.ts';

const game = pasteGame([60, 325, 660]);
const A = 'AAAA1111bbbb2222';
const B = 'BBBB3333cccc4444';

const message = (text: string): PastePiece => ({ kind: 'message', text });
const read = (...texts: string[]) =>
  [...readPaste(texts.map(message), game, {})].flatMap((token) =>
    token.kind === 'code' ? [`${token.denomination ?? '?'} ${token.code}`] : [],
  );

test.each([
  'ой, это не 60 а 325',
  'sorry, wrong heading: those are 325',
  'oops, 325 instead of 60',
  'ошибся, это 325',
  'перепутал, тут 325',
  'they are all 325\nthanks!',
  'sorry, those are 325 UC not 60',
  'dont add these, my brother has used them all',
  'не добавляй, они использованы',
  '660 завтра',
  '325 will come later, sorry',
])('%j takes back what stands above it', (correction) => {
  expect(read(`60 UC\n${A}\n${B} 660 UC\n${correction}`)).toEqual([`? ${A}`, `? ${B}`]);
  expect(read(`code,amount\n${A},60\n${B},660\n${correction}`)).toEqual([`? ${A}`, `? ${B}`]);
});

test.each(['спасибо!', 'Total: 2 codes, $41', 'call me back'])('%j is a note', (note) => {
  expect(read(`60 UC\n${A}\n${B}\n${note}`)).toEqual([`60 ${A}`, `60 ${B}`]);
});

test('it is of its own text, and nothing that follows stands under it', () => {
  expect(read(`60 UC\n${A}`, `325 UC\n${B}\nsorry, these are 660`)).toEqual([`60 ${A}`, `? ${B}`]);
  expect(read(`325 UC\n${B}\nsorry, these are 660`, A)).toEqual([`? ${B}`, `? ${A}`]);
});
