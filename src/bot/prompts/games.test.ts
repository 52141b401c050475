// A game is meant by its name or its id, however it is written.
import { expect, test } from 'vitest';

import { isGame } from './choices.ts';

const ctx = { label: () => 'Game Two' };

test.each([
  ['Game Two', true],
  [' game two ', true],
  ['GAME_ID_2', true],
  ['game_id_2', true],
  ['game', false],
  ['', false],
  [undefined, false],
])('%s', (typed, isMeant) => expect(isGame(ctx, 'Game_id_2', typed)).toBe(isMeant));
