// Redemptions row by row: what beginning, doubting and settling write, which of a code are found, and what is read of
// the past.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { endRedeemed, sendOrder } from '../../../test/harness/attempts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { NewRedemption } from './redemptions.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const [SHOP, OTHER] = [1, 2];
const FAILURE = { errorCode: 'RISK_CONTROL', errorMessage: 'risky' } as const;
const RECEIPT = {
  ...{ openid: 'o1', playerName: 'Ann', region: 'EU', productName: '60 UC', amount: 60, warning: true },
  credentials: { uid: '5', password: 'secret' },
};
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write(({ accounts }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
  });
});
afterEach(() => t.close());

const write = <T>(work: (redemptions: Tables['redemptions']) => T) =>
  t.store.write(({ redemptions }) => work(redemptions));
const read = <T>(work: (redemptions: Tables['redemptions']) => T) =>
  t.store.read(({ redemptions }) => work(redemptions));
const find = (id: number) => read((redemptions) => redemptions.find(id));
const hash = (code: string) => t.store.seals.seal(GAME, code).hash;
const sealed = (code: string) => ({ text: code, ...t.store.seals.seal(GAME, code) });

const row = (code: string | null, more: Partial<NewRedemption> = {}): NewRedemption => ({
  ...{ accountId: SHOP, actor: 'apiKey:1', gameId: GAME, playerId: '51' },
  ...{ mode: 'direct', denomination: null, codeId: null, usageId: null, now: 10 },
  code: code === null ? null : sealed(code),
  ...more,
});
const begin = (code: string | null, more?: Partial<NewRedemption>) =>
  write((redemptions) => redemptions.begin(row(code, more)));
const doubt = (id: number, now = 15) => write((redemptions) => redemptions.doubt(id, FAILURE, now));
const fail = (id: number, now = 20) =>
  write((redemptions) => redemptions.settleFailed(id, { ...FAILURE, codeReset: true }, now));
const BEGUN = {
  ...{ id: 1, accountId: SHOP, actor: 'apiKey:1', gameId: GAME, playerId: '51' },
  ...{ mode: 'direct', denomination: null, codeId: null, code: 'CODE1', state: 'pending', usageId: null },
  ...{ errorCode: null, errorMessage: null, codeReset: false, warning: false, openid: null },
  ...{ playerName: null, region: null, productName: null, amount: null, credentials: null },
  ...{ createdAt: 10, settledAt: null, tookMs: 0, doubtedAt: null, looks: 0 },
  ...{ looksTold: null, firstId: null },
};

test('a redemption begins pending, is got by its id, and one that is not there is not', async () => {
  await begin('CODE1');
  await begin(null, { playerName: 'Ann', denomination: 60, now: 11 });
  expect([find(1), find(2), find(3)]).toEqual([
    BEGUN,
    { ...BEGUN, id: 2, code: null, playerName: 'Ann', denomination: 60, createdAt: 11 },
    undefined,
  ]);
  expect(read((redemptions) => redemptions.get(1))).toEqual(BEGUN);
  expect(() => read((redemptions) => redemptions.get(3))).toThrow('Redemption 3 is not there.');
  expect(read((redemptions) => redemptions.hashOf(GAME, 'CODE1'))).toEqual(hash('CODE1'));
});

test('what failed before it began is kept as settled, and is no live attempt of its code', async () => {
  await write((redemptions) => redemptions.insertFailed(row('CODE1'), 'CHARACTER_NOT_FOUND', 'nobody'));
  const failed = { state: 'failed', errorCode: 'CHARACTER_NOT_FOUND', errorMessage: 'nobody', settledAt: 10 };
  expect(find(1)).toEqual({ ...BEGUN, ...failed });
  expect(read((redemptions) => redemptions.findLive(GAME, hash('CODE1')))).toBeUndefined();
});

test('a doubt, then looks at it, then its end, each write their part once', async () => {
  await begin('CODE1');
  await begin('CODE2');
  const look = (id: number) => write((redemptions) => redemptions.noteLook(id, '[]'));
  expect([await look(1), await doubt(1), await doubt(1), await look(1)]).toEqual([false, true, false, true]);
  const doubted = { ...BEGUN, ...FAILURE, doubtedAt: 15, tookMs: 5 };
  expect(find(1)).toEqual({ ...doubted, state: 'in_doubt', looks: 1, looksTold: '[]' });
  const settle = () => t.store.write((tables) => endRedeemed(tables, 1, RECEIPT, 40));
  expect([await settle(), await settle(), await fail(1), await look(1)]).toEqual([true, false, false, false]);
  const settled = {
    errorCode: null,
    errorMessage: null,
    settledAt: 40,
    tookMs: 30,
    looks: 1,
    looksTold: '[]',
  };
  expect(find(1)).toEqual({ ...doubted, ...RECEIPT, ...settled, state: 'redeemed' });
  expect(find(2)?.state).toBe('pending');
});

