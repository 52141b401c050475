// The story of a receipt: what happened to it, in its order; to each reader what is theirs to know.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { NEVER_SENT, openSeveral } from '../../../test/harness/several.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import type { AccountActor, Actor, HostActor } from '../context.ts';
import { noteLook } from './looks.ts';
import type { StoryEvent } from './receipt-story.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOST: HostActor = { kind: 'host', by: 77 };
let t: TestCore;
let shop: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 9 });
});
afterEach(() => t.close());

const PLAYER = { gameId: 'game_id_1', playerId: '5170925570' };

async function redeem(
  actor: AccountActor,
  what: { code: string } | { denomination: number },
): Promise<number> {
  const answer = await t.core.redeem(actor, { ...PLAYER, ...what });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

const storyOf = (id: number, host?: HostActor): StoryEvent[] =>
  t.core.receiptStories.find(shop.members.owner, id, host)?.events ?? [];
const kindsOf = (events: readonly StoryEvent[]) => events.map(({ kind }) => kind);

test('of a success out of the stock: asked, charged, taken from its batch, sent, redeemed, told to programs', async () => {
  const core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  const { owner } = shop.members;
  await core.webhooks.add(owner, { url: 'https://shop.example/hook', events: ['redemption.settled'] });
  const codes = [makeCode()];
  const added = await core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes }]);
  const addedAt = t.clock.now();
  t.clock.advance(5_000);
  const id = await redeem(owner, { denomination: 60 });
  const events = storyOf(id);
  expect(kindsOf(events)).toEqual(['begun', 'charged', 'codeTaken', 'attempt', 'settled', 'webhook']);
  const [begun, charged, taken, attempt, settled, webhook] = events;
  expect(begun).toMatchObject({ actorLabel: { kind: 'member', name: 'owner' } });
  expect(charged).toMatchObject({ quarters: 4 });
  expect(taken).toMatchObject({ batch: { id: added.batchId, at: addedAt } });
  expect(attempt).toMatchObject({ n: 1, isResend: false, state: 'spent' });
  expect(settled).toMatchObject({ state: 'redeemed' });
  expect(webhook).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(JSON.stringify(events)).not.toContain(codes[0]);
  expect(JSON.stringify(events)).not.toContain('upstream');
  expect(storyOf(id, HOST)[3]).toMatchObject({ host: { upstream: 'sandbox-1' } });
});

test('of a doubt that ended well: what was unknown is told as it was, and when it became known', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  const code = makeCode();
  const id = await redeem(shop.members.owner, { code });
  expect(kindsOf(storyOf(id))).toEqual(['begun', 'charged', 'attempt', 'doubted']);
  await t.store.write((tables) => {
    const said = noteLook(null, 'unreachable', t.clock.now());
    tables.redemptions.noteLook(id, said);
    tables.attempts.end(id, { spentBy: 1, proof: 'record' }, t.clock.now() + 2_000);
    const receipt = { openid: 'o', playerName: 'x', region: null, productName: null, amount: 60 };
    const whole = { ...receipt, warning: false, credentials: null };
    tables.redemptions.settleRedeemed(id, whole, t.clock.now() + 2_000);
  });
  const events = storyOf(id);
  expect(kindsOf(events)).toEqual(['begun', 'charged', 'attempt', 'doubted', 'looked', 'proven', 'settled']);
  expect(events[2]).toMatchObject({ state: 'unknown' });
  expect(events[3]).toMatchObject({ looks: 1, isHeld: false });
  expect(events[4]).toMatchObject({ said: 'unreachable', times: 1 });
  expect(events[5]).toMatchObject({ isSpent: true, proof: 'record', at: t.clock.now() + 2_000 });
});

test('of a doubt that goes on: what each look said, like ones in a row as one, and never without bound', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  const id = await redeem(shop.members.owner, { code: makeCode() });
  const looked = () => storyOf(id).filter((event) => event.kind === 'looked');
  const look = async (told: CodeOutcome) => {
    t.platform.script.findCode = () => told;
    t.clock.advance(HOUR_MS);
    await t.core.settleDoubts();
  };
  const silent = { status: 'unreachable', message: 'down' } as const;
  await look(silent);
  const begunAt = t.clock.now();
  await look({ status: 'underWay' });
  await look({ status: 'underWay' });
  expect(looked()).toEqual([
    { kind: 'looked', at: begunAt, said: 'unreachable', times: 1, lastAt: begunAt },
    {
      ...{ kind: 'looked', at: begunAt + HOUR_MS, said: 'underWay', times: 2 },
      lastAt: begunAt + 2 * HOUR_MS,
    },
  ]);
  await t.store.write((tables) => {
    for (let turn = 0; turn < 30; turn += 1)
      for (const said of ['unreachable', 'underWay'] as const) {
        const { looksTold } = tables.redemptions.get(id);
        tables.redemptions.noteLook(id, noteLook(looksTold, said, t.clock.now() + turn));
      }
  });
  expect([looked().length, looked()[0]?.at]).toEqual([20, begunAt]);
});

