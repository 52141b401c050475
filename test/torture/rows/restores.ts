// Row 17 of the scorecard: backups taken under load and restored. Over the sound database that went on they are
// refused; over a damaged one the past that comes back knows nothing of what was spent since, and nothing of it may be
// spent a second time.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCliHere } from '../../harness/run-here.ts';
import { check, readBooks } from '../books.ts';
import { redeem, toSent } from '../client.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { inShop, type Shop } from '../shop.ts';

/** One player for all: what was spent for them since is theirs. */
const ORDER = { playerId: '5170925570', gameId: 'game_id_1', denomination: 60 };
const CODES_A_ROUND = 30;

/** One round: backup while redemptions run, spend on, stop, restore, start, and spend what is left. */
export const restoreUnderLoad = ({ count: rounds, seed, tell }: TortureOptions): Promise<Findings> =>
  inShop(seed, {}, async (shop) => {
    for (let round = 1; round <= rounds; round += 1) {
      const found = await restoreOnce(shop, join(shop.folder, `backup-${round}`));
      shop.violations.push(...found.map((what) => `round ${round}: ${what}`));
      count(shop, 'restores');
      tell?.(`${round} of ${rounds} restores`);
    }
  });

async function restoreOnce(shop: Shop, file: string): Promise<string[]> {
  const { folder } = shop;
  const violations: string[] = [];
  await shop.stock(60, Array<string>(CODES_A_ROUND).fill('60S'));
  const load = redeemMany(shop, CODES_A_ROUND / 2);
  // Beside the load, not in its turns.
  const backup = await runCliHere(folder, 'backup', file);
  if (backup.exitCode !== 0) violations.push(`the backup failed: ${backup.stderr}`);
  await load;
  // What nobody knows of any more when the backup is back.
  await shop.stock(60, ['60S']);
  // Ended in order, without the seconds in which a balancer would see it.
  await shop.service().kill('SIGINT');
  const refused = await runCliHere(folder, 'restore', file);
  if (refused.exitCode === 1 && refused.stderr.includes('a sound database is never replaced'))
    count(shop, 'refused');
  else violations.push(`a sound database was given up unasked: ${refused.stderr}`);
  writeFileSync(join(folder, 'redemption.db'), 'no database '.repeat(400));
  const restored = await runCliHere(folder, 'restore', file);
  if (restored.exitCode !== 0) violations.push(`the restore failed: ${restored.stderr}`);
  count(shop, 'codes unverified', Number(restored.lines[0]?.unverified ?? 0));
  await shop.start();
  await redeemMany(shop, CODES_A_ROUND);
  violations.push(...(await check(folder)), ...compare(folder));
  rmSync(file, { force: true });
  return violations;
}

/** The platform's book is the truth: no code was spent twice, and none is available that was spent. */
function compare(folder: string): string[] {
  const { codes, orders } = readBooks(folder);
  const spent = new Set(orders.map(({ code }) => code));
  const twice = orders.length - spent.size;
  const offered = [...codes].filter(([code, state]) => state === 'available' && spent.has(code));
  return [
    ...(twice > 0 ? [`${twice} codes were spent twice`] : []),
    ...(offered.length > 0 ? [`${offered.length} spent codes are offered as available`] : []),
  ];
}

/** Redeems so many at once. */
async function redeemMany(shop: Shop, times: number): Promise<void> {
  const orders = Array.from({ length: times }, () => redeem(shop.service().url, shop.account, toSent(ORDER)));
  const answers = await Promise.all(orders);
  count(shop, 'redeemed answers', answers.filter((answer) => answer?.status === 200).length);
}
