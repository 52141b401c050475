// Lines that are longer than what is read at once.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readPaste } from './paste.ts';

const game = pasteGame([60, 325]);
const entries = Array.from({ length: 400 }, (_, index) => ({
  code: `CODE${String(index).padStart(11, '0')}`,
  denomination: index % 2 === 0 ? 60 : 325,
}));
const read = (text: string) =>
  [...readPaste([{ kind: 'file', text }], game, {})].flatMap((token) =>
    token.kind === 'code' ? [{ code: token.code, denomination: token.denomination }] : [],
  );

test.each([', ', '\\n', ' | '])('a code keeps the amount behind it in a line of any length (%j)', (end) => {
  const line = entries.map(({ code, denomination }) => `${code} ${denomination} UC${end}`).join('');
  // Wherever the cut falls in an entry: each shift moves it by a character.
  for (let shift = 0; shift < 26; shift += 1)
    expect([shift, read(`${'.'.repeat(shift)} ${line}`)]).toEqual([shift, entries]);
});
