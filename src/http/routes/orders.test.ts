// Orders over HTTP, against the whole service: what is accepted, what is refused and how, and that waiting readers are
// answered.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { startTestApp, type TestApp } from '../../../test/harness/app.ts';
import { runScenarios } from '../../../test/harness/scenarios.ts';
import { OrderConflict, WireOrder } from '../wire/orders.ts';
import { Problem, TooManyRequests } from '../wire/problem.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const ORDER = { gameId: 'game_id_1', playerId: '5124780131' };
let keys = 0;

function place(body: object, key = `order-${(keys += 1)}`) {
  return app.request('/orders', { body: { ...ORDER, ...body }, headers: { 'idempotency-key': key } });
}

async function stock(denomination: number, count: number) {
  const codes = Array.from({ length: count }, () => makeCode(`${denomination}S`));
  await app.request('/db?gameId=game_id_1', { body: [{ denomination, codes }] });
  return codes;
}

const read = async (id: string) => WireOrder.parse((await app.request(`/orders/${id}`)).json);
const comesTo = (id: string, state: string) => expect.poll(async () => (await read(id)).state).toBe(state);

describe('POST /orders', () => {
  test('answers 202 with where it is, and it is done by itself; the key again answers what it is then', async () => {
    await stock(60, 2);
    await stock(325, 1);
    const answer = await place({ amount: 445, reference: 'INV-1001' }, 'payment-1');
    const { id, wanted, reference } = WireOrder.parse(answer.json);
    expect([answer.status, answer.headers.get('location'), wanted, reference]).toEqual([
      202,
      `/orders/${id}`,
      { codes: 3, amount: 445 },
      'INV-1001',
    ]);
    await comesTo(id, 'done');
    const again = await place({ amount: 445, reference: 'INV-1001' }, 'payment-1');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(WireOrder.parse(again.json)).toMatchObject({
      id,
      state: 'done',
      redeemed: { codes: 3, amount: 445 },
    });
    const other = await place({ amount: 60 }, 'payment-1');
    expect([other.status, other.json.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test.each([
    [{}, 'items'],
    [{ items: [{ denomination: 60 }], amount: 60 }, 'items'],
    [{ items: [] }, 'items'],
    [{ items: [{ denomination: 61 }] }, 'items.0.denomination'],
    [{ items: [{ denomination: 60, count: 51 }] }, 'items.0.count'],
    [
      {
        items: [
          { denomination: 60, count: 40 },
          { denomination: 325, count: 11 },
        ],
      },
      'items',
    ],
    [{ items: [{ denomination: 60, codeOverride: 'ABCDEF123456' }] }, 'items.0.denomination'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 100_001 }, 'amount'],
    [{ gameId: 'game_id_2', amount: 60 }, 'amount'],
    [{ amount: 60, playerId: '12' }, 'playerId'],
    [{ amount: 60, onShortage: 'maybe' }, 'onShortage'],
    [{ amount: 60, reference: 'x'.repeat(65) }, 'reference'],
    [{ amount: 60, deadline: 'tomorrow' }, 'deadline'],
    [{ amount: 60, deadline: '2000-01-01T00:00:00.000Z' }, 'deadline'],
    [{ items: [{ codeOverride: 'ABCDEF123456' }, { codeOverride: 'ABCDEF123456' }] }, 'items'],
    [{ items: [{ denomination: 60 }, { codeOverride: '-' }] }, 'items.1.codeOverride'],
  ])('%j breaks a rule of %s: 400, and nothing is kept', async (body, path) => {
    const { status, json } = await place(body);
    const { issues } = Problem.parse(json);
    expect([status, issues?.[0]?.path]).toEqual([400, path]);
    expect((await app.request('/orders')).json).toEqual([]);
  });

  test('without a key it is 400: a payment notice that comes twice would be two orders', async () => {
    const { status, json } = await app.request('/orders', { body: { ...ORDER, amount: 60 } });
    expect([status, json.issues[0].path]).toEqual([400, 'Idempotency-Key']);
  });

  test('where it is not there: 409 with what is missing, or with the nearest sums', async () => {
    const empty = await place({ amount: 100 });
    expect(empty.json).toEqual({
      error:
        'No codes that are available make exactly this amount: nothing was begun. None of this game are: add some, or send onShortage "wait".',
      errorCode: 'NO_COMPOSITION',
    });
    await stock(60, 2);
    const short = await place({ items: [{ denomination: 60, count: 3 }] });
    expect([short.status, OrderConflict.parse(short.json)]).toMatchObject([
      409,
      { errorCode: 'NOT_ENOUGH_STOCK', missing: [{ denomination: 60, count: 1 }] },
    ]);
    const none = await place({ amount: 100 });
    expect([none.status, OrderConflict.parse(none.json)]).toMatchObject([
      409,
      { errorCode: 'NO_COMPOSITION', below: 60, above: 120 },
    ]);
    const much = await place({
      items: [{ denomination: 60, count: 3 }],
      deadline: '2000-01-01T00:00:00.000Z',
    });
    expect(much.status).toBe(400);
  });
});

describe('an order that is there', () => {
  test('is read by its own account alone, listed newest first by reference and state', async () => {
    await stock(60, 1);
    const first = WireOrder.parse((await place({ amount: 60, reference: 'A' })).json);
    const second = WireOrder.parse((await place({ amount: 60, onShortage: 'wait', reference: 'B' })).json);
    await comesTo(first.id, 'done');
    const list = async (query: string) =>
      WireOrder.array()
        .parse((await app.request(`/orders${query}`)).json)
        .map(({ id }) => id);
    expect(await list('')).toEqual([second.id, first.id]);
    expect([await list('?reference=A'), await list('?state=waiting')]).toEqual([[first.id], [second.id]]);
    expect(await list(`?before=${first.createdAt}`)).toEqual([]);
    const unknown = await app.request('/orders/ord_unknown');
    expect([unknown.status, unknown.json.errorCode]).toEqual([404, 'ORDER_NOT_FOUND']);
    expect((await app.request('/orders?state=odd')).status).toBe(400);
    const none = await app.request(`/orders/${first.id}`, { headers: { authorization: 'Bearer none' } });
    expect(none.status).toBe(401);
  });

  test('a reader that waits is answered when it changes, and at once where it has ended', async () => {
    const { id } = WireOrder.parse((await place({ amount: 60, onShortage: 'wait' })).json);
    await comesTo(id, 'waiting');
    const reader = app.request(`/orders/${id}?wait=50`);
    await stock(60, 1);
    expect((await reader).status).toBe(200);
    await comesTo(id, 'done');
    expect((await app.request(`/orders/${id}?wait=50`)).json.state).toBe('done');
    expect((await app.request(`/orders/${id}?wait=51`)).status).toBe(400);
  });

  test('is cancelled, and a stopped one resumed under a key', async () => {
    const { id } = WireOrder.parse((await place({ amount: 60, onShortage: 'wait' })).json);
    const cancelled = await app.request(`/orders/${id}/cancel`, { method: 'POST' });
    expect([cancelled.status, cancelled.json.state]).toEqual([202, 'cancelled']);
    const headers = { 'idempotency-key': 'resume-1' };
    const resumed = await app.request(`/orders/${id}/resume`, { method: 'POST', headers });
    expect([resumed.status, OrderConflict.parse(resumed.json).errorCode]).toEqual([409, 'NOT_STOPPED']);
    expect((await app.request(`/orders/${id}/resume`, { method: 'POST' })).status).toBe(400);

    await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes: [makeCode('RISK')] }] });
    const risky = WireOrder.parse((await place({ amount: 60 })).json);
    await comesTo(risky.id, 'stopped');
    expect(await read(risky.id)).toMatchObject({
      reason: 'RISK_CONTROL',
      missing: [{ denomination: 60, count: 1 }],
    });
    const again = await app.request(`/orders/${risky.id}/resume`, { body: {}, headers });
    expect([again.status, again.json.run]).toEqual([202, 2]);
  });
});

