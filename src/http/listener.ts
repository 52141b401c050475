// The Node server under the application: its limits, what it answers to requests that cannot be read, and its end.
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener } from '@hono/node-server';

import type { Logger } from '../log.ts';
import { pause } from '../waiting.ts';
import { drain } from './body.ts';
import type { HttpApp } from './context.ts';

/** Limits on receiving; none of them limits how long an answer may take. */
export interface ListenerLimits {
  /** So long a new connection may say nothing. */
  silentTimeoutMs: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  maxHeaderBytes: number;
}

export const LIMITS: ListenerLimits = {
  silentTimeoutMs: 60_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
};

/** A request that was sent before its sender can have heard of the end is on the way for so long. */
const ON_THE_WAY_MS = 200;
const LET_IN_MS = 50;

export interface Listener {
  listen(at: { host: string; port: number }): Promise<{ address: string; port: number }>;
  /**
   * Accepts nothing more, ends idle connections in a moment and the others after their answers. Resolves when all are
   * gone.
   */
  close(): Promise<void>;
  /** Ends every connection, answered or not. */
  closeNow(): void;
}

export interface ListenerDeps {
  app: HttpApp;
  log: Logger;
  /** For what was no request, of anybody. */
  logStranger: Logger['info'];
  limits: ListenerLimits;
  /** Fires when the end was announced: from then on each answer ends its connection, before close() would cut it. */
  stopping?: AbortSignal;
}

export function createListener(deps: ListenerDeps): Listener {
  const { limits } = deps;
  const pending: Pending = new Map();
  let closing = false;

  let held: Promise<void> | undefined;

  const answer = createAnswer(deps, async () => {
    await held;
    return closing || deps.stopping?.aborted === true;
  });

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    // What an answer takes is not limited; between requests Node sets the limit itself.
    socket.setTimeout(0);
    const answers = pending.get(socket)?.add(outgoing);
    outgoing.once('close', () => {
      answers?.delete(outgoing);
      if (closing && answers?.size === 0) socket.destroySoon();
    });
    // Node would answer this itself, without a body. HTTP/1.0 knows no Host; a health check may speak it.
    const hosts = countHosts(incoming);
    if (hosts > 1 || (hosts === 0 && incoming.httpVersion !== '1.0')) return refuse(outgoing, 400);
    void answer(incoming, outgoing);
  }

  const server = createNodeServer(limits, onRequest);
  server.on('connection', (socket: Socket) => {
    pending.set(socket, new Set());
    // Node's own limits begin with the first byte.
    socket.setTimeout(limits.silentTimeoutMs);
    // A socket that Node has let go of (CONNECT) has nobody else to hear its errors.
    socket.on('error', () => undefined).once('close', () => pending.delete(socket));
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, pending, deps));
  server.on('checkExpectation', (_request, outgoing: ServerResponse) => refuse(outgoing, 417));
  server.on('connect', (_request, socket) => {
    if (!endsAfterAnswer(socket, pending)) socket.end(rawAnswer(405, 'allow: GET, HEAD, POST\r\n'));
  });

  return {
    listen: ({ host, port }) => listen(server, host, port),

    async close() {
      // Nobody is answered before nobody listens: who is would connect anew, and be cut while waiting to be let in.
      if (pending.size > 0) await (held = pause(LET_IN_MS));
      closing = true;
      return new Promise((resolve) => {
        // An error here says that it was not listening: then it is closed already.
        server.close(() => resolve());
        setTimeout(() => {
          for (const [socket, answers] of pending) if (answers.size === 0) socket.destroy();
        }, ON_THE_WAY_MS);
      });
    },

    closeNow() {
      closing = true;
      server.close();
      for (const socket of pending.keys()) socket.destroy();
    },
  };
}

/** Proxies disagree on which of two counts, so that a request with two means something else to each. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}

/** Each open connection, with the answers that are still pending on it, the newest last. */
type Pending = Map<Duplex, Set<ServerResponse>>;

type Answer = ReturnType<typeof getRequestListener>;

/** `endsConnection` is asked of each answer before it goes out. */
function createAnswer({ app, log }: ListenerDeps, endsConnection: () => Promise<boolean>): Answer {
  return getRequestListener(
    async (request, env) => {
      const response = await app.fetch(request, env);
      // Whatever of the body nobody has read: answering before it has arrived would break the socket under the answer.
      await drain(env.incoming as IncomingMessage);
      if (await endsConnection()) response.headers.set('connection', 'close');
      return response;
    },
    {
      hostname: 'localhost',
      errorHandler: (error) => {
        const status = error instanceof Error && error.name === 'RequestError' ? 400 : 500;
        if (status === 400) return new Response(null, { status });
        log.error({ err: error }, 'a request escaped the application');
        return Response.json({ error: 'Something went wrong on our side. Try again later.' }, { status });
      },
    },
  );
}

function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  pending: Pending,
  { logStranger }: ListenerDeps,
): void {
  if (endsAfterAnswer(socket, pending)) return;
  const newest = [...(pending.get(socket) ?? [])].at(-1);
  if (!socket.writable || newest?.headersSent === true || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_CODE[error.code ?? ''] ?? 400;
  // Not as `code`: that would be masked like one.
  logStranger({ status, reason: error.code }, 'a request could not be read');
  socket.end(rawAnswer(status), () => socket.destroy());
}

const STATUS_OF_CODE: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** What Node cannot read is answered with its status. */
const rawAnswer = (status: number, headers = ''): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}content-length: 0\r\nconnection: close\r\n\r\n`;

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
}

/** What follows a complete request is broken, the request itself is under way: its answer must not be replaced. */
function endsAfterAnswer(socket: Duplex, pending: Pending): boolean {
  const underWay = [...(pending.get(socket) ?? [])].filter(
    ({ req, writableFinished }) => req.complete && !writableFinished,
  );
  underWay.at(-1)?.once('close', () => socket.destroy());
  return underWay.length > 0;
}

function createNodeServer(
  limits: ListenerLimits,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
  };
  const server = createServer(options, onRequest);
  // Its close() would begin with that, and cut requests that are on the way.
  server.closeIdleConnections = () => undefined;
  return server;
}

function listen(server: Server, host: string, port: number): Promise<{ address: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      const { address, port: chosen } = server.address() as AddressInfo;
      resolve({ address, port: chosen });
    });
  });
}
