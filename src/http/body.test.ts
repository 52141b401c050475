// Bodies: too large, too deep, cut, mistyped. Through real sockets where it matters what the client hears.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ACTOR, createScriptedCore, KEY, RECEIPT } from '../../test/harness/scripted-core.ts';
import { createRememberedLog, runScenarios } from '../../test/harness/scenarios.ts';
import { connectRaw, startHttp } from '../../test/harness/sockets.ts';
import type { RunningHttp } from '../../test/harness/sockets.ts';
import { fake } from '../../test/harness/fake.ts';
import { createManualClock } from '../clock.ts';
import { takeTurn } from '../turns.ts';
import { BODY_LIMIT_BYTES, DEPTH_LIMIT, DRAIN_LIMIT_BYTES, readJson } from './body.ts';
import { createHttpServer } from './server.ts';

const redeems = {
  redeem: () => Promise.resolve({ status: 'answered' as const, redemption: RECEIPT, replayed: false }),
};
const body = { playerId: '5124780131', gameId: 'game_id_1', denomination: 60 };
const nested = (levels: number): string =>
  `{"playerId":"5124780131","gameId":"game_id_1","denomination":60,"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a body', () => {
  const request = 'POST /redeem';
  const type = (value: string) => ({ 'content-type': value });
  const passes = { request, status: 200, core: redeems };
  const refused = { request, status: 400, asked: [] };
  runScenarios([
    ...[
      'application/json; charset=utf-8',
      'application/json;charset= "UTF-8"',
      'APPLICATION/JSON',
      'application/merge-patch+json',
      'application/json; profile=x',
    ].map((value) => ({ ...passes, name: `of ${value} is read`, body, headers: type(value) })),
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'text/json',
      'application/json; charset=latin1',
      '',
    ].map((value) => ({
      ...refused,
      status: 415,
      name: `of '${value}' is 415`,
      body,
      headers: type(value),
      answer: {
        error: 'The body is not declared as JSON. Send JSON in UTF-8 with Content-Type: application/json.',
      },
    })),
    {
      ...refused,
      status: 415,
      name: 'compressed is 415',
      body,
      headers: { 'content-encoding': 'gzip' },
      answer: { error: 'The body is compressed. Send it without Content-Encoding.' },
    },
    {
      ...passes,
      name: 'declared as not compressed is read',
      body,
      headers: { 'content-encoding': 'Identity' },
    },
    {
      ...refused,
      name: 'empty is 400, whatever its type',
      body: '',
      headers: type('text/plain'),
      answer: {
        error: 'The request has no body. Send a JSON body, with Content-Type: application/json.',
      },
    },
    { ...passes, name: `of ${DEPTH_LIMIT} levels is read`, body: nested(DEPTH_LIMIT) },
    {
      ...refused,
      name: 'of one level more is refused',
      body: nested(DEPTH_LIMIT + 1),
      answer: {
        error: 'The body is nested more than 64 levels deep. Send the flat JSON that /docs describes.',
      },
    },
    { ...refused, name: 'of 400,000 levels is refused', body: '['.repeat(400_000) },
    {
      ...passes,
      name: 'with many things beside each other is not deep',
      body: { ...body, more: Array.from({ length: DEPTH_LIMIT * 2 }, () => [{}, []]) },
    },
    {
      ...passes,
      name: 'with brackets in its texts is not deep',
      body: { ...body, more: [`"\\"${'[{'.repeat(500)}\\`, `"${'[{'.repeat(500)}`] },
    },
    { ...passes, name: 'of exactly 1 MiB is read', body: padded(BODY_LIMIT_BYTES) },
    {
      ...passes,
      name: 'declared as exactly 1 MiB is read',
      body: padded(BODY_LIMIT_BYTES),
      headers: { 'content-length': String(BODY_LIMIT_BYTES) },
    },
    { ...refused, status: 413, name: 'of one byte more is 413', body: padded(BODY_LIMIT_BYTES + 1) },
    ...(
      [
        ['in the body', '"playerId":"5124780132"', 'playerId'],
        ['written with escapes', String.raw`"\u0070layer\u0049d" : "5124780132"`, 'playerId'],
        ['with the same in it', '"playerId":"5124780131"', 'playerId'],
        ['in a list', '"items":[{"a":{}},{"b":1},[{"b":"\\"," , "c":[{},","],"b":[]}]]', 'items.2.0.b'],
        ['that is empty', '"":1,"":2', ''],
        ['that no object should have', '"__proto__":1,"__proto__":2', '__proto__'],
        ['with a long name', `"${'n'.repeat(99)}":1,"${'n'.repeat(99)}":2`, 'n'.repeat(64)],
      ] as const
    ).map(([name, more, path]) => ({
      ...refused,
      name: `of a field that stands twice, ${name}, is refused, and names it`,
      body: `${JSON.stringify(body).slice(0, -1)},${more}}`,
      answerHolds: { issues: [{ path, message: 'stands twice: send it once' }] },
    })),
    {
      ...passes,
      name: 'of names that stand apart, or as texts, is read',
      body: {
        ...body,
        more: [{ a: 'a', b: { a: 'a' } }, { a: ['a', 'a', { a: 'a' }], A: 'a' }, 'playerId', '"a":1,"a"'],
      },
    },
    {
      ...refused,
      name: 'that is no JSON is refused as that, whatever stands in it twice',
      body: '{"a":1,"a":2,"\\x":3,"\\x":4',
      answer: { error: 'The body is not valid JSON. Check it for missing quotes, commas or brackets.' },
    },
    { ...passes, name: 'with a byte order mark is read', body: `\u{feff}${JSON.stringify(body)}` },
  ]);
});