describe('what the core says of an order', () => {
  const headers = { 'idempotency-key': 'payment-1' };
  const lost = (lately: 'givenOut' | 'past') => ({
    orders: { waitForChange: () => Promise.resolve(undefined), lostRecently: () => lately },
  });
  const unknown = { request: 'GET /orders/ord_lost', status: 404 };
  const words = 'There is no such order in this account. The service was restored';
  const placed = 'if you placed it shortly before,';
  runScenarios([
    {
      ...{ name: 'too many have not ended: no quota is used up', request: 'POST /orders', status: 429 },
      ...{ headers, body: { ...ORDER, amount: 60 } },
      core: { orders: { place: () => Promise.resolve({ status: 'tooManyOrders' }) } },
      schema: TooManyRequests,
      answer: {
        error: 'Too many orders of this account have not ended: 1,000 at most. Wait for some of them.',
      },
      answerHeaders: { 'retry-after': '60' },
    },
    {
      ...{ name: 'what a person ordered for another player is not resumed', status: 409, headers },
      ...{ request: 'POST /orders/ord_old/resume', body: {}, schema: OrderConflict },
      core: { orders: { resume: () => Promise.resolve({ status: 'replaced', by: 'ord_new' }) } },
      answer: {
        error: 'What was missing of this order was ordered for another player: ord_new.',
        errorCode: 'NOT_STOPPED',
      },
    },
    {
      ...{
        ...unknown,
        name: 'after a takeover, while what was recovered is given out',
        core: lost('givenOut'),
      },
      answer: {
        error: `${words} a moment ago: ${placed} repeat the POST under the same key.`,
        errorCode: 'ORDER_NOT_FOUND',
      },
    },
    {
      ...{ ...unknown, name: 'later: a repetition may take a second code', core: lost('past') },
      answer: {
        error: `${words}: ${placed} look first at what was carried out in the lost time.`,
        errorCode: 'ORDER_NOT_FOUND',
      },
    },
  ]);
});

