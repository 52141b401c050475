// Doubts that outlive many short-lived processes: each begins its settling period anew, and none forgets the pauses.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;

beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

test('a doubt met by many short-lived processes ends one settling period after the last start', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'No answer.' });
  const request = { gameId: 'game_id_2', playerId: '5124780131', code: makeCode() };
  const answer = await t.core.redeem(t.actor, request);
  if (answer.status !== 'answered') throw new Error('Nothing began.');
  const find = () => t.store.read((tables) => tables.redemptions.find(answer.redemption.id));

  for (let life = 0; life < 20; life += 1) {
    t.clock.advance(t.platform.settlingMs / 2);
    await t.restart().settleDoubts();
  }
  expect(find()?.state).toBe('in_doubt');

  const last = t.restart();
  t.clock.advance(t.platform.settlingMs - 1);
  await last.settleDoubts();
  expect(find()?.state).toBe('in_doubt');
  t.clock.advance(1_000);
  await last.settleDoubts();
  expect(find()?.state).toBe('failed');
});
