// While a rekey runs a value is found and opened under either key, wherever its row is on the way: nothing is taken for
// new that is there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openConnection } from '../engine/connection.ts';
import { migrate } from '../engine/migrations.ts';
import { createCodeSeals, createSecrets, namesOf, type Secrets } from '../engine/secrets.ts';
import { createTables, type Tables } from './index.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const GAME = 'game_id_1';
const STOCK_KEY = { accountId: 1, gameId: GAME, denomination: 60 };
const CODE = '60SABCDEFGHIJKLM';

let folder: string;
let connection: Connection;
/** As it was before, during and after. */
let before: Tables;
let during: Tables;
let both: Secrets;
let batchId: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'two-keys-'));
  connection = openConnection(join(folder, 'redemption.db'));
  migrate(connection);
  connection.exec('begin');
  both = createSecrets(NEW, { older: OLD });
  before = createTables(connection, createSecrets(OLD));
  during = createTables(connection, both);
  before.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
  batchId = before.batches.open({ accountId: 1, gameId: GAME, actor: 'apiKey:1', now: 1 });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const oldSeals = createCodeSeals(createSecrets(OLD));
const newSeals = () => createCodeSeals(both);
const add = (tables: Tables, seals = newSeals(), code = CODE, into = batchId) =>
  tables.batches.insertCode({ ...STOCK_KEY, batchId: into, now: 1 }, seals.seal(GAME, code));

function redeem(tables: Tables, seals = newSeals(), codeId: number | null = null) {
  const code = { text: CODE, ...seals.seal(GAME, CODE) };
  const mode = codeId === null ? ('direct' as const) : ('database' as const);
  const row = { accountId: 1, actor: 'apiKey:1', gameId: GAME, playerId: '51000', usageId: null, now: 1 };
  return tables.redemptions.begin({ ...row, mode, denomination: 60, codeId, code });
}

describe('a code of before', () => {
  test('is added no second time, in another batch, in its own, and where it was redeemed', () => {
    expect(add(before, oldSeals)).toBe(true);
    const other = during.batches.open({ accountId: 1, gameId: GAME, actor: 'apiKey:1', now: 2 });
    expect(add(during, newSeals(), CODE, other)).toBe(false);
    connection.exec("update codes set state = 'undone'");
    expect(add(during)).toBe(false);
    expect(add(during, newSeals(), CODE, other)).toBe(true);
    redeem(before, oldSeals);
    connection.exec("update codes set state = 'undone'");
    const third = during.batches.open({ accountId: 1, gameId: GAME, actor: 'apiKey:1', now: 3 });
    expect(add(during, newSeals(), CODE, third)).toBe(false);
  });

  test('has its owner, and its batch holds it', () => {
    add(before, oldSeals);
    const hash = newSeals().hash(GAME, CODE);
    expect(during.codes.findOwner(GAME, hash)).toMatchObject({ accountId: 1, state: 'available' });
    expect(during.batches.holds(batchId, hash)).toBe(true);
    expect(during.codes.findOwner(GAME, newSeals().hash(GAME, `${CODE}X`))).toBeUndefined();
  });

  test.each(['taken', 'claimed'])('that is %s is sealed anew with its redemption', (how) => {
    add(before, oldSeals);
    const taken =
      how === 'taken'
        ? during.codes.takeOldest({ ...STOCK_KEY, now: 2 })
        : during.codes.claim({ gameId: GAME, hash: newSeals().hash(GAME, CODE), now: 2 });
    const id = redeem(during, newSeals(), taken!.id);
    const after = createTables(connection, createSecrets(NEW));
    expect(after.redemptions.get(id).code).toBe(CODE);
    expect(after.codes.findOwner(GAME, newSeals().hash(GAME, CODE))).toMatchObject({ state: 'reserved' });
    expect(
      connection.prepare('select count(*) from codes c join redemptions r using (code_hash)').pluck().get(),
    ).toBe(1);
  });

  test('that is taken has the hash and the seal of the new key', () => {
    add(before, oldSeals);
    const taken = during.codes.takeOldest({ ...STOCK_KEY, now: 2 })!;
    const alone = createCodeSeals(createSecrets(NEW));
    expect(taken.code).toBe(CODE);
    expect(alone.open(taken)).toBe(CODE);
    expect(taken.hash.equals(alone.hash(GAME, CODE))).toBe(true);
  });
});

