// A local HTTP server that answers what the test tells it, well-formed or broken, and remembers what it heard.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one request brought. */
interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers one request, or breaks it. */
export type Script = (response: ServerResponse, heard: Heard) => void;

export interface ScriptedServer {
  /** Its address, without a path. */
  url: string;
  heard: Heard[];
  connections(): number;
  answerWith(script: Script): void;
  close(): Promise<void>;
}

/** Starts on a free port; every request is read whole before it is answered. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  let connections = 0;
  let script: Script = (response) => void response.writeHead(500).end();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const what = { method: request.method, url: request.url, headers: request.headers, body };
      heard.push(what);
      script(response, what);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    connections: () => connections,
    answerWith: (next) => void (script = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with this body, whatever it is. */
export function raw(status: number, body: string | Buffer, headers: Record<string, string> = {}): Script {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Answers with a JSON document. */
export function json(status: number, body: unknown): Script {
  return raw(status, JSON.stringify(body));
}

/** Sends headers and a beginning, then cuts the connection before the promised length. */
export function cutAfter(status: number, beginning: string): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write(beginning, () => response.destroy());
  };
}

/** The address of a port where nobody listens (any more). */
export async function findClosedAddress(host = '127.0.0.1'): Promise<string> {
  const server = await startScriptedServer();
  await server.close();
  return `http://${host}:${new URL(server.url).port}`;
}
