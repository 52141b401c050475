// Rows 4 and 5: POST /redeem over loopback. Beside the same server whose core answers without touching the store at all
// (not for the redemption, not for the key, not for the quota); and at a fixed rate of arrival, whatever becomes of the
// requests, with a platform that takes its time. Lines of the log are made and thrown away.
import { receiptOf } from '../harness/receipt-of.ts';
import { systemClock } from '../../src/clock.ts';
import type { Core, Redemption } from '../../src/core/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLogger } from '../../src/log.ts';
import { openBenchCore } from './bench-core.ts';
import {
  compare,
  roundsOf,
  scaled,
  value,
  type BenchGroup,
  type BenchOptions,
  type Figure,
} from './figures.ts';
import { startClient } from './http-load.ts';
import { createInstantPlatform } from './instant-platform.ts';
import { quantile, takeTurns } from './rounds.ts';
import { AT_ONCE, DENOMINATION, RECEIPT } from './terms.ts';

const AT = { host: '127.0.0.1', port: 0 };
const PER_SECOND = 900;
const PLATFORM_MS = 50;
/** Enough that a request never waits for a connection while those before it take a quarter of a second. */
const OPEN_CONNECTIONS = 256;

export const http: BenchGroup = {
  rows: [4, 5],
  async measure(row, options) {
    return [row === 4 ? await measureThroughput(options) : await measureLatency(options)];
  },
};

async function measureThroughput(options: BenchOptions): Promise<Figure> {
  const rounds = roundsOf(options);
  const requests = scaled(options, { tiny: 200, quick: 4_000, normal: 12_000 });
  options.tell(`4: ${rounds} rounds of ${requests} requests`);
  const bench = await openBenchCore();
  await bench.fill((rounds + 1) * requests + 1_000);
  const ours = serve(bench.core);
  const bare = serve(withoutStore(bench.core));
  const ports = { ours: (await ours.listen(AT)).port, bare: (await bare.listen(AT)).port };
  const client = startClient({ ownCore: true });
  const load = { connections: AT_ONCE, apiKeys: bench.accounts.map(({ apiKey }) => apiKey), requests };
  for (const port of Object.values(ports)) await client.run({ ...load, port, requests: requests / 2 });
  const rates = await takeTurns(rounds, {
    ours: async () => (await client.run({ ...load, port: ports.ours })).perSecond,
    bare: async () => (await client.run({ ...load, port: ports.bare })).perSecond,
  });
  client.close();
  await Promise.all([ours.close(), bare.close()]);
  await bench.close();
  return compare(4, 'POST /redeem / the same server and validation with no store work', {
    ours: rates.ours,
    against: rates.bare,
    atLeast: 0.4,
    unit: 'requests/s',
    load: rates.load,
    note: client.ownCore
      ? 'the client has the last core, the server the others'
      : 'the client shares the cores with the server',
  });
}

async function measureLatency(options: BenchOptions): Promise<Figure> {
  const rounds = roundsOf(options);
  const requests = PER_SECOND * scaled(options, { tiny: 1, quick: 5, normal: 20 });
  options.tell(`5: ${rounds} rounds of ${requests} requests, ${PER_SECOND} a second`);
  const bench = await openBenchCore({ platform: createInstantPlatform({ latencyMs: PLATFORM_MS }) });
  await bench.fill((rounds + 1) * requests + 1_000);
  const ours = serve(bench.core);
  const { port } = await ours.listen(AT);
  const client = startClient({ ownCore: true });
  const apiKeys = bench.accounts.map(({ apiKey }) => apiKey);
  const order = { port, apiKeys, connections: OPEN_CONNECTIONS, perSecond: PER_SECOND };
  await client.run({ ...order, requests: PER_SECOND });
  let refused = 0;
  const { p99, load } = await takeTurns(rounds, {
    p99: async () => {
      const { latenciesMs, failures } = await client.run({ ...order, requests });
      refused += failures;
      return quantile(latenciesMs, 0.99) - PLATFORM_MS;
    },
  });
  client.close();
  await ours.close();
  await bench.close();
  return value(5, `POST /redeem at ${PER_SECOND}/s: p99 without the platform's ${PLATFORM_MS} ms`, {
    values: p99,
    atMost: 20,
    unit: 'ms',
    load,
    note: `from the moment a request was due; ${refused} of ${rounds * requests} refused, each counted as a minute`,
  });
}

export function serve(core: Core) {
  const log = createLogger({ level: 'info', destination: { write: () => undefined } });
  return createHttpServer({ core, clock: systemClock, log });
}

/** The same core, but for the verbs that a redemption over HTTP calls. */
function withoutStore(core: Core): Core {
  const quota = {
    daily: { limit: 300, used: 0, remaining: 300 },
    purchased: 0,
    subscriptionExpiresAt: undefined,
    wholeLeft: 300,
    boughtInAll: 0,
    secondsUntilNext: 0,
  };
  const caller = { actor: { kind: 'apiKey', accountId: 1, apiKeyId: 1 }, subscriptionActive: true } as const;
  return {
    ...core,
    redeem: (_actor, { gameId, playerId }) =>
      Promise.resolve({ status: 'answered', redemption: describe(gameId, playerId), replayed: false }),
    quota: () => quota,
    apiKeys: { ...core.apiKeys, authenticate: () => caller },
  };
}

function describe(gameId: string, playerId: string): Redemption {
  const { openid, name: playerName, region, productName, amount, uid, email, password } = RECEIPT;
  const now = Date.now();
  return receiptOf({
    ...{ gameId, playerId, playerName, openid, denomination: DENOMINATION, code: '60S1234567890123' },
    ...{ region: region ?? null, productName: productName ?? null, amount: amount ?? null },
    ...{ createdAt: now, settledAt: now, tookMs: 0 },
    credentials: { uid, email, password },
  });
}
