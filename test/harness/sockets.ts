// HTTP by hand: a client that sends any bytes at all and reports what it heard before the connection ended.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Heard {
  status: number;
  headers: string;
  body: string;
}

export interface RawClient {
  socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next whole answer with a Content-Length; rejects when the connection ends before it. */
  next(): Promise<Heard>;
  /** Resolves when the connection has ended, however. */
  ended: Promise<void>;
}

export function connectRaw(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  let over = false;
  let wake = (): void => undefined;
  // A character for each byte: Content-Length counts bytes.
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    wake();
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      over = true;
      wake();
      resolve();
    });
  });

  return {
    socket,
    ended,
    send: (bytes) => void (over || socket.write(bytes)),
    async next() {
      for (;;) {
        const heard = takeAnswer(received);
        if (heard) {
          received = heard.rest;
          return heard;
        }
        if (over) throw new Error(`the connection ended after: ${received.slice(0, 200)}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

function takeAnswer(text: string): (Heard & { rest: string }) | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const headers = text.slice(0, end);
  const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
  const rest = text.slice(end + 4);
  if (rest.length < length) return undefined;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]);
  const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
  return { status, headers, body, rest: rest.slice(length) };
}
