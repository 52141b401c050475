// Row 17 of the scorecard: backups taken under load and restored. Over the sound database that went on they are
// refused; over a damaged one the past that comes back knows nothing of what was spent since, and nothing of it may be
// spent a second time.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { mintCodes } from '../../../src/platform/sandbox/codes.ts';
import { checkBooks, createAccount } from '../../harness/host.ts';
import { runCliHere } from '../../harness/run-here.ts';
import { makeServiceFolder, spawnService } from '../process.ts';
import { readBooks } from '../books.ts';
import type { Findings, TortureOptions } from '../findings.ts';

const PLAYER = '5170925570';
const CODES_A_ROUND = 30;

/** One round: backup while redemptions run, spend on, stop, restore, start, and spend what is left. */
export async function restoreUnderLoad({ count, tell }: TortureOptions): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const violations: string[] = [];
  const tried = { restores: 0, refused: 0, 'redeemed answers': 0, 'codes unverified': 0 };
  const { apiKey } = await createAccount(folder);
  let service = await spawnService({ folder });
  try {
    for (let round = 1; round <= count; round += 1) {
      const violate = (what: string) => void violations.push(`round ${round}: ${what}`);
      await add(service.url, apiKey, mintCodes({ count: CODES_A_ROUND, denomination: 60, randomBytes }));
      const load = redeemMany(service.url, apiKey, CODES_A_ROUND / 2);
      const file = join(folder, `backup-${round}`);
      // Beside the load, not in its turns.
      const backup = await runCliHere(folder, 'backup', file);
      if (backup.exitCode !== 0) violate(`the backup failed: ${backup.stderr}`);
      tried['redeemed answers'] += await load;
      // What nobody knows of any more when the backup is back.
      await add(service.url, apiKey, mintCodes({ count: 1, denomination: 60, randomBytes }));
      // Ended in order, without the seconds in which a balancer would see it.
      await service.kill('SIGINT');
      const refused = await runCliHere(folder, 'restore', file);
      if (refused.exitCode === 1 && refused.stderr.includes('a sound database is never replaced'))
        tried.refused += 1;
      else violate(`a sound database was given up unasked: ${refused.stderr}`);
      writeFileSync(join(folder, 'redemption.db'), 'no database '.repeat(400));
      const restored = await runCliHere(folder, 'restore', file);
      if (restored.exitCode !== 0) violate(`the restore failed: ${restored.stderr}`);
      tried['codes unverified'] += Number(restored.lines[0]?.unverified ?? 0);

      service = await spawnService({ folder });
      tried['redeemed answers'] += await redeemMany(service.url, apiKey, CODES_A_ROUND);
      const { drift, rows } = await checkBooks(folder);
      if (drift !== 0) violate(`the check says ${JSON.stringify(rows)}`);
      for (const violation of compare(folder)) violate(violation);
      rmSync(file, { force: true });
      tried.restores += 1;
      tell?.(`${round} of ${count} restores`);
    }
  } finally {
    await service.kill();
    remove();
  }
  return { tried, violations };
}

/**
 * The platform's book is the truth: each order once (its key sees to that), and no code is available that was spent.
 */
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
