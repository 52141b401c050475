// Figure 2's other side: a PostgreSQL server of our own in a temporary folder, round 1's tables with their foreign
// keys, a redemption as two stored functions that do the same work (postgres.sql), 64 clients of pgbench with an
// account each, for as long as its checkpoints need to come. Without a server at hand the figure is skipped.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { ACCOUNTS, AT_ONCE, DENOMINATION, GAME_ID } from '../terms.ts';

export type Postgres = { status: 'open'; peer: PostgresPeer } | { status: 'skipped'; why: string };

interface PostgresPeer {
  /** Redeems for so many seconds; how many a second. */
  redeem(seconds: number): Promise<number>;
  /** What the settings are and how many checkpoints came while it redeemed. */
  describe(): string;
  close(): Promise<void>;
}

/** The shortest timeout there is; the rest is as Debian ships it. */
const SETTINGS = { checkpoint_timeout: '30s', max_wal_size: '1GB', shared_buffers: '256MB' };
const PROGRAMS = ['postgres', 'initdb', 'psql', 'pgbench'];
const SCHEMA = new URL('postgres.sql', import.meta.url);
const SCRIPT = `\\set account :client_id + 1
select begin_redemption(:account, '${GAME_ID}', ${DENOMINATION}) as redemption \\gset
select settle_redemption(:redemption);
`;
/** Of codes a second, more than it redeems: filled in before each run, not measured. */
const MOST_PER_SECOND = 6_000;

/** Starts the server; `skipped` tells why there is none. */
export async function openPostgres(folder: string): Promise<Postgres> {
  const missing = PROGRAMS.filter((program) => !isThere(program));
  if (missing.length > 0) return { status: 'skipped', why: `no ${missing.join(', ')}` };
  const user = findUser();
  if (user === undefined)
    return { status: 'skipped', why: 'root may not run it, and there is no user postgres' };
  const server = await start(folder, user);
  if (server === undefined) return { status: 'skipped', why: 'the server did not start' };
  try {
    server.sql(
      [`\\set accounts ${ACCOUNTS}`, `\\set game ${GAME_ID}`, readFileSync(SCHEMA, 'utf8')].join('\n'),
    );
  } catch (error) {
    await server.stop();
    return { status: 'skipped', why: `it refused the tables: ${String(error).split('\n')[1] ?? 'unknown'}` };
  }
  return { status: 'open', peer: createPeer(server) };
}

function createPeer(server: Server): PostgresPeer {
  const script = join(server.home, 'redeem.sql');
  writeFileSync(script, SCRIPT);
  const countCheckpoints = () =>
    Number(server.sql('select checkpoints_timed + checkpoints_req from pg_stat_bgwriter'));
  let checkpoints = 0;
  let seconds = 0;
  return {
    async redeem(forSeconds) {
      const each = Math.ceil((MOST_PER_SECOND * forSeconds) / ACCOUNTS);
      server.sql(`select fill(${each}, '${GAME_ID}', ${DENOMINATION})`);
      server.sql('vacuum analyze');
      server.sql('checkpoint');
      const before = countCheckpoints();
      const words = ['-n', '-M', 'prepared', '-c', String(AT_ONCE), '-j', '2', '-T', String(forSeconds)];
      const where = ['-f', script, '-h', server.home, '-U', 'bench', 'postgres'];
      const { stdout } = await promisify(execFile)('pgbench', [...words, ...where]);
      const told = /tps = ([\d.]+)/.exec(stdout)?.[1];
      if (told === undefined || !stdout.includes('failed transactions: 0'))
        throw new Error(`pgbench went wrong: ${stdout}`);
      checkpoints += countCheckpoints() - before;
      seconds += forSeconds;
      return Number(told);
    },
    describe() {
      const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} ${value}`);
      return `PostgreSQL: ${settings.join(', ')}; ${checkpoints} checkpoints in ${seconds} s`;
    },
    close: () => server.stop(),
  };
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface User {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

interface Server {
  home: string;
  /** Runs SQL; what it printed. */
  sql(text: string): string;
  stop(): Promise<void>;
}

async function start(folder: string, user: User): Promise<Server | undefined> {
  const home = join(folder, 'postgres');
  mkdirSync(home);
  chmodSync(folder, 0o755);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid);
  const data = join(home, 'data');
  execFileSync('initdb', ['-D', data, '-U', 'bench', '--auth=trust', '-E', 'UTF8', '--no-locale'], {
    ...user,
    cwd: home,
    stdio: 'ignore',
  });
  const settings = { listen_addresses: '', unix_socket_directories: home, ...SETTINGS };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn('postgres', ['-D', data, ...words], { ...user, cwd: home, stdio: 'ignore' });
  process.once('exit', () => server.kill('SIGQUIT'));
  const sql = (text: string) =>
    execFileSync('psql', ['-q', '-A', '-t', '-h', home, '-U', 'bench', '-v', 'ON_ERROR_STOP=1', 'postgres'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  for (let tries = 0; tries < 100; tries += 1) {
    await pause(100);
    try {
      sql('select 1');
      return { home, sql, stop: () => stop(server) };
    } catch {
      if (server.exitCode !== null) return undefined;
    }
  }
  await stop(server);
  return undefined;
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGINT');
  await exited;
}