test('a failure is kept with whether its code was reset; a clock that went back takes no time', async () => {
  await begin('CODE1');
  await begin('CODE2');
  await begin('CODE3');
  await doubt(1, 5);
  expect(find(1)?.tookMs).toBe(0);
  expect([await fail(1), await fail(1), await fail(9)]).toEqual([true, false, false]);
  const failed = { ...FAILURE, state: 'failed', codeReset: true, settledAt: 20, tookMs: 10, doubtedAt: 5 };
  expect(find(1)).toEqual({ ...BEGUN, ...failed });
  await fail(2, 3);
  await t.store.write((tables) =>
    endRedeemed(tables, 3, { ...RECEIPT, warning: false, credentials: null }, 3),
  );
  expect([find(2)?.tookMs, find(3)?.tookMs, find(3)?.warning, find(3)?.credentials]).toEqual([
    0,
    0,
    false,
    null,
  ]);
});

test('what is pending is listed by its id, and what is open is counted', async () => {
  for (const n of [1, 2, 3, 4, 5, 6]) await begin(`CODE${n}`, { now: 20 - n });
  for (const id of [2, 3, 4, 5]) await doubt(id);
  const pending = (after: number, limit: number) =>
    read((redemptions) => redemptions.listPending(after, limit).map(({ id }) => id));
  expect([pending(0, 9), pending(0, 1), pending(1, 9), pending(6, 9)]).toEqual([[1, 6], [1], [6], []]);
  expect(read((redemptions) => redemptions.listPending(1, 1))).toEqual([
    {
      ...{ id: 6, accountId: SHOP, actor: 'apiKey:1', gameId: GAME, mode: 'direct' },
      ...{ denomination: null, codeId: null, usageId: null, wasSent: false },
    },
  ]);
  await t.store.write((tables) => sendOrder(tables, 6));
  expect(read((redemptions) => redemptions.listPending(1, 1))).toMatchObject([{ id: 6, wasSent: true }]);
  expect(read((redemptions) => redemptions.countOpen())).toEqual({ pending: 2, inDoubt: 4 });
  await fail(1);
  await fail(2);
  expect(read((redemptions) => redemptions.countOpen())).toEqual({ pending: 1, inDoubt: 3 });
});

test('the live attempt of a code is found across accounts, in its game, and there is one', async () => {
  await begin('CODE1', { accountId: OTHER });
  const live = (gameId = GAME, code = 'CODE1') =>
    read((redemptions) => redemptions.findLive(gameId, hash(code)));
  expect([live(), live('game_id_2'), live(GAME, 'CODE2')]).toEqual([
    { id: 1, state: 'pending', accountId: OTHER },
    undefined,
    undefined,
  ]);
  await expect(begin('CODE1')).rejects.toThrow('a code has one');
  await fail(1);
  expect([live(), await begin('CODE1')]).toEqual([undefined, 2]);
});

test('of a code, an account finds its live redemption, else its newest', async () => {
  const ofCode = (accountId = SHOP, code = 'CODE-1x') =>
    read((redemptions) => redemptions.findOfCode(accountId, GAME, code)?.id);
  for (const id of [1, 2]) {
    await begin('CODE-1x');
    await fail(id);
  }
  expect([ofCode(), ofCode(OTHER), ofCode(SHOP, 'MODE-1x')]).toEqual([2, undefined, undefined]);
  await begin('CODE-1x');
  await write((redemptions) => redemptions.insertFailed(row('CODE-1x'), 'CODE_USED', 'used'));
  expect(ofCode()).toBe(3);
});

test('doubts of a code are told beside one redemption: of its player from a moment on, and whether others had any', async () => {
  for (const [id, more] of [
    [1, { now: 10 }],
    [2, { now: 12 }],
    [3, { now: 11, playerId: '52' }],
    [4, { now: 14, accountId: OTHER }],
    [5, { now: 13, accountId: OTHER }],
    [6, { now: 9 }],
  ] as const) {
    await begin('CODE1', more);
    if (id < 6) await doubt(id);
    await fail(id);
  }
  const doubts = (since: number, more: { id?: number; gameId?: string; hash?: Buffer } = {}) =>
    read((redemptions) =>
      redemptions.findDoubtful({
        ...{ id: 99, accountId: SHOP, gameId: GAME, hash: hash('CODE1'), playerId: '51', since, ...more },
      }),
    );
  const others = true;
  expect([doubts(0), doubts(12), doubts(12, { id: 2 }), doubts(13)]).toEqual([
    { own: true, others },
    { own: true, others },
    { own: false, others },
    { own: false, others },
  ]);
  // What was proven to be somebody else's is no doubt of ours.
  const ended = (code: string) => doubts(0, { hash: hash(code) }).own;
  for (const [id, code, end] of [
    [7, 'CODE7', 'CODE_USED'],
    [8, 'CODE8', 'UNKNOWN'],
  ] as const) {
    await begin(code);
    await doubt(id);
    const error = { ...FAILURE, errorCode: end };
    await write((redemptions) => redemptions.settleFailed(id, { ...error, codeReset: true }, 20));
  }
  expect([ended('CODE7'), ended('CODE8')]).toEqual([false, true]);
  const none = { own: false, others: false };
  expect([doubts(0, { id: 1 }), doubts(0, { gameId: 'game_id_2' }), doubts(0, { hash: hash('C2') })]).toEqual(
    [{ own: true, others }, none, none],
  );
});

