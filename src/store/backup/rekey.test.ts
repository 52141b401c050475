// A rekey over a store with a past: afterwards everything is found, and the older key opens nothing; wherever it is
// interrupted, the old file or the new one is there, and opens.
import { linkSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  GAME,
  numberedCodes,
  openTrader,
  tradeEverything,
  type Trader,
} from '../../../test/harness/traded-store.ts';
import { idOf, keptKeyFileOf, keyFileOf, loadKeyRing } from '../engine/keys.ts';
import { createSecrets } from '../engine/secrets.ts';
import { createStore, type Store } from '../index.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { openAll, SEALED_COLUMNS } from './sealed-columns.ts';
import { rekey } from './rekey.ts';
import { restore } from './restore.ts';

let folder: string;
let path: string;
let store: Store;
let trader: Trader;
let now: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rekey-'));
  path = join(folder, 'redemption.db');
  now = 1_700_000_000_000;
  open();
  trader = await openTrader(
    () => store,
    () => now,
  );
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function open(options: Partial<Parameters<typeof createStore>[0]> = {}): void {
  store = createStore({ path, exclusive: true, ...options });
}

const readKeyFile = (file = keyFileOf(path)) => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');

/** How many values of the file a key opens, and how many it does not. */
function count(key: Buffer): { opened: number; closed: number } {
  const file = new Database(path);
  try {
    let closed = 0;
    const secrets = createSecrets(key);
    const values = SEALED_COLUMNS.map((column) =>
      openAll(file, column, secrets, { report: () => (closed += 1) }),
    );
    return { opened: values.reduce((sum, each) => sum + each, 0) - closed, closed };
  } finally {
    file.close();
  }
}

function check(): unknown[] {
  const file = new Database(path);
  try {
    return checkConservation(file, { secrets: store.secrets }).rows;
  } finally {
    file.close();
  }
}

const NEXT = Buffer.alloc(32, 9);

/** While it is stopped. */
async function turn(next = NEXT): Promise<ReturnType<typeof rekey>['unopened']> {
  await store.close(now);
  const { unopened } = rekey(path, { ring: loadKeyRing(path, undefined), next, hasKeyFiles: true });
  open();
  return unopened;
}

test('everything is sealed anew, and the older key opens nothing', async () => {
  await tradeEverything(store, trader);
  const older = readKeyFile();
  const before = count(older);
  expect(before.closed).toBe(0);
  expect(await turn()).toEqual([]);
  expect(count(NEXT)).toEqual({ opened: before.opened, closed: 0 });
  expect(count(older)).toEqual({ opened: 0, closed: before.opened });
  expect(check()).toEqual([]);
});

test('every code is found once, and what was given away keeps its name', async () => {
  await tradeEverything(store, trader);
  const codes = numberedCodes('R', 120);
  const batchId = await trader.addCodes(codes);
  const direct = await trader.begin({ code: 'DIRECT0000000001', idempotencyKey: 'order-1' });
  await trader.redeem(direct);
  const name = store.secrets.hash('idempotency', 'order-1');
  await turn();
  expect(store.secrets.hash('idempotency', 'order-1')).toEqual(name);
  expect(
    store.read(({ redemptions }) =>
      redemptions.findLive(GAME.id, store.seals.hash(GAME.id, 'DIRECT0000000001')),
    ),
  ).toBeDefined();
  const found = store.read(({ history }) => [
    history.findOfTail(1, 'DIRECT0000000001', 5),
    history.findOfHead(1, 'DIRECT0000', 5),
  ]);
  for (const rows of found) expect(rows.map(({ code }) => code)).toContain('DIRECT0000000001');
  const sealed = codes.map((code) => store.seals.seal(GAME.id, code));
  expect(store.read(({ batches }) => sealed.filter(({ hash }) => batches.holds(batchId, hash)))).toHaveLength(
    120,
  );
  const again = await store.write((tables) =>
    sealed.filter((code) =>
      tables.batches.insertCode({ accountId: 1, gameId: GAME.id, denomination: 60, batchId, now }, code),
    ),
  );
  expect(again).toEqual([]);
});

test('both keys are beside the file before anything is sealed anew, and none is deleted', async () => {
  const older = readKeyFile();
  await turn();
  expect(readKeyFile()).toEqual(NEXT);
  expect([older, NEXT].map((key) => readKeyFile(keptKeyFileOf(path, key)))).toEqual([older, NEXT]);
  expect(statSync(keptKeyFileOf(path, older)).mode & 0o777).toBe(0o600);
  await turn(Buffer.alloc(32, 8));
  expect(readKeyFile(keptKeyFileOf(path, older))).toEqual(older);
});

