// A file of an earlier version holds long hashes for ever beside the short ones of today: no code is there twice, and each is found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createCodeSeals } from '../engine/code-seals.ts';
import { createStore, type Store } from '../index.ts';
import { checkConservation } from '../safekeeping/conservation.ts';

const GAME = 'game_id_1';
const OLD = '60SoldCode0000000001';
let folder: string;
let store: Store;
/** As an earlier version sealed. */
let before: ReturnType<typeof createCodeSeals>;
let accountId: number;
let batchId: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'older-hashes-'));
  store = createStore({
    path: join(folder, 'redemption.db'),
    exclusive: true,
  });
  before = createCodeSeals(store.secrets, false);
  accountId = await store.write((tables) =>
    tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null }),
  );
  batchId = await add(before, OLD).then(({ batch }) => batch);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const lot = () => ({ accountId, gameId: GAME, denomination: 60 });

function add(seals: typeof before, code: string): Promise<{ batch: number; isAdded: boolean }> {
  return store.write(({ batches }) => {
    const batch = batches.open({ accountId, gameId: GAME, actor: 'host', now: 0 });
    const isAdded = batches.insertCode({ ...lot(), batchId: batch, now: 0 }, seals.seal(GAME, code));
    if (isAdded) batches.grow(batch, lot(), 1);
    return { batch, isAdded };
  });
}

/** Redeems the oldest code of the database, as the core does. */
function redeem(reference: string): Promise<number> {
  return store.write(({ codes, redemptions }) => {
    const taken = codes.takeOldest({ ...lot(), now: 1 });
    if (taken?.code === undefined) throw new Error('There is no code.');
    const { id: codeId, hash, secret, code: text } = taken;
    const parts = {
      reference,
      accountId,
      actor: 'host',
      gameId: GAME,
      playerId: '51000',
      denomination: 60,
      now: 1,
    };
    const code = { text, hash, secret };
    return redemptions.begin({ ...parts, mode: 'database', codeId, code, chargeId: null });
  });
}

