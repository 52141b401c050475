// The facts of a proof: what was redeemed, and when a doubt of it was settled.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' };

test('it has no login, and the end of the code alone', async () => {
  const code = makeCode();
  const told = await t.core.redeem(t.actor, { ...PLAYER, code });
  if (told.status !== 'answered') throw new Error(told.status);
  const { id, credentials } = told.redemption;
  const proof = t.core.findProof(t.actor, id)!;
  expect(proof).toMatchObject({
    id,
    playerId: PLAYER.playerId,
    code: `${'•'.repeat(code.length - 4)}${code.slice(-4)}`,
  });
  expect(proof.settledAt).toBeNull();
  const said = JSON.stringify(proof);
  expect(said).not.toContain(code);
  const { email, password } = credentials!;
  for (const secret of [email!, password!]) expect(said).not.toContain(secret);
});
