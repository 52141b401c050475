// How long a key stands for its action, for whom, and that forgetting never makes an action repeatable while it is
// open.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import type { RefusalCode } from '../platform/port.ts';
import type { Tables } from '../store/index.ts';
import { pruneKeys, useKey, type IdempotencyKey, type KeyUse } from './idempotency.ts';
import { momentOf } from '../clock.ts';

/** Of a redemption, after its end. */
const KEPT_MS = 30 * DAY_MS;

const GAME = 'game_id_1';
const HTTP: IdempotencyKey = { scope: 'http', key: 'order-1' };

let t: TestCore;
beforeEach(async () => {
  const opened = await openTestCore();
  t = { ...opened, actor: await opened.openAccount({ days: 90 }) };
  await t.core.codes.add(t.actor, GAME, [
    { denomination: 60, codes: Array.from({ length: 5 }, () => makeCode()) },
  ]);
});
afterEach(() => t.close());

async function redeem(key: IdempotencyKey, core = t.core): Promise<{ id: number; replayed: boolean }> {
  const request = { gameId: GAME, playerId: '5170925570', denomination: 60, idempotencyKey: key };
  const answer = await core.redeem(t.actor, request);
  if (answer.status !== 'answered') throw new Error(answer.status);
  return { id: answer.redemption.id, replayed: answer.replayed };
}
const forget = () => t.store.write((tables) => pruneKeys(tables, momentOf(t.clock), 100));
const leaveInDoubt = () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
};

test('a key stands for 30 days to the millisecond, after a restart, too', async () => {
  const { id } = await redeem(HTTP);
  t.clock.advance(KEPT_MS - 1);
  expect(await forget()).toBe(0);
  expect(await redeem(HTTP, t.restart())).toEqual({ id, replayed: true });
  t.clock.advance(1);
  expect(await redeem(HTTP)).toMatchObject({ replayed: false });
});

test('a key whose redemption is in doubt stands for as long as the doubt', async () => {
  leaveInDoubt();
  const { id } = await redeem(HTTP);
  t.clock.advance(10 * DAY_MS);
  expect(await forget()).toBe(0);
  expect(await redeem(HTTP)).toEqual({ id, replayed: true });
  expect(t.platform.orders).toHaveLength(1);
});

test('a key lives 30 days from the end of what it began, however late that came', async () => {
  leaveInDoubt();
  const { id } = await redeem(HTTP);
  t.clock.advance(10 * DAY_MS);
  await t.core.settleDoubts();
  t.clock.advance(KEPT_MS - 1);
  await t.core.settleDoubts();
  expect(t.core.health.countOpen().inDoubt).toBe(0);
  const settledAt = t.core.receipts.find(t.actor, id)?.settledAt ?? 0;
  t.clock.advance(settledAt + KEPT_MS - 1 - t.clock.now());
  expect(await forget()).toBe(0);
  expect(await redeem(HTTP)).toEqual({ id, replayed: true });
  t.clock.advance(1);
  expect(await forget()).toBe(1);
  expect(await redeem(HTTP)).toMatchObject({ replayed: false });
});

test.each(['add', 'extract'] as const)(
  'a key of bulk work (%s) lives 24 hours from the end of the work, however long that took',
  async (kind) => {
    t.allowDrift();
    const { accountId } = t.actor;
    const use = (work: (key: KeyUse, tables: Tables) => void) =>
      t.store.write((tables) => work(useKey(tables, accountId, HTTP, kind, momentOf(t.clock)), tables));
    const stands = async () => {
      let earlier: KeyUse['earlier'];
      await use((key) => (earlier = key.earlier));
      return earlier !== undefined;
    };
    let jobId = 0;
    await use((key, tables) => {
      const ordered = { accountId, actor: 'apiKey:1', now: t.clock.now() };
      const stockKey = { gameId: GAME, denomination: 60, requested: 1 };
      const batchId = tables.batches.open({ ...ordered, ...stockKey });
      const extractionId = tables.extractions.open({ ...ordered, ...stockKey });
      const subjectId = kind === 'add' ? batchId : extractionId;
      jobId = tables.jobs.open({ ...ordered, kind, subjectId, total: 1 });
      key.remember(kind === 'add' ? { batchId } : { extractionId });
    });
    t.clock.advance(2 * DAY_MS);
    expect([await forget(), await stands()]).toEqual([0, true]);
    await t.store.write((tables) => tables.jobs.end(jobId, 'done', t.clock.now()));
    t.clock.advance(DAY_MS - 1);
    expect([await forget(), await stands()]).toEqual([0, true]);
    t.clock.advance(1);
    expect([await stands(), await forget()]).toEqual([false, 1]);
  },
);

