// A process of its own: the platform, as another service of the same interface, and a shop that has to do with nobody
// else and redeems at a steady pace. What it measures is not held up by whoever makes the load.
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Players whose look-up takes so long begin with this. */
export const SLOW_PLAYER = '15';
const SLOW_MS = 15_000;
const QUICK_MS = 5;

export interface RedeemOrder {
  url: string;
  apiKey: string;
  perSecond: number;
  ms: number;
}

export interface Redeemed {
  /** From the moment a request was due to the last byte of its answer, sorted. */
  latenciesMs: number[];
  /** When it was due, after the beginning; after how long the platform was asked, and it was answered. */
  slowest: { dueMs: number; askedMs: number; answeredMs: number };
  /** Answers that were no receipts, by status and errorCode. */
  failures: Record<string, number>;
}

const agent = new Agent({ keepAlive: true });
let redemptions = 0;
/** When the platform heard of a player's order. */
const askedAt = new Map<string, number>();

// Importing it elsewhere, for the names above, does nothing.
if (process.env.FAIRNESS_OUTSIDE === '1') void install();

async function install(): Promise<void> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('message', (order: RedeemOrder) => {
    void redeemSteadily(order).then((redeemed) => process.send?.(redeemed));
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ port: (server.address() as AddressInfo).port });
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://platform');
  const body = await read(incoming);
  if (pathname === '/redeem') askedAt.set(String(body.playerId), performance.now());
  const isSlow = searchParams.get('playerId')?.startsWith(SLOW_PLAYER);
  setTimeout(
    () => {
      outgoing.writeHead(pathname === '/redemption-time' ? 404 : 200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(describe(pathname, searchParams, body)));
    },
    isSlow ? SLOW_MS : QUICK_MS,
  );
}

function describe(path: string, query: URLSearchParams, body: Record<string, unknown>): object {
  const person = { openid: '51709255', name: 'Swift Falcon' };
  switch (path) {
    case '/redeem':
      return { type: 'ActivationReceipt', id: 1, warning: false, ...person, ...pick(body), amount: 60 };
    case '/character':
      return { ...person, gameId: query.get('gameId'), playerId: query.get('playerId') };
    case '/redemption-time':
      return { error: 'Not redeemed.', errorCode: 'CODE_NOT_FOUND' };
    default:
      return { status: 'ok' };
  }
}

const pick = ({ codeOverride, gameId, playerId }: Record<string, unknown>) => ({
  code: codeOverride,
  gameId,
  playerId,
});

async function read(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function redeemSteadily({ url, apiKey, perSecond, ms }: RedeemOrder): Promise<Redeemed> {
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  let slowest = { dueMs: 0, askedMs: 0, answeredMs: 0 };
  const all: Promise<void>[] = [];
  const startedAt = performance.now();
  const count = Math.round((perSecond * ms) / 1000);
  await new Promise<void>((resolve) => {
    const sendDue = () => {
      while (all.length < count && startedAt + (all.length * 1000) / perSecond <= performance.now()) {
        const dueAt = startedAt + (all.length * 1000) / perSecond;
        const playerId = String(7_000_000_000 + (redemptions += 1));
        const sent = redeem(url, apiKey, playerId).then((failure) => {
          const took = performance.now() - dueAt;
          latenciesMs.push(took);
          const askedMs = (askedAt.get(playerId) ?? NaN) - dueAt;
          if (took > slowest.answeredMs) slowest = { dueMs: dueAt - startedAt, askedMs, answeredMs: took };
          if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
        });
        all.push(sent);
      }
      if (all.length === count) resolve();
      else setTimeout(sendDue, 1);
    };
    sendDue();
  });
  await Promise.all(all);
  return { latenciesMs: latenciesMs.sort((a, b) => a - b), slowest, failures };
}

/** undefined: a receipt. */
function redeem(url: string, apiKey: string, playerId: string): Promise<string | undefined> {
  const body = JSON.stringify({ gameId: 'game_id_1', playerId, denomination: 60 });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    'idempotency-key': `calm-${playerId}-${process.pid}`,
  };
  return new Promise((resolve) => {
    const outgoing = request(`${url}/redeem`, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => {
        const { statusCode = 0 } = incoming;
        resolve(
          statusCode === 200 ? undefined : `${statusCode} ${/"errorCode":"(\w+)"/.exec(text)?.[1] ?? ''}`,
        );
      });
      incoming.on('error', () => resolve('cut'));
    });
    outgoing.on('error', () => resolve('refused'));
    outgoing.end(body);
  });
}
