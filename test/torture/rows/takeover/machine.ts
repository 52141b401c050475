// The machine that serves a life, and the next: its files in a folder of its own that is lost with it, the platform's
// file elsewhere, the key kept aside. The next is started as docs/backups.md has it.
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCliHere } from '../../../harness/run-here.ts';
import { serviceEnv, spawnService, type Service } from '../../process.ts';
import { query } from '../../books.ts';
import type { AheadCommand } from '../../../harness/ahead.ts';
import type { Replica, Replicate } from './replicas.ts';

const PRELOAD = fileURLToPath(new URL('../../../harness/ahead.ts', import.meta.url));
const KEY_FILE = 'encryption.key';

export interface Machine {
  folder: string;
  service: Service;
  advance(aheadMs: number): Promise<void>;
}

/** What is known of a takeover before the next machine serves. */
export interface TakenOver {
  machine: Machine;
  /** Until when the replica knows what happened, and when the machine died: by the calendar. */
  asOf: number;
  diedAt: number;
  /** When the next one served: what is heard between is what the dead one had said. */
  backAt: number;
  /** Players that it knows redemptions of. */
  knownPlayers: ReadonlySet<string>;
  unverified: number;
  inQuestion: number;
}

export const sandboxOf = (root: string): string => join(root, 'platform', 'sandbox.db');

export function startMachine(root: string, number: number): Promise<Machine> {
  mkdirSync(join(root, 'platform'), { recursive: true });
  return serveIn(root, join(root, `machine-${number}`));
}

/** Starts the service over the files of a folder, or over none. */
async function serveIn(root: string, folder: string): Promise<Machine> {
  mkdirSync(folder, { recursive: true });
  const env = {
    SANDBOX_PATH: sandboxOf(root),
    SANDBOX_LATENCY_MS: '20',
    // On a machine in other hands an answer may take long; nothing of that is an order that failed.
    PLATFORM_TIMEOUT_MS: '30000',
    TORTURE_AHEAD: 'yes',
  };
  const service = await spawnService({ folder, env, preload: PRELOAD });
  const command = (asked: AheadCommand) => service.command(asked);
  return {
    folder,
    service,
    advance: async (aheadMs) => void (await command({ aheadMs })),
  };
}

export const replicaOf = (
  root: string,
  number: number,
  machine: Machine,
  replicate: Replicate,
): Promise<Replica> =>
  replicate(serviceEnv(machine.folder).DATABASE_PATH ?? '', join(root, `replica-${number}`));

/** Both die at once, their folder is gone, and the next machine goes on from what the replica has. */
export async function takeOver(
  root: string,
  { number, machine, replica }: { number: number; machine: Machine; replica: Replica },
): Promise<TakenOver> {
  await Promise.all([machine.service.kill('SIGKILL'), replica.kill()]);
  const diedAt = Date.now();
  const lost = `${machine.folder}.lost`;
  renameSync(machine.folder, lost);
  const folder = join(root, `machine-${number}`);
  mkdirSync(folder);
  copyFileSync(join(lost, KEY_FILE), join(folder, KEY_FILE));
  const file = await replica.fetch();
  const { exitCode, lines, stderr } = await runCliHere(folder, 'restore', file);
  if (exitCode !== 0) throw new Error(`restore ended with ${exitCode}: ${stderr}`);
  const { asOf, unverified, inQuestion } = lines.at(-1) as Record<string, string | number>;
  const players = query(folder, 'select distinct player_id as playerId from redemptions');
  const next = await serveIn(root, folder);
  return {
    machine: next,
    backAt: Date.now(),
    asOf: Date.parse(String(asOf)),
    diedAt,
    knownPlayers: new Set((players as { playerId: string }[]).map(({ playerId }) => playerId)),
    unverified: Number(unverified),
    inQuestion: Number(inQuestion),
  };
}
