// From the message of one redemption to the next: what is known of it is not asked again, and what was wrong is.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const [PLAYER, NOBODY] = ['5170925570', '4045170925'];
let t: Stage;
let operator: Person;
beforeEach(async () => {
  t = await openStage();
  operator = personOf(t.api, t.people.operator);
  const codes = [makeCode(), makeCode()];
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);
});
afterEach(() => t.stop());

async function opensReceipt(request: {
  gameId: string;
  playerId: string;
  denomination?: number;
  code?: string;
}) {
  const answer = await t.app().core.redeem(t.actors.operator, request);
  if (answer.status !== 'answered') throw new Error(answer.status);
  operator.looksAway();
  operator.says(`/receipt_${answer.redemption.id}`);
  await operator.sees(`/receipt_${answer.redemption.id}`);
  operator.looksAway();
}

test('a player that does not exist is asked for anew; game and denomination stay', async () => {
  await opensReceipt({ gameId: 'game_id_1', playerId: NOBODY, denomination: 60 });
  const used = () => t.app().core.quota(t.actors.owner).daily.used;
  const before = used();
  await operator.presses('Another ID');
  await operator.sees(/^Send the player ID/);
  // The one that does not exist is not looked up again.
  expect(used()).toBe(before);
  operator.says(PLAYER);
  const asked = await operator.sees(/Redeem this\?/);
  expect(asked.text).toContain('60 UC');
  expect(asked.text).toContain(PLAYER);
});

test('of a code that was sent and is untouched, too', async () => {
  const code = makeCode();
  await opensReceipt({ gameId: 'game_id_2', playerId: NOBODY, code });
  await operator.presses('Another ID');
  await operator.sees(/Send the player ID/);
  operator.says(PLAYER);
  const asked = await operator.sees(/Redeem this\?/);
  expect(asked.text).toContain(code);
  expect(asked.text).toContain(PLAYER);
});

test('again is the last confirmation at once', async () => {
  await opensReceipt({ gameId: 'game_id_1', playerId: PLAYER, denomination: 60 });
  await operator.presses(/^Again for/);
  const asked = await operator.sees(/Redeem this\?|Redeem again|just now|minutes ago/);
  expect(asked.text).toContain('60 UC');
  expect(asked.text).toContain(PLAYER);
});

test('of an empty stock the player stays, and another denomination is asked for', async () => {
  await opensReceipt({ gameId: 'game_id_1', playerId: PLAYER, denomination: 325 });
  await operator.presses('Another amount');
  const asked = await operator.sees(/What shall I redeem/);
  expect(asked.text).toContain(PLAYER);
  await operator.presses(/^60 UC/);
  await operator.sees(/Redeem this\?/);
});
