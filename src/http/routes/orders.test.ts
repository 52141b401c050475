// Orders over HTTP: what is refused and named, why nothing was placed; and on simulated time, whoever waits for news is
// answered. What is answered of each: exchanges.txt.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { HOST } from '../../cli/verbs.ts';
import type { ApiKeyActor, Core } from '../../core/index.ts';

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' };
let keys = 0;
const newKey = () => ({ 'idempotency-key': `order-${(keys += 1)}` });

describe('an order', () => {
  let http: TestHttp;
  beforeAll(async () => {
    http = await openTestHttp();
  });
  afterAll(() => http.close());
  afterEach(() => void vi.restoreAllMocks());

  const place = (body: object) =>
    http.ask('POST /orders', { body: { ...PLAYER, ...body }, headers: newKey() });
  const items = (...given: object[]) => ({ items: given });

  test.each<[object, string]>([
    [{}, 'items'],
    [{ ...items({ denomination: 60 }), amount: 60 }, 'items'],
    [items(...Array.from({ length: 21 }, () => ({ denomination: 60 }))), 'items'],
    [items({ denomination: 60, count: 51 }), 'items.0.count'],
    [items({ denomination: 60, count: 40 }, { denomination: 325, count: 11 }), 'items'],
    [items({ denomination: 60, codeOverride: 'ABCDEF123456' }), 'items.0.denomination'],
    [items({ codeOverride: 'ABCDEF123456', count: 2 }), 'items.0.count'],
    [items({ codeOverride: 'ABCDEF123456' }, { codeOverride: 'ABCDEF123456' }), 'items'],
    [items({ denomination: 60 }, { codeOverride: '-' }), 'items.1.codeOverride'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 100_001 }, 'amount'],
    [{ gameId: 'game_id_2', amount: 60 }, 'amount'],
    [{ amount: 60, playerId: '12' }, 'playerId'],
    [{ amount: 60, onShortage: 'maybe' }, 'onShortage'],
    [{ amount: 60, onBadCode: 'maybe' }, 'onBadCode'],
    [{ amount: 60, reference: 'x'.repeat(65) }, 'reference'],
    [{ amount: 60, deadline: 'tomorrow' }, 'deadline'],
    [{ amount: 60, deadline: '2000-01-01T00:00:00.000Z' }, 'deadline'],
  ])('%j breaks a rule of %s: 400, and nothing is kept', async (body, path) => {
    const before = (await http.ask('GET /orders')).json;
    const { status, json } = await place(body);
    expect([status, json.issues[0].path]).toEqual([400, path]);
    expect((await http.ask('GET /orders')).json).toEqual(before);
  });

  test('that has no sum of what is there is refused, and told what to do where nothing is', async () => {
    expect((await place({ amount: 100 })).json).toEqual({
      error:
        'No codes that are available make exactly this amount: nothing was begun. None of this game are: add some, or send onShortage "wait".',
      errorCode: 'NO_COMPOSITION',
    });
  });

  test('beside a thousand that have not ended is refused, and no quota is used up', async () => {
    vi.spyOn(http.core.orders, 'place').mockResolvedValue({ status: 'tooManyOrders' });
    const { status, headers, json } = await place({ amount: 60 });
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(json).toEqual({
      error: 'Too many orders of this account have not ended: 1,000 at most. Wait for some of them.',
    });
  });

  test('that a person ordered for another player is not resumed', async () => {
    vi.spyOn(http.core.orders, 'resume').mockResolvedValue({ status: 'replaced', by: 'ord_new' });
    const { status, json } = await http.ask('POST /orders/ord_old/resume', { body: {}, headers: newKey() });
    expect([status, json]).toEqual([
      409,
      {
        error: 'What was missing of this order was ordered for another player: ord_new.',
        errorCode: 'NOT_STOPPED',
      },
    ]);
  });

  test('is told to each of fifty who wait for its news, when the service stops', async () => {
    const { json: order } = await place({ amount: 60, onShortage: 'wait' });
    const { waitForChange } = http.core.orders;
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    vi.spyOn(http.core.orders, 'waitForChange').mockImplementation((...given) => {
      if ((waiting += 1) === 50) all.resolve();
      return waitForChange(...given);
    });
    const { server, ask } = http.serve();
    const readers = Array.from({ length: 50 }, () => ask(`GET /orders/${order.id}?wait=50`));
    await all.promise;
    server.announceStop();
    for (const { status, json } of await Promise.all(readers)) expect([status, json]).toEqual([200, order]);
  });

  test('that is not there since a restore is told what to do', async () => {
    vi.spyOn(http.core.orders, 'lostRecently').mockReturnValue(true);
    const { status, json } = await http.ask('GET /orders/ord_lost');
    const error =
      'There is no such order in this account. The service was restored: if you placed it before, repeat the POST under the same key.';
    expect([status, json]).toEqual([404, { error, errorCode: 'ORDER_NOT_FOUND' }]);
  });
});

