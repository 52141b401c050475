// The local Bot API on a socket: what it answers stands in answering.ts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerCall, refusal, type AnsweringDeps, type Reply } from './answering.ts';
import { ApiRefusal } from './types.ts';

/** Listens on loopback; 0 takes any free port. */
export function createApiServer(deps: AnsweringDeps) {
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

async function serve(deps: AnsweringDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.on('close', () => ended.abort());
  const reply = await answerCall(deps, {
    url: new URL(request.url ?? '/', 'http://127.0.0.1'),
    contentType: request.headers['content-type'] ?? '',
    readBody: () => readBody(request),
    signal: ended.signal,
  });
  if (reply === 'cut') return void request.socket.destroy();
  if (reply !== 'silence') answer(response, reply);
}

function answer(response: ServerResponse, { status, type, body, headers }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
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