function inspect<T>(look: (file: Database.Database) => T): T {
  const file = new Database(store.path);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

test('a code that lies there under its long hash is not added again, and neither is one that was redeemed', async () => {
  expect((await add(store.seals, OLD)).isAdded).toBe(false);
  expect(store.read((tables) => tables.codes.findOwner(GAME, store.seals.hash(GAME, OLD)))).toMatchObject({
    batchId,
  });
  await redeem('one');
  expect((await add(store.seals, OLD)).isAdded).toBe(false);
  // What is redeemed here costs nothing.
  const { rows } = inspect((file) => checkConservation(file, { secrets: store.secrets }));
  expect(rows.filter(({ check }) => check !== 'charge')).toEqual([]);
});

test('a batch that had it under its long hash does not get it again, whatever became of it', async () => {
  const again = (batch: number) =>
    store.write(({ batches }) =>
      batches.insertCode({ ...lot(), batchId: batch, now: 1 }, store.seals.seal(GAME, OLD)),
    );
  const other = await store.write((tables) => {
    const extraction = { ...lot(), actor: 'host', wanted: 1, now: 1 };
    tables.extractions.extract({
      ...lot(),
      amount: 1,
      extractionId: tables.extractions.open(extraction),
      now: 1,
    });
    return tables.batches.open({ accountId, gameId: GAME, actor: 'host', now: 1 });
  });
  expect(await again(batchId)).toBe(false);
  expect(await again(other)).toBe(true);
});

test('the database itself refuses the short hash beside the long one', () => {
  const again = () =>
    inspect((file) =>
      file
        .prepare(
          `insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at, owned)
           select account_id, game_id, denomination, state, substr(code_hash, 1, 16), x'00', batch_id, 0, 1 from codes`,
        )
        .run(),
    );
  expect(again).toThrow(/UNIQUE/);
});

test('given with a request it is claimed, and its redemption is live and found by either hash', async () => {
  const hash = store.seals.hash(GAME, OLD);
  const claimed = await store.write((tables) => tables.codes.claim({ gameId: GAME, hash, now: 1 }));
  expect(claimed).toMatchObject({ accountId });
  const id = await store.write(({ redemptions }) =>
    redemptions.begin({
      ...{ reference: 'direct', accountId, actor: 'host', gameId: GAME, playerId: '51000', mode: 'direct' },
      ...{ denomination: null, codeId: claimed?.id ?? null, chargeId: null, now: 1 },
      code: { text: OLD, ...before.seal(GAME, OLD) },
    }),
  );
  inspect((file) =>
    file.prepare('update redemptions set code_tail_hash = ?').run(store.secrets.hash('tail', OLD.slice(-6))),
  );
  const found = store.read(({ redemptions, history }) => ({
    live: redemptions.findLive(GAME, hash)?.id,
    byTail: history.findOfTail(accountId, OLD, 5).map((row) => [row.id, row.code]),
  }));
  expect(found).toEqual({ live: id, byTail: [[id, OLD]] });
});

test('a code of the database is kept once, and its receipt shows it, whatever became of it', async () => {
  await add(store.seals, 'NEW-CODE-1');
  const ids = [await redeem('old'), await redeem('new')];
  const kept = inspect((file) => file.prepare('select count(code_secret) from redemptions').pluck().get());
  expect(kept).toBe(0);
  const show = () => store.read(({ redemptions }) => ids.map((id) => redemptions.find(id)?.code));
  expect(show()).toEqual([OLD, 'NEW-CODE-1']);
  await store.write(({ codes, redemptions }) => {
    for (const id of ids) {
      redemptions.settleFailed(id, { errorCode: 'UNKNOWN', errorMessage: null, codeReset: true }, 2);
      codes.giveBack(redemptions.get(id).codeId ?? 0, 2);
    }
  });
  await store.write(({ extractions }) => {
    const extraction = { ...lot(), actor: 'host', wanted: 9, now: 3 };
    extractions.extract({ ...lot(), amount: 9, extractionId: extractions.open(extraction), now: 3 });
  });
  expect(show()).toEqual([OLD, 'NEW-CODE-1']);
});

describe('a large file of an earlier version', () => {
  const ID = 60_000;
  beforeEach(async () => {
    const { path } = store;
    await store.close();
    // As it was before 0011_leaner_rows; how large it is, the highest id tells.
    inspect((file) => {
      file.exec(`delete from migrations where tag = '0011_leaner_rows'; update codes set id = ${ID};
        drop index codes_by_hash; create unique index codes_by_hash on codes (code_hash) where owned is not null;
        drop index redemptions_by_hash;
        create unique index redemptions_by_hash on redemptions (code_hash) where live is not null`);
    });
    store = createStore({ path, exclusive: true });
  });

  test('goes on with long hashes: no code is there twice, and each is found', async () => {
    expect(store.seals.hash(GAME, OLD)).toHaveLength(32);
    expect((await add(store.seals, OLD)).isAdded).toBe(false);
    expect((await add(store.seals, 'NEW-CODE-1')).isAdded).toBe(true);
    expect((await add(store.seals, 'NEW-CODE-1')).isAdded).toBe(false);
    const ids = [await redeem('old'), await redeem('new')];
    const live = [OLD, 'NEW-CODE-1'].map((code) =>
      store.read(({ redemptions }) => redemptions.findLive(GAME, store.seals.hash(GAME, code))?.id),
    );
    expect(live).toEqual(ids);
    expect((await add(store.seals, OLD)).isAdded).toBe(false);
    expect(store.read(({ redemptions }) => ids.map((id) => redemptions.find(id)?.code))).toEqual([
      OLD,
      'NEW-CODE-1',
    ]);
    const { rows } = inspect((file) => checkConservation(file, { secrets: store.secrets }));
    expect(rows.filter(({ check }) => check !== 'charge')).toEqual([]);
  });

  test('is not walked through when it is opened: its indexes stand', () => {
    const indexes = inspect((file) =>
      file.prepare("select sql from sqlite_schema where name like '%_by_hash'").pluck().all(),
    );
    expect(indexes).toHaveLength(2);
    expect(indexes.filter((text) => String(text).includes('substr'))).toEqual([]);
  });
});