function padded(bytes: number): string {
  const json = JSON.stringify(body);
  return `${json}${' '.repeat(bytes - json.length)}`;
}

test('a body that breaks off is told to have, and is no fault of ours', async () => {
  const core = createScriptedCore(redeems);
  const log = createRememberedLog();
  const { app } = createHttpServer({ core, clock: createManualClock(0), log });
  const pieces = [Buffer.from('{"playerId":')];
  const stream = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.error(new Error('aborted'));
    },
  });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await app.request('/redeem', { method: 'POST', headers, body: stream, duplex: 'half' });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'The request ended before its body was complete. Send it again.' },
  ]);
  expect([core.asked, log.lines.filter((line) => line.includes('"level":"error"'))]).toEqual([[], []]);
});

test('a large body is parsed in a turn of its own, behind whoever asked for one before; a small one at once', async () => {
  const order: string[] = [];
  const read = async (bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    const raw = new Request('http://localhost', { method: 'POST', headers, body: padded(bytes) });
    const header = (name: string) => raw.headers.get(name) ?? undefined;
    expect(await readJson(fake({ req: { header, raw }, var: {} }))).toEqual(body);
    order.push(String(bytes));
  };
  const turns = Array.from({ length: 12 }, takeTurn);
  const last = turns.at(-1)?.then(() => order.push('turns'));
  await Promise.all([read(16 * 1024 + 1), read(16 * 1024), last]);
  expect(order).toEqual([String(16 * 1024), 'turns', String(16 * 1024 + 1)]);
});

