// What nobody wants any more is sent to no upstream: a doubt of it is handed to a person, and what another upstream
// could have taken has failed.
import { afterEach, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import { LOST, openSeveral, refused, type SeveralUpstreams } from '../../../test/harness/several.ts';
import type { AccountActor } from '../context.ts';

const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;
const OWNER = 5_000;
const HOUR_MS = 3_600_000;

let t: SeveralUpstreams;
afterEach(() => t.close());

async function open(settings: Parameters<typeof openSeveral>[0]): Promise<void> {
  t = await openSeveral(settings);
  await t.core.start();
  const codes = [makeCode(), makeCode()];
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
}

async function order(actor: AccountActor = t.actor, deadline?: number): Promise<string> {
  const answer = await t.core.orders.place(actor, {
    ...{ gameId: GAME, playerId: '5170925570', items: [{ denomination: 60, count: 2 }] },
    ...{ onShortage: 'wait', onBadCode: 'replace', idempotencyKey: { scope: 'http', key: 'order' } },
    ...(deadline !== undefined && { deadline }),
  });
  if (answer.status !== 'placed') throw new Error(answer.status);
  return answer.order.id;
}

const sent = (name = 'east') => t.upstreams[name]!.orders.length;
const state = (id = 1) => t.rows(`select state from redemptions where id = ${id}`)[0]?.['state'];
const attempts = () => t.rows().map(({ kind, state: of }) => `${String(kind)} ${String(of)}`);

/** What takes the wish back once the first code of the order is in doubt. */
const TAKEN_BACK: Record<string, () => Promise<() => unknown>> = {
  'a cancelled order': async () => {
    const id = await order();
    return () => t.core.orders.cancel(t.actor, id);
  },
  'an order past its deadline': async () => {
    await order(t.actor, t.clock.now() + 60_000);
    return () => t.clock.advance(60_000);
  },
  'an order whose key was revoked': async () => {
    const { accountId } = t.actor;
    const { id: apiKeyId } = await t.core.apiKeys.forHost.issue(HOST, { accountId });
    await order({ kind: 'apiKey', accountId, apiKeyId });
    return () => t.core.apiKeys.forHost.revoke(HOST, apiKeyId);
  },
  'a redemption whose key was revoked': async () => {
    const { accountId } = t.actor;
    const { id: apiKeyId } = await t.core.apiKeys.forHost.issue(HOST, { accountId });
    await t.core.redeem(
      { kind: 'apiKey', accountId, apiKeyId },
      { gameId: GAME, playerId: '5170925570', denomination: 60 },
    );
    return () => t.core.apiKeys.forHost.revoke(HOST, apiKeyId);
  },
  'an order of whoever was removed': async () => {
    const { accountId } = t.actor;
    await t.store.write(({ members }) =>
      members.insert({
        ...{ telegramId: OWNER, accountId, role: 'operator', name: 'Ann', username: null },
        now: t.clock.now(),
      }),
    );
    await order({ kind: 'member', accountId, telegramId: OWNER, role: 'operator' });
    return () => t.change(`delete from members where telegram_id = ${OWNER}`);
  },
  'an order at an upstream that is paused': async () => {
    await order();
    return () => t.core.upstreams.pause(HOST, 'east', 'No balance.');
  },
  'an order at an upstream that is paused beside the service': async () => {
    await order();
    const pause = { east: { at: 0, by: 'host', reason: 'No balance.' } } as const;
    return () => t.store.write(({ upstreamPauses }) => upstreamPauses.save(pause));
  },
};

test.each(Object.entries(TAKEN_BACK))('%s is not sent again: a person is told, once', async (_, begin) => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  t.upstreams['east']!.script.redeem = () => LOST;
  const takeBack = await begin();
  await t.until(() => state() === 'in_doubt');
  await takeBack();
  for (let hour = 0; hour < 3; hour += 1) {
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
    await t.core.doubts.askNow(HOST);
  }
  await t.core.settleDoubts();
  expect([sent(), sent('west'), attempts(), state()]).toEqual([1, 0, ['order unknown'], 'in_doubt']);
  expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
  expect(listNotices(t.store).filter(({ kind }) => kind === 'doubtHeld')).toHaveLength(1);
});

