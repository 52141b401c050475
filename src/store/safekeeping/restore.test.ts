// Restoring: goes back to a proven backup or changes nothing, and never makes spendable what left since.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  GAME,
  numberedCodes,
  openTrader,
  purchase,
  tradeEverything,
  type Trader,
} from '../../../test/harness/traded-store.ts';
import { backup } from './backup.ts';
import { checkConservation } from './conservation.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { createStore, type Store } from '../index.ts';
import { readBackupLine } from './epochs.ts';
import { restore } from './restore.ts';
import { createSecrets } from '../engine/secrets.ts';

const KEY = Buffer.alloc(32, 3);
const NOW = Date.UTC(2026, 0, 13);

let folder: string;
let path: string;
let file: string;
let store: Store;
let trader: Trader;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  path = join(folder, 'redemption.db');
  file = join(folder, 'backup.db');
  store = open();
  trader = await openTrader(
    () => store,
    () => NOW,
  );
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function open(at = path): Store {
  return createStore({ path: at, encryptionKey: KEY, exclusive: false });
}

const makeBackup = () => backup(path, file, { secrets: store.secrets, now: NOW });
const restoreNow = (databasePath = path, key = KEY) => restore({ file, databasePath, key, now: NOW });

/** Stops the service, restores, starts it again. */
async function goBack() {
  await store.close();
  try {
    return restoreNow();
  } finally {
    store = open();
  }
}

/** One column of the database that is in place. */
function query(sql: string, at = path): unknown[] {
  const connection = new Database(at, { readonly: true });
  try {
    return connection.prepare(sql).pluck().all();
  } finally {
    connection.close();
  }
}

function driftOf(at = path): unknown[] {
  const connection = new Database(at, { readonly: true });
  try {
    return checkConservation(connection, { secrets: createSecrets(KEY) }).rows;
  } finally {
    connection.close();
  }
}

const stateOf = (code: string) =>
  store.read((tables) => tables.codes.findOwner(GAME.id, store.seals.hash(GAME.id, code))?.state);

test('a backup knows of everything until its last entry, whichever that is, and of nothing to come', async () => {
  await tradeEverything(store, trader);
  await store.write((tables) => {
    tables.members.insert({
      telegramId: 5,
      accountId: 1,
      role: 'owner',
      name: 'O',
      username: null,
      now: NOW,
    });
  });
  await makeBackup();
  const connection = new Database(file);
  connection.pragma('ignore_check_constraints = 1');
  const readAsOf = () => readBackupLine(connection, NOW + 9_000).at(-1)?.asOf;
  expect(readAsOf()).toBe(NOW);
  for (const [table, ...columns] of [
    ['accounts', 'created_at'],
    ['members', 'joined_at', 'role_at'],
    ['batches', 'at', 'undone_at'],
    ['codes', 'changed_at'],
    ['extractions', 'at', 'ended_at'],
    ['redemptions', 'created_at', 'settled_at', 'doubted_at'],
    ['purchases', 'at', 'refunded_at'],
  ] as const)
    for (const column of columns)
      for (const [at, asOf] of [
        [NOW + 7_000, NOW + 7_000],
        [NOW + 70_000, NOW + 9_000],
      ] as const) {
        connection.exec('begin');
        connection
          .prepare(`update ${table} set ${column} = ? where rowid = (select max(rowid) from ${table})`)
          .run(at);
        expect([table, column, readAsOf()]).toEqual([table, column, asOf]);
        connection.exec('rollback');
      }
  connection.close();
});

