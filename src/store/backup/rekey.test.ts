// A rekey over a store with a past: every slice leaves it sound and found, wherever it ends and is taken up again; then
// the older key opens nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  GAME,
  numberedCodes,
  openTrader,
  tradeEverything,
  type Trader,
} from '../../../test/harness/traded-store.ts';
import { keyFileOf } from '../engine/keys.ts';
import { idOf, olderKeyFileOf, nextKeyFileOf, prepareNext } from '../engine/key-ring.ts';
import { createCodeSeals, createSecrets } from '../engine/secrets.ts';
import { createStore, type Store } from '../index.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { openAll, SEALED_COLUMNS } from './sealed-columns.ts';
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

async function restart(options = {}): Promise<void> {
  await store.close();
  open(options);
}

const readKeyFile = (file = keyFileOf(path)) => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');

async function turn(): Promise<{ older: Buffer; newer: Buffer }> {
  const older = readKeyFile();
  prepareNext(path);
  await restart();
  return { older, newer: readKeyFile() };
}

/** So many slices, or to its end. */
async function go(slices = Infinity): Promise<boolean> {
  for (let n = 0; n < slices && store.rekey.isRunning(); n += 1)
    if ((await store.rekey.step(() => undefined)) === 'waits') throw new Error('It waits.');
  return !store.rekey.isRunning();
}

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

test('everything is sealed anew, and the older key opens nothing', async () => {
  await tradeEverything(store, trader);
  const before = count(readKeyFile());
  expect(before.closed).toBe(0);
  const { older, newer } = await turn();
  expect(older.equals(newer)).toBe(false);
  expect(store.rekey.isRunning()).toBe(true);
  let ended = 0;
  while (store.rekey.isRunning()) await store.rekey.step((_tables, left) => (ended += 1 + left));
  expect(ended).toBe(1);
  expect(count(newer)).toEqual({ opened: before.opened, closed: 0 });
  expect(count(older)).toEqual({ opened: 0, closed: before.opened });
  expect(check()).toEqual([]);
  await restart();
  expect(store.rekey.isRunning()).toBe(false);
  expect(count(newer).closed).toBe(0);
});

test('at every slice it is sound, goes on after an end in the middle, and every code is found once', async () => {
  await tradeEverything(store, trader);
  const codes = numberedCodes('R', 120);
  const batchId = await trader.addCodes(codes);
  for (let n = 0; n < 20; n += 1) await trader.redeem(await trader.begin());
  await trader.redeem(await trader.begin({ code: 'DIRECT0000000001', idempotencyKey: 'order-1' }));
  await turn();
  for (let slice = 0; !(await go(1)); slice += 1) {
    expect(check()).toEqual([]);
    for (const code of [codes[0]!, codes[60]!, codes[119]!]) {
      const hash = store.seals.hash(GAME.id, code);
      expect(store.read(({ batches }) => batches.holds(batchId, hash))).toBe(true);
    }
    const direct = store.seals.hash(GAME.id, 'DIRECT0000000001');
    expect(store.read(({ redemptions }) => redemptions.findLive(GAME.id, direct))).toBeDefined();
    // What goes on meanwhile.
    if (slice % 3 === 0) await trader.redeem(await trader.begin());
    if (slice % 4 === 1) await restart();
    expect(slice).toBeLessThan(200);
  }
  expect(check()).toEqual([]);
  expect(count(readKeyFile()).closed).toBe(0);
  const sealed = codes.map((code) => store.seals.seal(GAME.id, code));
  const again = await store.write((tables) =>
    sealed.filter((code) =>
      tables.batches.insertCode({ accountId: 1, gameId: GAME.id, denomination: 60, batchId, now }, code),
    ),
  );
  expect(again).toEqual([]);
});

