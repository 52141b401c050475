// Bodies: too large, too deep, cut, mistyped. Through real sockets where it matters what the client hears.
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createRememberedLog, openTestHttp, type TestHttp } from '../../test/harness/http.ts';
import { connectRaw } from '../../test/harness/sockets.ts';
import { takeTurn } from '../turns.ts';
import { BODY_LIMIT_BYTES, DEPTH_LIMIT, DRAIN_LIMIT_BYTES, readJson } from './body.ts';
import type { HttpEnv } from './context.ts';
import { answerError } from './errors.ts';

const body = { playerId: '5124780131', gameId: 'game_id_1', denomination: 60 };
const json = JSON.stringify(body);
const nested = (levels: number) =>
  `${json.slice(0, -1)},"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const padded = (bytes: number) => `${json}${' '.repeat(bytes - json.length)}`;

/** Answers what it has read. */
const log = createRememberedLog();
const reader = new Hono<HttpEnv>().post('/', async (c) => c.json({ read: await readJson(c) }));
reader.onError((error, c) => answerError(c, error, log));

async function read(sent: string | ReadableStream, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: sent };
  const answer = await reader.request('/', { ...init, duplex: 'half' });
  return [answer.status, await answer.json()] as [
    number,
    { read?: unknown; error?: string; issues?: object[] },
  ];
}
const refused = (status: number, error: string) => [status, { error }];

describe('a body', () => {
  const NOT_JSON =
    'The body is not declared as JSON. Send JSON in UTF-8 with Content-Type: application/json.';
  const TOO_DEEP = 'The body is nested more than 64 levels deep. Send the flat JSON that /docs describes.';

  test.each([
    ...['application/json; charset=utf-8', 'application/json;charset= "UTF-8"', 'APPLICATION/JSON'],
    ...['application/merge-patch+json', 'application/json; profile=x'],
  ])('of %s is read', async (type) =>
    expect(await read(json, { 'content-type': type })).toEqual([200, { read: body }]),
  );

  test.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json'],
    ...['application/json; charset=latin1', ''],
  ])('of %s is 415', async (type) =>
    expect(await read(json, { 'content-type': type })).toEqual(refused(415, NOT_JSON)),
  );

  test('compressed is 415; declared as not compressed it is read', async () => {
    const error = 'The body is compressed. Send it without Content-Encoding.';
    expect(await read(json, { 'content-encoding': 'gzip' })).toEqual(refused(415, error));
    expect(await read(json, { 'content-encoding': 'Identity' })).toEqual([200, { read: body }]);
  });

  test('empty is 400, whatever its type', async () => {
    const error = 'The request has no body. Send a JSON body, with Content-Type: application/json.';
    expect(await read('', { 'content-type': 'text/plain' })).toEqual(refused(400, error));
  });

  test.each([
    ['of 64 levels', nested(DEPTH_LIMIT)],
    ['of many things beside each other', `{"more":[${'[{},[]],'.repeat(DEPTH_LIMIT * 2)}0]}`],
    [
      'of brackets in its texts',
      JSON.stringify({ more: [`"\\"${'[{'.repeat(500)}\\`, `"${'[{'.repeat(500)}`] }),
    ],
    ['of exactly 1 MiB', padded(BODY_LIMIT_BYTES)],
    [
      'of names that stand apart, or as texts',
      '{"more":[{"a":"a","b":{"a":"a"}},{"a":["a","a",{"a":"a"}],"A":"a"},"playerId","\\"a\\":1,\\"a\\""]}',
    ],
  ])('%s is read', async (_, text) =>
    expect(await read(text)).toEqual([200, { read: JSON.parse(text) as unknown }]),
  );

  test('declared as exactly 1 MiB, or with a byte order mark, is read', async () => {
    const length = { 'content-length': String(BODY_LIMIT_BYTES) };
    expect(await read(padded(BODY_LIMIT_BYTES), length)).toEqual([200, { read: body }]);
    expect(await read(`\u{feff}${json}`)).toEqual([200, { read: body }]);
  });

  test.each([
    ['of one level more', nested(DEPTH_LIMIT + 1), 400, TOO_DEEP],
    ['of 400,000 levels', '['.repeat(400_000), 400, TOO_DEEP],
    [
      'of one byte more',
      padded(BODY_LIMIT_BYTES + 1),
      413,
      'The body is larger than 1 MiB. Send less at a time.',
    ],
    [
      'that is no JSON, whatever stands in it twice,',
      '{"a":1,"a":2,"\\x":3,"\\x":4',
      ...([400, 'The body is not valid JSON. Check it for missing quotes, commas or brackets.'] as const),
    ],
  ])('%s is refused', async (_, text, status, error) =>
    expect(await read(text)).toEqual(refused(status, error)),
  );

  test.each([
    ['in the body', '"playerId":"5124780132"', 'playerId'],
    ['written with escapes', String.raw`"\u0070layer\u0049d" : "5124780132"`, 'playerId'],
    ['with the same in it', '"playerId":"5124780131"', 'playerId'],
    ['in a list', '"items":[{"a":{}},{"b":1},[{"b":"\\"," , "c":[{},","],"b":[]}]]', 'items.2.0.b'],
    ['that is empty', '"":1,"":2', ''],
    ['that no object should have', '"__proto__":1,"__proto__":2', '__proto__'],
    ['with a long name', `"${'n'.repeat(99)}":1,"${'n'.repeat(99)}":2`, 'n'.repeat(64)],
  ])('of a field that stands twice, %s, is refused, and names it', async (_, more, path) => {
    const [status, { issues }] = await read(`${json.slice(0, -1)},${more}}`);
    expect([status, issues]).toEqual([400, [{ path, message: 'stands twice: send it once' }]]);
  });

  test('that breaks off is told to have, and is no fault of ours', async () => {
    const pieces = [Buffer.from('{"playerId":')];
    const stream = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(new Error('aborted'));
      },
    });
    const error = 'The request ended before its body was complete. Send it again.';
    expect(await read(stream)).toEqual(refused(400, error));
    expect(log.lines).toEqual([]);
  });

  test('that is large is parsed in a turn of its own, behind whoever asked for one before; a small one at once', async () => {
    const order: string[] = [];
    const reading = async (bytes: number) => {
      await read(padded(bytes));
      order.push(String(bytes));
    };
    const turns = Array.from({ length: 12 }, takeTurn);
    const last = turns.at(-1)?.then(() => order.push('turns'));
    await Promise.all([reading(16 * 1024 + 1), reading(16 * 1024), last]);
    expect(order).toEqual([String(16 * 1024), 'turns', String(16 * 1024 + 1)]);
  });
});

