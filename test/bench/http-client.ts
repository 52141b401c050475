// A client in a process of its own, so that it does not share the server's loop: keep-alive connections over bare
// sockets, as many requests as they take (closed) or so many a second, whatever becomes of them (open). Told what by a
// message.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

export interface LoadOrder {
  port: number;
  connections: number;
  /** Of POST /redeem, sent in turn. */
  bodies: readonly string[];
  apiKeys: readonly string[];
  requests: number;
  /** undefined: the next as soon as the last is answered. */
  perSecond?: number;
}

export interface LoadResult {
  perSecond: number;
  /**
   * From the moment a request was due to the last byte of its answer, sorted; one that was not answered with 200 is
   * `REFUSED_MS`.
   */
  latenciesMs: number[];
  failures: number;
}

/** What a request counts for that got no 200: no percentile may hide it. */
export const REFUSED_MS = 60_000;

interface Connection {
  socket: Socket;
  /** Of the request under way. */
  dueAt: number;
}

process.on('disconnect', () => process.exit());
process.on('message', (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result));
});

async function load(order: LoadOrder): Promise<LoadResult> {
  const requests = order.apiKeys.map((key, index) =>
    encodeRequest(order.bodies[index % order.bodies.length] ?? '', key),
  );
  const idle: Connection[] = [];
  const latenciesMs: number[] = [];
  let sent = 0;
  let failures = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const startedAt = performance.now();
  const dueAt = (index: number) =>
    order.perSecond === undefined ? performance.now() : startedAt + (index * 1000) / order.perSecond;

  function sendDue(): void {
    while (sent < order.requests && dueAt(sent) <= performance.now()) {
      const connection = idle.pop();
      if (!connection) return;
      connection.dueAt = dueAt(sent);
      connection.socket.write(requests[sent % requests.length] ?? '');
      sent += 1;
    }
  }
  function answered(connection: Connection, status: number): void {
    latenciesMs.push(status === 200 ? performance.now() - connection.dueAt : REFUSED_MS);
    if (status !== 200) failures += 1;
    idle.push(connection);
    if (latenciesMs.length === order.requests) finish();
    else sendDue();
  }

  for (let index = 0; index < order.connections; index += 1) idle.push(await open(order.port, answered));
  sendDue();
  const ticking = order.perSecond === undefined ? undefined : setInterval(sendDue, 1);
  await finished;
  clearInterval(ticking);
  for (const { socket } of idle) socket.destroy();
  const elapsedMs = performance.now() - startedAt;
  return {
    perSecond: (order.requests * 1000) / elapsedMs,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
    failures,
  };
}

function encodeRequest(body: string, apiKey: string): string {
  const head = [
    'POST /redeem HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

async function open(
  port: number,
  answered: (connection: Connection, status: number) => void,
): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const connection = { socket, dueAt: 0 };
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? NaN);
    if (Number.isNaN(length)) throw new Error(`The answer has no length: ${received.slice(0, headEnd)}`);
    if (received.length < headEnd + 4 + length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    answered(connection, status);
  });
  return connection;
}
