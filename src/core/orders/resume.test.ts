// What a resumed order carries over, and what it begins anew; by whose right it goes on.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { expectStory, openOrderStory, type OrderStory } from '../../../test/harness/order-story.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';

let s: OrderStory;
beforeEach(async () => {
  s = await openOrderStory();
});
afterEach(() => s.close());

const RISK = 'stopped RISK_CONTROL, 60 x2';
/** Two codes, of which none is redeemed yet. */
const STOPPED = `add RISK; place 2 -> ${RISK}`;

const OWN: Parameters<typeof expectStory>[2] = {
  another: (t) =>
    t.core().redeem(t.actor(), { gameId: 'game_id_1', playerId: '5170925571', denomination: 60 }),
  sent: (t, [count]) => expect(t.world.platform.orders).toHaveLength(Number(count)),
};

const STORIES: Record<string, string> = {
  'no deadline, but what is given with it': `
    add RISK; place 2 until 1h -> ${RISK}; unseen 2h -> ${RISK}; resume -> waits stock; 23h -> waits stock;
    1h -> stopped NOT_ENOUGH_STOCK, 60 x1; resume until 48h -> waits stock; 47h -> waits stock;
    1h -> stopped NOT_ENOUGH_STOCK, 60 x1`,
  'the tries at the platform, from 5 s on, for an hour': `
    down; add 1; place 1 -> waits platform; 5s -> waits platform; 1h -> stopped NETWORK_ERROR, 60 x1;
    resume -> waits platform; 59min -> waits platform; 1min -> stopped NETWORK_ERROR, 60 x1;
    resume -> waits platform; up -> waits platform; 4999ms -> waits platform; 1ms -> done`,
  'the day for quota': `
    useUp; add 1; place 1 until 1h -> waits quota; 1h -> stopped QUOTA_EXCEEDED, 60 x1;
    resume -> waits quota; 22h -> waits quota; 1h -> done`,
  // A redemption between them: five refusals in a row would pause the denomination.
  'how many bad codes of a place were replaced': `
    add USED USED USED USED; place 1 -> stopped CODE_USED, 60 x1; add 1; another; add USED USED USED GOOD;
    resume -> done`,
  'what of given codes has failed, the same once more': `
    give INVALID GOOD -> stopped ITEMS_FAILED, given 1; resume -> stopped ITEMS_FAILED, given 1; sent 3`,
  // It had gone to another player, as a look-up has proved: no doubt of before stands at it any more.
  'what of given codes another player has, which is no doubt again': `
    give STOLEN GOOD -> waits doubt; 1min -> stopped DOUBT, given 1, given 2;
    resume -> stopped ITEMS_FAILED, given 1; sent 3`,
  'nothing of what is redeemed': `
    add GOOD RISK; place 2 -> stopped RISK_CONTROL, 60 x1; resume -> done; sent 3`,
  'to be cancelled': `${STOPPED}; resume -> waits stock; cancel -> cancelled, 60 x1`,
};

test.each(Object.entries(STORIES))('it begins anew %s', (_, story) => expectStory(s, story, OWN));

test('it stays what it was, for whom and under which terms, and what it lacks is promised to it at once', async () => {
  await s.add(['RISK', 'GOOD', 'GOOD']);
  const terms = { playerName: 'Nick', reference: 'INV-1', onBadCode: 'stop', onShortage: 'refuse' } as const;
  await s.place({ ...terms, items: [{ denomination: 60, count: 2 }] });
  const { id, createdAt, playerId } = s.find();
  expect([s.tell(), s.available()]).toEqual([RISK, 3]);
  await s.core().codes.extract(s.actor(), { gameId: 'game_id_1', denomination: 60, amount: 3 });
  await s.add(['INVALID', 'GOOD']);
  s.world.clock.advance(HOUR_MS);
  const resuming = s.orders().resume(s.actor(), s.id(), { idempotencyKey: s.nextKey() });
  await resuming;
  expect(s.available()).toBe(0);
  await s.world.rest();
  expect(s.tell()).toBe('stopped INVALID_CODE, 60 x2');
  expect(s.find()).toMatchObject({ id, createdAt, playerId, playerName: 'Nick', reference: 'INV-1', run: 2 });
});

describe('under a key', () => {
  test('it is resumed once, and with another deadline it is another request', async () => {
    await expectStory(s, STOPPED);
    const [idempotencyKey, deadline] = [s.nextKey(), s.later(HOUR_MS)];
    const again = (more: object) => s.orders().resume(s.actor(), s.id(), { idempotencyKey, ...more });
    expect(await again({ deadline })).toMatchObject({
      status: 'resumed',
      replayed: false,
      order: { run: 2 },
    });
    expect(await again({ deadline })).toMatchObject({ status: 'resumed', replayed: true, order: { run: 2 } });
    for (const other of [{}, { deadline: deadline + 1 }])
      await expect(again(other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const first = s.id();
    await s.place(1);
    const asked = s.orders().resume(s.actor(), s.id(), { idempotencyKey, deadline });
    await expect(asked).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(s.find(first).run).toBe(2);
  });

  test.each([0, 1, 7 * DAY_MS, 7 * DAY_MS + 1])('a deadline in %i ms', async (ms) => {
    await expectStory(s, STOPPED);
    const resuming = s.resume(s.later(ms));
    if (ms > 0 && ms <= 7 * DAY_MS) await resuming;
    else await expect(resuming).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(s.find().run).toBe(ms > 0 && ms <= 7 * DAY_MS ? 2 : 1);
  });
});

test.each([
  ['is done', 'add 1; place 1 -> done'],
  ['goes on', 'place 1 -> waits stock'],
  ['was cancelled', 'place 1 -> waits stock; cancel -> cancelled, 60 x1'],
])('one that %s is not resumed', async (_, story) => {
  await expectStory(s, story);
  const answer = await s.orders().resume(s.actor(), s.id(), { idempotencyKey: s.nextKey() });
  expect(answer).toEqual({ status: 'notStopped' });
  const other = await s.core().accounts.create({ kind: 'host', by: 'cli' }, { name: 'Other', days: 1 });
  const stranger = { kind: 'apiKey', accountId: other.accountId, apiKeyId: 1 } as const;
  const asked = { idempotencyKey: s.nextKey() };
  expect(await s.orders().resume(stranger, s.id(), asked)).toBeUndefined();
  expect(await s.orders().cancel(stranger, s.id())).toBeUndefined();
  expect([s.orders().find(stranger, s.id()), s.orders().list(stranger, {})]).toEqual([undefined, []]);
});

test('it goes on by the right of who resumes it', async () => {
  const { accountId } = s.world;
  const host = { kind: 'host', by: 'cli' } as const;
  const { id } = await s.core().apiKeys.forHost.issue(host, { accountId });
  await s.place(1);
  await s.after(DAY_MS);
  expect(s.tell()).toBe('stopped NOT_ENOUGH_STOCK, 60 x1');
  await s.resume(undefined, { kind: 'apiKey', accountId, apiKeyId: id });
  await s.core().apiKeys.forHost.revoke(host, id);
  await s.after(MINUTE_MS);
  expect(s.tell()).toBe('stopped KEY_REVOKED, 60 x1');
  await expect(s.resume(undefined, { kind: 'apiKey', accountId, apiKeyId: id })).rejects.toMatchObject({
    code: 'KEY_REVOKED',
  });
});
