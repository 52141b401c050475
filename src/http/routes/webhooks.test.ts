// /webhooks where exchanges.txt has no network: addresses that are refused, and what is told of deliveries from the first
// attempt until the address is switched off, and on again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestHttp, type ServedHttp, type TestHttp } from '../../../test/harness/http.ts';
import type { AddressFlaw, Core } from '../../core/index.ts';

let http: TestHttp;
let core: Core;
let served: ServedHttp;
let flaw: AddressFlaw | undefined;
beforeAll(async () => {
  http = await openTestHttp();
  core = http.restart({ checkWebhookAddress: (url) => Promise.resolve(flaw ? { flaw } : { url }) });
  served = http.serve({ core });
});
afterAll(() => http.close());

const url = 'https://shop.example/hook';
const DAY_MS = 86_400_000;
const add = (address = url) =>
  served.ask('POST /webhooks', { body: { url: address, events: ['stock.low'] } });

// One account's story, told in order.
describe('webhooks', { shuffle: false }, () => {
  test.each<[AddressFlaw, string]>([
    ['notAnAddress', 'must be an address that begins with https://'],
    ['notHttps', 'must begin with https://'],
    ['withPassword', 'must hold no user name and no password'],
    ['tooLong', 'must have at most 1,000 characters'],
    ['unknownHost', 'names a host that does not exist'],
    ['notPublic', 'leads to an address that is not public'],
    ['unresolved', 'names a host that could not be looked up: try again'],
  ])('an address that is %s is a 400 that says so', async (given, message) => {
    flaw = given;
    const { status, json } = await add();
    flaw = undefined;
    expect([status, json]).toEqual([
      400,
      { error: `The request breaks a rule: url ${message}.`, issues: [{ path: 'url', message }] },
    ]);
  });

  test.each([[[]], [undefined], ['stock.low']])('events that are %j are a 400', async (events) => {
    const { status, json } = await served.ask('POST /webhooks', { body: { url, events } });
    expect([status, json.issues]).toEqual([400, [{ path: 'events', message: expect.any(String) as string }]]);
  });

  test('one address is registered once, and five are', async () => {
    const first = await add();
    expect([first.status, (await add()).json]).toEqual([
      201,
      { error: 'This address is registered already. Remove it first to get a new secret.' },
    ]);
    for (let n = 2; n <= 5; n += 1) expect((await add(`${url}/${n}`)).status).toBe(201);
    const sixth = await add(`${url}/6`);
    expect([sixth.status, sixth.json]).toEqual([
      409,
      { error: 'This account has five webhooks, and there is no room for more. Remove one.' },
    ]);
    const list = (await served.ask('GET /webhooks')).json as { id: number }[];
    const { secret: _, ...told } = first.json;
    expect(list[0]).toEqual(told);
    for (const { id } of list) expect((await served.ask(`DELETE /webhooks/${id}`)).status).toBe(204);
  });

  test('a delivery is told from its first attempt until its address is switched off, and is tried again', async () => {
    const { id } = (await add()).json as { id: number };
    const ask = (what: string) => served.ask(what.replace('ID', String(id)));
    const deliveries = async () => (await ask('GET /webhooks/ID/deliveries')).json as object[];
    const at = (ms = 0) => new Date(http.clock.now() + ms).toISOString();
    const begun = at();
    const { status, json: waiting } = await ask('POST /webhooks/ID/test');
    expect([status, waiting]).toEqual([
      202,
      {
        ...{ id: 1, messageId: 'msg_000000000001', type: 'webhook.test', createdAt: begun },
        ...{ state: 'waiting', attempts: 0, nextAttemptAt: begun },
      },
    ]);
    const fail = () =>
      core.webhookDeliveries.report(
        { id: 1, webhookId: id },
        { startedAt: http.clock.now(), status: 500, problem: 'It answered 500.' },
      );
    await fail();
    const failed = {
      ...waiting,
      attempts: 1,
      status: 500,
      problem: 'It answered 500.',
      lastAttemptAt: begun,
    };
    expect(await deliveries()).toEqual([{ ...failed, nextAttemptAt: expect.any(String) as string }]);
    const failing = { enabled: true, failingSince: begun };
    expect((await ask('GET /webhooks')).json).toMatchObject([failing]);

    http.clock.advance(3 * DAY_MS);
    await fail();
    expect((await ask('GET /webhooks')).json).toMatchObject([
      { ...failing, enabled: false, disabledAt: at() },
    ]);
    const off = { error: 'This webhook is switched off. Enable it first.' };
    for (const what of ['POST /webhooks/ID/test', 'POST /webhooks/ID/deliveries/1/retry']) {
      const refused = await ask(what);
      expect([refused.status, refused.json]).toEqual([409, off]);
    }
    const enabled = await ask('POST /webhooks/ID/enable');
    expect([enabled.status, enabled.json.enabled, enabled.json.disabledAt]).toEqual([200, true, undefined]);
    const retried = await ask('POST /webhooks/ID/deliveries/1/retry');
    expect([retried.status, retried.json]).toMatchObject([202, { state: 'waiting', nextAttemptAt: at() }]);
  });

  test('one is tested ten times a minute', async () => {
    const { id } = (await add(`${url}/tested`)).json as { id: number };
    const tested = () => served.ask(`POST /webhooks/${id}/test`);
    for (let n = 0; n < 10; n += 1) expect((await tested()).status).toBe(202);
    const { status, headers, json } = await tested();
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(json).toEqual({ error: 'A webhook is tested at most ten times a minute. Wait a little.' });

    const page = async (query: string) =>
      (await served.ask(`GET /webhooks/${id}/deliveries${query}`)).json as { id: number }[];
    const numbers = (await page('')).map((delivery) => delivery.id);
    const [, second, third] = numbers as [number, number, number];
    await core.webhookDeliveries.report({ id: third, webhookId: id }, { startedAt: 0, status: 200 });
    const all = await page(`?before=${second}`);
    expect(all.map((delivery) => delivery.id)).toEqual(numbers.slice(2));
    expect(await page(`?before=${second}&state=delivered`)).toEqual(all.slice(0, 1));
    expect(await page(`?before=${second}&state=waiting`)).toEqual(all.slice(1));
  });

  test.each([
    ['before=x', 'before must be the id of a delivery'],
    ['state=lost', 'state must be one of waiting, delivered, failed'],
  ])('deliveries?%s is a 400', async (query, words) => {
    const { status, json } = await served.ask(`GET /webhooks/1/deliveries?${query}`);
    expect([status, json.error]).toEqual([400, `The request breaks a rule: ${words}.`]);
  });

  test.each([
    ['DELETE /webhooks/03', 'webhook'],
    ['POST /webhooks/3/deliveries/x/retry', 'delivery'],
  ])('%s: there is no such %s', async (request, what) => {
    const { status, json } = await served.ask(request);
    expect([status, json]).toEqual([404, { error: `There is no such ${what} in this account.` }]);
  });
});
