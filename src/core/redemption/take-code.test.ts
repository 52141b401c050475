// A disk that begins to rot: a row that does not open any more costs itself. The next code is taken, the page is shown.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { writeNotice } from '../notices/notices.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { gameId: GAME, denomination: 60 };

let t: TestCore;
let codes: string[];

beforeEach(async () => {
  t = await openTestCore();
  codes = [makeCode(), makeCode(), makeCode(), makeCode()];
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
});
afterEach(() => t.close());

/** Changes one bit of a sealed value. */
function rot(table: string, column: string, where: string): void {
  const connection = new Database(t.store.path);
  const rows = connection.prepare(`select id, ${column} as sealed from ${table} where ${where}`).all();
  for (const row of rows as { id: number; sealed: Buffer }[]) {
    row.sealed.writeUInt8(row.sealed.readUInt8(row.sealed.length - 1) ^ 1, row.sealed.length - 1);
    connection.prepare(`update ${table} set ${column} = @sealed where id = @id`).run(row);
  }
  connection.close();
}

function states(): unknown[] {
  const connection = new Database(t.store.path, { readonly: true });
  const found = connection.prepare('select state from codes order by id').pluck().all();
  connection.close();
  return found;
}

const toHost = () =>
  listWithRecipients(t.core, t.store)
    .map(({ notice }) => notice)
    .filter(({ accountId }) => accountId === null);
const redeem = () => t.core.redeem(t.actor, { ...STOCK_KEY, playerId: '5170925570' });

test('codes that do not open are put aside as invalid, the next is redeemed, and the host is told once', async () => {
  rot('codes', 'code_secret', 'id <= 2');
  expect(await redeem()).toMatchObject({ redemption: { state: 'redeemed', code: codes[2] } });
  expect(states()).toEqual(['invalid', 'invalid', 'redeemed', 'available']);
  expect(toHost()).toEqual([
    { kind: 'codesUnreadable', accountId: null, ofAccount: t.actor.accountId, codeIds: [1, 2] },
  ]);
});

test('where none opens there is none, and nothing is charged', async () => {
  rot('codes', 'code_secret', 'true');
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode: 'NO_CODES_AVAILABLE' } });
  expect(t.core.quota(t.actor).daily.used).toBe(0);
  expect(states()).toEqual(Array(4).fill('invalid'));
});

test('an extraction hands out those that open, and as many as were asked for', async () => {
  rot('codes', 'code_secret', 'id = 2');
  const { codes: handedOut } = await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 3 });
  expect(handedOut).toEqual([codes[0], codes[2], codes[3]]);
  expect(states()).toEqual(['extracted', 'invalid', 'extracted', 'extracted']);
  expect(toHost()).toMatchObject([{ kind: 'codesUnreadable', codeIds: [2] }]);
});

test('an extraction that is asked for again tells those that still open', async () => {
  const idempotencyKey = { scope: 'http' as const, key: 'key' };
  await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 3, idempotencyKey });
  rot('codes', 'code_secret', 'id = 2');
  const again = await t.core.codes.extract(t.actor, { ...STOCK_KEY, amount: 3, idempotencyKey });
  expect(again).toMatchObject({ replayed: true, codes: [codes[2], codes[3]] });
});

test('a page, a receipt and an export show a redemption without what does not open', async () => {
  await redeem();
  await redeem();
  rot('codes', 'code_secret', 'id = (select code_id from redemptions where id = 1)');
  rot('redemptions', 'credentials_secret', 'id = 1');
  const page = t.core.receipts.list(t.actor, {});
  expect(page.map(({ id, code }) => [id, code])).toEqual([
    [2, codes[1]],
    [1, null],
  ]);
  const receipt = t.core.receipts.find(t.actor, 1);
  expect(receipt).toMatchObject({ id: 1, state: 'redeemed', code: null, credentials: null });
  const owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 1, role: 'owner' } as const;
  const exported: { id: number; code: string | null }[] = [];
  for await (const rows of t.core.receiptList.walkDays(owner, { days: 1, full: true }))
    exported.push(...rows);
  expect(exported.map(({ id, code }) => [id, code])).toEqual([
    [1, null],
    [2, codes[1]],
  ]);
});

test('notices that do not open hold up none of the others', async () => {
  const told = (redemptionId: number) =>
    ({ kind: 'doubtHeld', accountId: null, ofAccount: 1, redemptionId }) as const;
  await t.store.write((tables) => {
    for (const redemptionId of [1, 2, 3]) writeNotice(tables, told(redemptionId), t.clock.now());
  });
  rot('tasks', 'payload_secret', 'id = 1');
  expect(toHost()).toEqual([told(2), told(3)]);
});

test('a press that is repeated is told what it began by its id, though its row cannot be read', async () => {
  t.allowDrift();
  const request = {
    ...STOCK_KEY,
    playerId: '5170925570',
    idempotencyKey: { scope: 'chat', key: 'press' } as const,
  };
  const begun = await t.core.beginRedemption(t.actor, request);
  if (begun.status !== 'begun') throw new Error(begun.status);
  // Whoever asks for it again waits for its end.
  await t.core.redeem(t.actor, request);
  const connection = new Database(t.store.path);
  connection.pragma('foreign_keys = off');
  connection.exec(`drop trigger redemptions_stand; delete from redemptions where id = ${begun.redemptionId}`);
  connection.close();
  expect(await t.core.beginRedemption(t.actor, request)).toEqual({ ...begun, replayed: true });
});