test.each([
  ['before the file was made', 'old'],
  ['while it was made', 'old'],
  ['between the file and its key', 'new'],
])('interrupted %s, the %s file opens, and a rekey goes through', async (when, file) => {
  await tradeEverything(store, trader);
  const older = readKeyFile();
  await store.close(now);
  const before = join(folder, 'before');
  linkSync(path, before);
  rekey(path, { ring: loadKeyRing(path, undefined), next: NEXT, hasKeyFiles: true });
  writeFileSync(keyFileOf(path), `${older.toString('base64')}\n`);
  if (file === 'old') renameSync(before, path);
  if (when === 'while it was made') writeFileSync(`${path}.rekeying`, 'half of it');
  open();
  expect(check()).toEqual([]);
  expect(count(file === 'old' ? older : NEXT).closed).toBe(0);
  const last = Buffer.alloc(32, 7);
  expect(await turn(last)).toEqual([]);
  expect(count(last).closed).toBe(0);
});

test('while a service has it nothing is changed', async () => {
  await tradeEverything(store, trader);
  const ring = loadKeyRing(path, undefined);
  expect(() => rekey(path, { ring, next: NEXT, hasKeyFiles: true })).toThrow('Another process');
  expect(count(readKeyFile()).closed).toBe(0);
});

test('a key that opens nothing changes nothing', async () => {
  await tradeEverything(store, trader);
  await store.close(now);
  const [file, key] = [readFileSync(path), readKeyFile()];
  const ring = { current: Buffer.alloc(32, 8), others: [] };
  expect(() => rekey(path, { ring, next: NEXT, hasKeyFiles: false })).toThrow('Nothing was changed');
  expect(() => createStore({ path, exclusive: true, encryptionKey: ring.current })).toThrow(
    'Nothing was changed',
  );
  expect(readFileSync(path).equals(file)).toBe(true);
  expect(readKeyFile()).toEqual(key);
  open();
});

test('a key file of which nobody knows what it opens is kept, too', async () => {
  const [own, strange] = [readKeyFile(), Buffer.alloc(32, 6)];
  await store.close(now);
  writeFileSync(keptKeyFileOf(path, own), `${own.toString('base64')}\n`);
  writeFileSync(keyFileOf(path), `${strange.toString('base64')}\n`);
  const { older } = rekey(path, { ring: loadKeyRing(path, undefined), next: NEXT, hasKeyFiles: true });
  open();
  expect(older).toEqual(own);
  expect(readKeyFile(keptKeyFileOf(path, strange))).toEqual(strange);
});

test('a file that has lost its naming key is refused: its keys of requests would be known no more', async () => {
  await store.close(now);
  const file = new Database(path);
  file.exec("delete from meta where key = 'names'");
  file.close();
  expect(() => createStore({ path, exclusive: true })).toThrow('written before version 1.0.0');
});

test('a running undo goes on, from its beginning', async () => {
  const batchId = await trader.addCodes(numberedCodes('U', 10));
  const jobId = await store.write(({ jobs }) => {
    const id = jobs.open({
      accountId: 1,
      actor: 'apiKey:1',
      kind: 'undo',
      subjectId: batchId,
      total: 10,
      now,
    });
    jobs.advance(id, { done: 5, cursor: JSON.stringify({ after: '//8=', taken: { 60: 5 } }) });
    return id;
  });
  await turn();
  const job = store.read(({ jobs }) => jobs.find(jobId));
  expect(JSON.parse(job?.cursor ?? '')).toEqual({ after: '', taken: { 60: 5 } });
});

test('a value that opens no more is carried over, and told', async () => {
  await tradeEverything(store, trader);
  const file = new Database(path);
  file.exec("update codes set code_secret = cast(code_secret || x'00' as blob) where id = 1");
  file.close();
  // The redemption that it was used for is found by it no more, either.
  expect(await turn()).toEqual([
    { table: 'redemptions', column: 'code_secret', values: 1 },
    { table: 'codes', column: 'code_secret', values: 1 },
  ]);
  expect(count(NEXT).closed).toBe(1);
});

test('a backup of before is restored by the key that is kept, and sealed anew', async () => {
  await tradeEverything(store, trader);
  const older = readKeyFile();
  const file = join(folder, 'backup.db');
  await backup(path, file, { secrets: store.secrets, now });
  await turn();
  await store.close(now);
  rmSync(path);
  const options = { file, databasePath: path, key: NEXT, now: now + 1 };
  expect(() => restore(options)).toThrow(`was sealed with the key ${idOf(older)}`);
  restore({ ...options, otherKeys: [older] });
  open();
  expect(check()).toEqual([]);
  expect(count(NEXT).closed).toBe(0);
  expect(count(older).opened).toBe(0);
});