describe('a redemption of before', () => {
  test('is live, found by its code and by both of its ends, and read', () => {
    const id = redeem(before, oldSeals);
    expect(during.redemptions.findLive(GAME, newSeals().hash(GAME, CODE))).toMatchObject({ id });
    expect(during.redemptions.findOfCode(1, GAME, CODE)).toMatchObject({ id });
    expect(during.history.findOfTail(1, CODE.slice(-6), 10)).toMatchObject([{ id, code: CODE }]);
    expect(during.history.findOfHead(1, CODE.slice(0, 6), 10)).toMatchObject([{ id, code: CODE }]);
    expect(during.redemptions.get(id).code).toBe(CODE);
  });

  test('and one of now are found together: the live one first, else the newest', () => {
    const first = redeem(before, oldSeals);
    connection.exec(`update redemptions set state = 'failed', error_code = 'CODE_USED', settled_at = 2`);
    expect(during.redemptions.findLive(GAME, newSeals().hash(GAME, CODE))).toBeUndefined();
    const second = redeem(during);
    expect(during.redemptions.findOfCode(1, GAME, CODE)).toMatchObject({ id: second });
    connection.exec(`update redemptions set state = 'failed', error_code = 'CODE_USED', settled_at = 2`);
    expect(during.redemptions.findOfCode(1, GAME, CODE)).toMatchObject({ id: second });
    expect(during.history.findOfTail(1, CODE.slice(-6), 10).map(({ id }) => id)).toEqual([second, first]);
    expect(during.history.findOfTail(1, CODE.slice(-6), 1).map(({ id }) => id)).toEqual([second]);
    expect(
      during.history
        .findOfHead(1, CODE.slice(0, 6), 10)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([first, second]);
  });

  test('that fell in doubt is known beside one of now', () => {
    const first = redeem(before, oldSeals);
    connection.exec(
      `update redemptions set state = 'failed', error_code = 'UNKNOWN', settled_at = 2, doubted_at = 1`,
    );
    const id = redeem(during);
    const hash = newSeals().hash(GAME, CODE);
    const query = { id, accountId: 1, gameId: GAME, hash, playerId: '51000', since: 0 };
    expect(during.redemptions.findDoubtful(query)).toEqual({ own: true, others: false });
    expect(during.redemptions.findDoubtful({ ...query, accountId: 2 })).toMatchObject({ others: true });
    expect(first).toBe(id - 1);
  });
});

describe('secrets', () => {
  test('seal with the new key and open what either has sealed, until the older is dropped', () => {
    const [old, alone] = [createSecrets(OLD), createSecrets(NEW)];
    const hash = old.hash('code', 'x');
    const [sealed, byHash] = [old.seal('row', 'word'), old.sealByHash(hash, 'word')];
    expect([both.open('row', sealed), both.openByHash(hash, byHash)]).toEqual(['word', 'word']);
    expect(alone.open('row', both.seal('row', 'word'))).toBe('word');
    expect(() => both.open('other', sealed)).toThrow();
    expect(both.olderKeyId).toEqual(old.keyId);
    both.dropOlder();
    expect(both.olderKeyId).toBeUndefined();
    expect(both.openIfSound('row', sealed)).toBeUndefined();
    expect(() => both.openByHash(hash, byHash)).toThrow('another encryption key');
    expect(both.hash('code', 'x')).not.toHaveProperty('older');
  });

  test('hash what finds codes anew, and names outside as before', () => {
    const old = createSecrets(OLD);
    const renamed = createSecrets(NEW, { older: OLD, names: namesOf(OLD) });
    for (const purpose of ['code', 'tail', 'beginning']) {
      expect(renamed.hash(purpose, 'x').equals(old.hash(purpose, 'x'))).toBe(false);
      expect(renamed.hash(purpose, 'x').older).toEqual(old.hash(purpose, 'x'));
    }
    for (const purpose of ['idempotency-key', 'idempotency-request', 'reference', 'api-key', 'invitation'])
      expect(renamed.hash(purpose, 'x')).toEqual(old.hash(purpose, 'x'));
  });
});
