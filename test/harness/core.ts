// The real core over a real store and a scripted platform, with one account that has a subscription.
import { createCore, createGames, type ApiKeyActor, type Core, type CoreDeps } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createScriptedPlatform, type ScriptedPlatform } from './platform.ts';
import { openTestStore, type TestStore } from './store.ts';
import { alone } from '../../src/platforms.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

export const TEST_GAMES = createGames([
  {
    id: 'game_id_1',
    currency: 'UC',
    database: true,
    denominations: [60, 325],
    codePattern: '^[A-Za-z0-9]{12,32}$',
    receipts: 'account',
  },
  {
    id: 'game_id_2',
    currency: 'diamonds',
    database: false,
    denominations: [],
    codePattern: '^[A-Za-z0-9]{12,32}$',
    receipts: 'account',
  },
  {
    id: 'game_id_3',
    currency: 'currency',
    database: false,
    denominations: [],
    codePattern: '^[A-Za-z0-9]{12,32}$',
    receipts: 'session',
  },
  {
    id: 'game_id_4',
    currency: 'gems',
    database: true,
    denominations: [60, 100],
    codePattern: '^[A-Za-z0-9]{12,32}$',
    receipts: 'account',
  },
]);

export interface TestCore {
  core: Core;
  store: Store;
  clock: TestStore['clock'];
  platform: ScriptedPlatform;
  /** Of the first account. */
  actor: ApiKeyActor;
  openAccount(options?: { days?: number; purchased?: number }): Promise<ApiKeyActor>;
  /** A second core over the same store, as after a restart; perhaps with other parts. */
  restart(parts?: Partial<CoreDeps>): Core;
  /** See TestStore. */
  inspect: TestStore['inspect'];
  until: TestStore['until'];
  allowDrift(): void;
  close(): Promise<void>;
}

export async function openTestCore(
  options: { platformTimeoutMs?: number; platformHasOwnClock?: boolean } = {},
): Promise<TestCore> {
  const { store, clock, ids, inspect, until, allowDrift, close } = openTestStore();
  const start = clock.now() - clock.elapsed();
  const platform = createScriptedPlatform(() =>
    options.platformHasOwnClock === true ? start + clock.elapsed() : clock.now(),
  );
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const cores: Core[] = [];
  const restart = (parts: Partial<CoreDeps> = {}) => {
    const deps = { store, upstreams: alone(platform), games: TEST_GAMES, clock, ids, log };
    const platformTimeoutMs = options.platformTimeoutMs ?? 45_000;
    const core = createCore({ ...deps, platformTimeoutMs, ...parts });
    cores.push(core);
    return core;
  };
  const openAccount: TestCore['openAccount'] = async ({ days = 30, purchased = 0 } = {}) => {
    const { accountId } = await core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: 'Shop', days, purchased },
    );
    return { kind: 'apiKey', accountId, apiKeyId: 1 };
  };
  const core = restart();
  const actor = await openAccount();
  return {
    core,
    store,
    clock,
    platform,
    actor,
    openAccount,
    restart,
    inspect,
    until,
    allowDrift,
    async close() {
      await Promise.all(cores.map((each) => each.stop(0)));
      await close();
    },
  };
}

let codesMade = 0;
/** A fresh well-formed code that the sandbox would redeem, too. */
export function makeCode(prefix = '60S'): string {
  return `${prefix}${String((codesMade += 1)).padStart(13, '0')}`;
}
