// A player who asks to be forgotten, beside the running service: ID, name and credentials are in no row afterwards, and
// the books are as they were.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { runHere } from '../../test/harness/run-here.ts';
import type { RedeemRequest } from '../core/index.ts';
import { takeProcessLock } from '../store/engine/process-lock.ts';

const GAMES_FILE = fileURLToPath(new URL('../../data/games.json', import.meta.url));
const PLAYER = '5170925570';
const OTHER = '5170925571';

let t: TestCore;
let folder: string;

beforeEach(async () => {
  t = await openTestCore();
  folder = mkdtempSync(join(tmpdir(), 'forget-'));
});
afterEach(async () => {
  await t.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runHere(folder, args, { GAMES_FILE, DATABASE_PATH: t.store.path });
const forget = (player: string) => run('forget', '--player', player);

function redeem(playerId: string, request: Partial<RedeemRequest> = {}) {
  return t.core.redeem(t.actor, { gameId: 'game_id_2', playerId, code: makeCode(), ...request });
}

/** Tables in a row of which the word stands. */
function search(word: string): string[] {
  const file = new Database(t.store.path, { readonly: true });
  const names = file.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[];
  const found = names.filter((name) =>
    JSON.stringify(file.prepare(`select * from "${name}"`).all()).includes(word),
  );
  file.close();
  return found;
}

const countBooks = async () => ({
  day: await t.core.dayStatistics(t.actor, { gameId: 'game_id_2' }),
  counts: t.core.receipts.list(t.actor, {}).map(({ id, state, denomination }) => [id, state, denomination]),
});

describe('a player is forgotten', () => {
  test('everywhere in the files, with the books as they were', async () => {
    const rounds = Array.from({ length: 6 }, (_, round) => round);
    // Beside others, so that what is kept of them is moved about.
    for (const round of rounds) {
      const players = Array.from({ length: 40 }, (_, n) =>
        n % 8 === 0 ? PLAYER : `${5_200_000_000 + n + round}`,
      );
      await Promise.all(players.map((player) => redeem(player)));
    }
    t.platform.script.redeem = ({ playerId }) => ({
      ...{ status: 'refused', errorCode: 'INVALID_CODE', asked: true },
      message: `no such code for ${playerId}`,
    });
    await redeem(PLAYER, { idempotencyKey: { scope: 'http', key: `for-${PLAYER}` } });
    const before = await countBooks();
    expect(search(PLAYER)).not.toEqual([]);

    const { exitCode, out, err } = await forget(PLAYER);
    const [answer] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { forgotten: string });
    expect(exitCode).toBe(0);
    expect(answer).toEqual({ forgotten: expect.stringMatching(/^forgotten-[a-p]{16}$/), redemptions: 31 });
    expect(err).toContain('Backups that were made before still name the player');

    expect(search(PLAYER)).toEqual([]);
    const checked = await run('check');
    expect(checked).toMatchObject({ exitCode: 0 });
    expect(await countBooks()).toEqual(before);
    const entries = t.core.receipts
      .list(t.actor, {})
      .filter(({ playerId }) => playerId === answer?.forgotten);
    expect(entries).toHaveLength(31);
    const receipt = t.core.receipts.find(t.actor, entries[1]!.id);
    const gone = { credentials: null, openid: null };
    expect(receipt).toMatchObject({ state: 'redeemed', code: expect.any(String), ...gone });
  });

  test('and a code that was redeemed for them stays spent', async () => {
    const code = makeCode();
    await redeem(PLAYER, { code });
    await forget(PLAYER);
    expect(await redeem(OTHER, { code })).toMatchObject({ redemption: { errorCode: 'CODE_USED' } });
  });

  test('and is no stranger afterwards: what comes then is kept until it is asked for again', async () => {
    await redeem(PLAYER);
    const first = await forget(PLAYER);
    await redeem(PLAYER);
    expect(search(PLAYER)).not.toEqual([]);
    const second = await forget(PLAYER);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    expect(first.out).not.toBe(second.out);
    expect(search(PLAYER)).toEqual([]);
  });

  test('and no byte of the file names them, where it is written anew while the service is stopped', async () => {
    await redeem(PLAYER);
    const running = takeProcessLock(t.store.path);
    const refused = await run('forget', '--player', PLAYER, '--vacuum');
    running.release();
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('Another process') });
    expect(search(PLAYER)).not.toEqual([]);
    expect(await run('forget', '--player', PLAYER, '--vacuum')).toMatchObject({ exitCode: 0 });
    const bytes = [t.store.path, `${t.store.path}-wal`].map((file) => readFileSync(file));
    expect(bytes.filter((each) => each.includes(PLAYER))).toEqual([]);
    expect(await run('check')).toMatchObject({ exitCode: 0 });
  });

  test('and others are not', async () => {
    await redeem(PLAYER);
    await redeem(OTHER);
    await forget(PLAYER);
    const [newest] = t.core.receipts.list(t.actor, {});
    expect(newest).toMatchObject({ playerId: OTHER });
    const receipt = t.core.receipts.find(t.actor, newest!.id);
    expect(receipt).toMatchObject({ playerName: `Player ${OTHER}`, credentials: expect.anything() });
  });
});

/** An order of a program, as it stands. */
function insertOrder(fields: string, values: string): void {
  const file = new Database(t.store.path);
  file.exec(`insert into orders (name, account_id, actor, game_id, player_id, reference, on_shortage, on_bad_code, created_at, ${fields})
    values ('ord_1', 1, 'apiKey:1', 'game_id_1', '${PLAYER}', 'order for ${PLAYER}', 'refuse', 'replace', 0, ${values})`);
  file.close();
}

test('an order that has ended names nobody either', async () => {
  insertOrder('state, ended_at', "'cancelled', 1");
  expect(search(PLAYER)).not.toEqual([]);
  expect(await forget(PLAYER)).toMatchObject({ exitCode: 0 });
  expect(search(PLAYER)).toEqual([]);
});

describe('nothing is changed', () => {
  test('while an order of theirs waits', async () => {
    await redeem(PLAYER);
    insertOrder('state, waits_for, waits_since', "'waiting', 'stock', 1");
    const { exitCode, err } = await forget(PLAYER);
    expect([exitCode, err]).toEqual([
      1,
      `An order for ${PLAYER} is under way: say it again when it has ended.\n`,
    ]);
  });

  test.each(['x', '', '1234', '123456789012345678901', '5170925570x', '٥١٧٠٩٢٥٥٧٠'])(
    'for no ID: %j',
    async (player) => {
      await redeem(PLAYER);
      const { exitCode, out, err } = await forget(player);
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toBe('The ID of a player is 5 to 20 digits. Nothing was changed.\n');
    },
  );

  test('for a player without redemptions', async () => {
    await redeem(PLAYER);
    const { exitCode, out, err } = await forget(OTHER);
    expect([exitCode, out, err]).toEqual([1, '', `No redemption is for ${OTHER}. Nothing was changed.\n`]);
  });

  test('while a redemption of theirs is in doubt', async () => {
    await redeem(PLAYER);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'lost' });
    t.platform.script.findCode = () => ({ status: 'unreachable', message: 'no' });
    await redeem(PLAYER);
    const { exitCode, out, err } = await forget(PLAYER);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toBe(`Redemption 2 is for ${PLAYER} and has not ended: say it again when it has.\n`);
    expect(t.core.receipts.find(t.actor, 1)).toMatchObject({
      playerId: PLAYER,
      playerName: `Player ${PLAYER}`,
    });
  });
});
