// Rows 4 and 5: POST /redeem over loopback, beside the same server whose core answers without touching the store at all:
// not for the redemption, not for the key, not for the quota. Lines of the log are made and thrown away.
import { systemClock } from '../../src/clock.ts';
import type { Core, Redemption } from '../../src/core/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLogger } from '../../src/log.ts';
import { DENOMINATION, openBenchCore } from './bench-core.ts';
import { atLeast, atMost, median, roundsOf, takeTurns, type BenchGroup, type Figure } from './figures.ts';
import { quantile, startClient } from './http-load.ts';
import { RECEIPT } from './instant-platform.ts';

const CONNECTIONS = 64;
const AT = { host: '127.0.0.1', port: 0 };

export const http: BenchGroup = {
  rows: [4, 5],

  async measure(asked, options) {
    const rounds = roundsOf(options);
    const requests = options.quick ? 2_000 : 8_000;
    const bench = await openBenchCore();
    options.tell('http: filling the database');
    await bench.fill((2 * rounds + 1) * requests + 1_000);
    const ours = serve(bench.core);
    const bare = serve(withoutStore(bench.core));
    const ports = { ours: (await ours.listen(AT)).port, bare: (await bare.listen(AT)).port };
    const client = startClient();
    const apiKeys = bench.accounts.map(({ apiKey }) => apiKey);
    const load = { connections: CONNECTIONS, apiKeys, requests };

    options.tell(`http: ${rounds} rounds of ${requests}`);
    for (const port of Object.values(ports)) await client.run({ ...load, port, requests: requests / 2 });
    const rates = await takeTurns(rounds, {
      ours: async () => (await client.run({ ...load, port: ports.ours })).perSecond,
      bare: async () => (await client.run({ ...load, port: ports.bare })).perSecond,
    });
    const figures: Figure[] = [];
    if (asked.has(4)) {
      const compared = {
        ours: median(rates.ours),
        against: median(rates.bare),
        goal: 0.4,
        unit: 'requests/s',
      };
      figures.push(atLeast(4, 'POST /redeem / the same server with no store work', compared));
    }
    if (asked.has(5)) {
      const perSecond = Math.max(...rates.ours) / 2;
      const open = { ...load, port: ports.ours, requests: requests / 2, perSecond };
      const { p99 } = await takeTurns(rounds, {
        p99: async () => quantile((await client.run(open)).latenciesMs, 0.99),
      });
      const title = `p99 of POST /redeem, open loop at ${Math.round(perSecond)} requests/s`;
      figures.push(atMost(5, title, { ours: median(p99), goal: 25, unit: 'ms' }));
    }
    client.close();
    await Promise.all([ours.close(), bare.close()]);
    await bench.close();
    return figures;
  },
};

function serve(core: Core) {
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
  return {
    id: 1,
    accountId: 1,
    actor: 'apiKey:1',
    gameId,
    playerId,
    mode: 'database',
    denomination: DENOMINATION,
    code: '60S1234567890123',
    createdAt: now,
    settledAt: now,
    tookMs: 0,
    state: 'redeemed',
    codeReset: false,
    warning: false,
    openid,
    playerName,
    ...(region !== undefined && { region }),
    ...(productName !== undefined && { productName }),
    ...(amount !== undefined && { amount }),
    credentials: {
      ...(uid !== undefined && { uid }),
      ...(email !== undefined && { email }),
      ...(password !== undefined && { password }),
    },
  };
}