describe('through sockets', () => {
  let http: RunningHttp;
  beforeAll(async () => {
    http = await startHttp(redeems);
  });
  afterAll(() => http.close());

  const head = (line: string, key: string, more: string): string =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
  const large = Buffer.alloc(2 * 1024 * 1024, 0x20);
  const chunked = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);

  const refusals: [string, number, string, string][] = [
    ['too large', 413, 'POST /redeem', KEY],
    ['without a valid key', 401, 'POST /redeem', 'crs_stranger'],
    ['to no path', 404, 'POST /nothing', KEY],
    ['by the wrong method', 405, 'POST /quota', KEY],
    ['with a GET', 200, 'GET /healthz', KEY],
  ];
  test.each(refusals)(
    'twenty clients sending 2 MB %s all hear %i, and can go on',
    async (_name, status, line, key) => {
      const clients = Array.from({ length: 20 }, async (_, i) => {
        const client = connectRaw(http.port);
        const isChunked = i % 2 === 0;
        // Each stranger has another key: ten failures of one are its limit.
        const bearer = key === KEY ? key : `${key}${i}`;
        client.send(
          head(line, bearer, isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${large.length}`),
        );
        client.send(isChunked ? chunked(large) : large);
        const refusal = await client.next();
        client.send(head('GET /healthz', KEY, 'Content-Length: 0'));
        const after = await client.next();
        client.socket.destroy();
        return [refusal.status, refusal.body.includes('error'), after.status];
      });
      const expected = [status, status >= 400, 200];
      expect(await Promise.all(clients)).toEqual(clients.map(() => expected));
    },
  );

  test('a refusal waits until the body has arrived', async () => {
    const client = connectRaw(http.port);
    client.send(head('POST /nothing', KEY, `Content-Length: ${large.length}`));
    client.send(large.subarray(0, 1000));
    // The head has been read when a request sent after it on another connection is answered.
    const other = connectRaw(http.port);
    other.send(head('GET /healthz', KEY, 'Content-Length: 0'));
    expect((await other.next()).status).toBe(200);
    expect(client.socket.bytesRead).toBe(0);
    client.send(large.subarray(1000));
    expect((await client.next()).status).toBe(404);
    for (const { socket } of [client, other]) socket.destroy();
  });

  test.each([
    ['POST /redeem', 413],
    ['GET /healthz', 200],
  ])('a client that sends %s beyond the bound hears %i and loses its connection', async (line, status) => {
    const client = connectRaw(http.port);
    client.send(head(line, KEY, 'Transfer-Encoding: chunked'));
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')]);
    for (let sent = 0; sent <= DRAIN_LIMIT_BYTES; sent += 1024 * 1024) client.send(piece);
    expect((await client.next()).status).toBe(status);
    await client.ended;
  });

  test('invalid UTF-8 is 400', async () => {
    const client = connectRaw(http.port);
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    client.send(head('POST /redeem', KEY, `Content-Length: ${bytes.length}`));
    client.send(bytes);
    const heard = await client.next();
    expect(heard.status).toBe(400);
    expect(heard.body).toContain('UTF-8');
    client.socket.destroy();
  });

  test('a body in many small pieces, with a pause in the middle of a character, is one body', async () => {
    const client = connectRaw(http.port);
    const bytes = Buffer.from(JSON.stringify({ ...body, more: '😀' }));
    client.send(head('POST /redeem', KEY, `Content-Length: ${bytes.length}`));
    for (const byte of bytes) {
      client.send(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.next()).status).toBe(200);
    client.socket.destroy();
  });

  test('a client that goes away in the middle of its body redeems nothing', async () => {
    const before = http.core.asked.length;
    const client = connectRaw(http.port);
    client.send(head('POST /redeem', KEY, 'Content-Length: 500'));
    client.send('{"playerId":');
    await new Promise((resolve) => setImmediate(resolve));
    client.socket.destroy();
    await client.ended;
    const other = connectRaw(http.port);
    const bytes = JSON.stringify(body);
    other.send(head('POST /redeem', KEY, `Content-Length: ${bytes.length}`) + bytes);
    expect((await other.next()).status).toBe(200);
    expect(http.core.asked.slice(before)).toEqual([
      ['redeem', ACTOR, { gameId: 'game_id_1', playerId: '5124780131', denomination: 60 }],
    ]);
    other.socket.destroy();
  });
});

test('the bounds of a body', () => {
  const bounds = { BODY_LIMIT_BYTES, DEPTH_LIMIT, DRAIN_LIMIT_BYTES };
  expect(bounds).toEqual({ BODY_LIMIT_BYTES: 1_048_576, DEPTH_LIMIT: 64, DRAIN_LIMIT_BYTES: 16_777_216 });
});
