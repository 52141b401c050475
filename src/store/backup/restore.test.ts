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
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { damagePage, makeUnreadable } from '../../../test/harness/damaged-file.ts';
import {
  numberedCodes,
  openTrader,
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

/** Stops the service, damages its database, restores, starts it again. */
async function goBack() {
  await store.close();
  damagePage(path, 'codes_in_batch');
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
      unverified: 2,
      inQuestion: 2,
      keptAs: undefined,
      asOf: NOW,
      ordersStopped: [],
      unreadable: 0,
      drift: 0,
      rows: [],
      counts: { added: 15, codes: { available: 0, in_question: 2 } },
    });
    expect(query("select count(*) from codes where state = 'available'", elsewhere)).toEqual([0]);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
    expect(driftOf(elsewhere)).toEqual([]);
    const again = open(elsewhere);
    expect(again.lost?.until).toBe(NOW);
    const past = { accountId: 1, direction: 'older', createdAt: NOW + 1, id: 0, end: 0, limit: 100 } as const;
    const before = store.read((tables) => tables.history.list(past));
    expect(again.read((tables) => tables.history.list(past))).toEqual(before);
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

  test('an empty log that a reader left is not kept', async () => {
    await makeBackup();
    await store.close();
    rmSync(path);
    for (const [suffix, text] of [
      ['-wal', ''],
      ['-shm', 'an index'],
    ])
      writeFileSync(path + suffix, text!);
    restoreNow();
    expect(readdirSync(folder).filter((name) => name.includes('before-restore'))).toEqual([]);
    store = open();
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

  const of = (codes: number, redemptions: number) =>
    `it has ${codes} codes and ${redemptions} redemptions, the newest entry of 2026-01-13T00:00:00.000Z`;
  const sound: Record<string, [has: string, put: (at: string) => Promise<void> | void]> = {
    'that holds what the backup lacks': [of(15, 11), (at) => renameSync(path, at)],
    'that is as the backup knows it': [of(15, 10), (at) => void restoreNow(at)],
    'of another shop': ['it has 0 codes and 0 redemptions', (at) => open(at).close()],
    'that was sealed to no key yet': [
      of(15, 11),
      (at) => {
        renameSync(path, at);
        new Database(at).exec("delete from meta where key = 'canary'").close();
      },
    ],
    'of another program': [
      'it is of another program',
      (at) => void new Database(at).exec('create table other (id integer)').close(),
    ],
    'that is a backup': [of(15, 10), (at) => copyFileSync(file, at)],
  };

  test.each(Object.entries(sound))(
    'over a sound database %s, and it is told what to do',
    async (_what, [has, put]) => {
      await store.close();
      const at = join(folder, 'sound.db');
      await put(at);
      before = readFileSync(at);
      expect(() => restoreNow(at)).toThrow(
        `${at} is sound, and a sound database is never replaced: ${has}. Nothing was changed. Where it is to be given up for ${file} all the same, move it away, \`mv ${at} ${at}.given-up\`, and restore again, or name another DATABASE_PATH; what was done in it since is read by \`DATABASE_PATH=${at}.given-up redemption log --since 2026-01-13T00:00:00.000Z\`.`,
      );
      expect(readFileSync(at).equals(before)).toBe(true);
      expect(readdirSync(folder).filter((name) => /restor|sound\.db-/.test(name))).toEqual([]);
      renameSync(at, `${at}.given-up`);
      expect(restoreNow(at)).toMatchObject({ keptAs: undefined, because: undefined });
      expect(driftOf(at)).toEqual([]);
      store = open(at);
    },
  );

  test('over a sound database that was killed: what only its log holds is there still', async () => {
    const elsewhere = join(folder, 'killed.db');
    copyFileSync(path, elsewhere);
    copyFileSync(`${path}-wal`, `${elsewhere}-wal`);
    expect(() => restoreNow(elsewhere)).toThrow(/is sound/);
    const redeemed = "select count(*) from redemptions where state = 'redeemed'";
    expect(query(redeemed, elsewhere)).toEqual(query(redeemed));
    expect(query(redeemed, elsewhere)).not.toEqual(query(redeemed, file));
  });

  test('over a backup that was put beside the log of another', () => {
    const elsewhere = join(folder, 'by-hand.db');
    copyFileSync(file, elsewhere);
    copyFileSync(`${path}-wal`, `${elsewhere}-wal`);
    expect(() => restoreNow(elsewhere)).toThrow(/was put there by hand .*-wal is of another database/);
    expect(readFileSync(elsewhere).equals(readFileSync(file))).toBe(true);
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
    damagePage(file, 'codes_in_batch');
    return expectRefusal(/damaged|cannot be read/);
  });
});

describe('the replaced database', () => {
  test('is kept beside, in one file, and what is wrong with it is told', async () => {
    await trader.addCodes(numberedCodes('A', 6));
    await makeBackup();
    const restored = await goBack();
    expect(restored).toMatchObject({ unverified: 6, asOf: NOW });
    const { keptAs, because } = restored;
    expect(because).toMatch(/error code 11$/);
    expect(keptAs).toBe(`${path}.before-restore-20260113T000000000Z`);
    expect(query('select state from codes not indexed', keptAs)).toEqual(Array(6).fill('available'));
    expect(existsSync(`${keptAs}-wal`)).toBe(false);
    expect(query('select state from codes')).toEqual(Array(6).fill('unverified'));
    const entry =
      "select what || ' ' || actor || ' ' || before || ' ' || after || ' ' || reason from audit_log order by id desc limit 1";
    const times = `{"asOf":${NOW}} {"until":${NOW}}`;
    expect(query(entry)).toEqual([`restored host:cli ${times} ${because}`]);
    expect(
      query("select name from sqlite_schema where type = 'trigger' and tbl_name = 'audit_log'"),
    ).toHaveLength(4);
  });

  test('is put where the database really lies: a link to it stays one', async () => {
    await makeBackup();
    await store.close();
    makeUnreadable(path);
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
      const isOfReplaced = this.name === path && given[0] === 'integrity_check(1)';
      return isOfReplaced ? answer() : pragma.apply(this, given);
    });
    try {
      work();
    } finally {
      spy.mockRestore();
    }
  }

  test.each(['meta', 'redemptions', 'sqlite_sequence'])(
    'may have lost %s: what else it tells counts',
    async (table) => {
      await trader.addCodes(numberedCodes('A', 2));
      await makeBackup();
      await store.close();
      damagePage(path, table);
      expect(restoreNow()).toMatchObject({ unverified: 2, because: expect.stringMatching(/./) });
      store = open();
      expect(driftOf()).toEqual([]);
    },
  );

  test('may be empty, as what a disk has lost is', async () => {
    await makeBackup();
    const elsewhere = join(folder, 'empty.db');
    writeFileSync(elsewhere, '');
    expect(restoreNow(elsewhere)).toMatchObject({ because: 'it is empty' });
    expect(driftOf(elsewhere)).toEqual([]);
  });

  test('may be cut off', async () => {
    await makeBackup();
    await store.close();
    truncateSync(path, 64 * 1024);
    expect(restoreNow().because).toMatch(/./);
    store = open();
    expect(driftOf()).toEqual([]);
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
    makeUnreadable(path);
    writeFileSync(`${path}-wal`, 'no log either '.repeat(1000));
    const { because, keptAs } = restoreNow();
    store = open();
    expect(because).toBe('it cannot be read');
    expect(readFileSync(keptAs!, 'utf8')).toMatch(/^no database/);
    expect(driftOf()).toEqual([]);
    expect(query('select count(*) from codes')).toEqual([2]);
  });
});
