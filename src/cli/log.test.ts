// The audit log as the command line prints it: out of a file that nobody serves, of which nothing is changed.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runHere } from '../../test/harness/run-here.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runHere(folder, args, { DATABASE_PATH: 'old.db' });
const whatOf = (out: string): unknown[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { accountId, actor, what } = JSON.parse(line) as Record<string, unknown>;
      return `${String(accountId)} ${String(what)} by ${String(actor)}`;
    });

test('prints what was done since, of a file that may only be read, without its key', async () => {
  await run('account', 'create', '--name', 'North');
  await run('key', 'revoke', '1');
  for (const name of readdirSync(folder).filter((each) => each !== 'old.db'))
    renameSync(join(folder, name), join(folder, `${name}.gone`));
  const before = readFileSync(join(folder, 'old.db'));
  chmodSync(join(folder, 'old.db'), 0o400);
  const all = await run('log');
  expect([all.exitCode, all.err]).toEqual([0, '']);
  expect(whatOf(all.out).at(-1)).toBe('1 keyRevoked by host:cli');
  expect(JSON.parse(all.out.split('\n')[0]!)).toMatchObject({
    what: 'accountOpened',
    after: { name: 'North' },
  });
  const now = new Date(Date.now() + 60_000).toISOString();
  expect(await run('log', '--since', now)).toMatchObject({ exitCode: 0, out: '' });
  expect(whatOf((await run('log', '--since', '2020-01-01')).out)).toEqual(whatOf(all.out));
  expect((await run('log', '--since', 'yesterday')).err).toContain('It must be a time like');
  expect(readFileSync(join(folder, 'old.db')).equals(before)).toBe(true);
  expect(readdirSync(folder)).not.toContain('old.db.lock');
  expect(readdirSync(folder)).not.toContain('encryption.key');
});
