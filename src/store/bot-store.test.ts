// What the bot keeps, where two keep something of the same person at once.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../test/harness/store.ts';
import { countMessages, firstMessage } from '../../test/harness/waiting-messages.ts';
import { createBotStore } from './bot-store.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
});
afterEach(() => t.close());

test('a language, muted notices and a menu that are chosen in one moment are all kept', async () => {
  const { preferences } = createBotStore(t.store, () => 1);
  await preferences.save({ telegramId: 7, language: 'ru', mutedNotices: 'stockLow', menu: 'ru:owner:' });
  await Promise.all([
    preferences.save({ telegramId: 7, mutedNotices: 'quotaUsed' }),
    preferences.save({ telegramId: 7, menu: 'en:owner:' }),
    preferences.save({ telegramId: 7, language: null }),
  ]);
  const kept = { telegramId: 7, language: null, mutedNotices: 'quotaUsed', menu: 'en:owner:' };
  expect(preferences.find(7)).toEqual(kept);
});

test('where somebody stands in a conversation is known until it is over, and begins with the end of its update', async () => {
  const { conversations, inbox, saveAction } = createBotStore(t.store, () => 5);
  const person = { chatId: 1, userId: 7 };
  await inbox.save([8, 9, 10].map((updateId) => ({ updateId, update: '{}' })));
  await saveAction({ ended: 8, change: { ...person, state: 'asked' } });
  expect(conversations.find(1, 7)).toEqual({ state: 'asked', touchedAt: 5 });
  await saveAction({ ended: 9, change: { ...person, state: 'answered' } });
  expect([conversations.find(1, 7)?.state, inbox.countWaiting()]).toEqual(['answered', 1]);
  await saveAction({ ended: 10, change: { ...person, state: undefined } });
  expect(conversations.find(1, 7)).toBeUndefined();
});

test('what a redemption came to is said once, whoever comes first to tell it', async () => {
  const store = createBotStore(t.store, () => 5);
  const { accountId } = await openTestAccount(t.store);
  const redemptionId = await t.store.write(({ redemptions }) =>
    redemptions.insertFailed(
      {
        ...{ reference: 'r', accountId, actor: 'member:7', gameId: 'game_id_1', playerId: '5170925570' },
        ...{ mode: 'database', denomination: 60, codeId: null, code: null, usageId: null, now: 4 },
      },
      'NO_CODES_AVAILABLE',
      'None.',
    ),
  );
  const shows = (key: string, chatId: number) => ({ ...row(key, chatId), redemptionId });
  await store.saveAction({ messages: [shows('end', 5)] });
  await store.saveAction({ messages: [shows('end', 5)] });
  expect([countMessages(t.store), store.outbox.isShown([`redemption:${redemptionId}`], 5)]).toEqual([
    1,
    false,
  ]);
});

test('what shows a redemption waits until it has come to something, and who reads it is known', async () => {
  const store = createBotStore(t.store, () => 5);
  const { accountId } = await openTestAccount(t.store);
  const redemptionId = await t.store.write(({ redemptions }) =>
    redemptions.begin({
      ...{ reference: 'r', accountId, actor: 'member:7', gameId: 'game_id_1', playerId: '5170925570' },
      ...{ mode: 'database', denomination: 60, codeId: null, code: null, usageId: null, now: 4 },
    }),
  );
  await store.saveAction({ messages: [{ ...row('end'), redemptionId }] });
  expect(countMessages(t.store)).toBe(0);
  expect(
    [5, 6].map((chatId) => store.outbox.isShown(['order-end:x', `redemption:${redemptionId}`], chatId)),
  ).toEqual([true, false]);
  await t.store.write(({ tasks }) => tasks.release(`redemption:${redemptionId}`, 6));
  expect(firstMessage(t.store, 5)?.key).toBe('end');
});

test('an order can be paid for a year after everything else of its time is forgotten', async () => {
  const year = 365 * 24 * 60 * 60 * 1000;
  const store = createBotStore(t.store, () => 5);
  const { accountId } = await openTestAccount(t.store);
  const order = {
    accountId,
    orderedBy: 7,
    kind: 'activations',
    count: 1,
    currency: 'XTR',
    amount: 1,
  } as const;
  await store.saveAction({ purchaseOrder: { ...order, id: 'older', at: 1_000 } });
  await store.saveAction({ purchaseOrder: { ...order, id: 'younger', at: 1_001 } });
  expect(await store.prune(year + 999, 10)).toBe(false);
  expect(store.findPurchaseOrder('older')).toMatchObject({ at: 1_000 });
  await store.prune(year + 1_000, 10);
  expect(store.findPurchaseOrder('older')).toBeUndefined();
  expect(store.findPurchaseOrder('younger')).toMatchObject({ at: 1_001 });
});

test('what waits for an order is held until that is released', async () => {
  const { saveAction } = createBotStore(t.store, () => 5);
  await saveAction({
    messages: [
      { ...row('end', 7), waitsFor: 'order-end:1' },
      { ...row('codes', 7), waitsFor: 'order-news:1' },
    ],
  });
  expect(countMessages(t.store)).toBe(0);
  await t.store.write(({ tasks }) => tasks.release('order-end:1', 6));
  expect(firstMessage(t.store, 7)?.key).toBe('end');
});

const row = (key: string, chatId = 5) => ({ key, chatId, content: `text of ${key}` });

test('of updates those are new that were not there; what is set aside is said with its end', async () => {
  const { inbox } = createBotStore(t.store, () => 5);
  const keep = (...ids: number[]) => inbox.save(ids.map((updateId) => ({ updateId, update: '{}' })));
  expect([await keep(1, 2), await keep(2, 3)]).toEqual([[1, 2], [3]]);
  expect([await inbox.begin(2), await inbox.takeBack(2), await inbox.begin(2)]).toEqual([1, true, 1]);
  await inbox.setAside(2, [row('sorry')]);
  expect([inbox.countWaiting(), inbox.countSetAside(), firstMessage(t.store, 5)?.key]).toEqual([
    2,
    1,
    'sorry',
  ]);
});

test('what tells of the end of a job waits for it, and not where it has ended', async () => {
  const { outbox } = createBotStore(t.store, () => 5);
  const { accountId } = await openTestAccount(t.store);
  const job = { accountId, actor: 'member:7', kind: 'add', subjectId: 1, total: 1, now: 1 } as const;
  const jobId = await t.store.write(({ jobs }) => jobs.open(job));
  await outbox.save([{ ...row('before'), jobId }]);
  expect(countMessages(t.store)).toBe(0);
  await t.store.write(({ jobs }) => jobs.end(jobId, 'done', 2));
  expect(firstMessage(t.store, 5)?.key).toBe('before');
  await outbox.save([{ ...row('after'), jobId }]);
  expect(countMessages(t.store)).toBe(2);
});

test('of the answers of a chat the newest hundred wait; results and notices stay, and those are said last', async () => {
  const { outbox } = createBotStore(t.store, () => 5);
  await outbox.save([{ ...row('notice'), kind: 'notice' }]);
  for (let n = 1; n <= 102; n += 1) await outbox.save([{ ...row(`answer ${n}`), kind: 'answer' }]);
  await outbox.save([row('result')]);
  expect([countMessages(t.store), firstMessage(t.store, 5)?.key]).toEqual([102, 'answer 3']);
});
