import { expect, test } from 'vitest';

import { createManualClock } from '../../clock.ts';
import { createScriptedCore } from '../../../test/harness/scripted-core.ts';
import { createHttpServer } from '../server.ts';

const SECRET = 'a-secret_of-the-webhook';

function serve(isFull = false, url = 'https://bot.example.test/hook/with-a-secret-path') {
  const accepted: unknown[] = [];
  const lines: string[] = [];
  const keep = (fields: object) => void lines.push(JSON.stringify(fields));
  const { app } = createHttpServer({
    core: createScriptedCore(),
    clock: createManualClock(0),
    log: { info: keep, warn: keep, error: keep },
    webhook: {
      url,
      secret: SECRET,
      accept(update) {
        if (isFull) return Promise.resolve('full');
        accepted.push(update);
        return Promise.resolve('kept');
      },
    },
  });
  const deliver = (secret: string | undefined, body = '{"update_id":7}') =>
    app.request(new URL(url).pathname, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
      },
    });
  const ask = (method: string) => app.request(new URL(url).pathname, { method });
  return { accepted, lines, deliver, ask };
}

test.each([undefined, '', 'wrong', `${SECRET}x`, SECRET.slice(1)])(
  'a wrong secret (%s) is a 401 that runs nothing',
  async (secret) => {
    const { accepted, deliver } = serve();
    const answer = await deliver(secret);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: 'This is where Telegram delivers updates, with its secret.',
    });
    expect(accepted).toEqual([]);
  },
);

test('an update with the right secret is accepted before it is answered; what is no update is a 400', async () => {
  const { accepted, lines, deliver } = serve();
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
  ]) {
    const answer = await deliver(SECRET, body);
    expect([body, answer.status, await answer.json()]).toEqual([
      body,
      400,
      { error: 'This is not an update.' },
    ]);
  }
  expect(accepted).toHaveLength(1);
  expect(lines.join('\n')).not.toContain('secret-path');
});

test.each(['GET', 'HEAD', 'PUT'])(
  'its path may be a secret: who asks by %s is answered 405, and no log tells it',
  async (method) => {
    const { lines, ask } = serve();
    const answer = await ask(method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(lines.join('\n')).toContain('(webhook)');
    expect(lines.join('\n')).not.toContain('secret-path');
  },
);

test('an update that is not taken is delivered again after a moment', async () => {
  const { accepted, deliver } = serve(true);
  const answer = await deliver(SECRET);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await answer.json()).toEqual({ error: 'Too much waits to be handled.' });
  expect(accepted).toEqual([]);
});

test.each(['/хук', '/a hook', '/%D1%85%D1%83%D0%BA', '/50%25', '/7:AB-c_d'])(
  'updates arrive at %s as Telegram asks for it',
  async (path) => {
    const { accepted, deliver } = serve(false, `https://bot.example.test${path}`);
    expect((await deliver(SECRET)).status).toBe(200);
    expect(accepted).toEqual([{ update_id: 7 }]);
  },
);

test('a path of the interface is refused at once', () => {
  for (const path of ['/webhooks', '/redeem', '/db', '/webhooks/1/test'])
    expect(() => serve(false, `https://bot.example.test${path}`)).toThrow(`WEBHOOK_URL, ${path}, is one of`);
});
