// One service whose process is killed and deployed all the time, in one process of ours: the instance is thrown away
// and the files are taken as they lie. The platform goes on beside it, as platforms do.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';

import { createManualClock, type ManualClock } from '../../../src/clock.ts';
import {
  createCore,
  createGames,
  type ApiKeyActor,
  type Core,
  type MemberActor,
} from '../../../src/core/index.ts';
import { randomIds } from '../../../src/ids.ts';
import type { Platform } from '../../../src/platform/port.ts';
import { createSandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import { createStore, type Store } from '../../../src/store/index.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { createGate, type Gate } from './gate.ts';
import { createLedger, type CodeRow, type Ledger } from './ledger.ts';
import type { Wish } from './wishes.ts';
import { alone } from '../../../src/platforms.ts';

/** What a deployment may leave out of the catalogue. */
export type Catalogue = 'whole' | 'without the game' | 'without the denomination';

export interface Shop {
  accountId: number;
  program: ApiKeyActor;
}

export interface Life {
  seeded: Seeded;
  clock: ManualClock;
  sandbox: Platform;
  ledger: Ledger;
  folder: string;
  /** Of the database as it lies now. */
  path: string;
  store: Store;
  core: Core;
  gate: Gate;
  catalogue: Catalogue;
  shops: Shop[];
  /** All that anybody ever wished. */
  wishes: Wish[];
  /** Batches that may be taken back, once they have begun. */
  batches: { shop: Shop; find(life: Life): number | undefined }[];
  /** Codes that anybody ever gave. */
  given: string[];
  /** Slices of jobs that we made unreadable, as they are sealed. */
  rotten: Set<string>;
  /** Codes that were opened once, by their seals. */
  opened: Map<string, string>;
  violations: string[];
  tried: Record<string, number>;
  /** Numbers for people, keys and players. */
  next(): number;
}

export const MAIN_GAME = 'game_id_1';
const OTHER_GAME = 'game_id_2';

const PATTERN = {
  currency: 'UC',
  database: true,
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account',
} as const;
const MAIN = { id: MAIN_GAME, denominations: [60, 325], ...PATTERN };
const OTHER = { id: OTHER_GAME, denominations: [10], ...PATTERN };
const CATALOGUES = {
  whole: createGames([MAIN, OTHER]),
  'without the game': createGames([MAIN]),
  'without the denomination': createGames([{ ...MAIN, denominations: [60] }, OTHER]),
};
export const STOCK_KEYS = [
  { gameId: MAIN_GAME, denomination: 60 },
  { gameId: MAIN_GAME, denomination: 325 },
  { gameId: OTHER_GAME, denomination: 10 },
];

const KEY = Buffer.alloc(32, 7);
const START = Date.UTC(2026, 0, 13, 8);
const SHOPS = 2;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const PLATFORM_TIMEOUT_MS = 45_000;
/** Jobs of a few hundred codes are over long before this, also on a machine that is busy. */
const QUIET_WITHIN_MS = 60_000;
const SETTLE_ROUNDS = 40;
const SETTLE_STEP_MS = 20 * 60 * 1000;

export async function openLife(seed: number): Promise<Life> {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-'));
  const clock = createManualClock(START);
  const sandbox = createSandbox({ path: join(folder, 'sandbox.db'), latencyMs: 0, clock });
  let numbers = 0;
  const life = {
    seeded: createSeeded(seed),
    clock,
    sandbox,
    ledger: createLedger(),
    folder,
    path: join(folder, '0', 'redemption.db'),
    catalogue: 'whole' as const,
    shops: [],
    wishes: [],
    batches: [],
    given: [],
    rotten: new Set(),
    opened: new Map(),
    violations: [],
    tried: {},
    next: () => (numbers += 1),
  } as unknown as Life;
  await begin(life);
  for (let shop = 0; shop < SHOPS; shop += 1) life.shops.push(await openShop(life));
  return life;
}

async function openShop({ core, next }: Life): Promise<Shop> {
  const account = { name: `Shop ${next()}`, days: 3_000, purchased: 100_000 };
  const { accountId, apiKey } = await core.accounts.create({ kind: 'host', by: 'cli' }, account);
  const identity = core.apiKeys.authenticate(apiKey);
  if (!identity) throw new Error('The key that was just issued is not known.');
  return { accountId, program: identity.actor };
}

/** One more person who may add codes to a shop. */
export async function employ({ store, clock, next }: Life, { accountId }: Shop): Promise<MemberActor> {
  const telegramId = 1_000 + next();
  const person = { telegramId, accountId, role: 'admin', name: 'Admin', username: null, now: clock.now() };
  await store.write((tables) => tables.members.insert(person));
  return { kind: 'member', accountId, telegramId, role: 'admin' };
}

export function count({ tried }: Life, what: string, many = 1): void {
  tried[what] = (tried[what] ?? 0) + many;
}

/** The process starts. */
async function begin(life: Life): Promise<void> {
  const { clock, sandbox, path, catalogue } = life;
  const store = createStore({ path, encryptionKey: KEY, exclusive: false });
  life.gate = createGate(store, sandbox, () => (life.path = takeFiles(life, path)));
  life.store = life.gate.store;
  const { platform } = life.gate;
  const deps = {
    store: life.store,
    upstreams: alone(platform),
    games: CATALOGUES[catalogue],
    clock,
    ids: randomIds,
    log: LOG,
  };
  life.core = createCore({ ...deps, platformTimeoutMs: PLATFORM_TIMEOUT_MS });
  await life.core.start();
}

/** What a process that is killed leaves behind: the file and its log, as they are in this moment. */
function takeFiles({ folder, next }: Life, from: string): string {
  const path = join(folder, `killed-${next()}`, 'redemption.db');
  mkdirSync(dirname(path));
  for (const suffix of ['', '-wal'])
    if (existsSync(from + suffix)) copyFileSync(from + suffix, path + suffix);
  return path;
}

/** The process is no more; what it was about to do is not done. */
export async function die(life: Life): Promise<void> {
  const { core, store, gate } = life;
  gate.die();
  await core.stop(0);
  await store.close();
  rmSync(dirname(store.path), { recursive: true, force: true });
}

/** The process is stopped as a deployment does it. */
export async function stop(life: Life, graceMs: number): Promise<void> {
  await life.core.stop(graceMs);
  life.gate.end();
  await life.store.close();
}

export async function rise(life: Life, catalogue: Catalogue = 'whole'): Promise<void> {
  life.catalogue = catalogue;
  await begin(life);
}

/** Copies the database while it is used; where the process dies meanwhile there may be no copy. */
export async function makeBackup(life: Life): Promise<void> {
  const { folder, path, store, gate, next, violations } = life;
  const file = join(folder, `backup-${next()}`);
  try {
    const { drift, unreadable } = await backup(path, file, { secrets: store.secrets, now: life.clock.now() });
    if (drift + unreadable > 2 * life.rotten.size)
      violations.push(`a backup has drift ${drift}, unreadable ${unreadable}`);
  } catch (error) {
    if (!gate.isOver()) throw error;
  }
}

/** Waits until nothing is under way any more; a violation where that does not come. */
export async function waitUntilQuiet(life: Life): Promise<void> {
  const { store, violations } = life;
  const until = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const { jobs, imports } = store.read((tables) => ({
      jobs: tables.jobs.listRunning(0, 10),
      imports: tables.imports.listCommitting().length,
    }));
    if (jobs.length + imports === 0) break;
    if (performance.now() > until) {
      violations.push(`after ${QUIET_WITHIN_MS} ms jobs ${jobs.join()} and ${imports} imports still go on`);
      return;
    }
    await pause(10);
  }
}