describe('on a machine without a database', () => {
  test('everything is there again, and every available code is unverified', async () => {
    await tradeEverything(store, trader);
    await makeBackup();
    const elsewhere = join(folder, 'elsewhere/redemption.db');
    expect(restoreNow(elsewhere)).toEqual({
      unverified: 4,
      keptAs: undefined,
      since: 'nothing',
      asOf: NOW,
      unreadable: 0,
      drift: 0,
      rows: [],
    });
    expect(query("select count(*) from codes where state = 'available'", elsewhere)).toEqual([0]);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
    expect(driftOf(elsewhere)).toEqual([]);
    const again = open(elsewhere);
    expect(again.lostAt).toBe(NOW);
    const before = store.read((tables) => tables.redemptions.listBefore(1, NOW + 1, 100));
    expect(again.read((tables) => tables.redemptions.listBefore(1, NOW + 1, 100))).toEqual(before);
    await again.close();
  });

  test('a log that an earlier database left is not replayed into the restored one', async () => {
    await trader.addCodes(numberedCodes('A', 3));
    await makeBackup();
    await trader.addCodes(numberedCodes('B', 3));
    const log = readFileSync(`${path}-wal`);
    expect(log.length).toBeGreaterThan(0);
    await store.close();
    rmSync(path);
    writeFileSync(`${path}-wal`, log);
    restoreNow();
    store = open();
    expect(query('select count(*) from codes')).toEqual([3]);
    expect(driftOf()).toEqual([]);
  });
});

describe('a restore is refused, with everything as it was,', () => {
  let before: Buffer;

  beforeEach(async () => {
    await tradeEverything(store, trader);
    await makeBackup();
    await trader.redeem(await trader.begin());
  });

  async function expectRefusal(reason: RegExp, attempt: () => unknown = () => restoreNow()) {
    await store.close();
    before = readFileSync(path);
    expect(attempt).toThrow(reason);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => /restor|-wal/.test(name))).toEqual([]);
    store = open();
  }

  test('while the service runs', () =>
    expectRefusal(/Another process is using/, () => {
      const lock = takeProcessLock(path);
      try {
        restoreNow();
      } finally {
        lock.release();
      }
    }));

  test('while a command writes', async () => {
    expect(() => restoreNow()).toThrow(/Another process is using/);
    expect(await trader.addCodes(numberedCodes('C', 1))).toBeGreaterThan(0);
  });

  test('with the wrong key', () =>
    expectRefusal(/key is not the one/, () => restoreNow(path, Buffer.alloc(32, 4))));

  test('from a file that is not there', () => {
    rmSync(file);
    return expectRefusal(/does not exist/);
  });

  test('from a file that is no database', () => {
    writeFileSync(file, 'not a database at all, but long enough to be looked at as one'.repeat(100));
    return expectRefusal(/cannot be read/);
  });

  test('from a database of another program', () => {
    rmSync(file);
    new Database(file).exec('create table other (id integer)').close();
    return expectRefusal(/not a database of this service/);
  });

  test('from the database itself', () =>
    expectRefusal(/is the database itself/, () =>
      restore({ file: path, databasePath: path, key: KEY, now: NOW }),
    ));

  test('from a file whose log lies beside it', () => {
    writeFileSync(`${file}-wal`, 'x');
    return expectRefusal(/not a finished backup/, () => {
      try {
        restoreNow();
      } finally {
        rmSync(`${file}-wal`);
      }
    });
  });

  test('from a backup of a newer version', () => {
    new Database(file).exec("insert into migrations (tag, written) values ('9999_future', 1)").close();
    return expectRefusal(/newer version/);
  });

  test('from a backup with a damaged page', () => {
    const bytes = readFileSync(file);
    const page = Number(query("select rootpage from sqlite_schema where name = 'codes_in_batch'", file)[0]);
    bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 64);
    writeFileSync(file, bytes);
    return expectRefusal(/damaged|cannot be read/);
  });
});

