// The HTTP half of the local Bot API: addresses, bodies, answers and broken connections. Which methods there are
// and what they do is handed to it.
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Fault, FaultyCall } from './faults.ts';
import { tooMany } from './flood.ts';
import { createParams, decodeParams, type Params } from './params.ts';
import { ApiRefusal } from './types.ts';

export interface ServerDeps {
  token: string;
  /** Whether Telegram cannot be reached at all. */
  isDown: () => boolean;
  /** Whether the token is unknown, whoever says it. */
  isRevoked: () => boolean;
  takeFault: (call: FaultyCall) => Fault | undefined;
  call: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  findFile: (path: string) => Buffer | undefined;
}

/** Listens on loopback; 0 takes any free port. */
export function createApiServer(deps: ServerDeps) {
  const server = createServer((request, response) => {
    // A mistake of this stand-in must not look like a broken network, which bots forgive.
    serve(deps, request, response).catch((error: unknown) =>
      answer(response, refusal(new ApiRefusal(500, `Internal Server Error: ${String(error)}`))),
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
  if (file) return serveFile(deps, file[1]!, decodeURIComponent(file[2]!), response);
  const match = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(url.pathname);
  if (!match) return answer(response, refusal(new ApiRefusal(404, 'Not Found')));
  if (decodeURIComponent(match[1]!) !== deps.token || deps.isRevoked())
    return answer(response, refusal(new ApiRefusal(401, 'Unauthorized')));
  const ended = new AbortController();
  response.on('close', () => ended.abort());
  const method = match[2]!;
  const params = await readParams(request, url.searchParams);
  if (params instanceof ApiRefusal) return answer(response, refusal(params));
  const fault = deps.takeFault({ method, params });
  if (fault && !isAfter(fault)) return meet(fault, response, undefined);
  const reply = await carryOut(deps, method, params, ended.signal);
  return fault ? meet(fault, response, reply) : answer(response, reply);
}

async function carryOut(
  deps: ServerDeps,
  method: string,
  params: Params,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    return json(200, { ok: true, result: await deps.call(method, params, signal) });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return refusal(error);
  }
}

/** A link that does not lead to a file is a 404 whatever is wrong with it; a token that was revoked a 401. */
function serveFile(deps: ServerDeps, token: string, path: string, response: ServerResponse): void {
  const fault = deps.takeFault({ method: 'file', params: createParams({ path }) });
  const bytes = token === deps.token ? deps.findFile(path) : undefined;
  const found = bytes && { status: 200, type: 'application/octet-stream', body: bytes, headers: {} };
  const reply = deps.isRevoked()
    ? refusal(new ApiRefusal(401, 'Unauthorized'))
    : (found ?? refusal(new ApiRefusal(404, 'Not Found')));
  return fault ? meet(fault, response, reply) : answer(response, reply);
}

/** An answer on its way. */
interface Reply {
  status: number;
  type: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** What comes instead of the answer; `reply` is the answer that is lost, where the call was carried out. */
function meet(fault: Fault, response: ServerResponse, reply: Reply | undefined): void {
  switch (fault.kind) {
    case 'flood':
      return answer(response, refusal(tooMany(fault.retryAfter)));
    case 'error': {
      const { code, description = 'Internal Server Error', parameters } = fault;
      return answer(response, refusal(new ApiRefusal(code, description, parameters)));
    }
    case 'html':
      return answer(response, pageOf(fault.code));
    case 'half':
      return answer(response, reply && { ...reply, body: reply.body.subarray(0, reply.body.length / 2) });
    case 'hang':
      return;
    case 'cut':
      response.destroy();
      return;
  }
}

const isAfter = (fault: Fault) => fault.kind === 'half' || ('after' in fault && fault.after === true);

/** What the proxy before the Bot API says when nobody behind it answers. */
function pageOf(code: 502 | 503 | 504): Reply {
  const title = `${code} ${STATUS_CODES[code]}`;
  const page = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n`;
  return { status: code, type: 'text/html', body: Buffer.from(page), headers: {} };
}

function refusal({ code, message, parameters }: ApiRefusal): Reply {
  const wait = parameters?.retry_after;
  const body = { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
  return json(code, body, wait === undefined ? {} : { 'retry-after': String(wait) });
}

function json(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return { status, type: 'application/json', body: Buffer.from(JSON.stringify(body)), headers };
}

function answer(response: ServerResponse, reply: Reply | undefined): void {
  if (response.destroyed || !reply) return;
  const { status, type, body, headers } = reply;
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
}

async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params | ApiRefusal> {
  try {
    return decodeParams(query, request.headers['content-type'] ?? '', await readBody(request));
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
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
