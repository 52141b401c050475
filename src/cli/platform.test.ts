// A database that is another than the settings mean, at the host's command line: `platform adopt` and `new`.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

import { linesOf, useHostFolder } from '../../test/harness/host-folder.ts';
import { openTrader, tradeEverything } from '../../test/harness/traded-store.ts';

const { folder, run, open, database } = useHostFolder();

describe('a database that is another than the settings mean', () => {
  const UPSTREAM = { PLATFORM: 'upstream', UPSTREAM_URL: 'https://a.example.org/', UPSTREAM_TOKEN: 't' };
  const adopt = (env: Record<string, string>, ...options: string[]) =>
    run(['platform', 'adopt', ...options], env);

  test('is adopted for another platform, but not while something is in doubt', async () => {
    const store = open();
    await tradeEverything(store, await openTrader(() => store, Date.now));
    await store.close();
    const [adopted, again] = [await adopt(UPSTREAM), await adopt(UPSTREAM)];
    const platform = 'upstream https://a.example.org';
    expect(linesOf(adopted.out)).toMatchObject([{ platform, before: null }]);
    expect(linesOf(again.out)).toMatchObject([{ platform, before: platform }]);
    expect(linesOf((await run(['check'])).out).at(-1)).toMatchObject({ drift: 0, platform });
    const file = new Database(database());
    // Once, whatever is repeated.
    const acts =
      "select account_id, actor, door, before, after from audit_log where what = 'platformAdopted'";
    expect(file.prepare(acts).raw().all()).toEqual([
      [null, 'host:cli', 'cli', '{"platform":""}', `{"platform":"${platform}"}`],
    ]);
    file.exec("update redemptions set state = 'in_doubt', settled_at = null where id = 1");
    file.close();
    const moved = { ...UPSTREAM, UPSTREAM_URL: 'https://b.example.org' };
    expect((await adopt(moved)).err).toMatch(
      /in doubt, and only upstream https:\/\/a\.example\.org can tell/,
    );
    expect((await adopt({}, '--name', 'sandbox-1')).err).toMatch(/are not the same service/);
    expect((await adopt(moved, '--name', 'east')).err).toMatch(
      /no upstream east in the settings: there are main/,
    );
    expect(linesOf((await adopt(moved, '--name', 'main')).out)).toMatchObject([
      {
        upstream: 'main',
        is: 'interface at https://b.example.org',
        before: null,
      },
    ]);
    const looked = linesOf((await run(['doctor'], UPSTREAM)).out) as { check: string; says: string }[];
    expect(looked.find(({ check }) => check === 'database')).toMatchObject({
      state: 'bad',
      says: expect.stringContaining('was used with the platform upstream https://b.example.org') as string,
    });
  });

  test('is of an earlier version: what works beside a service leaves it, what works alone makes a backup first', async () => {
    await open().close();
    const file = new Database(database());
    file.exec('delete from migrations');
    const folderOfBackups = { BACKUP_FOLDER: join(folder(), 'backups') };
    const listed = await run(['account', 'create', '--name', 'A'], folderOfBackups);
    expect(listed.err).toMatch(
      /earlier version: start the service, which makes a backup .*Nothing was changed/,
    );
    expect(existsSync(join(folder(), 'backups'))).toBe(false);
    // The upgrade itself ends at tables that are there: here only what is before it counts.
    expect((await adopt({ ...UPSTREAM, ...folderOfBackups })).err).toMatch(/already exists/);
    expect(readdirSync(join(folder(), 'backups'))).toEqual([expect.stringMatching(/before-upgrade\.db$/)]);
    expect(file.prepare('select count(*) from accounts').pluck().get()).toBe(0);
    file.close();
  });

  test('is not made anew beside what is left of one that is gone, until that is said', async () => {
    await open().close();
    rmSync(database());
    const account = ['account', 'create', '--name', 'A'];
    expect((await run(account)).err).toMatch(/There was a database here.*is gone.*`redemption new`/);
    expect(linesOf((await run(['new'])).out)).toEqual([{ new: 'data/redemption.db' }]);
    expect((await run(account)).exitCode).toBe(0);
    expect((await run(['new'])).err).toMatch(/is there. Move it away first/);
  });
});
