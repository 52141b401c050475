// A database with a stock of millions, made once for each schema and kept in the system's temporary folder: accounts by
// the core, codes by bare inserts, those that are really taken sealed as the store seals them.
import { createHash, randomFillSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database as Connection } from 'better-sqlite3';

import { systemClock } from '../../../src/clock.ts';
import { createCore, createGames } from '../../../src/core/index.ts';
import { randomIds } from '../../../src/ids.ts';
import { createSandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { leaveHome } from '../../../src/store/engine/home.ts';
import { createStore, type SealedCode } from '../../../src/store/index.ts';
import { dropIndexes } from '../history/cloning.ts';
import { openQuickly } from '../history/making.ts';
import { copySettled } from '../folders.ts';
import { alone } from '../../../src/platforms.ts';

/** Of the account. */
export interface Keys {
  /** Owns the millions, and does what makes the load. */
  busy: string;
  /** Has stock of its own and to do with nobody. */
  calm: string;
  /** Has no stock at all. */
  failing: string;
}

export const ENCRYPTION_KEY = Buffer.alloc(32, 23);
const GAME_ID = 'game_id_1';
const DENOMINATION = 60;
const CODES = 5_000_000;
/** Of the busy account, at the front, where they are taken first: they open. */
const SEALED = 200_000;
const CALM = 60_000;
const PURCHASED = 1_000_000;
/** With the schema: what this file makes. */
const VERSION = 3;
const SECRET_BYTES = 51;
const HASH_BYTES = 32;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const DRIZZLE = fileURLToPath(new URL('../../../drizzle', import.meta.url));
const GAMES = fileURLToPath(new URL('../../../data/games.json', import.meta.url));

/** Puts a copy of it into `folder`. */
export async function placeStock(folder: string, tell?: (line: string) => void): Promise<Keys> {
  const cache = join(tmpdir(), `redemption-fairness-${nameCache()}`);
  if (!existsSync(cache)) {
    tell?.(`making a stock of ${CODES.toLocaleString('en')} codes in ${cache}`);
    await makeCache(cache);
  }
  copySettled(join(cache, 'redemption.db'), join(folder, 'redemption.db'));
  return JSON.parse(readFileSync(join(cache, 'keys.json'), 'utf8')) as Keys;
}

function nameCache(): string {
  const hash = createHash('sha256').update(`${VERSION} ${CODES} ${SEALED} ${CALM}`);
  for (const name of readdirSync(DRIZZLE).sort())
    if (name.endsWith('.sql')) hash.update(readFileSync(join(DRIZZLE, name)));
  return hash.digest('hex').slice(0, 12);
}

async function makeCache(cache: string): Promise<void> {
  const making = `${cache}.making-${process.pid}`;
  mkdirSync(making);
  try {
    const path = join(making, 'redemption.db');
    const { keys, busy, calm, seal } = await openAccounts(path);
    const connection = openQuickly(path);
    const putIndexesBack = dropIndexes(connection);
    insertCodes(connection, busy, SEALED, (index) => seal(`60Sbusy${String(index).padStart(9, '0')}`));
    insertCodes(connection, calm, CALM, (index) => seal(`60Scalm${String(index).padStart(9, '0')}`));
    insertCodes(connection, busy, CODES - SEALED, invent);
    putIndexesBack();
    leaveHome(connection);
    connection.pragma('journal_mode = WAL');
    connection.close();
    writeFileSync(join(making, 'keys.json'), JSON.stringify(keys));
    renameSync(making, cache);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

interface Accounts {
  keys: Keys;
  busy: number;
  calm: number;
  seal: (code: string) => SealedCode;
}

async function openAccounts(path: string): Promise<Accounts> {
  const store = createStore({ path, encryptionKey: ENCRYPTION_KEY, exclusive: false });
  const platform = createSandbox({ path: ':memory:', latencyMs: 0, clock: systemClock });
  const games = createGames(JSON.parse(readFileSync(GAMES, 'utf8')));
  const deps = { store, upstreams: alone(platform), games, clock: systemClock, ids: randomIds, log: LOG };
  const core = createCore({ ...deps, platformTimeoutMs: 45_000 });
  const open = async (name: string) => {
    const account = { name, days: 3_000, purchased: PURCHASED };
    const { apiKey } = await core.accounts.create({ kind: 'host', by: 'cli' }, account);
    const identity = core.apiKeys.authenticate(apiKey);
    if (!identity) throw new Error('The key that was just issued is not known.');
    return { apiKey, actor: identity.actor };
  };
  const busy = await open('Busy');
  const calm = await open('Calm');
  const failing = await open('Failing');
  const { seals } = store;
  await core.stop(0);
  await store.close();
  platform.close();
  return {
    keys: { busy: busy.apiKey, calm: calm.apiKey, failing: failing.apiKey },
    busy: busy.actor.accountId,
    calm: calm.actor.accountId,
    seal: (code) => seals.seal(GAME_ID, code),
  };
}

/** As long as a real one, but nobody can open it. */
function invent(): SealedCode {
  randomFillSync(random);
  return { hash: random.subarray(0, HASH_BYTES), secret: random.subarray(HASH_BYTES) };
}
const random = Buffer.alloc(HASH_BYTES + SECRET_BYTES);

function insertCodes(
  connection: Connection,
  accountId: number,
  count: number,
  make: (index: number) => SealedCode,
): void {
  connection.exec('begin');
  const batchId = connection
    .prepare(`insert into batches (account_id, game_id, actor, at, added) values (?, ?, 'host', 0, ?)`)
    .run(accountId, GAME_ID, count).lastInsertRowid;
  const insert = connection.prepare(
    `insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
     values (?, ?, ?, 'available', ?, ?, ?, 0)`,
  );
  for (let index = 0; index < count; index += 1) {
    const { hash, secret } = make(index);
    insert.run(accountId, GAME_ID, DENOMINATION, hash, secret, batchId);
  }
  connection
    .prepare(
      `insert into stock_counts (account_id, game_id, denomination, state, count) values (?, ?, ?, 'available', ?)
       on conflict do update set count = count + excluded.count`,
    )
    .run(accountId, GAME_ID, DENOMINATION, count);
  connection.exec('commit');
}
