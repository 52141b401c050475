// The program that docs/integrating.md shows, as it stands there, over lines that fail, against the service itself.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { HOST } from '../src/cli/verbs.ts';
import { startTestApp, type TestApp } from './harness/app.ts';

const GUIDE = readFileSync(new URL('../docs/integrating.md', import.meta.url), 'utf8');
const PROGRAM = /```js\n(async function fulfil[^]*?)\n```/.exec(GUIDE)?.[1] ?? '';

type Fulfil = (invoice: { id: string; playerId: string; amount: number }) => Promise<string>;
type Pass = (url: string, init: RequestInit) => Promise<Response>;

const page = (status: number) => new Response(`<h1>${status}</h1>`, { status });

let app: TestApp;
let made = 0;
beforeAll(async () => {
  app = await startTestApp();
  const codes = Array.from({ length: 40 }, (_, n) => `60S${String(n).padStart(12, '0')}`);
  await app.request('/db', { body: [{ denomination: 60, codes }] });
});
afterAll(() => app.stop());

/** The program over a line: `befall` is what each request meets, in turn; those after it pass. */
async function run(befall: ((pass: () => Promise<Response>) => Promise<Response>)[], apiKey: string) {
  let asked = 0;
  const line: Pass = (url, init) => {
    const pass = () => fetch(url, init);
    return befall[asked++]?.(pass) ?? pass();
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text of our own guide
  const make = new Function('BASE', 'KEY', 'fetch', 'setTimeout', `${PROGRAM}\nreturn fulfil;`) as (
    ...given: unknown[]
  ) => Fulfil;
  const fulfil = make(app.url, apiKey, line, (go: () => void) => void setImmediate(go));
  const id = `INV-${(made += 1)}`;
  const told = await fulfil({ id, playerId: '5124780131', amount: 60 }).catch(
    (error: Error) => error.message,
  );
  const placed = (await app.request(`/orders?reference=${id}`)).json as { id: string }[];
  return { told, placed: placed.map((order) => order.id), asked: () => asked };
}

const lost = async (pass: () => Promise<Response>): Promise<Response> => {
  await pass();
  throw new TypeError('the connection was cut');
};
const after = (answer: () => Response) => async (pass: () => Promise<Response>) => {
  await pass();
  return answer();
};

test.each([
  ['a 504 of a proxy', [after(() => page(504))]],
  ['a page of 403, of 401, of 413, of 429', [403, 401, 413, 429].map((status) => after(() => page(status)))],
  ['a page of 200', [after(() => page(200))]],
  ['a 403 in JSON', [after(() => Response.json({ error: 'forbidden' }, { status: 403 }))]],
  ['a cut, and 502 while the service is away', [lost, () => Promise.resolve(page(502))]],
])('after %s the order is told that was placed', async (_name, befall) => {
  const { told, placed } = await run(befall, app.apiKey);
  expect(placed).toEqual([told]);
});

test('a cut and the end of the access are waited out, and the order is there', async () => {
  const grant = (days: number) =>
    app.core.accounts.grant(HOST, { accountId: app.accountId, days, orderId: `grant-${(made += 1)}` });
  const statuses: number[] = [];
  const refused = async (pass: () => Promise<Response>) => {
    await grant(-30);
    const answer = await pass();
    statuses.push(answer.status);
    await grant(30);
    return answer;
  };
  const { told, placed } = await run([lost, refused, refused], app.apiKey);
  expect(statuses).toEqual([403, 403]);
  expect(placed).toEqual([told]);
});

test('after a cut and a revoked key another key of the account finds it', async () => {
  const { id, key } = await app.core.apiKeys.forHost.issue(HOST, { accountId: app.accountId });
  const statuses: number[] = [];
  const refused = async (pass: () => Promise<Response>) => {
    await app.core.apiKeys.forHost.revoke(HOST, id);
    const answer = await pass();
    statuses.push(answer.status);
    return answer;
  };
  const giveUp = () => Promise.resolve(Response.json({ type: 'Order', id: 'given up' }));
  const { placed, told } = await run([lost, refused, refused, giveUp], key);
  expect(statuses).toEqual([401, 401]);
  expect(told).toBe('given up');
  expect(placed).toHaveLength(1);
});

test('what the service refuses at the first try is final', async () => {
  const { told, placed, asked } = await run([], 'crs_none');
  expect(told).toMatch(/API key is not valid/);
  expect([placed, asked()]).toEqual([[], 1]);
});
