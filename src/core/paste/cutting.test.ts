// Lines that are longer than what is read at once.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './reading.ts';
import { findHead, findTail } from './cutting.ts';

const game = pasteGame([60, 325]);
const entries = Array.from({ length: 400 }, (_, index) => ({
  code: `CODE${String(index).padStart(11, '0')}`,
  denomination: index % 2 === 0 ? 60 : 325,
}));
/** `! text` for what cannot be read. */
const read = (text: string) =>
  [...readPaste([{ kind: 'file', text }], game, {})].flatMap<unknown>((token) => {
    if (token.kind === 'unknown') return [`! ${token.text}`];
    return token.kind === 'code' ? [{ code: token.code, denomination: token.denomination }] : [];
  });
const write = (all: typeof entries, end: string) =>
  all.map(({ code, denomination }) => `${code} ${denomination} UC${end}`).join('');

test.each([', ', '\\n', ' | '])('a code keeps the amount behind it in a line of any length (%j)', (end) => {
  const line = write(entries, end);
  // Wherever the cut falls in an entry: each shift moves it by a character.
  for (let shift = 0; shift < 26; shift += 1)
    expect([shift, read(`${'.'.repeat(shift)} ${line}`)]).toEqual([shift, entries]);
});

test('words without a code are no code, and an escape is not cut in two', () => {
  for (let shift = 0; shift < 26; shift += 1) {
    const words = `${'.'.repeat(shift)}${'word '.repeat(1_636)}`;
    expect([shift, read(`${words}\\n${write(entries.slice(0, 2), '\\n')}`)]).toEqual([
      shift,
      entries.slice(0, 2),
    ]);
  }
});

test('a word that ends where a line is cut swallows nothing after it', () => {
  for (let length = 8_180; length < 8_200; length += 1) {
    const after = entries.slice(0, 2);
    expect([length, read(`${'A1'.repeat(5_000).slice(0, length)}\n${write(after, '\n')}`).slice(1)]).toEqual([
      length,
      after,
    ]);
  }
});

test('what touches the end or the beginning of a text: a word at most, its characters whole', () => {
  expect([findTail('\u{1d400}'), findHead('\u{1d400}')]).toEqual(['\u{1d400}', '\u{1d400}']);
  // Halves at either end of what halves there are.
  for (const whole of ['\u{10000}', '\u{1d7ff}'])
    expect([findTail(`, ${whole}`), findHead(`${whole}, `)]).toEqual([whole, whole]);
  expect([findTail('one, two\u{1d400}'), findHead('\u{1d400}one, two')]).toEqual([
    'two\u{1d400}',
    '\u{1d400}one',
  ]);
  expect([findTail('😀'), findHead('😀')]).toEqual(['', '']);
  expect([findTail('A-1'), findHead('A-1'), findTail(''), findHead('')]).toEqual(['A-1', 'A-1', '', '']);
  const long = 'A1'.repeat(200);
  expect([findTail(`${long}B`), findHead(`B${long}`)]).toEqual([
    `${long.slice(-255)}B`,
    `B${long.slice(0, 255)}`,
  ]);
});

test('codes before a word without an end are read', () => {
  const [before, after] = [entries.slice(0, 310), entries.slice(310, 312)];
  const word = 'A1'.repeat(1_000);
  expect(read(`${write(before, ' ')}${word} ${write(after, ' ')}`)).toEqual([
    ...before,
    `! ${word.slice(0, 256)}`,
    ...after,
  ]);
});

test('whatever is read tells in which pieces it stands, a code that two messages share in both', () => {
  const codes = entries.slice(0, 290).map(({ code }) => code);
  const shared = 'SHARED1111SHARED';
  const pieces = [
    { kind: 'file' as const, text: codes[0] ?? '' },
    { kind: 'message' as const, text: `${codes.slice(1).join('\n')}\n${shared.slice(0, 9)}` },
    { kind: 'message' as const, text: `${shared.slice(9)}\n${codes[0]}` },
    { kind: 'message' as const, text: 'ABCD-1234' },
  ];
  const places = [...readPaste(pieces, game, {})].flatMap((token) =>
    token.kind === 'pause' ? [] : [`${token.first},${token.last}`],
  );
  expect([...new Set(places)].map((place) => place.split(',').map(Number))).toEqual([
    [0, 0],
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 3],
  ]);
});
