// A service that is backed up and restored all the time, and everything the world outside was told by it: what is known
// of each past, so that after a restore it can be said what must still be true.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

import { createManualClock, type ManualClock, createCoreClock } from '../../../src/clock.ts';
import type { AccountActor, MemberActor, Role } from '../../../src/core/context.ts';
import { createContest } from '../../../src/core/contest.ts';
import { createCore, type Core } from '../../../src/core/index.ts';
import { createCheckUnspent } from '../../../src/core/redemption/check-unspent.ts';
import type { Begun } from '../../../src/core/redemption/begin.ts';
import { createRecordRecovered } from '../../../src/core/redemption/record-recovered.ts';
import { createStock } from '../../../src/core/stock/stock.ts';
import { randomIds } from '../../../src/ids.ts';
import type { Platform } from '../../../src/platform/port.ts';
import { createSandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { createStore, StoreRefusal, type Store } from '../../../src/store/index.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { restore, type Restored } from '../../../src/store/backup/restore.ts';
import { TEST_GAMES } from '../../harness/core.ts';
import { makeUnreadable } from '../../harness/damaged-file.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { alone } from '../../../src/platforms.ts';
import { createWitnesses } from '../../../src/core/upstreams/witnesses.ts';
import { upstreamsOver } from '../../harness/upstreams.ts';

/** What the world outside was told once, and may rely on for as long as the service knows it. */
export type Fact =
  | { kind: 'added'; code: string }
  | { kind: 'left'; code: string; how: 'extracted' | 'undone' }
  | { kind: 'receipt'; id: number; reference: string; code: string; credentials: string }
  | { kind: 'request'; shop: Shop; key: string; playerId: string; reference: string; at: number }
  | { kind: 'handed out'; shop: Shop; key: string; amount: number; codes: readonly string[]; at: number }
  | { kind: 'added under'; shop: Shop; key: string; codes: readonly string[]; at: number }
  | { kind: 'charged'; shop: Shop; at: number }
  | { kind: 'paid'; chargeId: string }
  | { kind: 'refunded'; chargeId: string }
  | { kind: 'order'; orderId: string; shop: Shop }
  | { kind: 'days'; shop: Shop; chargeId: string; days: number }
  | { kind: 'payment waits'; updateId: number }
  | { kind: 'key'; key: string }
  | { kind: 'revoked'; key: string }
  | { kind: 'link'; token: string; shop: Shop; role: Role; by: number }
  | { kind: 'used link'; token: string }
  | { kind: 'joined'; membership: number; telegramId: number; shop: Shop; role: Role }
  | { kind: 'role'; membership: number; role: Role }
  | { kind: 'left shop'; membership: number };

/** An account, as it is known in every past: by its first key. */
export interface Shop {
  key: string;
  /** When its subscription ends, without what is paid and given later. */
  endsAt: number;
}

export interface World {
  seeded: Seeded;
  folder: string;
  path: string;
  clock: ManualClock;
  sandbox: Platform;
  store: Store;
  core: Core;
  shops: Shop[];
  facts: Fact[];
  /** Which facts the service that runs knows. */
  known: Set<number>;
  backups: { file: string; known: ReadonlySet<number> }[];
  /** Redemptions under way in this process, which the platform has carried out: they are settled later, if it lives. */
  running: Begun[];
  /**
   * Codes that a lost past handed out, more than it ever had before, and that were used after the service had asked
   * about them: it hands them out once more, as docs/backups.md says.
   */
  usedUnseen: Set<string>;
  /** What each number stands for, in any past: `codes:5` → a mark that is never twice alike. */
  given: Map<string, string>;
  violations: string[];
  tried: Record<string, number>;
  /** Numbers for names, players, updates. */
  next(): number;
  close(): Promise<void>;
}

export const GAME_ID = 'game_id_1';
const KEY = Buffer.alloc(32, 5);
const START = Date.UTC(2026, 0, 13);
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** In real time: codes that the sandbox never answers for take this long. */
const PLATFORM_TIMEOUT_MS = 15;

export function openWorld(seed: number): World {
  const folder = mkdtempSync(join(tmpdir(), 'epochs-'));
  const path = join(folder, 'redemption.db');
  const clock = createManualClock(START);
  const sandbox = createSandbox({ path: join(folder, 'sandbox.db'), latencyMs: 0, clock });
  const store = createStore({ path, encryptionKey: KEY, exclusive: false });
  const seeded = createSeeded(seed);
  let numbers = 0;
  const world: World = {
    seeded,
    folder,
    path,
    clock,
    sandbox,
    store,
    core: openCore({ store, sandbox, clock }),
    shops: [],
    running: [],
    facts: [],
    known: new Set(),
    backups: [],
    usedUnseen: new Set(),
    given: new Map(),
    violations: [],
    tried: {},
    next: () => (numbers += 1),
    async close() {
      await world.core.stop(0);
      await world.store.close();
      sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** How busy the machine is counts for nothing: nobody is turned away because this process had to wait for it. */
function openCore({ store: opened, sandbox, clock }: Pick<World, 'store' | 'sandbox' | 'clock'>): Core {
  const store: Store = { ...opened, isCrowded: () => false };
  const deps = { store, upstreams: alone(sandbox), games: TEST_GAMES, clock, ids: randomIds, log: LOG };
  return createCore({ ...deps, platformTimeoutMs: PLATFORM_TIMEOUT_MS });
}

/** Tells the world outside something, and the service knows it. */
export function tell(world: World, fact: Fact): void {
  world.known.add(world.facts.length);
  world.facts.push(fact);
}

export function count(world: World, what: string): void {
  world.tried[what] = (world.tried[what] ?? 0) + 1;
}

/** The facts of one kind that the service knows. */
export function listKnown<K extends Fact['kind']>(world: World, kind: K): Extract<Fact, { kind: K }>[] {
  return [...world.known]
    .map((index) => world.facts[index])
    .filter((fact): fact is Extract<Fact, { kind: K }> => fact?.kind === kind);
}

/** The account of a shop; undefined where the service does not know it. */
export function accountOf(world: World, shop: Shop): number | undefined {
  return world.core.apiKeys.authenticate(shop.key)?.actor.accountId;
}

/** Who owns a shop at this moment. */
export function ownerOf(world: World, shop: Shop): MemberActor | undefined {
  const accountId = accountOf(world, shop);
  if (accountId === undefined) return undefined;
  const members = world.store.read((tables) => tables.members.list(accountId));
  const owner = members.find(({ role }) => role === 'owner');
  return owner && { kind: 'member', accountId, telegramId: owner.telegramId, role: 'owner' };
}

/** A shop that the service knows, with whoever may act for it. */
export function pickShop(
  world: World,
): { shop: Shop; program: AccountActor; owner: MemberActor } | undefined {
  const open = world.shops.flatMap((shop) => {
    const program = world.core.apiKeys.authenticate(shop.key)?.actor;
    const owner = ownerOf(world, shop);
    return program && owner ? [{ shop, program, owner }] : [];
  });
  return open.length === 0 ? undefined : world.seeded.pick(open);
}

/** The process dies, and another goes on: what was left open falls in doubt, jobs go on where they stood. */
export async function restart(world: World): Promise<void> {
  await world.core.stop(0);
  await world.store.close();
  await reopen(world);
  await finishJobs(world);
}

async function reopen(world: World): Promise<void> {
  world.running = [];
  world.store = createStore({ path: world.path, encryptionKey: KEY, exclusive: false });
  const starting = openCore(world);
  await starting.start();
  await starting.stop(0);
  world.core = openCore(world);
}

export async function finishJobs({ store, sandbox, clock }: World): Promise<void> {
  const signal = new AbortController().signal;
  const upstreams = upstreamsOver(sandbox, { store, clock });
  const witnesses = createWitnesses({ store, upstreams, clock: createCoreClock(clock) });
  const checkUnspent = createCheckUnspent({ store, upstreams, witnesses, clock });
  const coreClock = createCoreClock(clock);
  const contest = createContest();
  const asking = { store, upstreams, games: TEST_GAMES, clock: coreClock, ids: randomIds, contest };
  const deps = { ...asking, checkUnspent, recordRecovered: createRecordRecovered(asking), log: LOG };
  const { jobs } = createStock({ ...deps, witnesses, signal, waitedFor: new Set() });
  jobs.resume();
  await jobs.settled();
}

export async function makeBackup(world: World): Promise<void> {
  const file = join(world.folder, `backup-${world.backups.length}`);
  const { drift, unreadable } = await backup(world.path, file, {
    secrets: world.store.secrets,
    now: world.clock.now(),
  });
  if (drift + unreadable > 0) world.violations.push(`a backup has drift ${drift}, unreadable ${unreadable}`);
  world.backups.push({ file, known: new Set(world.known) });
}

/** `by hand`: somebody copied a backup over the database. */
export type Predecessor = 'sound' | 'by hand' | 'unreadable' | 'missing';

/**
 * Goes back to any of the backups, `isShort` to the newest; `look` sees the file before the service starts on it. A
 * database that is sound is not replaced: then the service goes on with it, or the host gives it up.
 */
export async function goBack(
  world: World,
  predecessor: Predecessor,
  { isShort, look }: { isShort: boolean; look: (restored: Restored) => void },
): Promise<void> {
  const { file, known } = world.seeded.pick(isShort ? world.backups.slice(-1) : world.backups);
  await world.core.stop(0);
  await world.store.close();
  takePlace(world, predecessor);
  const isSound = predecessor === 'sound' || predecessor === 'by hand';
  const now = world.clock.now();
  let restored = tryRestore(world, file, now);
  if (restored && isSound) world.violations.push(`a ${predecessor} database was given up unasked`);
  if (!restored) {
    count(world, 'refused');
    if (predecessor === 'sound' && world.seeded.chance(0.5)) return reopen(world);
    rmSync(world.path);
    restored = tryRestore(world, file, now);
    if (!restored) return void world.violations.push('a restore over nothing is refused');
  }
  if (restored.keptAs) rmSync(restored.keptAs);
  world.known = new Set(known);
  world.usedUnseen.clear();
  look(restored);
  // The host takes their time: what the lost past had sent has come to its end.
  world.clock.advance(world.sandbox.settlingMs);
  await reopen(world);
}

/** What lies where the database is. */
function takePlace({ path, seeded, backups }: World, predecessor: Predecessor): void {
  if (predecessor === 'sound') return;
  rmSync(path);
  if (predecessor === 'unreadable') makeUnreadable(path);
  if (predecessor === 'by hand') copyFileSync(seeded.pick(backups).file, path);
}

function tryRestore({ path }: World, file: string, now: number): Restored | undefined {
  try {
    return restore({ file, databasePath: path, key: KEY, now });
  } catch (error) {
    if (error instanceof StoreRefusal && error.message.includes('a sound database is never replaced'))
      return undefined;
    throw error;
  }
}

/** By what a redemption is known in every past. */
export function referenceOf(world: World, id: number): string {
  const [row] = query<{ reference: string }>(
    world.path,
    'select reference from attempts where redemption_id = ? and n = 1',
    id,
  );
  return row?.reference ?? '';
}

/** What the receipt holds beside its record. */
export function credentialsOf(world: World, id: number): string {
  return JSON.stringify(world.store.read((tables) => tables.redemptions.find(id)?.credentials ?? null));
}

/** Rows of the database, whoever has it open. */
export function query<Row>(path: string, sql: string, ...values: unknown[]): Row[] {
  const connection = new Database(path, { readonly: true });
  try {
    return connection.prepare(sql).all(...values) as Row[];
  } finally {
    connection.close();
  }
}

/** The codes that the platform has redeemed, by our reference. */
export function readSpent(world: World): Map<string, string> {
  const rows = query<{ code: string; reference: string }>(
    join(world.folder, 'sandbox.db'),
    'select code, reference from redemptions',
  );
  return new Map(rows.map(({ code, reference }) => [code, reference]));
}
