// Where Telegram delivers updates: by its secret alone, and under whatever path people have chosen.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';

const SECRET = 'a-secret_of-the-webhook';
const PATH = '/hook/with-a-secret-path';

let http: TestHttp;
let accepted: unknown[];
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());
beforeEach(() => void (accepted = []));

function serve(path = PATH, becomes: 'kept' | 'full' = 'kept') {
  const accept = (update: unknown) => {
    if (becomes === 'kept') accepted.push(update);
    return Promise.resolve(becomes);
  };
  const url = `https://bot.example.test${path}`;
  const { server, log } = http.serve({ webhook: { url, secret: SECRET, accept } });
  const ask = (init: RequestInit) => Promise.resolve(server.app.request(new URL(url).pathname, init));
  const deliver = async (secret: string | undefined, body = '{"update_id":7}') => {
    const headers = {
      'content-type': 'application/json',
      ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
    };
    const answer = await ask({ method: 'POST', body, headers });
    return {
      status: answer.status,
      json: await answer.json(),
      retryAfter: answer.headers.get('retry-after'),
      authenticate: answer.headers.get('www-authenticate'),
    };
  };
  return { deliver, ask, log };
}

test.each([undefined, '', 'wrong', `${SECRET}x`, SECRET.slice(1)])(
  'a wrong secret (%s) is a 401 that runs nothing',
  async (secret) => {
    const error = 'This is where Telegram delivers updates, with its secret.';
    const refused = { status: 401, json: { error }, authenticate: 'Bearer' };
    expect(await serve().deliver(secret)).toMatchObject(refused);
    expect(accepted).toEqual([]);
  },
);

test('an update with the right secret is accepted before it is answered; what is no update is a 400', async () => {
  const { deliver, log } = serve();
  expect((await deliver(SECRET)).status).toBe(200);
  expect(accepted).toEqual([{ update_id: 7 }]);
  for (const body of [
    '{"hello":1}',
    'null',
    '[]',
    '7',
    '"update_id"',
    '{"update_id":"7"}',
    '{"update_id":1.5}',
  ])
    expect(await deliver(SECRET, body)).toMatchObject({
      status: 400,
      json: { error: 'This is not an update.' },
    });
  expect(accepted).toHaveLength(1);
  expect(log.lines.join('\n')).not.toContain('secret-path');
});

test.each(['GET', 'HEAD', 'PUT'])(
  'its path may be a secret: who asks by %s is answered 405, and no log tells it',
  async (method) => {
    const { ask, log } = serve();
    const { status, headers } = await ask({ method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(log.lines.join('\n')).toContain('(webhook)');
    expect(log.lines.join('\n')).not.toContain('secret-path');
  },
);

test('an update that is not taken is delivered again after a moment', async () => {
  expect(await serve(PATH, 'full').deliver(SECRET)).toEqual({
    ...{ status: 429, retryAfter: '2', authenticate: null, json: { error: 'Too much waits to be handled.' } },
  });
});

test.each(['/хук', '/a hook', '/%D1%85%D1%83%D0%BA', '/50%25', '/7:AB-c_d'])(
  'updates arrive at %s as Telegram asks for it',
  async (path) => {
    expect((await serve(path).deliver(SECRET)).status).toBe(200);
    expect(accepted).toEqual([{ update_id: 7 }]);
  },
);

test('a path of the interface is refused at once', () => {
  for (const path of ['/webhooks', '/redeem', '/db', '/webhooks/1/test'])
    expect(() => serve(path)).toThrow(`WEBHOOK_URL, ${path}, is one of`);
});
