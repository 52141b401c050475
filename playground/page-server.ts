// The page's server: its files, the events and the actions.
// It answers to this machine alone: a page of another site cannot reach it, under whatever name it found the address.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { importMapHash, readPageFile } from './page-files.ts';
import type { Playground } from './playground.ts';
import type { PlayEvent, Snapshot } from './protocol.ts';

export interface PageServer {
  /** Listens on loopback at `port`, or at the next free one. */
  listen(port: number): Promise<{ url: string }>;
  close(): Promise<void>;
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;
const PORTS_TRIED = 50;
const LARGEST_BODY_BYTES = 32 * 1024 * 1024;
const STILL_THERE_EVERY_MS = 15_000;
/** Serves one playground. */
export function createPageServer(playground: Playground): PageServer {
  const headers = pageHeaders();
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(playground, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 500, { ok: false, error: error instanceof Error ? error.message : String(error) });
    });
  });
  return {
    listen: (port) => listenFrom(server, port, PORTS_TRIED),
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Scripts and styles of its own alone, the one inline script by its hash, and nothing from another host. */
function pageHeaders(): Record<string, string> {
  return {
    'content-security-policy': `default-src 'none'; script-src 'self' '${importMapHash()}'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

function listenFrom(server: Server, port: number, tries: number): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || tries <= 1 || port === 0) return reject(error);
      resolve(listenFrom(server, port + 1, tries - 1));
    };
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ url: `http://127.0.0.1:${bound}/` });
    });
  });
}

async function answer(
  playground: Playground,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isFromHere(request)) {
    return sendJson(response, 403, { ok: false, error: 'The playground answers to this machine alone.' });
  }
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/play/action' && request.method === 'POST') return act(playground, request, response);
  if (reads && path === '/play/events') return sendEvents(playground, request, response);
  if (reads && path.startsWith('/play/files/')) return sendFile(playground, path.slice(12), response);
  if (reads) return sendPage(path === '/' ? '/index.html' : path, response);
  sendJson(response, 404, { ok: false, error: 'There is nothing here.' });
}

/** By the name that the browser was given, and by the site that the request comes from. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host)) return false;
  return origin === undefined || origin === `http://${host}`;
}

async function act(playground: Playground, request: IncomingMessage, response: ServerResponse) {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return sendJson(response, 415, { ok: false, error: 'An action is sent as application/json.' });
  }
  const text = await readBody(request);
  if (text === undefined) return sendJson(response, 413, { ok: false, error: 'This file is too large.' });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return sendJson(response, 400, { ok: false, error: 'This is not JSON.' });
  }
  sendJson(response, 200, await playground.act(body));
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendEvents(playground: Playground, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: Snapshot | PlayEvent) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  send(playground.snapshot());
  const deaf = playground.listen(send);
  const beat = setInterval(() => response.write(': still there\n\n'), STILL_THERE_EVERY_MS);
  request.once('close', () => {
    clearInterval(beat);
    deaf();
  });
}

/** Pictures are shown; everything else is downloaded, so that nothing that was attached runs in the page. */
function sendFile(playground: Playground, fileId: string, response: ServerResponse): void {
  const file = playground.views.file(fileId);
  if (!file) return sendJson(response, 404, { ok: false, error: 'There is no such file.' });
  const name = encodeURIComponent(file.name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  response.writeHead(200, {
    'content-type': file.isPicture ? pictureType(file.bytes) : 'application/octet-stream',
    'content-disposition': `${file.isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
}

function pictureType(bytes: Buffer): string {
  return bytes.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'image/jpeg';
}

function sendPage(path: string, response: ServerResponse): void {
  const file = readPageFile(path);
  if (!file) return sendJson(response, 404, { ok: false, error: 'There is nothing here.' });
  response.writeHead(200, { 'content-type': file.type });
  response.end(file.bytes);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
