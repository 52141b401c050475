// Why a code cannot be added: who has it, in the database or in a redemption.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { findCodeConflict } from './code-conflict.ts';

const [OURS, THEIRS] = [1, 2];
type Known = { accountId: number; state: string } | undefined;

test.each<[stock: Known, live: Known, conflict: 'used' | 'disowned' | undefined]>([
  [undefined, undefined, undefined],
  [{ accountId: OURS, state: 'available' }, undefined, 'used'],
  [{ accountId: THEIRS, state: 'available' }, undefined, 'disowned'],
  [{ accountId: THEIRS, state: 'redeemed' }, undefined, 'used'],
  [{ accountId: THEIRS, state: 'available' }, { accountId: OURS, state: 'redeemed' }, 'disowned'],
  [undefined, { accountId: OURS, state: 'pending' }, 'used'],
  [undefined, { accountId: THEIRS, state: 'in_doubt' }, 'disowned'],
  [undefined, { accountId: THEIRS, state: 'redeemed' }, 'used'],
])('in the database %j, in a redemption %j: %j', (stock, live, conflict) => {
  const tables = { codes: { findOwner: () => stock }, redemptions: { findLive: () => live } };
  const owner = { accountId: OURS, gameId: 'game_id_1' };
  expect(findCodeConflict(fake(tables), owner, Buffer.alloc(1))).toBe(conflict);
});