describe('whoever waits', () => {
  const WAIT_MS = 50_000;
  let t: Stage;
  beforeAll(async () => {
    t = await openStage();
  });
  afterAll(() => t.stop());

  interface Asked {
    key?: string;
    body?: unknown;
    headers?: Record<string, string>;
  }
  /** What is answered, and after how long. */
  async function ask(path: string, { key = t.app().apiKey, body, headers = {} }: Asked = {}) {
    const before = Date.now();
    const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await t.ask(path, { ...init, headers: sent });
    const ms = Date.now() - before;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any, ms };
  }
  async function place(body: object, key?: string): Promise<string> {
    const placed = await ask('/orders', { body: { ...PLAYER, ...body }, headers: newKey(), key });
    expect(placed.status).toBe(202);
    return placed.json.id;
  }
  const stock = (denomination: number, code: string, key?: string) =>
    ask('/db', { body: [{ denomination, codes: [code] }], key });

  test('is answered when something changes, at the end as it is where nothing does, at once where all is over', async () => {
    const id = await place({ amount: 325, onShortage: 'wait' });
    await t.quiet();
    const vain = await ask(`/orders/${id}?wait=50`);
    expect([vain.json.state, vain.ms]).toEqual(['waiting', WAIT_MS]);
    const reader = ask(`/orders/${id}?wait=50`);
    await stock(325, makeCode('325S'));
    const told = await reader;
    expect(told.json.state).not.toBe('waiting');
    expect(told.ms).toBeLessThan(WAIT_MS);
    await t.quiet();
    const over = await ask(`/orders/${id}?wait=50`);
    expect([over.json.state, over.ms < 1_000]).toEqual(['done', true]);
  });

  test('for a redemption that was to be answered at once is told what became of it', async () => {
    await stock(60, makeCode('SLOW'));
    const request = {
      body: { ...PLAYER, denomination: 60 },
      headers: { ...newKey(), prefer: 'respond-async' },
    };
    const begun = await ask('/redeem', request);
    expect([begun.status, begun.json.errorCode, begun.json.settledAt]).toEqual([202, 'UNKNOWN', undefined]);
    const settled = await ask(`${begun.headers.get('location')}?wait=50`);
    expect(settled.json).toMatchObject({ type: 'ActivationReceipt', id: begun.json.id });
    // As long as a SLOW code takes.
    expect(settled.ms).toBeGreaterThan(4_000);
    expect(settled.ms).toBeLessThan(6_000);
    const vain = await ask('/redeem', { ...request, headers: { prefer: 'respond-async' } });
    expect([vain.status, vain.json.errorCode]).toEqual([503, 'NO_CODES_AVAILABLE']);
    const at = await ask(`/history/${vain.json.id}?wait=50`);
    expect([at.status, at.ms < 1_000]).toEqual([200, true]);
  });

  type Ending = (core: Core, account: ApiKeyActor) => Promise<unknown>;
  test.each<[string, number, Ending]>([
    ['by a key that is revoked', 401, (core, { apiKeyId }) => core.apiKeys.forHost.revoke(HOST, apiKeyId)],
    [
      'for an account that is closed',
      401,
      (core, { accountId }) => core.accounts.suspend(HOST, accountId, 'close'),
    ],
    [
      'with a subscription that ends',
      403,
      (core, { accountId }) => core.accounts.grant(HOST, { accountId, days: -30 }),
    ],
  ])('%s meanwhile is told nothing of what came', async (_name, status, end) => {
    const { apiKey: key } = await t.app().core.accounts.create(HOST, { name: 'Another', days: 30 });
    const actor = t.app().core.apiKeys.authenticate(key)?.actor;
    if (!actor) throw new Error('The key is not known.');
    await stock(60, makeCode('SLOW'), key);
    const order = await place({ amount: 60 }, key);
    let redemptionId: number | undefined;
    await t.until(() => {
      const [item] = t.app().core.orders.find(actor, order)?.items ?? [];
      return (redemptionId = item?.redemptionId) !== undefined;
    });
    const waiting = [`/orders/${order}?wait=50`, `/history/${redemptionId}?wait=50`].map((path) =>
      ask(path, { key }),
    );
    await end(t.app().core, actor);
    for (const told of await Promise.all(waiting)) {
      expect([told.status, told.json.error]).toEqual([status, expect.any(String)]);
      expect(told.json).not.toHaveProperty('type');
      expect(told.ms).toBeLessThan(WAIT_MS);
    }
  });
});
