// A list of codes is cut into slices while others have their turns.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { makeCode, openTestCore } from '../../../test/harness/core.ts';
import { createGames } from '../games.ts';
import { cutSlices } from './add-codes.ts';

const games = createGames(
  JSON.parse(readFileSync(new URL('../../../data/games.json', import.meta.url), 'utf8')),
);

test('a list is cut in several turns of the event loop, in its order, each code once', async () => {
  const game = games.find('game_id_1');
  if (!game) throw new Error('There is no such game.');
  const codes = Array.from({ length: 20_000 }, (_, index) => `60S${String(index).padStart(13, '0')}`);
  const long = '6'.repeat(257);
  const invalid: string[] = [];
  let [turns, isOver] = [0, false];
  const spin = () => {
    turns += 1;
    if (!isOver) setImmediate(spin);
  };
  setImmediate(spin);
  const stockKeys = [
    { denomination: 60, codes: [...codes.map((code) => ` ${code}\r`), 'no code', ...codes] },
    { denomination: 325, codes: [...codes.slice(0, 1), long, long] },
  ];
  const slices = await cutSlices(stockKeys, game, invalid);
  isOver = true;
  expect(slices.flatMap((slice) => slice.codes)).toEqual(codes);
  expect(new Set(slices.map(({ denomination }) => denomination))).toEqual(new Set([60]));
  expect(Math.max(...slices.map((slice) => slice.codes.length))).toBe(80);
  expect(invalid).toEqual(['no code', long]);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('a key stands for all that was sent with it, malformed codes too', async () => {
  const t = await openTestCore();
  try {
    const code = makeCode();
    const add = (codes: string[]) =>
      t.core.codes.add(t.actor, 'game_id_1', [{ denomination: 60, codes }], {
        idempotencyKey: { scope: 'http', key: 'order-1' },
      });
    const first = await add([code, 'bad']);
    expect(await add([code, 'bad'])).toEqual({ ...first, replayed: true });
    for (const others of [['worse'], [], ['bad', 'worse'], ['6'.repeat(257)]])
      await expect(add([code, ...others])).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  } finally {
    await t.close();
  }
});