test('at a stop every reader that waits is answered', async () => {
  const { id } = WireOrder.parse((await place({ amount: 60, onShortage: 'wait' })).json);
  await comesTo(id, 'waiting');
  const waitForChange = vi.spyOn(app.core.orders, 'waitForChange');
  const readers = Array.from({ length: 50 }, () => app.request(`/orders/${id}?wait=50`));
  // What is still on its way then is read by nobody.
  await expect.poll(() => waitForChange.mock.calls.length).toBe(readers.length);
  await app.stop();
  const answers = await Promise.all(readers);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  app = await startTestApp();
});

describe('whoever may read no more while they wait is told nothing of what came meanwhile', () => {
  const HOST = { kind: 'host', by: 'cli' } as const;
  const ways = {
    'a key that is revoked': [401, () => app.core.apiKeys.forHost.revoke(HOST, app.actor.apiKeyId)],
    'an account that is closed': [401, () => app.core.accounts.suspend(HOST, app.accountId, 'close')],
    'a subscription that ends': [
      403,
      () => app.core.accounts.grant(HOST, { accountId: app.accountId, days: -30 }),
    ],
  } as const;

  test.each(Object.keys(ways) as (keyof typeof ways)[])('%s', async (way) => {
    await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes: [makeCode('SLOW')] }] });
    const order = WireOrder.parse((await place({ amount: 60 })).json);
    await expect.poll(async () => (await read(order.id)).items[0]?.redemptionId).toBeDefined();
    const { redemptionId } = (await read(order.id)).items[0] ?? {};
    const waiting = Promise.all(
      [`/orders/${order.id}?wait=1`, `/history/${redemptionId}?wait=1`].map((path) => app.request(path)),
    );
    const [status, end] = ways[way];
    await end();
    for (const answer of await waiting) {
      expect(answer.status).toBe(status);
      expect(Object.keys(Problem.parse(answer.json))).toContain('error');
    }
  });
});

test('an order over a code that another player has used goes on with the next', async () => {
  const codes = [makeCode('USED'), makeCode('60S')];
  await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes }] });
  const { id } = WireOrder.parse((await place({ items: [{ denomination: 60 }] })).json);
  await comesTo(id, 'done');
  const stops = { items: [{ denomination: 60 }], onBadCode: 'stop' };
  await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes: [makeCode('USED1')] }] });
  const stopped = WireOrder.parse((await place(stops)).json);
  await comesTo(stopped.id, 'stopped');
  expect((await read(stopped.id)).reason).toBe('CODE_USED');
});

describe('waiting for a single redemption', () => {
  const REDEEM = { ...ORDER, denomination: 60 };

  test('Prefer: respond-async answers 202 with where it is, and the history tells what became of it', async () => {
    await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes: [makeCode('SLOW')] }] });
    const headers = { prefer: 'respond-async', 'idempotency-key': 'one' };
    const begun = await app.request('/redeem', { body: REDEEM, headers });
    expect([begun.status, begun.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(begun.json).toMatchObject({ type: 'ActivationError', errorCode: 'UNKNOWN' });
    expect(begun.json.settledAt).toBeUndefined();
    expect(begun.headers.get('idempotency-replayed')).toBeNull();
    const repeated = await app.request('/redeem', { body: REDEEM, headers });
    expect([repeated.status, repeated.json.id, repeated.headers.get('idempotency-replayed')]).toEqual([
      ...[202, begun.json.id, 'true'],
    ]);
    const settled = await app.request(`${begun.headers.get('location')}?wait=50`);
    expect(settled.json).toMatchObject({ type: 'ActivationReceipt', id: begun.json.id });
    const again = await app.request('/redeem', { body: REDEEM, headers });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  test('what has ended at once is answered as ever', async () => {
    const answer = await app.request('/redeem', { body: REDEEM, headers: { prefer: 'respond-async' } });
    expect([answer.status, answer.json.errorCode]).toEqual([503, 'NO_CODES_AVAILABLE']);
    const settled = await app.request(`/history/${answer.json.id}?wait=50`);
    expect([settled.status, settled.json.errorCode]).toEqual([200, 'NO_CODES_AVAILABLE']);
  });
});
