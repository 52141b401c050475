// The server on its socket: what is no HTTP, what is slow, and the end.
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { KEY, RECEIPT } from '../../test/harness/scripted-core.ts';
import { connectRaw, startHttp } from '../../test/harness/sockets.ts';
import type { Heard, RunningHttp } from '../../test/harness/sockets.ts';
import { pause } from '../waiting.ts';
import { LIMITS } from './listener.ts';

const body = JSON.stringify({ playerId: '5124780131', gameId: 'game_id_1', denomination: 60 });
const redeem = `POST /redeem HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const healthz = 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n';
const answered = { status: 'answered' as const, redemption: RECEIPT, replayed: false };

/** A core whose redemption ends when the test says so. */
function createHeldRedeem() {
  let release = (): void => undefined;
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const held = new Promise<typeof answered>((resolve) => (release = () => resolve(answered)));
  const script = {
    redeem: () => {
      begun();
      return held;
    },
  };
  return { script, hasBegun, release: () => release() };
}

function expectProblem(heard: Heard, status: number): void {
  expect(heard.status).toBe(status);
  expect(heard.headers).toMatch(/^content-type: application\/json/im);
  expect(heard.headers).toMatch(/^x-request-id: [\w-]{10,}$/im);
  expect(heard.headers).toMatch(/^cache-control: no-store$/im);
  expect(heard.headers).toMatch(/^x-content-type-options: nosniff$/im);
  const { error, ...rest } = JSON.parse(heard.body) as { error: string };
  expect(rest).toEqual({});
  // What the application answers is in words of its own.
  if (status !== 400 || error.includes('HTTP')) expect(error).toMatch(SENTENCES[status]!);
}

const SENTENCES: Record<number, RegExp> = {
  400: /cannot be read as HTTP\. Check its address/,
  405: /is no proxy\. Use GET or POST/,
  408: /took too long to arrive\. Send it again/,
  417: /nothing but 100-continue\. Send the request without the Expect header/,
  431: /headers are larger than 16 KiB\. Send fewer/,
};

describe('what cannot be read', () => {
  let http: RunningHttp;
  beforeAll(async () => {
    http = await startHttp({ redeem: () => Promise.resolve(answered) });
  });
  afterAll(() => http.close());

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
      `POST /redeem HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
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
    const client = connectRaw(http.port);
    client.send(Buffer.from(bytes, 'latin1'));
    expectProblem(await client.next(), status);
    client.socket.destroy();

    const other = connectRaw(http.port);
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
    const client = connectRaw(http.port);
    client.send(bytes);
    expect((await client.next()).status).toBe(status);
    client.socket.destroy();
  });

  test('many requests on one connection are answered in order', async () => {
    const client = connectRaw(http.port);
    client.send((healthz + redeem).repeat(50));
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
  const http = await startHttp();
  const client = connectRaw(http.port);
  client.send(healthz);
  expect((await client.next()).headers).toMatch(/^keep-alive: timeout=65$/im);
  client.socket.destroy();
  await http.close();
});

describe('what is slow', () => {
  let http: RunningHttp;
  beforeAll(async () => {
    const limits = { headersTimeoutMs: 50, requestTimeoutMs: 100 };
    http = await startHttp({}, { limits });
  });
  afterAll(() => http.close());

  test('a connection that says nothing is closed', async () => {
    const silent = await startHttp({}, { limits: { silentTimeoutMs: 20 } });
    await connectRaw(silent.port).ended;
    await silent.close();
  });

  test('an answer may take longer than a connection may be silent', async () => {
    const held = createHeldRedeem();
    const slow = await startHttp(held.script, { limits: { silentTimeoutMs: 20 } });
    const client = connectRaw(slow.port);
    client.send(redeem);
    await held.hasBegun;
    await pause(100);
    held.release();
    expect((await client.next()).status).toBe(200);
    client.socket.destroy();
    await slow.close();
  });

  test.each([
    ['headers', 'POST /redeem HTTP/1.1\r\nHost: h\r\n'],
    ['a body', redeem.slice(0, -5)],
  ])('%s that do not end are 408, and nothing is redeemed', async (_name, bytes) => {
    const client = connectRaw(http.port);
    client.send(bytes);
    expectProblem(await client.next(), 408);
    await client.ended;
    expect(http.core.asked).toEqual([]);
  });
});

