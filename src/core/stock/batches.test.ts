// Whose batches a person is shown, and whose codes taken back they are given.
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import type { RedeemOutcome } from '../../platform/port.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

type Member = TestAccount['members']['admin'];
const newest = (limit: number) => ({ order: 'newest', limit }) as const;

async function addAndTakeBack(actor: Member): Promise<number> {
  const id = await t.core.imports.begin(actor, { gameId: GAME });
  const text = `60 UC ${makeCode()}`;
  await t.core.imports.addPiece(actor, id, { key: 'one', position: 0, kind: 'message', text });
  const { batchId = 0 } = (await t.core.imports.commit(actor, id)) ?? {};
  expect(await t.core.imports.undo(actor, batchId)).toEqual({ status: 'undone', takenBack: 1 });
  return batchId;
}

/** Of the two, which are found, listed, and given with their codes. */
async function see(actor: Member, ids: readonly number[]) {
  const { rows: batches } = await t.core.batches.list(actor, newest(9));
  const given = await Promise.all(ids.map((id) => t.core.batches.findTakenBack(actor, id)));
  return [
    ids.filter((id) => t.core.batches.find(actor, id)?.id === id),
    batches.map(({ id }) => id).toSorted((a, b) => a - b),
    ids.filter((_, index) => given[index]?.[0]?.codes.length === 1),
  ];
}

test('an operator sees their own, an admin everybody’s, another account none', async () => {
  const { admin, operator } = account.members;
  const [theirs, own] = [await addAndTakeBack(admin), await addAndTakeBack(operator)];
  const both = [theirs, own];
  expect(await see(operator, both)).toEqual([[own], [own], [own]]);
  expect(await see(admin, both)).toEqual([both, both, both]);
  const other = await openTestAccount(t.store);
  expect(await see(other.members.admin, both)).toEqual([[], [], []]);
});

test.each([1, 2, 101])('a batch of %i counts as many', async (count) => {
  const codes = Array.from({ length: count }, makeCode);
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes }]);
  const { rows: batches } = await t.core.batches.list(account.members.admin, newest(9));
  expect(batches).toMatchObject([{ added: count, fate: { available: count } }]);
});

test('a screen counts what became of so many codes, and leaves out the rest', async () => {
  t.allowDrift();
  const { admin } = account.members;
  for (const count of [1, 2]) {
    const codes = Array.from({ length: count }, makeCode);
    await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
    t.clock.advance(1);
  }
  const grow = async (added: number) => {
    const file = new Database(t.store.path);
    file.prepare('update batches set added = ? where id = 2').run(added);
    file.close();
    // What was read in this turn is not read anew.
    await turn();
  };
  const counted = async () => (await t.core.batches.page(admin, newest(9), {})).rows.map(({ fate }) => fate);
  await grow(9_999);
  expect(await counted()).toMatchObject([{ available: 2 }, { available: 1 }]);
  await grow(10_000);
  expect(await counted()).toMatchObject([{ available: 2 }, undefined]);
  const { rows } = await t.core.batches.list(admin, newest(9));
  expect(rows[1]).toMatchObject({ fate: { available: 1 } });
});

test('what was taken back is given whole, each code once, by denomination', async () => {
  const { admin } = account.members;
  const [many, few] = [Array.from({ length: 205 }, makeCode), Array.from({ length: 3 }, makeCode)];
  const { batchId } = await t.core.codes.add(admin, GAME, [
    { denomination: 325, codes: few },
    { denomination: 60, codes: many },
  ]);
  expect(await t.core.batches.findTakenBack(admin, batchId)).toBeUndefined();
  await t.core.imports.undo(admin, batchId);
  const given = await t.core.batches.findTakenBack(admin, batchId);
  expect(given?.map(({ denomination, codes }) => [denomination, codes.toSorted()])).toEqual([
    [60, many],
    [325, few],
  ]);
});

