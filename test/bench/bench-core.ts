// The real core over a real store in a folder of its own and an instant platform, with accounts that can pay and codes
// to take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock, type Clock } from '../../src/clock.ts';
import { createCore, createGames, type ApiKeyActor, type Core } from '../../src/core/index.ts';
import { randomIds } from '../../src/ids.ts';
import type { Platform } from '../../src/platform/port.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { makeFolder } from './folders.ts';
import { createInstantPlatform } from './instant-platform.ts';
import { rate } from './rounds.ts';
import { ACCOUNTS, AT_ONCE, DENOMINATION, GAME_ID } from './terms.ts';
import { alone } from '../../src/platforms.ts';

const GAMES = createGames(
  JSON.parse(readFileSync(new URL('../../data/games.json', import.meta.url), 'utf8')),
);
export const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface BenchAccount {
  actor: ApiKeyActor;
  apiKey: string;
}

export interface BenchOptions {
  /** Else a new file in a folder that `close` removes. */
  path?: string | undefined;
  clock?: Clock;
  platform?: Platform;
  onCommit?: (writes: number) => void;
  /** How many are opened. */
  accounts?: number;
}

export interface BenchCore {
  core: Core;
  store: Store;
  path: string;
  accounts: BenchAccount[];
  /** Adds so many fresh codes, spread evenly over the accounts. */
  fill(codes: number): Promise<void>;
  /** So many redemptions, 64 under way at the same moment, by the accounts in turn. How many a second. */
  redeem(count: number, actors?: readonly ApiKeyActor[]): Promise<number>;
  close(): Promise<void>;
}

export async function openBenchCore(options: BenchOptions = {}): Promise<BenchCore> {
  const { folder, remove } =
    options.path === undefined ? makeFolder() : { folder: '', remove: () => undefined };
  const path = options.path ?? join(folder, 'redemption.db');
  const { onCommit } = options;
  const store = createStore({ path, exclusive: true, ...(onCommit && { onCommit }) });
  const core = createCore({
    store,
    upstreams: alone(options.platform ?? createInstantPlatform()),
    games: GAMES,
    clock: options.clock ?? systemClock,
    ids: randomIds,
    log: SILENT,
    platformTimeoutMs: 45_000,
    checkWebhookAddress: (url) => Promise.resolve({ url }),
  });
  const accounts = await openAccounts(core, options.accounts ?? ACCOUNTS);
  const actors = accounts.map(({ actor }) => actor);
  return {
    core,
    store,
    path,
    accounts,
    async fill(codes) {
      for (const actor of actors) await addCodes(core, actor, Math.ceil(codes / actors.length));
    },
    redeem: (count, given = actors) => redeem(core, given, count),
    async close() {
      await core.stop(0);
      await store.close();
      remove();
    },
  };
}

export async function addCodes(core: Core, actor: ApiKeyActor, count: number): Promise<void> {
  await core.codes.add(actor, GAME_ID, [{ denomination: DENOMINATION, codes: makeCodes(count) }]);
}

async function redeem(core: Core, actors: readonly ApiKeyActor[], count: number): Promise<number> {
  let begun = 0;
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    while (begun < count) {
      const actor = actors[(begun += 1) % actors.length];
      if (actor) await redeemOne(core, actor);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rate(count, startedAt);
}

async function redeemOne(core: Core, actor: ApiKeyActor): Promise<void> {
  const request = { gameId: GAME_ID, playerId: '5124780131', denomination: DENOMINATION };
  const answer = await core.redeem(actor, request);
  if (answer.status !== 'answered' || answer.redemption.state !== 'redeemed')
    throw new Error(`A redemption went wrong: ${JSON.stringify(answer)}`);
}

async function openAccounts(core: Core, count: number): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = [];
  for (let index = 0; index < count; index += 1) {
    const opened = await core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: `Shop ${index}`, days: 3650, purchased: 1_000_000 },
    );
    accounts.push({ actor: actorOf(core, opened.apiKey), apiKey: opened.apiKey });
  }
  return accounts;
}

/** Who acts with this key. */
export function actorOf(core: Core, apiKey: string): ApiKeyActor {
  const caller = core.apiKeys.authenticate(apiKey);
  if (!caller) throw new Error('The key of a new account is not known.');
  return caller.actor;
}

/** Fresh codes, such as the sandbox redeems for 60. */
export function makeCodes(count: number): string[] {
  return Array.from({ length: count }, () => `60S${randomIds.secret(12).replaceAll(/[-_]/g, '0')}`);
}