test.each([
  ['for a minute', 30 * 24 + 1],
  ['for good', 30 * 24 + 1],
  ['by years', 24 * 3650],
])(
  'a calendar that jumps forward %s ends no key: the same key is one redemption and one code',
  async (forHow, hours) => {
    const { id } = await redeem(HTTP);
    const before = t.clock.now();
    t.clock.set(before + hours * 60 * 60 * 1000);
    expect(await forget()).toBe(0);
    t.clock.advance(2_000);
    expect(await redeem(HTTP)).toEqual({ id, replayed: true });
    if (forHow === 'for a minute') t.clock.set(before + 2_000);
    expect(await redeem(HTTP)).toEqual({ id, replayed: true });
    expect(t.platform.orders).toHaveLength(1);
    t.clock.advance(KEPT_MS);
    expect(await forget()).toBe(1);
  },
);

test('a calendar that goes back and comes again ends no key either', async () => {
  const before = t.clock.now();
  t.clock.set(before - 30 * DAY_MS);
  const { id } = await redeem(HTTP);
  t.clock.set(before);
  expect(await forget()).toBe(0);
  expect(await redeem(HTTP)).toEqual({ id, replayed: true });
});

test('what is over is forgotten, a few at a time', async () => {
  for (const name of ['a', 'b', 'c']) await redeem({ scope: 'http', key: name });
  t.clock.advance(KEPT_MS);
  const forgetTwo = () => t.store.write((tables) => pruneKeys(tables, momentOf(t.clock), 2));
  expect([await forgetTwo(), await forgetTwo(), await forgetTwo()]).toEqual([2, 1, 0]);
});

test('the same key from the chat and over HTTP is two', async () => {
  const first = await redeem(HTTP);
  const second = await redeem({ scope: 'chat', key: HTTP.key });
  expect(second).toMatchObject({ replayed: false });
  expect(second.id).not.toBe(first.id);
});

const refuse = (errorCode: RefusalCode, asked = true) => {
  t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: '', asked });
};

test.each(['CODE_USED', 'RISK_CONTROL', 'INVALID_CODE', 'CHARACTER_NOT_FOUND'] as const)(
  'a failure that cost an activation (%s) is replayed, not tried again',
  async (errorCode) => {
    refuse(errorCode);
    const { id } = await redeem(HTTP);
    delete t.platform.script.redeem;
    expect(await redeem(HTTP)).toEqual({ id, replayed: true });
    expect(t.platform.orders).toHaveLength(1);
  },
);

test.each(['LOGIN_FAILED', 'NO_ACCOUNTS_AVAILABLE', 'NETWORK_ERROR'] as const)(
  'a failure that touched nothing (%s) frees its key: the same order number is tried again, another body, too',
  async (errorCode) => {
    refuse(errorCode);
    const { id } = await redeem(HTTP);
    const again = await redeem(HTTP);
    expect(again).toMatchObject({ replayed: false });
    expect(again.id).not.toBe(id);
    delete t.platform.script.redeem;
    const other = { gameId: GAME, playerId: '5170925571', denomination: 60, idempotencyKey: HTTP };
    expect(await t.core.redeem(t.actor, other)).toMatchObject({ replayed: false });
    await expect(redeem(HTTP)).rejects.toThrow('was used for another request');
  },
);

test.each([
  ['an empty stock', { denomination: 325 }],
  ['a malformed player', { denomination: 60, playerId: 'x' }],
  ['a malformed code', { code: 'x' }],
])('%s frees the key', async (_what, wish) => {
  const ask = () =>
    t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', ...wish, idempotencyKey: HTTP });
  expect(await ask()).toMatchObject({ redemption: { state: 'failed' }, replayed: false });
  expect(await ask()).toMatchObject({ redemption: { state: 'failed' }, replayed: false });
});

