// What an order of several codes does next, for every way its codes can stand.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { leftOf, nextStep } from './several-steps.ts';

const STATES = ['redeemed', 'pending', 'in_doubt', 'failed'] as const;

test('never two at once, never past a doubt or a failure, never after Stop; and it always comes to an end', () => {
  const state = fc.option(fc.constantFrom(...STATES), { nil: null });
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 10 }), fc.boolean(), (states, stopAsked) => {
      const items = states.map((each, index) => ({
        n: index + 1,
        denomination: 60,
        state: each,
        redemptionId: each === null ? null : index + 1,
      }));
      const step = nextStep({ items, stopAsked });
      const first = states.find((each) => each !== 'redeemed');
      const goesOn = first === 'pending' ? 'wait' : first === null && !stopAsked ? 'begin' : 'end';
      expect(step.kind).toBe(goesOn);
      switch (step.kind) {
        case 'begin':
          expect([first, stopAsked]).toEqual([null, false]);
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
      expect(leftOf({ items }).reduce((sum, { count }) => sum + count, 0)).toBe(
        states.filter((each) => each === null).length,
      );
    }),
  );
});
