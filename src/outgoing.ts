// One HTTP exchange with another service, in two steps: connect, then send. What fails in the first was certainly never sent,
// whatever its error says; what fails in the second may have been carried out.
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { within } from './waiting.ts';

interface Outgoing {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

interface Bounds {
  /** Ends it, wherever it is. */
  signal: AbortSignal;
  /** Of the body of an answer. */
  mostBytes: number;
  /** In place of this machine's way to look a name up. */
  lookup?: LookupFunction;
}

export type Sent =
  /** `body` is undefined where it was cut short or is too long. */
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer | undefined }
  /** There never was a connection to send it on. */
  | { kind: 'notSent'; error: unknown }
  /** Sent, or perhaps sent; no answer began. */
  | { kind: 'lost'; error: unknown };

export type Send = (outgoing: Outgoing, bounds: Bounds) => Promise<Sent>;

const CONNECTED_WITHIN_MS = 10_000;

/** On a connection of its own, which is closed after it; nothing is followed. Never rejects. */
export const send: Send = async (outgoing, bounds) => {
  let socket: Socket | undefined;
  try {
    socket = await within(
      (signal) => connect(outgoing.url, { ...bounds, signal }),
      CONNECTED_WITHIN_MS,
      bounds,
    );
  } catch (error) {
    return { kind: 'notSent', error };
  }
  if (!socket)
    return { kind: 'notSent', error: Object.assign(new Error('Too late.'), { code: 'ETIMEDOUT' }) };
  try {
    return { kind: 'answered', ...(await exchange(socket, outgoing, bounds)) };
  } catch (error) {
    return { kind: 'lost', error };
  }
};

/** TCP, and over it TLS with a certificate that holds; nothing is written on it. */
async function connect({ protocol, hostname, port }: URL, { signal, lookup }: Bounds): Promise<Socket> {
  signal.throwIfAborted();
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isPlain = protocol === 'http:';
  const at = { host, port: Number(port) || (isPlain ? 80 : 443), ...(lookup && { lookup }) };
  const socket = isPlain ? connectTcp(at) : connectTls({ ...at, servername: isIP(host) ? '' : host });
  // One that comes while nobody waits for anything shows in what is done next.
  socket.on('error', () => undefined);
  try {
    await once(socket, isPlain ? 'connect' : 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function exchange(
  socket: Socket,
  { method, url, headers, body }: Outgoing,
  { signal, mostBytes }: Bounds,
): Promise<Omit<Extract<Sent, { kind: 'answered' }>, 'kind'>> {
  if (socket.destroyed) throw new Error('The connection ended before anything was sent.');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, connection: 'close' },
    signal,
  })
    .on('response', resolve)
    .on('error', reject)
    // Also where it ends without an error of its own: the other side wants another protocol.
    .on('close', () => reject(new Error('The connection ended without an answer.')))
    .end(body);
  const answer = await promise;
  // A connection takes its time to end.
  const givenUp = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined)),
  );
  const told = await Promise.race([readBody(answer, mostBytes), givenUp]);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: told };
}

async function readBody(answer: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += chunk.byteLength;
      // Leaving the loop early ends the connection.
      if (size > mostBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } catch {
    return undefined;
  }
}
