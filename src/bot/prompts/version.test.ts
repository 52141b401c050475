// What ends the conversations under way: a change of anything that replaying them would run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createGames } from '../../core/games.ts';
import { digestReplayed } from './version.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'redemption-version-'));
  write('bot/redemption/order.ts', 'parse');
  write('core/games.ts', 'find');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const game = {
  id: 'game_id_1',
  currency: 'UC',
  database: true,
  denominations: [60],
  codePattern: '^[A-Z]+$',
  receipts: 'account',
};
const digest = (...games: object[]) => digestReplayed(createGames([game, ...games]).all, root);

test('stays the same while nothing of it changes, tests and words included', () => {
  const before = digest();
  write('bot/redemption/order.test.ts', 'test');
  write('bot/locales/en/redemption.ftl', 'word');
  expect(digest()).toBe(before);
});

test.each(['bot/redemption/order.ts', 'core/games.ts', 'bot/prompts/new.ts'])('changes with %s', (file) => {
  const before = digest();
  write(file, 'changed');
  expect(digest()).not.toBe(before);
});

test('changes with the catalogue: a game in it, and the pattern of its codes', () => {
  const before = digest();
  expect(digest({ ...game, id: 'game_id_2' })).not.toBe(before);
  const games = createGames([{ ...game, codePattern: '^[A-Z0-9]+$' }]).all;
  expect(digestReplayed(games, root)).not.toBe(before);
});

test('knows the sources and the packages that run', () => {
  expect(digestReplayed([])).toMatch(/^[0-9a-f]{16}$/);
});
