// A TCP line between a client and a service that is cut, delayed or dead, one fate for each connection. It knows no
// HTTP. As on a real line, what was sent before a cut still arrives, and neither side is told what the other got.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of one connection. */
export type Fate =
  | { kind: 'pass' }
  /** Everything arrives, later. */
  | { kind: 'delay'; requestMs: number; responseMs: number }
  /** The service gets the first bytes of what the client sends, the client gets nothing. */
  | { kind: 'cutRequest'; afterBytes: number }
  /** The service gets all, the client the first bytes of the answer. */
  | { kind: 'cutResponse'; afterBytes: number }
  /** This one is cut before its first byte, and for so long nobody listens. */
  | { kind: 'outage'; forMs: number };

export interface CutLine {
  /** Where the client connects to. */
  url: string;
  /** How many connections met each fate. A connection that was refused meets none. */
  met: Record<Fate['kind'], number>;
  /** Resolves when somebody listens. */
  up(): Promise<void>;
  /** Listens no more until `listen`; connections that stand are left alone. */
  down(): void;
  listen(): Promise<void>;
  /** Resolves when every connection that there was is over: nothing is on its way any more. */
  quiet(): Promise<void>;
  /** From now on everything passes; resolves when somebody listens and every earlier connection is over. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Lays a line to the service at `target`; `choose` is asked once for each connection. */
export async function startCutLine(target: string, choose: () => Fate): Promise<CutLine> {
  const { hostname, port: servicePort } = new URL(target);
  const met = { pass: 0, delay: 0, cutRequest: 0, cutResponse: 0, outage: 0 };
  const open = new Set<Socket>();
  let healed = false;
  let closed = false;
  let listening: Server | undefined;

  function track(socket: Socket): Socket {
    open.add(socket);
    return socket.on('error', () => undefined).once('close', () => open.delete(socket));
  }

  function onConnection(client: Socket): void {
    const fate: Fate = healed ? { kind: 'pass' } : choose();
    met[fate.kind] += 1;
    track(client);
    if (fate.kind === 'outage') {
      client.resetAndDestroy();
      down();
      void sleep(fate.forMs).then(listen);
      return;
    }
    join(client, track(connect({ host: hostname, port: Number(servicePort), allowHalfOpen: true })), fate);
  }

  async function quiet(): Promise<void> {
    while (open.size > 0) await sleep(10);
  }

  let port = 0;
  async function listen(): Promise<void> {
    if (listening || closed) return;
    const server = createServer({ allowHalfOpen: true }, onConnection);
    listening = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  }

  function down(): void {
    listening?.close();
    listening = undefined;
  }

  async function up(): Promise<void> {
    while (!listening?.listening) await sleep(5);
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    met,
    up,
    down,
    listen,
    quiet,
    async heal() {
      healed = true;
      await listen();
      await up();
      await quiet();
    },
    async close() {
      closed = true;
      down();
      for (const socket of open) socket.destroy();
    },
  };
}

function join(client: Socket, service: Socket, fate: Exclude<Fate, { kind: 'outage' }>): void {
  const cut = () => {
    client.destroySoon();
    service.end();
    // What the service still answers is read and lost, so that it is not held up.
    service.resume();
  };
  pump(client, service, {
    delayMs: fate.kind === 'delay' ? fate.requestMs : 0,
    limit: fate.kind === 'cutRequest' ? fate.afterBytes : Infinity,
    cut,
  });
  pump(service, client, {
    delayMs: fate.kind === 'delay' ? fate.responseMs : 0,
    limit: fate.kind === 'cutResponse' ? fate.afterBytes : Infinity,
    cut,
    // Of a request that is to be cut no answer comes back, not even to its first bytes.
    mute: fate.kind === 'cutRequest',
  });
}

interface Pumping {
  delayMs: number;
  /** Bytes that pass. */
  limit: number;
  cut: () => void;
  mute?: boolean;
}

function pump(from: Socket, to: Socket, { delayMs, limit, cut, mute = false }: Pumping): void {
  let left = limit;
  let isCut = false;
  // Timers of one length fire in the order they were set, so nothing overtakes.
  const later = (action: () => void) => (delayMs === 0 ? action() : void setTimeout(action, delayMs));
  from.on('data', (chunk: Buffer) => {
    if (isCut || mute) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    isCut = left <= 0;
    later(() => {
      if (to.writable) to.write(part);
    });
    if (isCut) later(cut);
  });
  from.once('end', () => later(() => to.end()));
  // A side that is torn down says no 'end'; what it sent before is on its way.
  from.once('close', () => later(() => to.end()));
}
