// A database as every earlier version left it is opened by the newest program: nothing of it is lost, every code opens, the
// books agree, and it is worked with. The fixture is a file that the first version made and that went along to a later one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createCodeSeals } from '../src/store/engine/code-seals.ts';
import { writeCanary } from '../src/store/engine/keys.ts';
import { createSecrets } from '../src/store/engine/secrets.ts';
import { createStore } from '../src/store/index.ts';
import { checkRunning } from '../src/store/safekeeping/checking.ts';
import { writeAsOf } from './harness/earlier-files.ts';
import { numberedCodes, openTrader } from './harness/traded-store.ts';

const KEY = Buffer.alloc(32, 7);
const secrets = createSecrets(KEY);
/** As the first version wrote them: hashes of 32 bytes. */
const seals = createCodeSeals(secrets, false);
const AT = Date.UTC(2026, 0, 13);
const JOURNAL = new URL('../drizzle/meta/_journal.json', import.meta.url);
const TAGS = (JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { tag: string }[] }).entries.map(
  ({ tag }) => tag,
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earlier-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(TAGS)('of %s', async (last) => {
  const path = join(folder, 'redemption.db');
  const file = new Database(path);
  file.pragma('journal_mode = WAL');
  const [first = '', ...later] = TAGS.slice(0, TAGS.indexOf(last) + 1);
  writeAsOf(file, first);
  writeFirstRows(file);
  goAlong(file, later);
  file.close();

  const store = createStore({ path, encryptionKey: KEY, exclusive: true });
  const lot = { accountId: 1, gameId: 'game_id_1', denomination: 60 };
  const available = store.read((tables) => tables.stock.countTakeable(lot));
  expect(available).toBe(2);
  const trader = await openTrader(
    () => store,
    () => AT + 60_000,
  );
  await trader.addCodes(numberedCodes('NEW', 3));
  await trader.redeem(await trader.begin());
  await store.close();

  const { drift, rows, counts } = await checkRunning(path, secrets);
  expect([drift, rows]).toEqual([0, []]);
  expect(counts).toMatchObject({ added: 6, codes: { available: 4, redeemed: 2 } });
  const again = new Database(path, { readonly: true });
  const kept = again.prepare('select player_id as player, amount from redemptions where id = 1').get();
  expect(kept).toEqual({ player: '5170925570', amount: 60 });
  expect(again.prepare('select telegram_id as id, role from members').all()).toEqual([
    { id: 5, role: 'owner' },
  ]);
  expect(again.prepare('select tag from migrations').pluck().all()).toEqual(TAGS);
  again.close();
});

/** A shop of the first version: an owner, three codes, one of them redeemed and charged. */
function writeFirstRows(file: Database.Database): void {
  writeCanary(file, secrets);
  file.exec(`insert into accounts (id, name, created_at, subscription_expires_at) values (1, 'Shop', ${AT}, ${AT * 2});
    insert into members (telegram_id, account_id, role, name, joined_at) values (5, 1, 'owner', 'Owner', ${AT});
    insert into quotas (account_id, used, window_start) values (1, 4, 0);
    insert into charges (id, account_id, at, daily, purchased, kind) values (1, 1, ${AT}, 4, 0, 'redeem');
    insert into batches (id, account_id, game_id, actor, at, added) values (1, 1, 'game_id_1', 'member:5', ${AT}, 3)`);
  const addCode = file.prepare(
    `insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
     values (1, 'game_id_1', 60, ?, ?, ?, 1, ${AT})`,
  );
  const sealed = numberedCodes('OLD', 3).map((code) => seals.seal('game_id_1', code));
  sealed.forEach(({ hash, secret }, index) =>
    addCode.run(index === 0 ? 'redeemed' : 'available', hash, secret),
  );
  file
    .prepare(
      `insert into redemptions (id, reference, account_id, actor, game_id, player_id, mode, denomination, code_id, code_hash,
         code_secret, state, openid, player_name, amount, charge_id, created_at, settled_at)
       values (1, 'reference-1', 1, 'member:5', 'game_id_1', '5170925570', 'database', 60, 1, ?, ?, 'redeemed', 'openid-1',
         'Player', 60, 1, ${AT}, ${AT})`,
    )
    .run(sealed[0]?.hash, sealed[0]?.secret);
}

/** Each later version, as its program did it: one migration after the other, in a file that is in use. */
function goAlong(file: Database.Database, tags: readonly string[]): void {
  for (const tag of tags) {
    file.exec(readFileSync(new URL(`../drizzle/${tag}.sql`, import.meta.url), 'utf8'));
    file.prepare('insert into migrations values (?, 0)').run(tag);
  }
}