test('what was taken back is given for a day, and at any age to whoever was not given it', async () => {
  const { admin } = account.members;
  const batchId = await addAndTakeBack(admin);
  t.clock.advance(24 * 60 * 60 * 1000);
  expect(await t.core.batches.findTakenBack(admin, batchId)).toMatchObject([{ denomination: 60 }]);
  t.clock.advance(1);
  expect(await t.core.batches.findTakenBack(admin, batchId)).toBeUndefined();
  expect(await t.core.batches.findTakenBack(admin, batchId, { atAnyAge: true })).toMatchObject([
    { denomination: 60 },
  ]);
});

test('a code under way while its batch is taken back goes the way of the others when it comes back', async () => {
  const { admin, operator } = account.members;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: admin.accountId, days: 30 });
  let answer = (_outcome: RedeemOutcome): void => undefined;
  t.platform.script.redeem = () => new Promise((resolve) => (answer = resolve));
  const codes = [makeCode(), makeCode()];
  const { batchId } = await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  const redeemed = t.core.redeem(operator, { gameId: GAME, playerId: '5170925570', denomination: 60 });
  await t.platform.arrived();
  expect(await t.core.imports.undo(admin, batchId)).toEqual({ status: 'undone', takenBack: 1 });
  expect(await t.core.batches.findFate(admin, batchId)).toMatchObject({ held: 1, undone: 1 });
  t.clock.advance(30 * 60 * 60 * 1000);
  answer({ status: 'refused', errorCode: 'LOGIN_FAILED', message: '', asked: true });
  await redeemed;
  expect(t.core.codes.countAvailable(admin, GAME).get(60)).toBe(0);
  const [takenBack] = (await t.core.batches.findTakenBack(admin, batchId)) ?? [];
  expect(takenBack?.codes.toSorted()).toEqual(codes);
  const waiting = listWithRecipients(t.core, t.store).filter(({ notice }) => notice.kind === 'codeTakenBack');
  const told = { kind: 'codeTakenBack', batchId, denomination: 60, actor: `member:${admin.telegramId}` };
  expect(waiting.map(({ notice }) => notice)).toMatchObject([told]);
  expect(waiting[0]?.recipients).toContainEqual({ telegramId: admin.telegramId, isOwn: true });
  // Nobody has it any more: it can be added again.
  const again = await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  expect(again.accepted.get(60)).toBe(2);
});

test('a list goes on where its page ended, and says whether there is more', async () => {
  const { admin } = account.members;
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    t.clock.advance(1_000);
    const codes = [makeCode()];
    ids.unshift((await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }])).batchId);
  }
  const first = await t.core.batches.list(admin, newest(2));
  const { id = 0, at = 0 } = first.rows.at(-1) ?? {};
  expect([first.rows.map((batch) => batch.id), first.next]).toEqual([ids.slice(0, 2), { id, at }]);
  const second = await t.core.batches.list(admin, { ...newest(2), beside: { after: { id, at } } });
  expect([second.rows.map((batch) => batch.id), second.next]).toEqual([ids.slice(2), undefined]);
  const all = await t.core.batches.list(admin, newest(3));
  expect([all.rows.length, all.next]).toEqual([3, undefined]);
});

test('a batch can be undone for an hour to its very end, once', async () => {
  const { admin } = account.members;
  const { batchId } = await t.core.codes.add(admin, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const see = async () => (await t.core.batches.list(admin, newest(1))).rows[0];
  t.clock.advance(60 * 60 * 1000);
  expect(await see()).toMatchObject({ canBeUndone: true, isBeingUndone: false, undoneAt: undefined });
  t.clock.advance(1);
  expect(await see()).toMatchObject({ canBeUndone: false });
  t.clock.advance(-1);
  await t.core.imports.undo(admin, batchId);
  expect(await see()).toMatchObject({ canBeUndone: false, isBeingUndone: false, undoneAt: t.clock.now() });
});
