// A proxy between a client and the service that loses requests, loses answers, delays them, cuts them, puts other
// answers in their place, and hangs up on the service while it works. It remembers what the service really answered.
import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pause } from '../../src/waiting.ts';
import type { Seeded } from '../harness/seeded.ts';

export interface FaultyProxy {
  url: string;
  /** Each request that reached the service: its body, and the answer that the service gave. */
  forwarded: { body: string; status: number; answer: string }[];
  /** The bodies of those that may have reached the service before the proxy hung up. */
  abandoned: string[];
  /** How often each fault struck. */
  faults: Record<string, number>;
  close(): Promise<void>;
}

const FAULTS = {
  none: 50,
  requestLost: 6,
  answerLost: 12,
  answerCut: 6,
  answerLate: 10,
  replacedAfter: 10,
  replacedBefore: 6,
  /** It is carried out, and the answer is a page that looks final. */
  finalAfter: 6,
  hungUp: 6,
};
/** What a proxy says of itself. */
const REPLACEMENTS = [408, 429, 500, 502, 504].map((status) => ({ status, page: '{"error":"a gateway"}' }));
/** No client repeats these by itself. */
const FINAL_PAGES = [401, 403, 404, 413].map((status) => ({ status, page: `<h1>${status}</h1>` }));
const LONGEST_DELAY_MS = 300;
const HANGS_UP_WITHIN_MS = 20;

export async function startFaultyProxy(target: () => string, seeded: Seeded): Promise<FaultyProxy> {
  const forwarded: FaultyProxy['forwarded'] = [];
  const abandoned: string[] = [];
  const faults: Record<string, number> = {};

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = seeded.weigh(FAULTS);
    const replacement = seeded.pick(fault === 'finalAfter' ? FINAL_PAGES : REPLACEMENTS);
    const delayMs = seeded.below(LONGEST_DELAY_MS);
    faults[fault] = (faults[fault] ?? 0) + 1;
    const body = await readAll(incoming);
    if (fault === 'requestLost') return void outgoing.destroy();
    if (fault === 'replacedBefore') return void outgoing.writeHead(replacement.status).end(replacement.page);
    const hangUpMs = fault === 'hungUp' ? delayMs % HANGS_UP_WITHIN_MS : undefined;
    const { status, answer, headers } = await forward(target(), incoming, body, hangUpMs).catch(
      (error: unknown) => {
        abandoned.push(body);
        throw error;
      },
    );
    forwarded.push({ body, status, answer });
    switch (fault) {
      case 'answerLost':
        return void outgoing.destroy();
      case 'answerCut':
        outgoing.writeHead(status, headers);
        outgoing.write(answer.slice(0, answer.length / 2), () => outgoing.destroy());
        return;
      case 'replacedAfter':
      case 'finalAfter':
        return void outgoing.writeHead(replacement.status).end(replacement.page);
      case 'answerLate':
        await pause(delayMs);
        break;
      case 'none':
      case 'hungUp':
    }
    outgoing.writeHead(status, headers).end(answer);
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwarded,
    abandoned,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(stream: IncomingMessage): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Rejects when the connection breaks, also by hanging up. */
function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: string,
  hangUpMs: number | undefined,
) {
  return new Promise<{ status: number; answer: string; headers: OutgoingHttpHeaders }>((resolve, reject) => {
    const outgoing = request(`${target}${url ?? ''}`, { method, headers }, (incoming) => {
      readAll(incoming).then((answer) => {
        const told = { ...incoming.headers, 'content-length': String(Buffer.byteLength(answer)) };
        delete told['transfer-encoding'];
        resolve({ status: incoming.statusCode ?? 0, answer, headers: told });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    if (hangUpMs !== undefined) setTimeout(() => outgoing.destroy(new Error('hung up')), hangUpMs);
  });
}
