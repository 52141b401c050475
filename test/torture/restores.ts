// Row 17 of the scorecard: backups taken under load and restored. The past that comes back knows nothing of what was spent
// since; nothing of it may be spent a second time.
import { join } from 'node:path';

import { createAccount, makeServiceFolder, runCli, spawnService } from '../harness/service.ts';
import { mintCodes } from '../../src/platform/sandbox/codes.ts';
import { randomBytes } from 'node:crypto';
import { readBooks } from './books.ts';
import type { Findings, TortureOptions } from './findings.ts';

const PLAYER = '5170925570';
const CODES_A_ROUND = 30;

/** One round: backup while redemptions run, spend on, stop, restore, start, and spend what is left. */
export async function restoreUnderLoad({ count, tell }: TortureOptions): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const violations: string[] = [];
  let redeemed = 0;
  let unverified = 0;
  const { apiKey } = await createAccount(folder);
  for (let round = 1; round <= count; round += 1) {
    const before = await spawnService({ folder });
    await add(before.url, apiKey, mintCodes({ count: CODES_A_ROUND, denomination: 60, randomBytes }));
    const load = redeemMany(before.url, apiKey, CODES_A_ROUND / 2);
    const file = join(folder, `backup-${round}`);
    const backup = await runCli(folder, 'backup', file);
    if (backup.exitCode !== 0) violations.push(`round ${round}: the backup failed: ${backup.stderr}`);
    redeemed += await load;
    await before.kill('SIGTERM');
    const restored = await runCli(folder, 'restore', file);
    if (restored.exitCode !== 0) violations.push(`round ${round}: the restore failed: ${restored.stderr}`);
    unverified += Number(restored.lines[0]?.unverified ?? 0);

    const after = await spawnService({ folder });
    redeemed += await redeemMany(after.url, apiKey, CODES_A_ROUND);
    const check = await runCli(folder, 'check');
    if (check.lines.at(-1)?.drift !== 0)
      violations.push(`round ${round}: the check says ${JSON.stringify(check.lines)}`);
    await after.kill('SIGTERM');
    violations.push(...compare(folder).map((violation) => `round ${round}: ${violation}`));
    tell?.(`${round} of ${count} restores`);
  }
  remove();
  return {
    tried: { restores: count, 'redeemed answers': redeemed, 'codes unverified': unverified },
    violations,
  };
}

/** The platform's book is the truth: each order once (its key sees to that), and no code is available that was spent. */
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

async function add(url: string, apiKey: string, codes: string[]): Promise<void> {
  await post(`${url}/db`, apiKey, [{ denomination: 60, codes }]);
}

/** Redeems so many at once; how many receipts there were. */
async function redeemMany(url: string, apiKey: string, count: number): Promise<number> {
  const request = { gameId: 'game_id_1', playerId: PLAYER, denomination: 60 };
  const answers = await Promise.all(
    Array.from({ length: count }, () => post(`${url}/redeem`, apiKey, request)),
  );
  return answers.filter((status) => status === 200).length;
}

async function post(url: string, apiKey: string, body: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}