test('what was in doubt when it was answered frees no key, though its usage came back', async () => {
  leaveInDoubt();
  const { id } = await redeem(HTTP);
  delete t.platform.script.redeem;
  for (let look = 0; look < 6; look += 1) {
    t.clock.advance(60_000);
    await t.core.settleDoubts();
  }
  expect(t.core.receipts.find(t.actor, id)).toMatchObject({ state: 'failed', codeReset: true });
  expect(await redeem(HTTP)).toEqual({ id, replayed: true });
});

test('a key of the chat is never freed', async () => {
  refuse('LOGIN_FAILED');
  const { id } = await redeem({ scope: 'chat', key: 'confirmation' });
  expect(await redeem({ scope: 'chat', key: 'confirmation' })).toEqual({ id, replayed: true });
});

test('a request that the quota refused leaves its key unused', async () => {
  const lookUp = () => t.core.findRedemptionTime(t.actor, { gameId: GAME, code: makeCode() });
  // Fewer at once than are a crowd on a machine that is slow just now.
  for (let times = 0; times < 3; times += 1) await Promise.all(Array.from({ length: 100 }, lookUp));
  await expect(redeem(HTTP)).rejects.toThrow('quotaExceeded');
  t.clock.advance(DAY_MS);
  expect(await redeem(HTTP)).toMatchObject({ replayed: false });
});

test('one key does not stand for a redemption and an extraction', async () => {
  await redeem(HTTP);
  const extraction = t.core.codes.extract(t.actor, {
    gameId: GAME,
    denomination: 60,
    amount: 1,
    idempotencyKey: HTTP,
  });
  await expect(extraction).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('the key itself is not in the file', async () => {
  const key = 'a-key-that-must-not-be-read';
  await redeem({ scope: 'http', key });
  const found = t.store.read((tables) =>
    tables.idempotencyKeys.find(t.actor.accountId, tables.idempotencyKeys.hashKey(`http:${key}`)),
  );
  expect(JSON.stringify(found)).not.toContain(key);
  expect(
    Buffer.concat([found?.keyHash ?? Buffer.of(), found?.requestHash ?? Buffer.of()]).includes(key),
  ).toBe(false);
  expect(found?.keyHash).toHaveLength(32);
});

test('what a key is held against is worded as in earlier versions: a request that is repeated after an upgrade is known', async () => {
  const codes = [{ denomination: 60, codes: ['CODE00000001'] }];
  const keyOf = (key: string): IdempotencyKey => ({ scope: 'http', key });
  await t.core.codes.add(t.actor, GAME, codes, { idempotencyKey: keyOf('add') });
  await t.core.codes.add(
    t.actor,
    GAME,
    [
      { denomination: 60, codes: ['CODE00000003'] },
      { denomination: 325, codes: ['?'] },
    ],
    {
      idempotencyKey: keyOf('malformed'),
    },
  );
  await redeem(keyOf('redeem'));
  const direct = { gameId: GAME, playerId: '5170925570', code: 'CODE00000002' };
  await t.core.redeem(t.actor, { ...direct, idempotencyKey: keyOf('direct') });
  await t.core.codes.extract(t.actor, {
    gameId: GAME,
    denomination: 60,
    amount: 2,
    idempotencyKey: keyOf('extract'),
  });
  const expected = {
    add: '["add","game_id_1",[[60,["CODE00000001"]]]]',
    malformed: '["add","game_id_1",[[60,["CODE00000003"]]],["?"]]',
    redeem: '["redeem","game_id_1","5170925570",60,null]',
    direct: '["redeem","game_id_1","5170925570",null,"CODE00000002"]',
    extract: '["extract","game_id_1",60,2]',
  };
  for (const [key, worded] of Object.entries(expected))
    t.store.read(({ idempotencyKeys: keys }) => {
      const found = keys.find(t.actor.accountId, keys.hashKey(`http:${key}`));
      expect(found?.requestHash, key).toEqual(keys.hashRequest(worded));
    });
});
