// Whoever is told by webhooks: a real server that remembers what came and answers as it is told.
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** How every request is answered from now on; 204 at first. */
  answer: RequestListener;
  /** Requests whose answer is still to come. */
  open(): number;
  close(): Promise<void>;
}

/** `onArrival`: called with each request that has come whole. */
export async function startReceiver(
  make: (listen: RequestListener) => Server = createServer,
  onArrival: () => void = () => undefined,
): Promise<Receiver> {
  let open = 0;
  const server = make((request, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      receiver.received.push({ path: request.url ?? '', headers: request.headers, body });
      onArrival();
      receiver.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: (_request, response) => response.writeHead(204).end(),
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
