// What an order of several codes does next, for every way its codes can stand.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { leftOf, nextOrderStep, toLines } from './bulk-order-steps.ts';

const STATES = ['redeemed', 'pending', 'in_doubt', 'failed'] as const;

test('never two at once, never past a doubt or a failure, never after Stop; and it always comes to an end', () => {
  const state = fc.option(fc.constantFrom(...STATES), { nil: null });
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 10 }), fc.boolean(), (states, stopRequested) => {
      const items = states.map((each, index) => ({
        n: index + 1,
        ...{ playerId: '51', playerName: 'Player' },
        denomination: 60,
        state: each,
        redemptionId: each === null ? null : index + 1,
      }));
      const step = nextOrderStep({ items, stopRequested });
      const first = states.find((each) => each !== 'redeemed');
      const goesOn = first === 'pending' ? 'wait' : first === null && !stopRequested ? 'begin' : 'end';
      expect(step.kind).toBe(goesOn);
      switch (step.kind) {
        case 'begin':
          expect([first, stopRequested]).toEqual([null, false]);
          expect(states.slice(0, step.item.n - 1).every((each) => each === 'redeemed')).toBe(true);
          break;
        case 'wait':
          expect(states[step.redemptionId - 1]).toBe('pending');
          break;
        case 'end':
          expect(step.reason).toBe(
            first === undefined ? null : first === null ? 'asked' : first === 'in_doubt' ? 'doubt' : 'failed',
          );
      }
      expect(leftOf({ items })).toHaveLength(states.filter((each) => each === null).length);
    }),
  );
});

const itemsOf = (...rows: [playerId: string, state: string | null][]) =>
  rows.map(([playerId, state], index) => ({
    ...{ n: index + 1, playerId, playerName: `Player ${playerId}`, denomination: 60, state },
    redemptionId: state === null ? null : index + 1,
  }));

test.each<[what: string, rows: [string, string | null][], step: object]>([
  [
    'a failure ends what is for its player, and nobody else’s',
    [
      ['1', 'failed'],
      ['1', null],
      ['2', null],
    ],
    { kind: 'begin', item: expect.objectContaining({ n: 3 }) as object },
  ],
  [
    'a doubt ends all of it',
    [
      ['1', 'in_doubt'],
      ['2', null],
    ],
    { kind: 'end', reason: 'doubt' },
  ],
  [
    'that something failed is said in the end',
    [
      ['1', 'failed'],
      ['1', null],
      ['2', 'redeemed'],
    ],
    { kind: 'end', reason: 'failed' },
  ],
])('of several players, %s', (_what, rows, step) => {
  expect(nextOrderStep({ items: itemsOf(...rows), stopRequested: false })).toEqual(step);
});

test('what is left is a line a player', () => {
  const items = itemsOf(['1', 'redeemed'], ['1', null], ['2', null], ['2', null]);
  expect(toLines(leftOf({ items }))).toEqual([
    { player: { playerId: '1', name: 'Player 1' }, items: [{ denomination: 60, count: 1 }] },
    { player: { playerId: '2', name: 'Player 2' }, items: [{ denomination: 60, count: 2 }] },
  ]);
});
