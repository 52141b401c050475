// `restore`: puts a backup in place of the database.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command } from 'commander';

import { findNewest } from '../backup-files.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { canProveBySettings } from '../core/upstreams/witnesses.ts';
import { toUpstream } from '../platforms.ts';
import { readUpstreams } from '../upstreams.ts';
import { keyFileOf, loadKeyRing, readSecrets, type KeyRing } from '../store/engine/keys.ts';
import { openReader } from '../store/engine/connection.ts';
import { assertRights } from '../store/engine/rights.ts';
import type { Secrets } from '../store/engine/secrets.ts';
import { assertSound } from '../store/backup/snapshot-file.ts';
import { restore, type Restored, type RestoreOptions } from '../store/backup/restore.ts';
import { warnOfDamagedRows } from './backup.ts';
import { giveWay, printLine, readSettings, Refusal, toFilePath, warn } from './command.ts';

export const restoreCommand = new Command('restore')
  .description(
    'puts a backup in place of a database that is lost or damaged, while the service is stopped. The replaced one is kept beside it. A sound one is never replaced',
  )
  .argument('<FILE>', 'the backup', toFilePath)
  .option('--drill', 'into a temporary place instead: checked, reported, removed. The service may run')
  .action(async (file: string, { drill }: { drill?: true }) => {
    const config = readSettings();
    assertRights(config.databasePath);
    const keyFile = keyFileOf(config.databasePath);
    if (!config.encryptionKey && !existsSync(keyFile)) {
      throw new Refusal(
        `A backup opens with its key only: set ENCRYPTION_KEY, or put the key file at ${keyFile}.`,
      );
    }
    const keys = loadKeyRing(config.databasePath, config.encryptionKey);
    const now = systemClock.now();
    const { platform } = config;
    const upstreams =
      platform.kind === 'sandbox' ? [] : readUpstreams(platform).map((each) => toUpstream(each, systemClock));
    const unproven = new Set<string>();
    const canProve = (gameId: string) => {
      const isSo = platform.kind === 'sandbox' || canProveBySettings(upstreams, gameId);
      if (!isSo) unproven.add(gameId);
      return isSo;
    };
    const how = { file, ...toOptions(keys), now, canProve };
    if (drill) return rehearse(how, keys);
    const restored = restore({ ...how, databasePath: config.databasePath });
    const {
      keptAs = null,
      unverified,
      inQuestion,
      because,
      unreadable,
      drift,
      rows,
      ordersStopped,
    } = restored;
    const asOf = new Date(restored.asOf).toISOString();
    for (const row of rows) await printLine(row);
    await printLine({
      restored: file,
      keptAs,
      unverified,
      inQuestion,
      asOf,
      ...(ordersStopped.length > 0 && { ordersStopped }),
      ...(unreadable > 0 && { unreadable }),
      ...(drift > 0 && { drift }),
    });
    warnOfNewer(config, restored, now);
    if (because !== undefined) warn(`What was wrong with the replaced database: ${because}.`);
    warn(formatLostTime(asOf, new Date(now).toISOString()));
    if (unproven.size > 0) warn(formatUnproven([...unproven]));
    warnOfDamagedRows({ name: 'The restored database', unreadable, drift });
  });

const toOptions = ({ current: key, others: otherKeys }: KeyRing) => ({ key, otherKeys });

const formatUnproven = (gameIds: readonly string[]): string =>
  `By the settings nobody's word that a code of ${gameIds.join(', ')} is unspent counts (docs/upstreams.md, Who is believed): codes of before are sent as they are, those that are added from now on first. One that was used meanwhile fails as CODE_USED and costs nothing, and an order that is repeated may take a second code. Codes of before are not handed out, but for those in question that are released.`;

/** Whoever named another one than they meant may take it back as long as nothing is served. */
function warnOfNewer({ backups, databasePath: path }: Config, { asOf, keptAs }: Restored, now: number): void {
  const newest = backups && findNewest(backups.folder, now);
  if (!newest || newest.at <= asOf) return;
  const newer = join(backups.folder, newest.name);
  const aside = keptAs === undefined ? `${path} ${path}.given-up` : `${keptAs} ${path}`;
  warn(
    `A newer backup lies there. Where it was meant: \`mv ${aside}\`, then \`redemption restore ${newer}\`.`,
  );
}

const formatLostTime = (from: string, to: string): string =>
  `Nothing is known of the time from ${from} to ${to}: codes that were handed out in it can be handed out again, and its payments and receipts are not there.`;

/** Everything that a restore does, where nobody works: what it says is what a restore would find. */
async function rehearse(how: Omit<RestoreOptions, 'databasePath'>, keys: KeyRing): Promise<void> {
  const { file, now } = how;
  giveWay();
  const folder = mkdtempSync(join(tmpdir(), 'restore-drill-'));
  try {
    const databasePath = join(folder, 'redemption.db');
    const restored = restore({ ...how, databasePath });
    const { unverified, unreadable, drift, asOf, rows, counts, ordersStopped } = restored;
    proveReadable(databasePath, readSecrets(databasePath, keys));
    for (const row of rows) await printLine(row);
    const hoursOld = Math.round((now - asOf) / 360_000) / 10;
    const made = { asOf: new Date(asOf).toISOString(), hoursOld };
    const stopped = ordersStopped.length > 0 && { ordersStopped };
    await printLine({ drilled: file, ...made, unverified, unreadable, drift, ...counts, ...stopped });
    if (drift > 0 || unreadable > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Its rows were proven before it got its name: here it is opened as the service would. */
function proveReadable(databasePath: string, secrets: Secrets): void {
  const connection = openReader(databasePath);
  try {
    assertSound(connection, secrets, 'The restored database', { quick: true });
  } finally {
    connection.close();
  }
}
