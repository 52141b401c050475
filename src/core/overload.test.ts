// A service that cannot keep up: what would begin is refused before anything is recorded, what has begun is carried
// through.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const ORDER = { gameId: GAME, playerId: PLAYER, denomination: 60 };
/** More than the writer ever lets wait before it calls it a crowd. */
const CROWD = 10_001;

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

/** From now until what this returns is over there is a crowd. */
const crowd = (bulk = false) =>
  Promise.all(Array.from({ length: CROWD }, () => t.store.write(() => undefined, { bulk })));
const add = (codes: string[]) => t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
const recorded = () => ({
  redemptions: t.core.receipts.list(t.actor, {}).length,
  used: t.core.quota(t.actor).daily.used,
  stock: t.core.codes.countAvailable(t.actor, GAME).get(60),
});

test('nothing new begins, and nothing of it is recorded', async () => {
  await add([makeCode(), makeCode()]);
  const importId = await t.core.imports.begin(t.actor, { gameId: GAME, denomination: 60 });
  await t.core.imports.addPiece(t.actor, importId, {
    key: '1',
    position: 1,
    kind: 'message',
    text: makeCode(),
  });
  const before = recorded();
  const written = crowd();
  const begun = await Promise.allSettled([
    t.core.redeem(t.actor, { ...ORDER, idempotencyKey: { scope: 'http', key: 'order-1' } }),
    t.core.beginRedemption(t.actor, ORDER),
    t.core.findCharacter(t.actor, { gameId: GAME, playerId: PLAYER }),
    t.core.findRedemptionTime(t.actor, { gameId: GAME, code: makeCode() }),
    t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]),
    t.core.codes.extract(t.actor, { gameId: GAME, denomination: 60, amount: 1 }),
    t.core.imports.commit(t.actor, importId),
  ]);
  await written;
  expect(begun.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual(
    begun.map(() => 'OVERLOADED'),
  );
  expect(recorded()).toEqual(before);
  expect(t.platform.orders).toEqual([]);

  // The key was left unused, and all of it can be had now.
  const again = { ...ORDER, denomination: 60, idempotencyKey: { scope: 'http' as const, key: 'order-1' } };
  expect(await t.core.redeem(t.actor, again)).toMatchObject({ status: 'answered', replayed: false });
  expect(await t.core.imports.commit(t.actor, importId)).toMatchObject({ added: 1 });
});

test('the crowd of one account turns that account away, and what it begins is written in its turn', async () => {
  const [crowded, other] = [t.actor, await t.openAccount()];
  await t.core.codes.add(other, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  vi.spyOn(t.store, 'isCrowded').mockImplementation((of) => of?.whose === crowded.accountId);
  const write = vi.spyOn(t.store, 'write');
  const place = (actor: typeof crowded) =>
    t.core.orders.place(actor, {
      ...{ gameId: GAME, playerId: PLAYER, items: [{ denomination: 60, count: 1 }] },
      ...{ onShortage: 'wait', onBadCode: 'replace', idempotencyKey: { scope: 'http', key: 'order-1' } },
    });
  const verbs = [
    (actor: typeof crowded) => t.core.redeem(actor, ORDER),
    (actor: typeof crowded) => t.core.findCharacter(actor, { gameId: GAME, playerId: PLAYER }),
    (actor: typeof crowded) => t.core.codes.add(actor, GAME, [{ denomination: 60, codes: [makeCode()] }]),
    (actor: typeof crowded) => t.core.codes.extract(actor, { gameId: GAME, denomination: 60, amount: 1 }),
    place,
    (actor: typeof crowded) => t.core.orders.cancel(actor, 'ord_none'),
  ];
  for (const verb of verbs) {
    await expect(verb(crowded)).rejects.toMatchObject({ code: 'OVERLOADED' });
    write.mockClear();
    await verb(other);
    expect(write.mock.calls[0]?.[1]).toMatchObject({ whose: other.accountId });
  }
});

test('what has begun is settled all the same', async () => {
  await add([makeCode()]);
  const platform = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  t.platform.script.redeem = async (order) => {
    asked.resolve();
    await platform.promise;
    return t.platform.redeemNow(order);
  };
  const redeeming = t.core.redeem(t.actor, ORDER);
  await asked.promise;
  const written = crowd();
  await expect(t.core.redeem(t.actor, ORDER)).rejects.toMatchObject({ code: 'OVERLOADED' });
  platform.resolve();
  expect(await redeeming).toMatchObject({ status: 'answered', redemption: { state: 'redeemed' } });
  await written;
});

test('a crowd of bulk work turns bulk work away, and nobody who redeems', async () => {
  await add([makeCode(), makeCode()]);
  const written = crowd(true);
  await expect(add([makeCode()])).rejects.toMatchObject({ code: 'OVERLOADED' });
  const answer = await t.core.redeem(t.actor, ORDER);
  expect(answer).toMatchObject({ status: 'answered', redemption: { state: 'redeemed' } });
  await written;
});
