// The sandbox's own record of what it redeemed: each code once, for whomever, on disk before anybody is told.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openLedger, type LedgerRow } from './ledger.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ledger-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'not there yet', 'sandbox.db');
const ROW: LedgerRow = {
  gameId: 'game_id_1',
  code: 'CODE12345678',
  reference: 'first',
  playerId: '5124780131',
  openid: '29083411',
  playerName: 'Player',
  amount: 60,
  hasOrder: 1,
  redeemedAt: 7,
};

test('a code is redeemed once, for whomever, also after the process has gone', () => {
  const ledger = openLedger(path());
  expect(ledger.insert(ROW)).toBe(true);
  expect(ledger.insert({ ...ROW, reference: 'second', playerId: '1' })).toBe(false);
  ledger.close();
  const again = openLedger(path());
  expect(again.insert({ ...ROW, reference: 'third' })).toBe(false);
  expect(again.find(ROW.gameId, ROW.code)).toEqual(ROW);
  expect(again.find('game_id_2', ROW.code)).toBeUndefined();
  again.close();
});

test('each commit is written through to the disk', () => {
  const pragma = vi.spyOn(Database.prototype, 'pragma');
  const ledger = openLedger(path());
  const connection = pragma.mock.contexts.at(-1) as Database.Database;
  pragma.mockRestore();
  const read = (name: string) => connection.pragma(name, { simple: true });
  expect([read('journal_mode'), read('synchronous')]).toEqual(['wal', 2]);
  ledger.close();
});