describe('the key files', () => {
  test('are turned, and the older stays by its id; a second turn waits for the end of the first', async () => {
    await tradeEverything(store, trader);
    const { older, newer } = await turn();
    expect(readKeyFile(olderKeyFileOf(path, idOf(older)))).toEqual(older);
    prepareNext(path);
    await restart();
    expect(readKeyFile()).toEqual(newer);
    await go();
    await restart();
    expect(readKeyFile().equals(newer)).toBe(false);
    expect(store.rekey.isRunning()).toBe(true);
    await go();
    expect(count(readKeyFile()).closed).toBe(0);
    expect(count(newer).opened).toBe(0);
    expect(check()).toEqual([]);
  });

  test('are turned to the end when the turn was interrupted between the file and its key', async () => {
    await tradeEverything(store, trader);
    const older = readKeyFile();
    const next = readKeyFile(prepareNext(path));
    await restart();
    // As if the rename had not happened.
    await store.close();
    writeFileSync(nextKeyFileOf(path), `${next.toString('base64')}\n`);
    writeFileSync(keyFileOf(path), `${older.toString('base64')}\n`);
    createStore({ path, exclusive: false }).read(() => undefined);
    open();
    expect(readKeyFile()).toEqual(next);
    expect(readdirSync(folder)).not.toContain('encryption.key.next');
    expect(store.rekey.isRunning()).toBe(true);
    await go();
    expect(check()).toEqual([]);
  });

  test('without the older one nothing starts while it is needed', async () => {
    await tradeEverything(store, trader);
    const { older } = await turn();
    await store.close();
    rmSync(olderKeyFileOf(path, idOf(older)));
    expect(() => open()).toThrow(`was sealed with the key ${idOf(older)}`);
    open({ encryptionKeyOld: older });
    await go();
    await restart();
    expect(store.rekey.isRunning()).toBe(false);
  });

  test('of the settings: a changed ENCRYPTION_KEY with the old one beside it', async () => {
    await tradeEverything(store, trader);
    const older = readKeyFile();
    const newer = Buffer.alloc(32, 9);
    await store.close();
    expect(() => open({ encryptionKey: newer })).toThrow('The encryption key is not the one');
    open({ encryptionKey: newer, encryptionKeyOld: older });
    await go();
    expect(count(newer).closed).toBe(0);
    await restart({ encryptionKey: newer });
    expect(store.rekey.isRunning()).toBe(false);
  });
});

test('a key that opens nothing changes nothing', async () => {
  await tradeEverything(store, trader);
  await store.close();
  const [file, key] = [readFileSync(path), readKeyFile()];
  for (const options of [
    { encryptionKey: Buffer.alloc(32, 8) },
    { encryptionKey: Buffer.alloc(32, 8), encryptionKeyOld: Buffer.alloc(32, 7) },
  ])
    expect(() => open(options)).toThrow('Nothing was changed');
  expect(readFileSync(path).equals(file)).toBe(true);
  expect(readKeyFile()).toEqual(key);
  open();
});

test('a command beside the service that began before the turn writes nothing after it', async () => {
  await tradeEverything(store, trader);
  await store.close();
  const beside = createStore({ path, exclusive: false });
  prepareNext(path);
  open();
  await expect(
    beside.write(({ accounts }) => accounts.insert({ name: 'B', now: 1, subscriptionExpiresAt: null })),
  ).rejects.toThrow('changed just now');
  await beside.close();
  const after = createStore({ path, exclusive: false });
  await after.write(({ accounts }) => accounts.insert({ name: 'B', now: 1, subscriptionExpiresAt: null }));
  await after.close();
});

test('an undo and whoever goes through the codes of a batch are not overtaken', async () => {
  const batchId = await trader.addCodes(numberedCodes('U', 10));
  await turn();
  let release = () => undefined as void;
  const walk = store.inOrderOfHashes(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await store.rekey.step(() => undefined)).toBe('waits');
  release();
  await walk;
  const jobId = await store.write(({ jobs }) =>
    jobs.open({ accountId: 1, actor: 'apiKey:1', kind: 'undo', subjectId: batchId, total: 10, now }),
  );
  expect(await store.rekey.step(() => undefined)).toBe('waits');
  await store.write(({ jobs }) => void jobs.end(jobId, 'done', now));
  expect(await go()).toBe(true);
});

test('a value that opens no more stays behind, and is counted', async () => {
  await tradeEverything(store, trader);
  const file = new Database(path);
  file.exec("update codes set code_secret = cast(code_secret || x'00' as blob) where id = 1");
  file.close();
  const { newer } = await turn();
  let left = -1;
  while (store.rekey.isRunning()) await store.rekey.step((_tables, count_) => void (left = count_));
  expect(left).toBeGreaterThan(0);
  expect(count(newer).closed).toBe(left);
});

describe('a backup of before', () => {
  test('is restored by the key that is kept, and sealed anew', async () => {
    await tradeEverything(store, trader);
    const file = join(folder, 'backup.db');
    await backup(path, file, { secrets: store.secrets, now });
    const { older, newer } = await turn();
    await go();
    await store.close();
    rmSync(path);
    const options = { file, databasePath: path, key: newer, now: now + 1 };
    expect(() => restore(options)).toThrow(`was sealed with the key ${idOf(older)}`);
    restore({ ...options, otherKeys: [older] });
    open();
    expect(store.rekey.isRunning()).toBe(true);
    await go();
    expect(check()).toEqual([]);
    expect(count(newer).closed).toBe(0);
    expect(count(older).opened).toBe(0);
  });
});

test('codes of before are opened by the key of before alone', async () => {
  await trader.addCodes(['CODE000000000001']);
  const { older, newer } = await turn();
  await go();
  const file = new Database(path);
  const row = file
    .prepare<[], { hash: Buffer; secret: Buffer }>(
      'select code_hash as hash, code_secret as secret from codes',
    )
    .get()!;
  file.close();
  expect(createCodeSeals(createSecrets(newer)).open(row)).toBe('CODE000000000001');
  expect(createCodeSeals(createSecrets(older)).openIfSound(row)).toBeUndefined();
});
