// What was told before a past was lost may have ended otherwise since; what is told after it is held against the books.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createDiary } from '../run/diary.ts';
import { closeBooks } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { whatIsToldOfARedemptionIsTrue } from './truth.ts';

const RESTORED_AT = 1_000;
const LONG_AFTER = 1_000_000;
let folder: string;
let file: Database.Database;
let world: World;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lost-past-'));
  const path = join(folder, 'books.db');
  file = new Database(path);
  file.exec(`
    create table redemptions (id integer primary key, game_id text, player_id text, state text, code_hash blob);
    create table attempts (redemption_id integer, n integer, reference text);
    insert into redemptions values (9, 'game_id_1', '51', 'failed', null);`);
  const diary = Object.assign(
    createDiary(() => LONG_AFTER),
    { restoredAt: RESTORED_AT },
  );
  world = { diary, disk: { databasePath: () => path }, said: { today: [] } } as unknown as World;
});

afterEach(() => {
  closeBooks();
  file.close();
  rmSync(folder, { recursive: true });
});

it('lets what ended in the past that was lost have ended otherwise, and of the same player', () => {
  say('✅ Redeemed · receipt 9, ID 51', RESTORED_AT - 1);
  expect(whatIsToldOfARedemptionIsTrue(world)).toEqual([]);
  say('✅ Redeemed · receipt 9, ID 52', RESTORED_AT - 1);
  expect(whatIsToldOfARedemptionIsTrue(world)).toHaveLength(2);
  world.said.today.length = 0;
  say('✅ Redeemed · receipt 9, ID 51', RESTORED_AT);
  expect(whatIsToldOfARedemptionIsTrue(world)).toHaveLength(1);
});

function say(text: string, at: number): void {
  world.said.today.push({ chatId: 5, text, at });
}