test('of what the bot said of its end: to whom, and what became of it', async () => {
  const id = await redeem(shop.members.owner, { code: makeCode() });
  const said = () => storyOf(id).filter((event) => event.kind === 'message');
  const { telegramId } = shop.members.owner;
  const waitsFor = `redemption:${id}`;
  await t.store.write(({ tasks }) => {
    for (const chat of [telegramId, -77])
      tasks.add({ task: 'result', queue: `chat:${chat}`, payload: '{}', waitsFor, now: t.clock.now() });
  });
  expect(said()).toEqual([]);
  await t.store.write(({ tasks }) => tasks.release(waitsFor, t.clock.now()));
  expect(said()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
  await t.store.write(({ tasks }) => {
    const [own, group] = [`chat:${telegramId}`, 'chat:-77'].map((queue) => tasks.findFirst(queue)!.id);
    tasks.finish(own!, t.clock.now() + 500);
    tasks.bury(group!, 'gone', t.clock.now() + 900);
  });
  const [own, group] = said();
  expect(own).toMatchObject({ state: 'sent', at: t.clock.now() + 500, person: { name: 'owner' } });
  expect(group).toMatchObject({ state: 'failed', at: t.clock.now() + 900 });
  expect(group).not.toHaveProperty('person');
});

test('of what was refused: the charge that came back, and who was shown its code', async () => {
  t.platform.script.redeem = () => ({
    status: 'refused',
    errorCode: 'LOGIN_FAILED',
    message: '',
    asked: true,
  });
  const id = await redeem(shop.members.operator, { code: makeCode() });
  t.clock.advance(1_000);
  await t.core.receiptStories.note(shop.members.support, 'credentialsShown', { receipt: id });
  const events = storyOf(id);
  expect(kindsOf(events)).toEqual(['begun', 'charged', 'attempt', 'settled', 'chargeReturned', 'act']);
  expect(events[3]).toMatchObject({ state: 'failed', errorCode: 'LOGIN_FAILED' });
  expect(events[5]).toMatchObject({ what: 'credentialsShown', actorLabel: { name: 'support' } });
});

test('of what was sent on: each attempt with all that it could be sent to, to the host alone', async () => {
  const several = await openSeveral({ east: {}, west: {}, north: {} });
  try {
    const { core, actor, upstreams } = several;
    upstreams['east']!.script.redeem = () => NEVER_SENT;
    const answer = await core.redeem(actor, { ...PLAYER, code: makeCode() });
    const id = answer.status === 'answered' ? answer.redemption.id : 0;
    const sent = (host?: HostActor) =>
      core.receiptStories
        .find(actor, id, host)
        ?.events.flatMap((event) => (event.kind === 'attempt' ? [event.host] : []));
    expect(sent(HOST)).toMatchObject([
      { upstream: 'east', candidates: 'east, west, north' },
      { upstream: 'west', candidates: 'west, north' },
    ]);
    expect(sent()).toEqual([undefined, undefined]);
  } finally {
    await several.close();
  }
});

test('of what people did with it: shown, and made for the customer, also together with its order', async () => {
  const { owner, support } = shop.members;
  const codes = [makeCode(), makeCode()];
  await t.core.codes.add(owner, 'game_id_1', [{ denomination: 60, codes }]);
  await t.core.start();
  const placed = await t.core.orders.place(owner, {
    ...{ ...PLAYER, items: [{ denomination: 60, count: 2 }], onShortage: 'refuse', onBadCode: 'replace' },
    idempotencyKey: { scope: 'chat', key: 'one' },
  });
  if (placed.status !== 'placed') throw new Error(placed.status);
  const find = () => t.core.orders.find(owner, placed.order.id);
  await t.until(() => find()?.state === 'done');
  const [first = 0, second = 0] = find()!.items.map(({ redemptionId }) => redemptionId);
  const { note } = t.core.receiptStories;
  t.clock.advance(1_000);
  await note(support, 'customerReceiptMade', { orders: [placed.order.id] });
  await note(owner, 'credentialsShown', { receipt: first });
  const acts = (id: number) =>
    storyOf(id).flatMap((event) => (event.kind === 'act' ? [[event.what, event.actorLabel]] : []));
  const forCustomer = ['customerReceiptMade', expect.objectContaining({ name: 'support' })];
  expect(acts(second)).toEqual([forCustomer]);
  expect(acts(first)).toHaveLength(2);
  expect(acts(first)).toContainEqual(forCustomer);
});

test('nobody is told of another’s: an account, or an operator', async () => {
  const id = await redeem(shop.members.owner, { code: makeCode() });
  const other = await openTestAccount(t.store);
  const { receiptStories } = t.core;
  expect(receiptStories.find(other.members.owner, id)).toBeUndefined();
  expect(receiptStories.find(shop.members.operator, id)).toBeUndefined();
  expect(receiptStories.find(shop.members.support, id)).toBeDefined();
  const of = { receipt: id };
  await expect(receiptStories.note(other.members.owner, 'credentialsShown', of)).rejects.toThrow(
    'There is no',
  );
  await expect(receiptStories.note(shop.members.operator, 'customerReceiptMade', of)).rejects.toThrow('no');
  const forged = shop.members.owner as Actor as HostActor;
  expect(() => receiptStories.find(shop.members.owner, id, forged)).toThrow('Only the host');
});
