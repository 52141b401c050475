// What is held of codes that were handed out: a code that is listed once more after it left the stock is a fresh one,
// and one that an import reads a second time from the list it had before is not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createDiary } from '../run/diary.ts';
import { closeBooks } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { handOut, noCodeIsHandedOutTwice } from './handed-out.ts';
import { hashOf } from './ledger.ts';

const CODE = '60SAbCdEfGh1234';
const HASH = Buffer.from(hashOf('game_id_1', CODE), 'hex');
let folder: string;
let file: Database.Database;
let world: World;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handed-out-'));
  const path = join(folder, 'books.db');
  file = new Database(path);
  file.exec(`
    create table batches (id integer primary key, at integer, undone_at integer);
    create table extractions (id integer primary key, game_id text default 'game_id_1', at integer, actor text default 'member:5');
    create table codes (id integer primary key, state text, code_hash blob, batch_id integer, extraction_id integer);
    insert into batches values (1, 100, null);
    insert into extractions (id, at) values (1, 200), (2, 600);`);
  keep('extracted', 1, 1);
  const diary = createDiary(() => 1_000);
  const platform = { find: () => undefined };
  world = { diary, disk: { databasePath: () => path }, platform } as unknown as World;
  handOut(world, 'Extraction 1', [CODE]);
});

afterEach(() => {
  closeBooks();
  file.close();
  rmSync(folder, { recursive: true });
});

it('lets a code stand in stock that was listed after it was taken out', () => {
  batchAt(300);
  keep('available', 2);
  expect(noCodeIsHandedOutTwice(world)).toEqual([]);
});

it('lets such a code be taken out once more', () => {
  batchAt(300);
  keep('extracted', 2, 2);
  handOut(world, 'Extraction 2', [CODE]);
  expect(noCodeIsHandedOutTwice(world)).toEqual([]);
});

it('lets a chat have again what a program took out, by either name first', () => {
  file.exec("update extractions set actor = 'apiKey:1' where id = 1");
  handOut(world, 'stocker 1 of shop 1 a key', [CODE]);
  expect(world.diary.twice).toEqual([]);
  handOut(world, 'Extraction 1', [CODE]);
  expect(world.diary.twice).toEqual([]);
});

it('finds a code that a program got of what was taken out in a chat', () => {
  handOut(world, 'stocker 1 of shop 1 a key', [CODE]);
  expect(world.diary.twice).toHaveLength(1);
});

it('finds a code that an import brought back which began before it was taken out', () => {
  batchAt(150);
  keep('available', 2);
  expect(noCodeIsHandedOutTwice(world)).toHaveLength(1);
  file.exec("update codes set state = 'extracted', extraction_id = 2 where id = 2");
  handOut(world, 'Extraction 2', [CODE]);
  expect(noCodeIsHandedOutTwice(world)).toHaveLength(1);
});

it('finds a code that came back by itself, or is in two hands', () => {
  file.exec("update codes set state = 'available', extraction_id = null");
  expect(noCodeIsHandedOutTwice(world)).toHaveLength(1);
  file.exec("update codes set state = 'extracted', extraction_id = 2");
  handOut(world, 'Extraction 2', [CODE]);
  expect(noCodeIsHandedOutTwice(world)).toHaveLength(1);
});

it('finds a code that was spent before it was taken out, of the same game', () => {
  const spent = { reference: 'r', redeemedAt: 100 };
  world.platform.find = (gameId) => (gameId === 'game_id_1' ? (spent as never) : undefined);
  handOut(world, 'Extraction 2', ['60SOfAnotherGame']);
  expect(world.diary.amiss).toHaveLength(1);
  file.exec("update extractions set game_id = 'game_id_0'");
  handOut(world, 'Extraction 2', ['60SOfYetAnother']);
  expect(world.diary.amiss).toHaveLength(1);
});

function batchAt(at: number): void {
  file.prepare('insert into batches values (2, ?, null)').run(at);
}

function keep(state: string, batchId: number, extractionId: number | null = null): void {
  const add = 'insert into codes (state, code_hash, batch_id, extraction_id) values (?, ?, ?, ?)';
  file.prepare(add).run(state, HASH, batchId, extractionId);
}
