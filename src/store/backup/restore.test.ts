// Restoring: goes back to a proven backup or changes nothing, and never makes spendable what left since.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
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

describe('on a machine without a database', () => {
  test('everything is there again, and every available code is unverified', async () => {
    await tradeEverything(store, trader);
    await makeBackup();
    const elsewhere = join(folder, 'elsewhere/redemption.db');
    expect(restoreNow(elsewhere)).toMatchObject({
      unverified: 0,
      inQuestion: 4,
      keptAs: undefined,
      asOf: NOW,
      ordersStopped: [],
      unreadable: 0,
      drift: 0,
      rows: [],
      counts: { added: 15, codes: { available: 0, in_question: 4 } },
    });
    expect(query("select count(*) from codes where state = 'available'", elsewhere)).toEqual([0]);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
    expect(driftOf(elsewhere)).toEqual([]);
    const again = open(elsewhere);
    expect(again.lost?.until).toBe(NOW);
    const before = store.read((tables) => tables.redemptions.listBefore(1, NOW + 1, 100));
    expect(again.read((tables) => tables.redemptions.listBefore(1, NOW + 1, 100))).toEqual(before);
    await again.close();
  });

  test('what was under way, or about to be, is unknown', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    const [sent, unsent] = [await trader.begin({ code: '60SDIRECT00000001' }), await trader.begin()];
    await makeBackup();
    new Database(file)
      .exec(`drop trigger attempts_stand; delete from attempts where redemption_id = ${unsent.id}`)
      .close();
    const elsewhere = join(folder, 'elsewhere/redemption.db');
    expect(restoreNow(elsewhere)).toMatchObject({ drift: 0 });
    const restored = new Database(elsewhere);
    const unknown = { n: 1, upstream: 'sandbox-1', kind: 'order', state: 'unknown', quiet_until: NOW };
    expect(restored.prepare('select * from attempts').all()).toMatchObject(
      [sent, unsent].map(({ id }) => ({ redemption_id: id, ...unknown })),
    );
    // What it worked beside is back.
    expect(() =>
      restored.exec(`insert into attempts (redemption_id, n, upstream, kind, reference, state, begun_at)
        values (${sent.id}, 2, 'other', 'order', 'r', 'open', 0)`),
    ).toThrow('every earlier one is proven');
    restored.close();
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

  test('over a sound database that holds what the backup lacks, and it is told what going back costs', async () => {
    await trader.addCodes(numberedCodes('C', 7));
    await trader.extract(2);
    await store.write((tables) => {
      tables.purchases.insert({ ...purchase(1, 'since'), at: NOW });
      tables.quota.credit(1, 400);
    });
    await expectRefusal(
      /redemption\.db is sound, and holds what .*backup\.db lacks \(commits: \d+, redemptions: 1, codes added: 7, codes handed out: 2, payments: 1\): going back loses it, and two pasts are never merged\. Nothing was changed\. .*`mv .*redemption\.db .*redemption\.db\.given-up`/,
    );
    await store.close();
    renameSync(path, `${path}.given-up`);
    expect(restoreNow()).toMatchObject({ keptAs: undefined });
    store = open();
    expect(driftOf()).toEqual([]);
  });

  test('from a file that is not there', () => {
    rmSync(file);
    return expectRefusal(/does not exist/);
  });

  test('from a folder', () => {
    rmSync(file);
    mkdirSync(file);
    return expectRefusal(/is a folder\. Name a file in it\.$/);
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

  test('from a backup beside the log of another', () => {
    writeFileSync(`${file}-wal`, 'x');
    return expectRefusal(/is not the log of/, () => {
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

describe('the replaced database', () => {
  test('is replaced where it holds nothing that the backup lacks, and kept beside, whole', async () => {
    await trader.addCodes(numberedCodes('A', 6));
    await makeBackup();
    const restored = await goBack();
    expect(restored).toMatchObject({ unverified: 6, asOf: NOW });
    expect(restored.because).toBeUndefined();
    const { keptAs } = restored;
    expect(keptAs).toBe(`${path}.before-restore-20260113T000000000Z`);
    expect(query('select state from codes', keptAs)).toEqual(Array(6).fill('available'));
    expect(existsSync(`${keptAs}-wal`)).toBe(false);
    expect(query('select state from codes')).toEqual(Array(6).fill('unverified'));
    const entry =
      "select what || ' ' || actor || ' ' || before || ' ' || after from audit_log order by id desc limit 1";
    const times = `{"asOf":${NOW}} {"until":${NOW}}`;
    expect(query(entry)).toEqual([`restored host:cli ${times}`]);
    expect(
      query("select name from sqlite_schema where type = 'trigger' and tbl_name = 'audit_log'"),
    ).toHaveLength(4);
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

  const refuseWith = (code: string): never => {
    throw new Database.SqliteError('refused', code);
  };

  /** `answer`: of the check of the database that is replaced. */
  function whileChecked(answer: () => string, work: () => void): void {
    const { pragma } = Database.prototype;
    const spy = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
      this: Database.Database,
      ...given
    ) {
      return given[0] === 'main.integrity_check(1)' ? answer() : pragma.apply(this, given);
    });
    try {
      work();
    } finally {
      spy.mockRestore();
    }
  }

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

  test('may be one of another origin: only the numbers that it gave count', async () => {
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
    expect(restoreNow(elsewhere)).toMatchObject({ because: 'it is of another origin', unverified: 2 });
    expect(driftOf(elsewhere)).toEqual([]);
    expect(query("select seq from sqlite_sequence where name = 'codes'", elsewhere)).toEqual([1_000_004]);
  });

  test('may have died before it was sealed to a key: no canary is no origin of ours', async () => {
    await makeBackup();
    const elsewhere = copyWith("delete from meta where key = 'canary'");
    expect(restoreNow(elsewhere)).toMatchObject({ because: 'it is of another origin' });
  });

  test('may have been killed: what only its log holds counts, too', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await trader.redeem(await trader.begin());
    const elsewhere = join(folder, 'killed.db');
    copyFileSync(path, elsewhere);
    copyFileSync(`${path}-wal`, `${elsewhere}-wal`);
    expect(() => restoreNow(elsewhere)).toThrow(/redemptions: 1/);
    expect(query("select count(*) from redemptions where state = 'redeemed'", elsewhere)).toEqual([1]);
  });

  test.each(['meta', 'redemptions'])('is damaged without %s, and it is told why', async (table) => {
    await makeBackup();
    await trader.addCodes(numberedCodes('A', 2));
    const because = `no such table: main.${table}`;
    expect(restoreNow(copyWith(`drop table ${table}`))).toMatchObject({ because });
  });

  test('is not unreadable where the disk is full: nothing is restored', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await trader.addCodes(numberedCodes('B', 500));
    const handedOut = await trader.extract(2);
    await store.close();
    whileChecked(
      () => refuseWith('SQLITE_FULL'),
      () => expect(() => restoreNow()).toThrow(`The disk of ${path} is full: nothing was restored.`),
    );
    expect(query("select count(*) from codes where state = 'extracted'")).toEqual([handedOut.length]);
    expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([]);
    expect(() => restoreNow()).toThrow(/codes added: 500, codes handed out: 2/);
    store = open();
  });

  test.each([
    ...['READONLY', 'CANTOPEN', 'PERM', 'IOERR_READ', 'AUTH', 'PROTOCOL', 'NOMEM'].map(
      (code) => () => refuseWith(`SQLITE_${code}`),
    ),
    () => '*** in database main ***\nTree 4 page 4: unable to get the page. error code=266',
    () => 'Tree 4 page 4: btreeInitPage() returns error code 7',
  ])(
    'is not judged where it cannot be read now, and it is said that this is no damage (%#)',
    async (answer) => {
      await trader.addCodes(numberedCodes('A', 2));
      await makeBackup();
      await store.close();
      whileChecked(answer, () =>
        expect(() => restoreNow()).toThrow(
          /cannot be read now \(.*\), which is no damage: .*nothing was changed/s,
        ),
      );
      expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([]);
      store = open();
    },
  );

  test('may be beyond reading: it is moved away with its log', async () => {
    await trader.addCodes(numberedCodes('A', 2));
    await makeBackup();
    await store.close();
    writeFileSync(path, 'no database any more '.repeat(1000));
    writeFileSync(`${path}-wal`, 'no log either '.repeat(1000));
    const { because, keptAs } = restoreNow();
    store = open();
    expect(because).toBe('it cannot be read');
    expect(readFileSync(keptAs!, 'utf8')).toMatch(/^no database/);
    expect(driftOf()).toEqual([]);
    expect(query('select count(*) from codes')).toEqual([2]);
  });
});
