// Row 2's other side: a PostgreSQL server of our own in a temporary folder, the same tables and indexes (without foreign
// keys), a redemption as two stored functions, 64 clients of pgbench. Without a server at hand the row is skipped.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { ACCOUNTS, DENOMINATION, GAME_ID } from './bench-core.ts';
import type { Contestant } from './raw-writes.ts';

export type Postgres = { status: 'open'; contestant: Contestant } | { status: 'skipped'; why: string };

const CLIENTS = 64;
const PROGRAMS = ['postgres', 'initdb', 'psql', 'pgbench'];
const JOURNAL = new URL('../../drizzle/meta/_journal.json', import.meta.url);

/** Starts the server and fills it; `skipped` tells why there is none. */
export async function openPostgres(folder: string, stock: number): Promise<Postgres> {
  const missing = PROGRAMS.filter((program) => !isThere(program));
  if (missing.length > 0) return { status: 'skipped', why: `no ${missing.join(', ')}` };
  const user = findUser();
  if (user === undefined)
    return { status: 'skipped', why: 'root may not run it, and there is no user postgres' };
  const server = await start(folder, user);
  if (server === undefined) return { status: 'skipped', why: 'the server did not start' };
  const home = join(folder, 'postgres');
  server.sql(describeSchema());
  server.sql(fillSql(stock));
  server.sql(FUNCTIONS);
  const script = join(home, 'redeem.sql');
  writeFileSync(script, SCRIPT);
  return {
    status: 'open',
    contestant: {
      async redeem(count) {
        const each = Math.ceil(count / CLIENTS);
        const options = [
          '-n',
          '-M',
          'prepared',
          '-c',
          String(CLIENTS),
          '-j',
          '2',
          '-t',
          String(each),
          '-f',
          script,
        ];
        const { stdout } = await promisify(execFile)('pgbench', [
          ...options,
          '-h',
          home,
          '-U',
          'bench',
          'postgres',
        ]);
        const told = /tps = ([\d.]+)/.exec(stdout)?.[1];
        if (told === undefined || !stdout.includes('failed transactions: 0'))
          throw new Error(`pgbench went wrong: ${stdout}`);
        return Number(told);
      },
      close: () => server.stop(),
    },
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

async function start(folder: string, user: User) {
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
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home,
    shared_buffers: '256MB',
    max_wal_size: '4GB',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn('postgres', ['-D', data, ...words], { ...user, cwd: home, stdio: 'ignore' });
  const sql = (text: string) =>
    execFileSync('psql', ['-q', '-h', home, '-U', 'bench', '-v', 'ON_ERROR_STOP=1', 'postgres'], {
      input: text,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  for (let tries = 0; tries < 100; tries += 1) {
    await pause(100);
    try {
      sql('select 1');
      return { sql, stop: () => stop(server) };
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

/** The migrations, in the other dialect. */
function describeSchema(): string {
  const journal = JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { tag: string }[] };
  return journal.entries
    .map(({ tag }) => readFileSync(new URL(`../../drizzle/${tag}.sql`, import.meta.url), 'utf8'))
    .join('\n--> statement-breakpoint\n')
    .split('--> statement-breakpoint')
    .map((statement) =>
      statement
        .replaceAll('`', '"')
        .replaceAll(/^\s*FOREIGN KEY .*$/gm, '')
        .replaceAll(
          'integer PRIMARY KEY AUTOINCREMENT',
          'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
        )
        .replaceAll(/\binteger\b/g, 'bigint')
        .replaceAll(/\bblob\b/g, 'bytea')
        .replaceAll(/,(\s*)\) STRICT;/g, '$1) STRICT;')
        .replaceAll(') STRICT;', ');'),
    )
    .map((statement) => statement.replaceAll(/,\s*(?=,)/g, '').replaceAll(/,\s*\)/g, '\n)'))
    .join(';\n');
}

function fillSql(stock: number): string {
  return `
    insert into accounts (name, created_at, subscription_expires_at)
      select 'Shop', 0, 4102444800000 from generate_series(1, ${ACCOUNTS});
    insert into quotas (account_id, purchased) select id, 4000000 from accounts;
    insert into batches (account_id, game_id, actor, at) select id, '${GAME_ID}', 'apiKey:1', 0 from accounts;
    insert into codes (account_id, game_id, denomination, state, code_hash, code_secret, batch_id, changed_at)
      select 1 + n % ${ACCOUNTS}, '${GAME_ID}', ${DENOMINATION}, 'available', sha256(n::text::bytea),
        substring(sha256(n::text::bytea) || sha256(n::text::bytea) for 51), 1 + n % ${ACCOUNTS}, 0
      from generate_series(1, ${stock}) as n;
    vacuum analyze;`;
}

const FUNCTIONS = `
  create function begin_redemption(account bigint) returns bigint language plpgsql as $$
  declare
    at_ms bigint := extract(epoch from clock_timestamp()) * 1000;
    taken record;
    charge bigint;
    redemption bigint;
  begin
    update quotas set purchased = purchased - 4, window_start = at_ms - 86400000 where account_id = account;
    update codes set state = 'reserved', claimed_from = state, changed_at = at_ms
      where id = (select id from codes where account_id = account and game_id = '${GAME_ID}'
        and denomination = ${DENOMINATION} and state in ('available', 'unverified')
        order by id limit 1 for update skip locked)
      returning id, code_hash, code_secret into strict taken;
    insert into charges (account_id, at, daily, purchased, kind) values (account, at_ms, 0, 4, 'redeem')
      returning id into charge;
    insert into redemptions (reference, account_id, actor, game_id, player_id, mode, denomination, code_id, code_hash,
        code_secret, code_tail_hash, state, charge_id, created_at)
      values (gen_random_uuid()::text, account, 'apiKey:1', '${GAME_ID}', '5124780131', 'database', ${DENOMINATION},
        taken.id, taken.code_hash, taken.code_secret, sha256(gen_random_uuid()::text::bytea), 'pending', charge, at_ms)
      returning id into redemption;
    return redemption;
  end $$;
  create function settle_redemption(redemption bigint) returns void language plpgsql as $$
  declare
    at_ms bigint := extract(epoch from clock_timestamp()) * 1000;
    code bigint;
  begin
    update redemptions set state = 'redeemed', error_code = null, error_message = null, openid = '29083411',
        player_name = 'Player', region = 'DE', product_name = '60 UC', amount = 60, warning = 0,
        credentials_secret = substring(sha256('1') || sha256('2') || sha256('3') || sha256('4') for 101),
        settled_at = at_ms, took_ms = greatest(0, at_ms - created_at), next_look_at = null
      where id = redemption and state in ('pending', 'in_doubt') returning code_id into strict code;
    update codes set state = 'redeemed', changed_at = at_ms where id = code and state in ('reserved', 'in_doubt');
  end $$;`;

const SCRIPT = `\\set account random(1, ${ACCOUNTS})
select begin_redemption(:account) as redemption \\gset
select settle_redemption(:redemption);
`;
