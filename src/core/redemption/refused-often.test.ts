// Refusals cost nothing, so their number is bounded: past it a request that would be refused again leaves no row.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { BAD_REQUESTS_PER_MINUTE } from '../bad-request-limit.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const REFUSED = [
  { gameId: GAME, playerId: 'malformed', denomination: 60 },
  { gameId: GAME, playerId: PLAYER, denomination: 60 },
  { gameId: GAME, playerId: PLAYER, code: 'malformed' },
];

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const statuses = async (actor = t.actor) =>
  Promise.all(REFUSED.map(async (request) => (await t.core.redeem(actor, request)).status));
const countRows = (actor = t.actor) =>
  t.store.read((tables) => {
    let rows = 0;
    for (let id = 1; tables.redemptions.find(id)?.accountId === actor.accountId; id += 1) rows += 1;
    return rows;
  });

test('the 121st in a minute leaves no row, and what can be carried out is carried out', async () => {
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += REFUSED.length) {
    expect(await statuses()).toEqual(['answered', 'answered', 'answered']);
  }
  t.clock.advance(15_000);
  expect(countRows()).toBe(BAD_REQUESTS_PER_MINUTE);
  expect(await statuses()).toEqual(['tooManyBadRequests', 'tooManyBadRequests', 'tooManyBadRequests']);
  const key = { idempotencyKey: { scope: 'http' as const, key: 'order-1' } };
  const order = { gameId: GAME, playerId: PLAYER, denomination: 60, ...key };
  expect(await t.core.redeem(t.actor, order)).toEqual({
    status: 'tooManyBadRequests',
    retryAfterSeconds: 45,
  });
  expect(countRows()).toBe(BAD_REQUESTS_PER_MINUTE);

  // The key stayed unused: the same order is begun anew once it can be.
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const answer = await t.core.redeem(t.actor, order);
  expect(answer).toMatchObject({ status: 'answered', replayed: false, redemption: { state: 'redeemed' } });
  expect(await statuses(await t.openAccount())).toEqual(['answered', 'answered', 'answered']);

  t.clock.advance(45_000);
  expect(await statuses()).toEqual(['answered', 'answered', 'answered']);
});

test('malformed look-ups count with them, and a good one is looked up', async () => {
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += 2) {
    const player = await t.core.findCharacter(t.actor, { gameId: GAME, playerId: 'malformed' });
    const code = await t.core.findRedemptionTime(t.actor, { gameId: GAME, code: 'malformed' });
    expect([player.status, code.status]).toEqual(['notFound', 'notFound']);
  }
  expect(await statuses()).toEqual(['tooManyBadRequests', 'tooManyBadRequests', 'tooManyBadRequests']);
  expect(await t.core.findCharacter(t.actor, { gameId: GAME, playerId: 'malformed' })).toEqual({
    status: 'tooManyBadRequests',
    retryAfterSeconds: 60,
  });
  expect(await t.core.findCharacter(t.actor, { gameId: GAME, playerId: PLAYER })).toMatchObject({
    status: 'found',
  });
});

test('a key that a refusal has freed begins anew, and is bounded like any other', async () => {
  const idempotencyKey = { scope: 'http' as const, key: 'order-1' };
  const refused = { ...REFUSED[0]!, idempotencyKey };
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += 1)
    expect(await t.core.redeem(t.actor, refused)).toMatchObject({ status: 'answered', replayed: false });
  expect(await t.core.redeem(t.actor, refused)).toMatchObject({ status: 'tooManyBadRequests' });
});
