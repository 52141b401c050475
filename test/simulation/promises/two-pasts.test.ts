// What was told before two pasts were joined may be of the one that gave way; what is told after it is held against the books.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { createDiary } from '../diary.ts';
import { closeBooks } from '../rest.ts';
import { KEY } from '../service.ts';
import type { World } from '../world.ts';
import { whatIsToldOfABatchIsTrue } from './batches.ts';
import { whatIsToldOfADoubtIsTrue } from './doubts.ts';
import { JOINED, whatIsToldOfARedemptionIsTrue } from './truth.ts';

const LOST_AT = 800;
const RESTORED_AT = 1_000;
const LONG_AFTER = 1_000_000;
let folder: string;
let file: Database.Database;
let world: World;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'two-pasts-'));
  const path = join(folder, 'books.db');
  file = new Database(path);
  file.exec(`
    create table batches (id integer primary key, added integer, at integer, undone_at integer);
    create table codes (state text, batch_id integer, extraction_id integer, changed_at integer);
    create table notices (kind text, at integer, payload_secret blob);
    create table redemptions (id integer primary key, reference text, game_id text, player_id text, state text, error_code text,
      error_message text, code_hash blob);
    insert into batches values (7, 3, 0, null);
    insert into redemptions values (9, 'r', 'game_id_1', '51', 'failed', 'CODE_USED', null, null);`);
  const diary = Object.assign(
    createDiary(() => LONG_AFTER),
    { isPastLost: true, lostAt: LOST_AT, judgedUntil: LOST_AT, restoredAt: RESTORED_AT },
  );
  world = { diary, disk: { databasePath: () => path }, said: { today: [] } } as never;
});

afterEach(() => {
  closeBooks();
  file.close();
  rmSync(folder, { recursive: true });
});

it('holds what is told of a batch against the books, but for what was told before', () => {
  say('<b>Extraction 4</b>: 2 codes of 60', RESTORED_AT - 1);
  expect(whatIsToldOfABatchIsTrue(world)).toEqual([]);
  say('<b>Extraction 4</b>: 2 codes of 60', LONG_AFTER);
  expect(whatIsToldOfABatchIsTrue(world)).toHaveLength(1);
});

it('lets the end of a doubt be told late that was a notice before', () => {
  say('Redemption 9 was in doubt and is settled now.\nThe code was redeemed for the player', LONG_AFTER);
  expect(whatIsToldOfADoubtIsTrue(world)).toHaveLength(1);
  const secret = createSecrets(KEY).seal('notice:doubtSettled:900', '{"redemptionId":9}');
  file.prepare("insert into notices values ('doubtSettled', 900, ?)").run(secret);
  expect(whatIsToldOfADoubtIsTrue(world)).toEqual([]);
});

it('takes the redemption that gave way for failed, and no other', () => {
  say('✅ Redeemed · receipt 9, ID 51', LOST_AT - 1);
  expect(whatIsToldOfARedemptionIsTrue(world)).toHaveLength(1);
  file.prepare('update redemptions set error_message = ?').run(JOINED);
  expect(whatIsToldOfARedemptionIsTrue(world)).toEqual([]);
});

it('lets what ended in the past that was lost have ended otherwise, and of the same player', () => {
  say('✅ Redeemed · receipt 9, ID 51', LOST_AT);
  expect(whatIsToldOfARedemptionIsTrue(world)).toEqual([]);
  say('✅ Redeemed · receipt 9, ID 52', LOST_AT);
  expect(whatIsToldOfARedemptionIsTrue(world)).toHaveLength(2);
  world.said.today.length = 0;
  say('✅ Redeemed · receipt 9, ID 51', RESTORED_AT);
  expect(whatIsToldOfARedemptionIsTrue(world)).toHaveLength(1);
});

function say(text: string, at: number): void {
  world.said.today.push({ chatId: 5, text, at });
}