test('whoever else sent a code had it, too, whatever was answered; who was refused before it was sent had not', async () => {
  const othersHad = (code: string) => {
    const asked = { id: 99, accountId: SHOP, gameId: GAME, hash: hash(code), playerId: '51', since: 0 };
    return read((redemptions) => redemptions.findDoubtful(asked).others);
  };
  for (const [id, code] of [
    [1, 'SENT1'],
    [2, 'UNSENT'],
  ] as const) {
    await begin(code, { accountId: OTHER });
    if (code === 'SENT1')
      await t.store.write((tables) => {
        sendOrder(tables, id);
        tables.attempts.end(id, { proof: 'answer' }, 15);
      });
    await fail(id);
  }
  expect([othersHad('SENT1'), othersHad('UNSENT')]).toEqual([true, false]);
});

test('the key of a request is told as it was sent, and not where there was none or it does not open', async () => {
  await begin('CODE1', { idempotencyKey: 'key-1' });
  await begin('CODE2');
  const key = (id: number) => read((redemptions) => redemptions.findIdempotencyKey(id));
  expect([key(1), key(2), key(9)]).toEqual(['key-1', undefined, undefined]);
  t.inspect((file) => file.exec('update redemptions set idempotency_key_secret = zeroblob(60)'));
  expect([key(1), key(2)]).toEqual([undefined, undefined]);
});

test('a code is taken out of what is pending, and out of nothing else', async () => {
  await begin('CODE1');
  await begin('CODE2');
  await doubt(2);
  expect(await write((redemptions) => [1, 2, 9].map((id) => redemptions.dropCode(id)))).toEqual([
    true,
    false,
    false,
  ]);
  expect([find(1)?.code, find(2)?.code]).toEqual([null, 'CODE2']);
});

test('a code of the database is read from its own row, also one that was put in place of another', async () => {
  const stockKey = { accountId: SHOP, gameId: GAME, denomination: 60 };
  await t.store.write(({ batches }) => {
    const batchId = batches.open({ ...stockKey, actor: 'host', now: 1 });
    for (const code of ['CODE1', 'CODE2']) batches.insertCode({ ...stockKey, batchId, now: 1 }, sealed(code));
    batches.grow(batchId, stockKey, 2);
  });
  await begin('CODE1', { mode: 'database', codeId: 1, denomination: 60 });
  const replace = (id: number) => write((redemptions) => redemptions.replaceCode(id, 2, sealed('CODE2')));
  expect([find(1)?.code, await replace(1), await replace(9)]).toEqual(['CODE1', true, false]);
  expect(find(1)).toMatchObject({ code: 'CODE2', codeId: 2, mode: 'database', state: 'pending' });
  await doubt(1);
  expect(await replace(1)).toBe(false);
});

test('what does not open any more is told as not there', async () => {
  await begin('CODE1');
  await t.store.write((tables) => endRedeemed(tables, 1, RECEIPT, 40));
  t.inspect((file) =>
    file.exec('update redemptions set code_secret = zeroblob(60), credentials_secret = zeroblob(60)'),
  );
  expect(find(1)).toMatchObject({ code: null, credentials: null, playerName: 'Ann' });
});

test('one that waits for another of its code is not settled before that one is', async () => {
  await begin('CODE1');
  for (const [errorCode, firstId] of [['UNKNOWN', 1], ['UNKNOWN'], ['CODE_USED', 1], ['UNKNOWN', 1]] as const)
    await write((redemptions) => redemptions.insertFailed(row('CODE1'), errorCode, '', firstId));
  expect([2, 3, 4, 5].map((id) => find(id)?.settledAt)).toEqual([null, 10, 10, null]);
  const used = { errorCode: 'CODE_USED', errorMessage: 'used' } as const;
  const settle = (firstId: number, now: number) =>
    write((redemptions) => redemptions.settleDuplicates(firstId, used, now));
  expect(await settle(2, 40)).toEqual([]);
  expect((await settle(1, 50)).map(({ id }) => id)).toEqual([2, 5]);
  expect(await settle(1, 60)).toEqual([]);
  expect(find(5)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED', settledAt: 50, firstId: 1 });
  expect(find(2)?.settledAt).toBe(50);
});