/** Lets time pass until every doubt is settled. */
export async function settle(life: Life): Promise<void> {
  for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
    const { pending, inDoubt } = life.core.health.countOpen();
    if (pending + inDoubt === 0) return;
    life.clock.advance(SETTLE_STEP_MS);
    await life.core.settleDoubts();
  }
  life.violations.push(`redemptions are open for ever: ${JSON.stringify(life.core.health.countOpen())}`);
}

/**
 * Everything in the database that is not as the world was told; `check` included, which `deeply` opens all that is
 * sealed.
 */
export function audit(life: Life, deeply = false): void {
  const { path, store, ledger, violations, folder } = life;
  const connection = new Database(path, { readonly: true });
  const book = new Database(join(folder, 'sandbox.db'), { readonly: true });
  try {
    const rows = connection
      .prepare(
        `select code_hash as hash, code_secret as secret, state, batch_id as batchId, extraction_id as extractionId from codes`,
      )
      .all() as (Omit<CodeRow, 'code'> & { hash: Buffer; secret: Buffer })[];
    const opened = rows.map((row) => {
      const seal = row.secret.toString('latin1');
      const code = life.opened.get(seal) ?? store.seals.open(row);
      life.opened.set(seal, code);
      return { ...row, code };
    });
    const spent = book.prepare('select code from redemptions').pluck().all() as string[];
    violations.push(...ledger.audit(opened, new Set(spent)), ...auditBatches(life, opened));
    const { rows: broken } = checkConservation(connection, deeply ? { secrets: store.secrets } : {});
    const secretOf = connection.prepare('select hex(content_secret) from job_slices where rowid = ?').pluck();
    const isRotten = (row: unknown) => life.rotten.has(String(secretOf.get(row)).toLowerCase());
    const drift = broken.filter(({ check, row }) => check !== 'sealed' || !isRotten(row));
    if (drift.length > 0)
      violations.push(`check: drift ${drift.length}, ${JSON.stringify(drift.slice(0, 5))}`);
  } finally {
    connection.close();
    book.close();
  }
}

/** A batch says how many codes it has. */
function auditBatches({ store }: Life, rows: readonly CodeRow[]): string[] {
  const counted = new Map<number, number>();
  for (const { batchId } of rows) counted.set(batchId, (counted.get(batchId) ?? 0) + 1);
  return store.read((tables) =>
    [...counted].flatMap(([batchId, count]) => {
      const added = tables.batches.find(batchId)?.added;
      return added === count ? [] : [`batch ${batchId} says ${added}, and has ${count} codes`];
    }),
  );
}

export async function closeLife(life: Life): Promise<void> {
  await life.core.stop(0);
  await life.store.close();
  life.sandbox.close();
  rmSync(life.folder, { recursive: true, force: true });
}