describe('a redemption under way', () => {
  test('is answered though what follows it on the connection is garbage', async () => {
    const { script, hasBegun, release } = createHeldRedeem();
    const http = await startHttp(script);
    const client = connectRaw(http.port);
    client.send(redeem);
    await hasBegun;
    client.send('\x00garbage\r\n\r\n');
    // The garbage has been read when a request sent after it on another connection is answered.
    const other = connectRaw(http.port);
    other.send(healthz);
    expect((await other.next()).status).toBe(200);
    release();
    expect((await client.next()).body).toContain('ActivationReceipt');
    await client.ended;
    other.socket.destroy();
    await http.close();
  });

  test('is not limited by the time a request may take to arrive', async () => {
    const { script, hasBegun, release } = createHeldRedeem();
    const limits = { headersTimeoutMs: 400, requestTimeoutMs: 600, keepAliveTimeoutMs: 600 };
    const http = await startHttp(script, { limits });
    const client = connectRaw(http.port);
    client.send(redeem);
    await hasBegun;
    // A slow request is refused meanwhile, so the limits have been looked at.
    const slow = connectRaw(http.port);
    slow.send('GET /');
    expect((await slow.next()).status).toBe(408);
    release();
    expect((await client.next()).status).toBe(200);
    client.socket.destroy();
    await http.close();
  });

  test('goes on when its client hangs up', async () => {
    const { script, hasBegun, release } = createHeldRedeem();
    const http = await startHttp(script);
    const client = connectRaw(http.port);
    client.send(redeem);
    await hasBegun;
    client.socket.destroy();
    await client.ended;
    release();
    await http.close();
    expect(http.core.asked).toHaveLength(1);
    expect(http.log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('the end', () => {
  test('once it is announced each answer ends its connection, so that none is cut by it', async () => {
    const http = await startHttp({});
    const client = connectRaw(http.port);
    client.send(healthz);
    expect((await client.next()).headers).not.toMatch(/^connection: close$/im);
    http.announceStop();
    client.send(healthz);
    expect((await client.next()).headers).toMatch(/^connection: close$/im);
    await client.ended;
    await http.close();
  });

  test('who asks all the while is answered or not let in, and never cut', async () => {
    const http = await startHttp({});
    const ends = new Set<string>();
    const askOn = async () => {
      for (let end = 'answered'; end === 'answered'; ends.add(end))
        end = await new Promise((resolve) => {
          get({ port: http.port, path: '/healthz', agent: false }, (answer) =>
            answer.resume().on('end', () => resolve('answered')),
          ).on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
        });
    };
    const asking = Array.from({ length: 40 }, askOn);
    http.announceStop();
    await pause(100);
    await http.close();
    await Promise.all(asking);
    expect([...ends].sort()).toEqual(['ECONNREFUSED', 'answered']);
  });

  test('idle connections close, the running one is answered and closed, new ones are refused', async () => {
    const { script, hasBegun, release } = createHeldRedeem();
    const http = await startHttp(script);
    const [idle, running, silent] = [connectRaw(http.port), connectRaw(http.port), connectRaw(http.port)];
    idle.send(healthz);
    await idle.next();
    running.send(redeem);
    await hasBegun;

    let closed = false;
    const closing = http.close().then(() => (closed = true));
    await Promise.all([idle.ended, silent.ended]);
    const late = connectRaw(http.port);
    late.send(healthz);
    await expect(late.next()).rejects.toThrow('the connection ended');
    expect(closed).toBe(false);

    release();
    const heard = await running.next();
    expect(heard.body).toContain('ActivationReceipt');
    expect(heard.headers).toMatch(/^connection: close$/im);
    await Promise.all([running.ended, closing]);
  });

  test('closeNow cuts what runs', async () => {
    const { script, hasBegun } = createHeldRedeem();
    const http = await startHttp(script);
    const client = connectRaw(http.port);
    client.send(redeem);
    await hasBegun;
    const closing = http.close();
    http.closeNow();
    await Promise.all([closing, client.ended]);
    await expect(client.next()).rejects.toThrow('the connection ended');
  });

  test('a server that never listened closes too', async () => {
    const { close, closeNow, port } = await startHttp();
    await close();
    await close();
    closeNow();
    const client = connectRaw(port);
    await client.ended;
  });

  test('a port that is taken is told to whoever starts it', async () => {
    const http = await startHttp();
    const other = await startHttp();
    await expect(other.listen({ host: '127.0.0.1', port: http.port })).rejects.toThrow();
    await Promise.all([http.close(), other.close()]);
  });
});
