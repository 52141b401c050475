// What one message has no room for: more buttons than Telegram takes, names that fill it, more logins than fit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import type { Platform } from '../../platform/port.ts';

let t: Stage;
afterEach(() => t.stop());

const FORM = { currency: 'UC', codePattern: '^[A-Za-z0-9]{12,32}$', receipts: 'account', denominations: [] };
const shopOf = (denominations: number[], receipts = 'account') => ({
  ...{ ...FORM, id: 'game_id_1', database: true, denominations, receipts },
});

/** A shop of these games, with so many codes of each denomination of the first. */
async function openShop(
  [game, ...others]: ReturnType<typeof shopOf>[],
  count: number,
  options: StageOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'games-'));
  const gamesFile = join(folder, 'games.json');
  writeFileSync(gamesFile, JSON.stringify([game, ...others]));
  t = await openStage({ ...options, gamesFile, api: { flood: 'none' } });
  rmSync(folder, { recursive: true });
  const codes = () => Array.from({ length: count }, () => makeCode());
  const items = (game?.denominations ?? []).map((denomination) => ({ denomination, codes: codes() }));
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', items);
  return personOf(t.api, t.people.operator);
}

test('at most sixty denominations and twenty other games have a button', async () => {
  const others = Array.from({ length: 30 }, (_, n) => ({ ...FORM, id: `other${n}`, database: false }));
  const operator = await openShop([shopOf(Array.from({ length: 61 }, (_, n) => n + 1)), ...others], 1);
  operator.says('5170925570');
  const { buttons } = await operator.sees('What shall I redeem?');
  expect(buttons.filter(({ text }) => / left$/.test(text))).toHaveLength(60);
  expect(buttons.filter(({ text }) => /^other\d+ instead$/.test(text))).toHaveLength(20);
});

test('players whose names fill more than a message are asked about one by one', async () => {
  const named = (platform: Platform): Platform => ({
    ...platform,
    findCharacter: () => Promise.resolve({ status: 'found', openid: '1', name: '"'.repeat(60) }),
  });
  const operator = await openShop([shopOf([60])], 10, { through: named });
  const players = Array.from({ length: 10 }, (_, n) => `517092557${n}`);
  operator.says(players.map((each) => `${each} 60`).join('\n'));
  await t.quiet();
  const asked = operator.all().filter(({ text }) => /^Redeem this\?/.test(text));
  expect(asked.map(({ text }) => /ID (\d+)/.exec(text)?.[1])).toEqual(players);
});

test('of more logins than fit, the others are named, to be opened by their number', async () => {
  const operator = await openShop([shopOf([60], 'session')], 10);
  operator.says('5170925571 60 x10');
  await operator.presses('Redeem');
  await operator.sees(/All 10 redeemed/);
  await operator.presses('Logins');
  const { text } = await operator.sees(/^Logins/);
  expect(text.match(/\/receipt_\d+/g)).toHaveLength(10);
  const shown = text.match(/token: /g)?.length ?? 0;
  expect([shown > 0, shown < 10]).toEqual([true, true]);
  expect(text.slice(text.lastIndexOf('token: '))).toMatch(/receipt_10$/);
});
