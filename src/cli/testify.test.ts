// Another past that testifies, at the host's command line: `testify`, and `restore --past`.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runHere, type Ended } from '../../test/harness/run-here.ts';
import { numberedCodes, openTrader, type Trader } from '../../test/harness/traded-store.ts';
import { createStore, type Store } from '../store/index.ts';

const GAMES = fileURLToPath(new URL('../../data/games.json', import.meta.url));
const KEY = Buffer.alloc(32, 5);
const ENV = { GAMES_FILE: GAMES, ENCRYPTION_KEY: KEY.toString('base64') };

let folder: string;
let trader: Trader;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'testify-'));
  store = createStore({ path: database(), encryptionKey: KEY, exclusive: true });
  trader = await openTrader(() => store, Date.now);
  await trader.addCodes(numberedCodes('A', 6));
  await run('backup', 'kept.db');
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const database = () => join(folder, 'data/redemption.db');
const inFolder = (name: string) => join(folder, name);
const run = (...args: string[]): Promise<Ended> => runHere(folder, args, ENV);
const linesOf = ({ out }: Ended): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

function statesOf(path = database()): unknown[] {
  const file = new Database(path, { readonly: true });
  try {
    return file.prepare('select state from codes order by id').pluck().all();
  } finally {
    file.close();
  }
}

/** Two are handed out and one is redeemed; then the database is the past of it all. */
async function loseTheMachine(): Promise<void> {
  await trader.extract(2);
  await trader.redeem(await trader.begin());
  await store.close(Date.now());
  renameSync(database(), inFolder('lost.db'));
}

test('the old disk that turns up testifies, once it is stopped, and as often as it likes', async () => {
  await loseTheMachine();
  await run('restore', 'kept.db');
  const first = await run('testify', 'lost.db');
  expect(linesOf(first)).toMatchObject([{ testified: 'lost.db', extracted: 2, recovered: 1, payments: 0 }]);
  expect([first.err, first.exitCode]).toEqual(['', 0]);
  expect(statesOf()).toEqual([
    'redeemed',
    'unverified',
    'unverified',
    'unverified',
    'extracted',
    'extracted',
  ]);
  expect(linesOf(await run('testify', 'lost.db'))).toMatchObject([{ extracted: 0, recovered: 0 }]);
  expect(linesOf(await run('check')).at(-1)).toMatchObject({ drift: 0 });
  expect(readdirSync(inFolder('data')).filter((name) => name.includes('testifying'))).toEqual([]);
  store = createStore({ path: database(), encryptionKey: KEY, exclusive: true });
  expect((await run('testify', 'lost.db')).err).toMatch(/^Another process is using .*Stop it first/);
});

test('a restore can hear it before the database takes its place, and a drill tells what it would', async () => {
  await loseTheMachine();
  mkdirSync(inFolder('other'));
  const other = createStore({ path: inFolder('other/o.db'), encryptionKey: KEY, exclusive: false });
  await other.close();
  expect((await run('restore', 'kept.db', '--past', 'other/o.db')).err).toMatch(/is of another database/);
  expect((await run('restore', 'kept.db', '--past', 'none.db')).err).toMatch(/none.db does not exist/);
  expect(existsSync(database())).toBe(false);
  const drilled = linesOf(await run('restore', 'kept.db', '--drill', '--past', 'lost.db'));
  expect(drilled).toMatchObject([
    { unverified: 3, codes: { unverified: 3, extracted: 2 } },
    { testified: 'lost.db', extracted: 2 },
  ]);
  expect(existsSync(database())).toBe(false);
  const restored = linesOf(await run('restore', 'kept.db', '--past', 'lost.db'));
  expect(restored).toMatchObject([{ unverified: 3 }, { extracted: 2, recovered: 1 }]);
  expect(linesOf(await run('check')).at(-1)).toMatchObject({ drift: 0 });
  // What is restored over a past that is given up hears that it may.
  renameSync(database(), inFolder('given.db'));
  copyFileSync(inFolder('lost.db'), database());
  expect((await run('restore', 'kept.db')).err).toMatch(/then restore again with `--past .*given-up`/);
  expect((await run('testify', 'data/redemption.db')).err).toMatch(/is a copy|is the database itself/);
});
