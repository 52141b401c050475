// The server on its socket: what is no HTTP, what is slow, and the end.
import { get } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { makeCode } from '../../test/harness/core.ts';
import { openTestHttp, type RememberedLog, type TestHttp } from '../../test/harness/http.ts';
import { connectRaw, type Heard } from '../../test/harness/sockets.ts';
import { LIMITS } from './listener.ts';
import type { HttpServerOptions } from './server.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());
afterEach(() => void delete http.platform.script.redeem);

/** A server of its own, over the core that all share. */
async function start(limits: HttpServerOptions['limits'] = {}) {
  const { server, log } = http.serve({ limits });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return { ...server, port, log };
}

function redeem(): string {
  const body = JSON.stringify({ playerId: '5124780131', gameId: 'game_id_2', codeOverride: makeCode() });
  return `POST /redeem HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${http.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
const healthz = 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n';

/** Redemptions end when the test says so; `begun` resolves once so many are with the platform. */
function hold(count = 1) {
  const { platform } = http;
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  platform.script.redeem = async (order) => {
    if ((count -= 1) === 0) begun.resolve();
    await held.promise;
    return platform.redeemNow(order);
  };
  return { begun: begun.promise, release: () => held.resolve() };
}

/** Its status alone, or what the application says of it. */
function expectProblem({ status, body }: Heard, expected: number): void {
  expect(status).toBe(expected);
  if (body !== '') expect(Object.keys(JSON.parse(body) as object)).toEqual(['error']);
}

describe('what cannot be read', () => {
  let port: number;
  let log: RememberedLog;
  beforeAll(async () => {
    ({ port, log } = await start());
  });

  const broken: [string, string, number][] = [
    ['garbage', '\x00\x01\x02\xffgarbage\r\n\r\n', 400],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n', 400],
    ['a header on several lines', 'GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n', 400],
    [
      'two lengths',
      'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'a length and chunks',
      'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['another expectation', 'GET /healthz HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\n\r\n', 417],
    ['a negative length', 'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'a chunk without a size',
      'POST /redeem HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      400,
    ],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: h\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a path over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, 431],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b/?#\r\n\r\n', 400],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['an absolute address that is none', 'GET http://[/healthz HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['a tunnel', 'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n', 405],
  ];
  test.each(broken)('%s', async (_name, bytes, status) => {
    const client = connectRaw(port);
    client.send(Buffer.from(bytes.replace('KEY', http.key), 'latin1'));
    expectProblem(await client.next(), status);
    client.socket.destroy();
    // It is no fault of ours.
    expect(log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);

    const other = connectRaw(port);
    other.send(healthz);
    expect((await other.next()).status).toBe(200);
    other.socket.destroy();
  });

  const odd: [string, string, number][] = [
    ['an absolute address', 'GET http://elsewhere/healthz HTTP/1.1\r\nHost: h\r\n\r\n', 200],
    ['two slashes', 'GET //healthz HTTP/1.1\r\nHost: h\r\n\r\n', 404],
    ['two slashes and a host', 'GET //elsewhere/healthz HTTP/1.1\r\nHost: h\r\n\r\n', 404],
    ['dots', 'GET /docs/../healthz HTTP/1.1\r\nHost: h\r\n\r\n', 200],
    ['an unfinished escape', 'GET /history/%E0%A4%A HTTP/1.1\r\nHost: h\r\n\r\n', 401],
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    [
      'a wish for another protocol',
      'GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    ['a query of rubbish', 'GET /healthz?%&=&&__proto__[x]=1&a=%zz HTTP/1.1\r\nHost: h\r\n\r\n', 200],
  ];
  test.each(odd)('%s is served', async (_name, bytes, status) => {
    const client = connectRaw(port);
    client.send(bytes);
    expect((await client.next()).status).toBe(status);
    client.socket.destroy();
  });

  test('many requests on one connection are answered in order', async () => {
    const client = connectRaw(port);
    client.send(Array.from({ length: 50 }, () => healthz + redeem()).join(''));
    for (let i = 0; i < 50; i++) {
      expect((await client.next()).status).toBe(200);
      expect((await client.next()).body).toContain('ActivationReceipt');
    }
    client.socket.destroy();
  });
});

test('what a request may take and be, and how long its connection waits for the next, which it is told', async () => {
  expect(LIMITS).toEqual({
    silentTimeoutMs: 60_000,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    keepAliveTimeoutMs: 65_000,
    maxHeaderBytes: 16_384,
  });
  const client = connectRaw((await start()).port);
  client.send(healthz);
  expect((await client.next()).headers).toMatch(/^keep-alive: timeout=65$/im);
  client.socket.destroy();
});

describe('what is slow', () => {
  test('a connection that says nothing is closed; an answer may take longer than one may be silent', async () => {
    const held = hold();
    const { port } = await start({ silentTimeoutMs: 20 });
    const client = connectRaw(port);
    client.send(redeem());
    await held.begun;
    // It came later, and its time is over.
    await connectRaw(port).ended;
    held.release();
    expect((await client.next()).status).toBe(200);
    client.socket.destroy();
  });

  test.each([
    ['headers', () => 'POST /redeem HTTP/1.1\r\nHost: h\r\n'],
    ['a body', () => redeem().slice(0, -5)],
  ])('%s that do not end are 408, and nothing is redeemed', async (_name, bytes) => {
    const { orders } = http.platform;
    const before = orders.length;
    const { port } = await start({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
    const client = connectRaw(port);
    client.send(bytes());
    expectProblem(await client.next(), 408);
    await client.ended;
    expect(orders).toHaveLength(before);
  });
});

describe('a redemption under way', () => {
  test('is answered whatever comes behind it, and however long a request may take to arrive', async () => {
    const broken = [
      '',
      'POST /db HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      redeem().slice(0, -5),
      'POST /redeem HTTP/1.1\r\nHost: h\r\n',
      '\x00garbage\r\n\r\n',
      'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n',
    ];
    const held = hold(broken.length * 2);
    // Far longer than a busy machine takes to read what is there already: only what never comes is late.
    const { port } = await start({ headersTimeoutMs: 400, requestTimeoutMs: 600, keepAliveTimeoutMs: 600 });
    const clients = broken.map((bytes) => {
      const client = connectRaw(port);
      client.send(redeem() + redeem() + bytes);
      return client;
    });
    await held.begun;
    // One that is as slow is refused meanwhile, so what came behind has been looked at.
    const slow = connectRaw(port);
    slow.send('GET /');
    expect((await slow.next()).status).toBe(408);
    held.release();
    for (const client of clients) {
      for (const heard of [await client.next(), await client.next()])
        expect([heard.status, heard.body]).toEqual([200, expect.stringContaining('ActivationReceipt')]);
      if (client === clients[0]) client.socket.destroy();
      await client.ended;
    }
  });

  test('goes on when its client hangs up', async () => {
    const held = hold();
    const { port, close, log } = await start();
    const client = connectRaw(port);
    client.send(redeem());
    await held.begun;
    client.socket.destroy();
    await client.ended;
    held.release();
    await close();
    expect(http.core.receipts.list(http.actor, {})[0]).toMatchObject({ state: 'redeemed' });
    expect(log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('the end', () => {
  test('once it is announced each answer ends its connection, so that none is cut by it', async () => {
    const { port, announceStop, close } = await start();
    const client = connectRaw(port);
    client.send(healthz);
    expect((await client.next()).headers).not.toMatch(/^connection: close$/im);
    announceStop();
    client.send(healthz);
    expect((await client.next()).headers).toMatch(/^connection: close$/im);
    await client.ended;
    await close();
  });

  test('who asks all the while is answered or not let in, and never cut', async () => {
    const { port, announceStop, close } = await start();
    const ends = new Set<string>();
    const busy = Promise.withResolvers<void>();
    let answers = 0;
    const askOn = async () => {
      for (let end = 'answered'; end === 'answered'; ends.add(end)) {
        end = await new Promise((resolve) => {
          get({ port, path: '/healthz', agent: false }, (answer) =>
            answer.resume().on('end', () => resolve('answered')),
          ).on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
        });
        if ((answers += 1) === 200) busy.resolve();
      }
    };
    const asking = Array.from({ length: 40 }, askOn);
    announceStop();
    await busy.promise;
    await close();
    await Promise.all(asking);
    // Whoever stood before the door when it was closed is turned away by the system: nothing of it was read.
    ends.delete('ECONNRESET');
    expect([...ends].sort()).toEqual(['ECONNREFUSED', 'answered']);
  });

  test('idle connections close, the running one is answered and closed, new ones are refused', async () => {
    const held = hold();
    const { port, close } = await start();
    const [idle, running, silent] = [connectRaw(port), connectRaw(port), connectRaw(port)];
    idle.send(healthz);
    await idle.next();
    running.send(redeem());
    await held.begun;

    let closed = false;
    const closing = close().then(() => (closed = true));
    await Promise.all([idle.ended, silent.ended]);
    const late = connectRaw(port);
    late.send(healthz);
    await expect(late.next()).rejects.toThrow('the connection ended');
    expect(closed).toBe(false);

    held.release();
    const heard = await running.next();
    expect(heard.body).toContain('ActivationReceipt');
    expect(heard.headers).toMatch(/^connection: close$/im);
    await Promise.all([running.ended, closing]);
  });

  test('closeNow cuts what runs', async () => {
    const held = hold();
    const { port, close, closeNow } = await start();
    const client = connectRaw(port);
    client.send(redeem());
    await held.begun;
    const closing = close();
    closeNow();
    await Promise.all([closing, client.ended]);
    await expect(client.next()).rejects.toThrow('the connection ended');
    held.release();
  });

  test('a server that never listened closes too', async () => {
    const { server } = http.serve();
    await server.close();
    await server.close();
    server.closeNow();
  });

  test('a port that is taken is told to whoever starts it', async () => {
    const { port } = await start();
    await expect(http.serve().server.listen({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  });
});