describe('through sockets', () => {
  let http: TestHttp;
  let port: number;
  beforeAll(async () => {
    http = await openTestHttp();
    ({ port } = await http.server.listen({ host: '127.0.0.1', port: 0 }));
  });
  afterAll(() => http.close());

  const head = (line: string, more: string, key = http.key): string =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
  const healthz = () => head('GET /healthz', 'Content-Length: 0');
  const large = Buffer.alloc(2 * 1024 * 1024, 0x20);
  const chunked = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);

  test.each([
    ['too large', 413, 'POST /redeem'],
    ['without a valid key', 401, 'POST /redeem', 'crs_stranger'],
    ['to no path', 404, 'POST /nothing'],
    ['by the wrong method', 405, 'POST /quota'],
    ['with a GET', 200, 'GET /healthz'],
  ])(
    'twenty clients sending 2 MB %s all hear %i, and can go on',
    async (_name, status, line, stranger = '') => {
      const clients = Array.from({ length: 20 }, async (_, i) => {
        const client = connectRaw(port);
        const isChunked = i % 2 === 0;
        const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${large.length}`;
        // Each stranger has another key: ten failures of one are its limit.
        client.send(head(line, framing, stranger === '' ? http.key : `${stranger}${i}`));
        client.send(isChunked ? chunked(large) : large);
        const refusal = await client.next();
        client.send(healthz());
        const after = await client.next();
        client.socket.destroy();
        return [refusal.status, refusal.body.includes('error'), after.status];
      });
      expect(await Promise.all(clients)).toEqual(clients.map(() => [status, status >= 400, 200]));
    },
  );

  test('a refusal waits until the body has arrived', async () => {
    const client = connectRaw(port);
    client.send(head('POST /nothing', `Content-Length: ${large.length}`));
    client.send(large.subarray(0, 1000));
    // The head has been read when a request sent after it on another connection is answered.
    const other = connectRaw(port);
    other.send(healthz());
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
    const client = connectRaw(port);
    client.send(head(line, 'Transfer-Encoding: chunked'));
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')]);
    for (let sent = 0; sent <= DRAIN_LIMIT_BYTES; sent += 1024 * 1024) client.send(piece);
    expect((await client.next()).status).toBe(status);
    await client.ended;
  });

  test('invalid UTF-8 is 400', async () => {
    const client = connectRaw(port);
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    client.send(head('POST /redeem', `Content-Length: ${bytes.length}`));
    client.send(bytes);
    const heard = await client.next();
    expect([heard.status, heard.body]).toEqual([400, expect.stringContaining('UTF-8')]);
    client.socket.destroy();
  });

  test('a body in many small pieces, with a pause in the middle of a character, is one body', async () => {
    const client = connectRaw(port);
    const bytes = Buffer.from(JSON.stringify({ ...body, more: '😀' }));
    client.send(head('POST /redeem', `Content-Length: ${bytes.length}`));
    for (const byte of bytes) {
      client.send(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    // There is no code to redeem, which is told of a body that was read.
    expect((await client.next()).body).toContain('NO_CODES_AVAILABLE');
    client.socket.destroy();
  });

  test.each(['', 'Content-Length: 0\r\n'])(
    'where a body may be left out, none is missed: %j',
    async (framing) => {
      const client = connectRaw(port);
      client.send(head('POST /orders/ord_none/resume', `${framing}Idempotency-Key: once`));
      expect((await client.next()).status).toBe(404);
      client.socket.destroy();
    },
  );

  test('a client that goes away in the middle of its body redeems nothing', async () => {
    const before = http.core.receipts.list(http.actor, {}).length;
    const client = connectRaw(port);
    client.send(head('POST /redeem', 'Content-Length: 500'));
    client.send('{"playerId":');
    await new Promise((resolve) => setImmediate(resolve));
    client.socket.destroy();
    await client.ended;
    const other = connectRaw(port);
    other.send(head('POST /redeem', `Content-Length: ${json.length}`) + json);
    expect((await other.next()).status).toBe(503);
    expect(http.core.receipts.list(http.actor, {})).toHaveLength(before + 1);
    other.socket.destroy();
  });
});

test('the bounds of a body', () => {
  const bounds = { BODY_LIMIT_BYTES, DEPTH_LIMIT, DRAIN_LIMIT_BYTES };
  expect(bounds).toEqual({ BODY_LIMIT_BYTES: 1_048_576, DEPTH_LIMIT: 64, DRAIN_LIMIT_BYTES: 16_777_216 });
});
