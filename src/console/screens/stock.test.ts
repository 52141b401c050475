// The stock page where there are two of everything: a denomination that two games have, and another account with both.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole } from '../../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const [ONE, OTHER] = ['game_id_1', 'game_id_4'];
let t: TestCore;
let shop: TestAccount;
beforeAll(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  const other = await openTestAccount(t.store);
  for (const { accountId } of [shop, other])
    await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30 });
  for (const [gameId, denomination, count, threshold] of [
    [ONE, 60, 5, 2],
    [OTHER, 60, 3, 9],
    [ONE, 325, 4, 9],
    [OTHER, 100, 6, 1],
  ] as const) {
    await stock(shop, { gameId, denomination, count, threshold });
    await stock(other, { gameId, denomination, count: 12, threshold: 99 });
  }
  await redeem(ONE, 325);
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'cut' });
  await redeem(OTHER, 60);
  t.platform.script.redeem = () => ({
    status: 'refused',
    errorCode: 'INVALID_CODE',
    message: '',
    asked: true,
  });
  for (let times = 0; times < 5; times += 1) await redeem(OTHER, 100);
});
afterAll(() => t.close());

async function stock(
  { members: { owner } }: TestAccount,
  { count, ...alert }: { gameId: string; denomination: number; count: number; threshold: number },
): Promise<void> {
  const { gameId, denomination } = alert;
  const codes = Array.from({ length: count }, () => makeCode());
  await t.core.codes.add(owner, gameId, [{ denomination, codes }]);
  await t.core.stockAlerts.set(owner, alert);
}

const redeem = (gameId: string, denomination: number) =>
  t.core.redeem(shop.members.owner, { gameId, playerId: '5170925570', denomination });

test('each denomination has its own codes, doubts, pace, threshold and pause', async () => {
  const browser = await openTestConsole(t).enter(shop.members.owner);
  const { html } = await browser.get('/stock');
  const text = (cell: string) =>
    cell
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const rows = [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => text(cell)).join(' | '),
  );
  // Left, promised, in doubt, today, in a week at this pace, for how long it lasts.
  expect(rows.slice(1)).toEqual([
    'game_id_1 · 60 UC | 5 | 0 | 0 | 0 | 0 | — | enough',
    'game_id_1 · 325 UC | 3 | 0 | 0 | 1 | 7 | 3 days | low',
    'game_id_4 · 60 gems | 2 | 0 | 1 | 0 | 0 | — | low',
    'game_id_4 · 100 gems | 1 | 0 | 0 | 0 | 0 | — | paused: codes were refused Go on',
  ]);
  expect(html).toContain('game=game_id_4&amp;amount=60');
});
