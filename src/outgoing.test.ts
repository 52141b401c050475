// What is told of an exchange that failed: never sent only where no byte of the request can have left, over real sockets.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, setDefaultCACertificates, rootCertificates } from 'node:tls';

import { expect, onTestFinished, test } from 'vitest';

import { send } from './outgoing.ts';

const [key, cert] = ['key', 'cert'].map((name) =>
  readFileSync(new URL(`../test/harness/localhost-${name}.pem`, import.meta.url)),
);
const CALM = () => new AbortController().signal;

/** A server on this machine that keeps what it hears of each connection; `meet` sees it come. */
async function listen(meet: (socket: Socket) => void, tls?: { key: Buffer; cert: Buffer }) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = tls ? createTlsServer(tls) : createServer();
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const at = heard.push('') - 1;
    socket.on('data', (chunk: Buffer) => (heard[at] += chunk.toString()));
    meet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { heard, port: (server.address() as AddressInfo).port };
}

const post = (url: string, signal = CALM(), mostBytes = 100) =>
  send(
    { method: 'POST', url: new URL(url), headers: { 'x-own': 'yes' }, body: 'order' },
    { signal, mostBytes },
  );
const answerWith = (text: string) => (socket: Socket) => void socket.once('data', () => socket.end(text));
const ok = answerWith('HTTP/1.1 200 OK\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbody');

test('an exchange: the request whole, on a connection of its own that is closed', async () => {
  const { heard, port } = await listen(ok);
  const sent = await post(`http://127.0.0.1:${port}/path?query=1`);
  expect(sent).toMatchObject({ kind: 'answered', status: 200, headers: { 'retry-after': '7' } });
  expect(sent.kind === 'answered' && sent.body?.toString()).toBe('body');
  expect(heard[0]).toMatch(
    /^POST \/path\?query=1 HTTP\/1\.1\r\n[^]*host: 127\.0\.0\.1:\d+\r\n[^]*connection: close\r\n[^]*\r\n\r\norder$/i,
  );
});

test('over TLS whose certificate is trusted, whatever name of it is asked for', async () => {
  const { port } = await listen(ok, { key: key!, cert: cert! });
  const before = [...rootCertificates];
  setDefaultCACertificates([...before, cert!.toString()]);
  onTestFinished(() => setDefaultCACertificates(before));
  expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ kind: 'answered', status: 200 });
  expect(await post(`https://localhost:${port}`)).toMatchObject({ kind: 'answered', status: 200 });
});

test('a body that is cut, or longer than it may be, is none', async () => {
  const cut = await listen(answerWith('HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nbody'));
  expect(await post(`http://127.0.0.1:${cut.port}`)).toMatchObject({ status: 200, body: undefined });
  const { port } = await listen(ok);
  expect(await post(`http://127.0.0.1:${port}`, CALM(), 3)).toMatchObject({ status: 200, body: undefined });
  const full = await post(`http://127.0.0.1:${port}`, CALM(), 4);
  expect(full).toMatchObject({ body: Buffer.from('body') });
});

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

test('nothing was sent where nobody listens, under any of its addresses, and where there is no such name', async () => {
  const port = await freePort();
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(await post(`http://${host}:${port}`)).toMatchObject({
      kind: 'notSent',
      error: { code: 'ECONNREFUSED' },
    });
  expect(await post('http://nobody.invalid')).toMatchObject({ kind: 'notSent' });
});

test.each<[string, (socket: Socket) => void]>([
  ['is cut', (socket) => socket.end()],
  ['is reset', (socket) => socket.resetAndDestroy()],
  ['is garbage', (socket) => socket.end('220 mail ready\r\n')],
])('nothing was sent where the handshake %s', async (_, meet) => {
  const { heard, port } = await listen((socket) => void socket.once('data', () => meet(socket)));
  expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ kind: 'notSent' });
  expect(heard.join('')).not.toContain('order');
});

test('nothing was sent where the certificate does not hold', async () => {
  const { heard, port } = await listen(ok, { key: key!, cert: cert! });
  const sent = await post(`https://127.0.0.1:${port}`);
  expect(sent).toMatchObject({ kind: 'notSent', error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  expect(heard.join('')).toBe('');
});

test('nothing was sent where it was given up before the connection stood', async () => {
  const { heard, port } = await listen(() => undefined);
  expect(await post(`http://127.0.0.1:${port}`, AbortSignal.abort())).toMatchObject({ kind: 'notSent' });
  expect(await post(`https://127.0.0.1:${port}`, AbortSignal.timeout(50))).toMatchObject({ kind: 'notSent' });
  expect(heard.join('')).not.toContain('order');
});

test.each<[string, (socket: Socket) => void]>([
  ['is closed at once', (socket) => socket.end()],
  ['ends when the request has come', answerWith('')],
  ['is reset then', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ['answers in another protocol', answerWith('220 mail ready\r\n')],
  [
    'changes its protocol',
    answerWith('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
])('something may have been sent where the connection %s', async (_, meet) => {
  const { port } = await listen(meet);
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({ kind: 'lost' });
});

test('something may have been sent where no answer came until it was given up', async () => {
  const { heard, port } = await listen(() => undefined);
  expect(await post(`http://127.0.0.1:${port}`, AbortSignal.timeout(100))).toMatchObject({ kind: 'lost' });
  expect(heard[0]).toContain('order');
});
