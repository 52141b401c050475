// After a takeover where the platform is asked about no code before it is taken: by a host's word, or since no upstream
// looks codes up.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createScriptedPlatform, type ScriptedPlatform } from '../../../test/harness/platform.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import { randomIds } from '../../ids.ts';
import type { CodeOutcome, Upstream } from '../../platform/port.ts';
import { backup } from '../../store/backup/backup.ts';
import { checkConservation } from '../../store/backup/conservation.ts';
import { restore } from '../../store/backup/restore.ts';
import { openReader } from '../../store/engine/connection.ts';
import { createStore, type Store } from '../../store/index.ts';
import { createCore, type AccountActor, type Core } from '../index.ts';
import type { Redemption } from '../receipts/receipts.ts';
import { alone } from '../../platforms.ts';

const KEY = Buffer.alloc(32, 7);
const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
const [ANN, BOB] = ['5170925570', '5170925571'];
const MINUTE_MS = 60_000;
const REDEEMED = {
  ...({ status: 'redeemed', expiresAt: 0, channelName: 'test' } as const),
  ...{ openid: 'o', amount: 60, productName: '60' },
};
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: string;
let clock: ManualClock;
let platform: ScriptedPlatform;
let upstreams: Upstream[];
let store: Store;
let core: Core;
let actor: AccountActor;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'takeover-'));
  clock = createManualClock(Date.UTC(2026, 0, 13, 12));
  platform = createScriptedPlatform(() => clock.now());
  upstreams = alone(platform);
  open();
  const { accountId } = await core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Shop', days: 60 });
  actor = { kind: 'apiKey', accountId, apiKeyId: 1 };
});
afterEach(async () => {
  await core.stop(0);
  await store.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'redemption.db');

function open(): void {
  store = createStore({ path: path(), encryptionKey: KEY, exclusive: false });
  core = createCore({
    ...{ store, upstreams, games: TEST_GAMES, clock, ids: randomIds, log },
    platformTimeoutMs: 45_000,
  });
}

let codes = 0;
async function add(count: number): Promise<string[]> {
  const added = Array.from({ length: count }, () => `60S${String((codes += 1)).padStart(13, '0')}`);
  await core.codes.add(actor, STOCK_KEY.gameId, [{ denomination: 60, codes: added }]);
  return added;
}

/** Everything that happens in `lost` is forgotten, `lostMs` long. */
async function takeOver(lost: () => Promise<unknown>, lostMs = 10_000): Promise<void> {
  const file = join(folder, 'backup.db');
  rmSync(file, { force: true });
  await backup(path(), file, { secrets: store.secrets, now: clock.now() });
  clock.advance(lostMs / 2);
  await lost();
  clock.advance(lostMs / 2);
  await core.stop(0);
  await store.close();
  rmSync(path());
  restore({ file, databasePath: path(), key: KEY, now: clock.now() });
  clock.advance(platform.settlingMs);
  open();
}

async function order(playerId: string, key?: string): Promise<Redemption & { replayed: boolean }> {
  const idempotencyKey = key === undefined ? {} : { idempotencyKey: { scope: 'http' as const, key } };
  const answer = await core.redeem(actor, { ...STOCK_KEY, playerId, ...idempotencyKey });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return { ...answer.redemption, replayed: answer.replayed };
}

const spentFor = (playerId: string) =>
  [...platform.spent].filter(([, row]) => row.playerId === playerId).map(([code]) => code);

/** As a platform that names the player. */
function tell(code: string): CodeOutcome {
  const found = platform.spent.get(code);
  return found ? { ...REDEEMED, ...found } : { status: 'notRedeemed' };
}

test('where look-ups run out, a host sells by verification alone: each code is asked about when it is taken', async () => {
  const [, first, second, third] = await add(30);
  await order(BOB, 'before');
  await takeOver(() => order(ANN, 'one'));
  platform.script.findCode = () => ({ status: 'unreachable', message: 'The quota there is used up.' });
  expect(await order(BOB, 'two')).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR' });
  const host = { kind: 'host', by: 7 } as const;
  expect(core.sweeps.list(host)).toEqual([{ ...STOCK_KEY, accountId: 1, needed: 20, unspent: 0 }]);
  expect(await core.sweeps.sellByVerification(host)).toEqual({ status: 'ended', count: 1 });
  expect([await core.sweeps.sellByVerification(host), core.sweeps.list(host)]).toEqual([
    { status: 'unchanged' },
    [],
  ]);
  let asked: string[] = [];
  platform.script.findCode = (code) => {
    asked.push(code);
    return tell(code);
  };
  // What the lost time carried out is kept, and told, and nobody else's.
  expect(await order(BOB, 'two')).toMatchObject({ state: 'redeemed', code: second });
  expect(asked).toEqual([first, second]);
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
  asked = [];
  expect(await order(BOB, 'three')).toMatchObject({ code: third });
  expect(asked).toEqual([third]);
});

test('a sweep that was ended under way stays so', async () => {
  await add(30);
  await order(BOB, 'before');
  const held = Promise.withResolvers<undefined>();
  let asked = 0;
  const findCode = platform.findCode.bind(platform);
  platform.findCode = async (query, options) => {
    asked += 1;
    await held.promise;
    return findCode(query, options);
  };
  await takeOver(() => order(ANN, 'one'));
  const ordered = order(BOB, 'two');
  await expect.poll(() => asked).toBe(10);
  await core.sweeps.sellByVerification({ kind: 'host', by: 7 });
  held.resolve(undefined);
  expect(await ordered).toMatchObject({ state: 'redeemed' });
  expect([asked, core.sweeps.list({ kind: 'host', by: 7 })]).toEqual([10, []]);
});

describe('where no upstream looks codes up', () => {
  const openWithout = async (count: number) => {
    Object.assign(platform, { hasNoLookUp: true });
    await core.stop(0);
    await store.close();
    open();
    return add(count);
  };

  test('codes are sent as they are: one of the lost time fails, costs nothing and pauses nothing', async () => {
    const added = await openWithout(9);
    const players = added.slice(0, 6).map((_, n) => `517092558${n}`);
    await takeOver(() => Promise.all(players.map((player) => order(player))));
    for (const code of added.slice(0, 6))
      expect(await order(BOB)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED', code });
    expect([core.quota(actor).daily.used, core.sweeps.list({ kind: 'host', by: 7 })]).toEqual([0, []]);
    expect(await order(BOB)).toMatchObject({ state: 'redeemed', code: added[6] });
    expect(core.quota(actor).daily.used).toBe(1);
    const file = openReader(path());
    expect(checkConservation(file, { secrets: store.secrets })).toMatchObject({ drift: 0, rows: [] });
    file.close();
  });

  test('what is sent so is in doubt where nobody knows its end, and not sent on', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => Promise.resolve());
    platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    expect(await order(BOB)).toMatchObject({ state: 'in_doubt', code: first });
  });

  test('one that is used for this very player is asked about, as ever', async () => {
    const [first] = await openWithout(3);
    await takeOver(() => order(ANN, 'one'));
    expect(await order(ANN, 'one')).toMatchObject({ state: 'in_doubt', code: first });
    clock.advance(MINUTE_MS);
    await core.settleDoubts();
    expect((await order(ANN, 'one')).code).toBe(first);
    expect(spentFor(ANN)).toEqual([first]);
  });
});