describe('what happened since the backup', () => {
  test('no code that left is spendable again, and none is lost', async () => {
    const codes = numberedCodes('A', 6);
    await trader.addCodes(codes);
    const undone = await trader.addCodes(numberedCodes('B', 1));
    const held = await trader.begin();
    await makeBackup();
    const [extracted] = await trader.extract(1);
    await trader.redeem(await trader.begin());
    await trader.fail(await trader.begin(), 'CODE_USED');
    await trader.fail(await trader.begin(), 'NETWORK_ERROR');
    await trader.undo(undone);
    await trader.fail(held, 'NETWORK_ERROR');
    await trader.extract(1);

    expect((await goBack()).since).toBe('carried');
    expect(store.lostAt).toBeUndefined();
    expect(driftOf()).toEqual([]);
    expect([extracted, held.code]).toEqual([codes[1], codes[0]]);
    expect(codes.map(stateOf)).toEqual([
      undefined,
      undefined,
      'redeemed',
      'used',
      'unverified',
      'unverified',
    ]);
    expect(stateOf(numberedCodes('B', 1)[0]!)).toBeUndefined();
    // The backup believes it pending; it failed since, and its code was handed out.
    expect(store.read((tables) => tables.redemptions.get(held.id))).toMatchObject({
      state: 'failed',
      errorCode: 'NETWORK_ERROR',
    });
  });

  test('identifiers are never given again', async () => {
    await trader.addCodes(numberedCodes('A', 6));
    await makeBackup();
    const lost = await trader.begin();
    await trader.redeem(lost);
    await goBack();
    const next = await trader.begin();
    expect(next.id).toBeGreaterThan(lost.id);
    expect(next.chargeId).toBeGreaterThan(lost.chargeId!);
  });

  test('access stands as it is now: revoked keys, removed members, used invitations, new accounts', async () => {
    const hash = Buffer.alloc(32, 9);
    const member = { accountId: 1, name: 'A', username: null, now: NOW };
    const keys = await store.write((tables) => {
      tables.members.insert({ ...member, telegramId: 1, role: 'owner' });
      tables.members.insert({ ...member, telegramId: 2, role: 'admin' });
      const invitation = { tokenHash: hash, accountId: 1, role: 'support', createdBy: 'member:1' };
      tables.invitations.insert({ ...invitation, now: NOW, expiresAt: NOW + 1000 });
      return [1, 2].map((byte) =>
        tables.apiKeys.insert({
          accountId: 1,
          prefix: `k${byte}`,
          digest: Buffer.alloc(32, byte),
          createdBy: 'host',
          now: NOW,
        }),
      );
    });
    await makeBackup();
    await store.write((tables) => {
      tables.apiKeys.revoke(1, keys[0]!, NOW);
      tables.members.remove(1, 2, 'admin');
      tables.invitations.use(hash, 3, NOW);
      tables.accounts.extendSubscription(1, 1000, NOW);
    });
    const newcomer = await openTrader(
      () => store,
      () => NOW,
    );
    const accounts = store.read((tables) => tables.accounts.list(0, 9));

    await goBack();
    expect(driftOf()).toEqual([]);
    store.read((tables) => {
      expect(tables.apiKeys.list(1).map((key) => key.revokedAt)).toEqual([NOW, null]);
      expect(tables.members.list(1).map((row) => row.telegramId)).toEqual([1]);
      expect(tables.invitations.find(hash)?.usedBy).toBe(3);
      expect(tables.accounts.list(0, 9)).toEqual(accounts);
      expect(tables.quota.peek(newcomer.actor.accountId, 0).purchased).toBe(400);
    });
  });

  test('payments stay credited and refunds stay taken back', async () => {
    await store.write((tables) => {
      tables.purchases.insert({ ...purchase(1, 'refunded later'), at: NOW });
      tables.quota.credit(1, 400);
    });
    await makeBackup();
    await store.write((tables) => {
      tables.purchases.insert({ ...purchase(1, 'since'), at: NOW });
      tables.quota.credit(1, 400);
      tables.purchases.markRefunded('refunded later', 400, NOW);
      tables.quota.credit(1, -400);
    });
    await goBack();
    expect(driftOf()).toEqual([]);
    expect(store.read((tables) => tables.quota.peek(1, 0).purchased)).toBe(800);
    expect(store.read((tables) => tables.purchases.find('refunded later')?.refundedAt)).toBe(NOW);
    expect(store.read((tables) => tables.purchases.find('since')?.activationsQuarters)).toBe(400);
  });

  test('is put where the database really lies: a link to it stays one', async () => {
    await makeBackup();
    await store.close();
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    const { keptAs } = restoreNow(link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(keptAs).toMatch(/redemption\.db\.before-restore-/);
    store = open(link);
    expect(existsSync(`${path}-wal`)).toBe(true);
  });

  test('the replaced database is kept beside, whole', async () => {
    await makeBackup();
    await trader.addCodes(numberedCodes('A', 6));
    const { keptAs } = await goBack();
    expect(keptAs).toBe(`${path}.before-restore-20260113T000000000Z`);
    expect(query('select count(*) from codes', keptAs)).toEqual([6]);
    expect(existsSync(`${keptAs}-wal`)).toBe(false);
    // What was added since is the customer's: it is carried, and the platform is asked about it.
    expect(query('select state from codes')).toEqual(Array(6).fill('unverified'));
  });
});

describe('the replaced database', () => {
  /** A copy of the one in place that somebody changed. */
  function copyWith(change: string): string {
    const copy = join(folder, 'copy.db');
    const connection = new Database(path);
    connection.prepare('vacuum into ?').run(copy);
    connection.close();
    const changed = new Database(copy);
    changed.exec(change);
    changed.close();
    return copy;
  }

  test('may be one of another origin: only its identifiers count', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    const elsewhere = join(folder, 'elsewhere/redemption.db');
    const other = open(elsewhere);
    const stranger = await openTrader(
      () => other,
      () => NOW,
    );
    await stranger.addCodes(numberedCodes('Z', 4));
    await stranger.extract(4);
    await other.close();
    expect(restoreNow(elsewhere)).toMatchObject({ since: 'identifiers', unverified: 2 });
    expect(driftOf(elsewhere)).toEqual([]);
    expect(query("select seq from sqlite_sequence where name = 'codes'", elsewhere)).toEqual([1_000_004]);
  });

  test('may have died before it was sealed to a key: no canary is no origin of ours', async () => {
    await makeBackup();
    const elsewhere = copyWith("delete from meta where key = 'canary'");
    expect(restoreNow(elsewhere)).toMatchObject({ since: 'identifiers', because: 'it is of another origin' });
  });

  test('may have been killed: what only its log holds is carried, too', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await trader.redeem(await trader.begin());
    const elsewhere = join(folder, 'killed.db');
    copyFileSync(path, elsewhere);
    copyFileSync(`${path}-wal`, `${elsewhere}-wal`);
    const { since, keptAs } = restoreNow(elsewhere);
    expect(since).toBe('carried');
    expect(query("select count(*) from redemptions where state = 'redeemed'", keptAs)).toEqual([1]);
    expect(query('select state from codes order by id', elsewhere)).toEqual(['redeemed', 'unverified']);
    expect(driftOf(elsewhere)).toEqual([]);
  });

  test.each([
    ['meta', 'nothing'],
    ['twins', 'identifiers'],
  ])('may have lost a table: without %s, %s are known, and it is told why', async (table, since) => {
    await makeBackup();
    const because = `no such table: main.${table}`;
    expect(restoreNow(copyWith(`drop table ${table}`))).toMatchObject({ since, because });
  });

  test('is not unreadable where the disk is full: nothing is restored, and with room everything is carried', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await trader.addCodes(numberedCodes('B', 500));
    const handedOut = await trader.extract(2);
    await store.close();
    const { pragma } = Database.prototype;
    const filling = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
      this: Database.Database,
      ...given
    ) {
      // From the last look at the replaced database on, the restored one may not grow.
      if (given[0] === 'main.integrity_check(1)') pragma.call(this, 'fresh.max_page_count = 1');
      return pragma.apply(this, given);
    });
    try {
      expect(() => restoreNow()).toThrow(`The disk of ${path} is full: nothing was restored.`);
    } finally {
      filling.mockRestore();
    }
    expect(query("select count(*) from codes where state = 'extracted'")).toEqual([handedOut.length]);
    expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([]);
    expect(restoreNow()).toMatchObject({ since: 'carried', unverified: 500 });
    store = open();
  });

  test('may be beyond reading: it is moved away with its log', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await store.close();
    writeFileSync(path, 'no database any more '.repeat(1000));
    writeFileSync(`${path}-wal`, 'no log either '.repeat(1000));
    const { since, keptAs } = restoreNow();
    store = open();
    expect(since).toBe('nothing');
    expect(readFileSync(keptAs!, 'utf8')).toMatch(/^no database/);
    expect(driftOf()).toEqual([]);
    expect(query('select count(*) from codes')).toEqual([2]);
  });
});
