// The real core over a real store in a folder of its own and an instant platform, with accounts that can pay and codes to take.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/clock.ts';
import { createCore, createGames, type ApiKeyActor, type Core } from '../../src/core/index.ts';
import { randomIds } from '../../src/ids.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { createInstantPlatform } from './instant-platform.ts';

export const GAME_ID = 'game_id_1';
export const DENOMINATION = 60;
export const ACCOUNTS = 64;

const GAMES = createGames(
  JSON.parse(readFileSync(new URL('../../data/games.json', import.meta.url), 'utf8')),
);
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface BenchAccount {
  actor: ApiKeyActor;
  apiKey: string;
}

export interface BenchCore {
  core: Core;
  store: Store;
  path: string;
  accounts: BenchAccount[];
  /** Adds as many fresh codes, spread evenly over the accounts. */
  fill(codes: number): Promise<void>;
  close(): Promise<void>;
}

/** A folder for a measurement, and how to be rid of it. */
export function makeFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Opens it on `path`, or in a new folder that `close` removes. */
export async function openBenchCore(path?: string): Promise<BenchCore> {
  const { folder, remove } = path === undefined ? makeFolder() : { folder: '', remove: () => undefined };
  const database = path ?? join(folder, 'redemption.db');
  const store = createStore({ path: database, exclusive: false });
  const platform = createInstantPlatform();
  const core = createCore({
    store,
    platform,
    games: GAMES,
    clock: systemClock,
    ids: randomIds,
    log: SILENT,
    platformTimeoutMs: 45_000,
  });
  const accounts = await openAccounts(core);
  return {
    core,
    store,
    path: database,
    accounts,
    async fill(codes) {
      for (const { actor } of accounts) {
        const lot = { denomination: DENOMINATION, codes: makeCodes(Math.ceil(codes / accounts.length)) };
        await core.codes.add(actor, GAME_ID, [lot]);
      }
    },
    async close() {
      await core.stop(0);
      await store.close();
      remove();
    },
  };
}

async function openAccounts(core: Core): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const opened = await core.accounts.create(
      { kind: 'host' },
      { name: `Shop ${index}`, days: 30, purchased: 1_000_000 },
    );
    const actor = { kind: 'apiKey', accountId: opened.accountId, apiKeyId: index + 1 } as const;
    accounts.push({ actor, apiKey: opened.apiKey });
  }
  return accounts;
}

/** Fresh codes, such as the sandbox redeems for 60. */
export function makeCodes(count: number): string[] {
  return Array.from({ length: count }, () => `60S${randomIds.secret(12).replaceAll(/[-_]/g, '0')}`);
}
