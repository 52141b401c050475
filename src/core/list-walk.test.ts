// All of a list in slices: nothing is left out however it is cut, what is rare is read in larger pieces, and whoever
// asks can leave where nothing fits.
import { expect, test } from 'vitest';

import { walkList, type ListSource } from './list-walk.ts';

interface Row {
  id: number;
  isRare: boolean;
}

function openSource(rows: readonly Row[], fits: (row: Row) => boolean) {
  const limits: number[] = [];
  const source: ListSource<Row> = {
    read(beyond, _direction, limit) {
      limits.push(limit);
      return rows.filter(({ id }) => id < beyond.id).slice(0, limit);
    },
    placeOf: ({ id }) => ({ at: id, id }),
    fits,
    rowsAtOnce: 40,
  };
  return { source, limits };
}

const ROWS = Array.from({ length: 500 }, (_, index): Row => ({
  id: 500 - index,
  isRare: index % 150 === 149,
}));

test('everything that fits comes once, in order, at most so many at once', async () => {
  for (const fits of [() => true, ({ isRare }: Row) => isRare, ({ id }: Row) => id < 300, () => false]) {
    const { source } = openSource(ROWS, fits);
    const slices = [];
    for await (const slice of walkList(source, { order: 'newest', openedAtOnce: 5 })) slices.push(slice);
    expect(slices.flat()).toEqual(ROWS.filter(fits));
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(5);
  }
});

test('where nothing fits, more is read in a turn, and less again behind what fits', async () => {
  const { source, limits } = openSource(ROWS, ({ isRare }) => isRare);
  for await (const _slice of walkList(source, { order: 'newest', openedAtOnce: 5 }));
  expect(limits.slice(0, 8)).toEqual([5, 10, 20, 40, 40, 40, 5, 10]);
});

test('whoever leaves before anything fits reads no further', async () => {
  const { source, limits } = openSource(ROWS, () => false);
  for await (const slice of walkList(source, { order: 'newest', openedAtOnce: 5 })) {
    expect(slice).toEqual([]);
    if (limits.length === 3) break;
  }
  expect(limits).toEqual([5, 10, 20]);
});
