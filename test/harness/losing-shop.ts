// A shop whose machine is lost: the real core over a real file and a scripted platform, and a takeover by a backup that
// lacks what happened since.
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

import { createManualClock, type ManualClock } from '../../src/clock.ts';
import { CoreError, createCore, type ApiKeyActor, type Core } from '../../src/core/index.ts';
import type { Redemption } from '../../src/core/receipts/receipts.ts';
import { canProveBySettings } from '../../src/core/upstreams/witnesses.ts';
import { randomIds } from '../../src/ids.ts';
import type { CodeOutcome, Upstream } from '../../src/platform/port.ts';
import { alone } from '../../src/platforms.ts';
import { backup } from '../../src/store/backup/backup.ts';
import { checkConservation } from '../../src/store/backup/conservation.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { openReader } from '../../src/store/engine/connection.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { TEST_GAMES } from './core.ts';
import { layFreshDatabase } from './fresh-database.ts';
import { createScriptedPlatform, type ScriptedPlatform } from './platform.ts';

/** What is waited for up to so long passes at once; limits of time are longer. */
const PAUSES_MS = 5_000;
export const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
export const [ANN, BOB] = ['5170925570', '5170925571'];
const HOST = { kind: 'host', by: 'cli' } as const;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const REDEEMED = {
  ...({ status: 'redeemed', expiresAt: 0, channelName: 'test' } as const),
  ...{ openid: 'o', amount: 60, productName: '60' },
};

export type Answered = Redemption & { replayed: boolean };

type Wanted = Pick<Parameters<Core['redeem']>[1], 'gameId' | 'denomination'>;

interface State {
  folder: string;
  key: Buffer;
  clock: ManualClock;
  platform: ScriptedPlatform;
  upstreams: Upstream[];
  store: Store;
  core: Core;
  actor: ApiKeyActor;
  codes: number;
}

/** A new one before each test of the file. */
export function useLosingShop() {
  // What `beforeEach` fills.
  const t = {} as State;
  const path = () => join(t.folder, 'redemption.db');
  const backupFile = () => join(t.folder, 'backup.db');
  /** What the machine that is gone has left. */
  const lost = () => join(t.folder, 'lost.db');

  function open(): void {
    const { upstreams, clock } = t;
    t.store = createStore({ path: path(), exclusive: false });
    t.core = createCore({
      ...{ store: t.store, upstreams, games: TEST_GAMES, clock, ids: randomIds, log: LOG },
      platformTimeoutMs: 45_000,
      checkWebhookAddress: (url) => Promise.resolve({ url }),
    });
  }
  async function end(): Promise<void> {
    await t.core.stop(0);
    await t.store.close();
  }
  async function restart(): Promise<void> {
    await end();
    open();
  }

  beforeEach(async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 13, 12));
    const platform = createScriptedPlatform(() => clock.now());
    const folder = mkdtempSync(join(tmpdir(), 'takeover-'));
    layFreshDatabase(folder);
    const key = Buffer.from(readFileSync(join(folder, 'encryption.key'), 'utf8'), 'base64');
    Object.assign(t, { folder, key, clock, platform, upstreams: alone(platform), codes: 0 });
    const later = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms = 0) =>
      later(work, ms > PAUSES_MS ? ms : 0),
    );
    open();
    const { accountId } = await t.core.accounts.create(HOST, { name: 'S', days: 60 });
    t.actor = { kind: 'apiKey', accountId, apiKeyId: 1 };
  });
  afterEach(async () => {
    await end();
    vi.restoreAllMocks();
    rmSync(t.folder, { recursive: true });
  });

  const canProve = (gameId: string) => canProveBySettings(t.upstreams, gameId);
  /** The machine dies, and another serves what the backup has. */
  async function goOn(): Promise<void> {
    await end();
    renameSync(path(), lost());
    restore({ file: backupFile(), databasePath: path(), key: t.key, now: t.clock.now(), canProve });
    t.clock.advance(t.platform.settlingMs);
    open();
  }

  /** What is answered 429 is sent once more when its stock was swept; while that cannot be, it is thrown. */
  async function redeem(what: Parameters<Core['redeem']>[1], key?: string): Promise<Answered> {
    const keyed = key === undefined ? {} : { idempotencyKey: { scope: 'http' as const, key } };
    const ask = () => t.core.redeem(t.actor, { ...what, ...keyed });
    const answer = await ask().catch(async (error: unknown) => {
      if (!(error instanceof CoreError) || error.code !== 'OVERLOADED') throw error;
      return (await goThrough(what)) ? ask() : Promise.reject(error);
    });
    if (answer.status !== 'answered') throw new Error(answer.status);
    return { ...answer.redemption, replayed: answer.replayed };
  }

  /** The sweep of a stock key has its turn; false where it is not over then. */
  async function goThrough({ gameId, denomination = 0 }: Wanted = STOCK_KEY): Promise<boolean> {
    const { accountId } = t.actor;
    const isSwept = () =>
      t.core.sweeps.list(HOST).every((key) => key.gameId !== gameId || key.denomination !== denomination);
    const isDue = () => {
      const task = t.store.read(({ tasks }) =>
        tasks.findFirst(`sweep:${accountId}:${gameId}:${denomination}`),
      );
      return task !== undefined && task.runAt <= t.clock.now();
    };
    await t.core.start();
    while (!isSwept() && isDue()) await setImmediate();
    return isSwept();
  }

  return Object.assign(t, {
    ...{ path, lost, open, end, restart, redeem, goThrough, sweep: () => goThrough() },
    /** Everything that happens in `lostTime` is forgotten, `lostMs` long. */
    async takeOver(lostTime: () => Promise<unknown>, lostMs = 10_000): Promise<void> {
      rmSync(backupFile(), { force: true });
      await backup(path(), backupFile(), { secrets: t.store.secrets, now: t.clock.now() });
      t.clock.advance(lostMs / 2);
      await lostTime();
      t.clock.advance(lostMs / 2);
      await goOn();
    },
    /** The machine that took over is lost as well, and the same backup is put in place once more. */
    async takeOverAgain(): Promise<void> {
      t.clock.advance(5_000);
      await goOn();
    },
    async add(count: number): Promise<string[]> {
      const added = Array.from({ length: count }, () => `60S${String((t.codes += 1)).padStart(13, '0')}`);
      await t.core.codes.add(t.actor, STOCK_KEY.gameId, [{ denomination: 60, codes: added }]);
      return added;
    },
    extract: async (amount: number) => (await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount })).codes,
    order: (playerId: string, key?: string) => redeem({ ...STOCK_KEY, playerId }, key),
    spentFor: (playerId: string) =>
      [...t.platform.spent].filter(([, row]) => row.playerId === playerId).map(([code]) => code),
    /** As a platform that names the player. */
    tell(code: string): CodeOutcome {
      const found = t.platform.spent.get(code);
      return found ? { ...REDEEMED, ...found } : { status: 'notRedeemed' };
    },
    check() {
      const file = openReader(path());
      const { drift, rows } = checkConservation(file, { secrets: t.store.secrets });
      file.close();
      return { drift, rows };
    },
  });
}
