// The HTTP half of the local Bot API: addresses, bodies, answers and broken connections. Which methods there are
// and what they do is handed to it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Fault } from './limits.ts';
import { decodeParams, type Params } from './params.ts';
import { ApiRefusal } from './types.ts';

export interface ServerDeps {
  token: string;
  /** Whether Telegram cannot be reached at all. */
  isDown: () => boolean;
  takeFault: (method: string) => Fault | undefined;
  call: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  findFile: (path: string) => Buffer | undefined;
}

/** Listens on loopback; 0 takes any free port. */
export function createApiServer(deps: ServerDeps) {
  const server = createServer((request, response) => {
    // A mistake of this stand-in must not look like a broken network, which bots forgive.
    serve(deps, request, response).catch((error: unknown) =>
      refuse(response, new ApiRefusal(500, `Internal Server Error: ${String(error)}`)),
    );
  });
  return {
    listen: (port: number) => listen(server, port),
    /** Ends every open connection, those of waiting polls too. */
    close(): Promise<void> {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
    cutAll: () => server.closeAllConnections(),
  };
}

function listen(server: Server, port: number): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${address.port}`, port: address.port });
    });
  });
}

async function serve(deps: ServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (deps.isDown()) return void request.socket.destroy();
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(url.pathname);
  if (file)
    return sendFile(
      response,
      file[1] === deps.token ? deps.findFile(decodeURIComponent(file[2]!)) : undefined,
    );
  const match = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(url.pathname);
  if (!match) return refuse(response, new ApiRefusal(404, 'Not Found'));
  if (decodeURIComponent(match[1]!) !== deps.token)
    return refuse(response, new ApiRefusal(401, 'Unauthorized'));
  const ended = new AbortController();
  response.on('close', () => ended.abort());
  const method = match[2]!;
  const fault = deps.takeFault(method);
  if (fault && (await meet(fault, request, response))) return;
  try {
    const body = await readBody(request);
    const params = decodeParams(url.searchParams, request.headers['content-type'] ?? '', body);
    const result = await deps.call(method, params, ended.signal);
    if (fault?.kind === 'cut') return void request.socket.destroy();
    if (fault?.kind === 'hang') return;
    answer(response, 200, { ok: true, result });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    refuse(response, error);
  }
}

/** True when the fault was the whole answer. */
async function meet(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'flood': {
      const description = `Too Many Requests: retry after ${fault.retryAfter}`;
      refuse(response, new ApiRefusal(429, description, { retry_after: fault.retryAfter }));
      return true;
    }
    case 'error':
      refuse(response, new ApiRefusal(fault.code, fault.description ?? 'Internal Server Error'));
      return true;
    case 'hang':
      if (fault.after === true) return false;
      await new Promise((resolve) => response.on('close', resolve));
      return true;
    case 'cut':
      if (fault.after === true) return false;
      request.socket.destroy();
      return true;
  }
}

function refuse(response: ServerResponse, { code, message, parameters }: ApiRefusal): void {
  answer(response, code, {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters ? { parameters } : {}),
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, bytes: Buffer | undefined): void {
  if (!bytes) return refuse(response, new ApiRefusal(404, 'Not Found'));
  response
    .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
    .end(bytes);
}

const bodyLimitBytes = 55 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > bodyLimitBytes) throw new ApiRefusal(413, 'Request Entity Too Large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