test('one whose upstream is never chosen since the last start is not sent again', async () => {
  await open({ east: { wire: { hasNoLookUp: true }, tier: 0 }, west: {} });
  t.upstreams['west']!.script.redeem = () => LOST;
  await t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', denomination: 60 });
  t.change(`drop trigger attempts_sent; update attempts set upstream = 'east'`);
  for (let hour = 0; hour < 2; hour += 1) {
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
  }
  expect([sent(), attempts()]).toEqual([0, ['order unknown']]);
  expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
});

test('a cancel while it is sent again is heard the next time', async () => {
  await open({ east: { wire: { hasNoLookUp: true } } });
  let id = '';
  t.upstreams['east']!.script.redeem = async () => {
    if (sent() === 2) await t.core.orders.cancel(t.actor, id);
    return sent() === 1 ? LOST : refused('LOGIN_FAILED');
  };
  id = await order();
  await t.until(() => state() === 'in_doubt');
  for (let hour = 0; hour < 4; hour += 1) {
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
  }
  expect([sent(), attempts(), state()]).toEqual([2, ['order unknown', 'resend not_spent'], 'in_doubt']);
  expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
});

test('a cancel while it is asked about is heard before it is written down as sent again', async () => {
  await open({ east: {} });
  t.upstreams['east']!.script.redeem = () => LOST;
  const id = await order();
  await t.until(() => state() === 'in_doubt');
  t.upstreams['east']!.script.findCode = async () => {
    await t.core.orders.cancel(t.actor, id);
    return { status: 'unreachable', message: '', doesNotTell: true };
  };
  t.clock.advance(HOUR_MS);
  await t.core.settleDoubts();
  expect([sent(), attempts(), state()]).toEqual([1, ['order unknown'], 'in_doubt']);
  expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
});

test('what a witness tells of a cancelled order still ends it', async () => {
  await open({ east: {} });
  t.upstreams['east']!.script.redeem = (asked) => {
    t.upstreams['east']!.redeemNow(asked);
    return LOST;
  };
  const id = await order();
  await t.until(() => state() === 'in_doubt');
  await t.core.orders.cancel(t.actor, id);
  t.clock.advance(HOUR_MS);
  await t.core.settleDoubts();
  await t.until(() => t.core.orders.find(t.actor, id)?.state === 'cancelled');
  expect([sent(), state()]).toEqual([1, 'redeemed']);
});

test.each(['cancelled', 'paused'])('no other upstream is tried for what was %s meanwhile', async (what) => {
  await open({ east: {}, west: {} });
  const placed = Promise.withResolvers<string>();
  t.upstreams['east']!.script.redeem = async () => {
    const id = await placed.promise;
    if (what === 'cancelled') await t.core.orders.cancel(t.actor, id);
    else await t.core.upstreams.pause(HOST, 'west', 'No balance.');
    return refused('NO_ACCOUNTS_AVAILABLE');
  };
  placed.resolve(await order());
  await t.until(() => state() === 'failed');
  expect([sent(), sent('west')]).toEqual([1, 0]);
});

test('what is cancelled while its code is asked about is not sent at all, and the code is there again', async () => {
  await open({ east: {} });
  t.change(`update codes set state = 'unverified'`);
  const placed = Promise.withResolvers<string>();
  t.upstreams['east']!.script.findCode = async () => {
    await t.core.orders.cancel(t.actor, await placed.promise);
    return { status: 'notRedeemed' };
  };
  const id = await order();
  placed.resolve(id);
  await t.until(() => t.core.orders.find(t.actor, id)?.state === 'cancelled');
  expect([sent(), state()]).toEqual([0, 'failed']);
  expect(t.rows(`select state from codes order by id`)).toEqual([
    { state: 'available' },
    { state: 'unverified' },
  ]);
});
