// An order of ten, killed at each of its commits: what the file and the platform know at that moment goes on in another
// process, and in the end there are ten receipts, and no code more.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, TEST_GAMES } from '../../../test/harness/core.ts';
import { createScriptedPlatform, type ScriptedPlatform } from '../../../test/harness/platform.ts';
import { createManualClock } from '../../clock.ts';
import { randomIds } from '../../ids.ts';
import { alone } from '../../platforms.ts';
import { checkConservation } from '../../store/backup/conservation.ts';
import { createStore } from '../../store/index.ts';
import { createCore, type AccountActor } from '../index.ts';

const KEY = Buffer.alloc(32, 7);
const ACTOR: AccountActor = { kind: 'apiKey', accountId: 1, apiKeyId: 1 };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orders-killed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, `${name}.db`);

/** A process over this file, that knows what the platform has spent so far. */
async function open(name: string, spent: ScriptedPlatform['spent'] = new Map(), onCommit?: () => void) {
  const clock = createManualClock(Date.UTC(2026, 0, 13, 12));
  const platform = createScriptedPlatform(() => clock.now());
  for (const [code, by] of spent) platform.spent.set(code, by);
  const store = createStore({
    ...{ path: pathOf(name), encryptionKey: KEY, exclusive: false },
    ...(onCommit && { onCommit }),
  });
  const core = createCore({
    ...{ store, upstreams: alone(platform), games: TEST_GAMES, clock, ids: randomIds, log },
    platformTimeoutMs: 45_000,
  });
  return {
    ...{ clock, platform, store, core },
    async close() {
      await core.stop(0);
      await store.close();
    },
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

const place = async ({ core }: Opened) => {
  const answer = await core.orders.place(ACTOR, {
    ...{ gameId: 'game_id_1', playerId: '5170925570', onShortage: 'refuse', onBadCode: 'replace' },
    items: [{ denomination: 60, count: 10 }],
    idempotencyKey: { scope: 'http', key: 'INV-1' },
  });
  if (answer.status !== 'placed') throw new Error(answer.status);
  return answer.order.id;
};

test('ten receipts, no code more, and nothing that does not add up', async () => {
  const pasts: { name: string; spent: ScriptedPlatform['spent'] }[] = [];
  let isWatched = false;
  const first: Opened = await open('first', new Map(), () => {
    if (!isWatched) return;
    const name = `past-${pasts.length}`;
    const file = new Database(pathOf('first'), { readonly: true });
    file.exec(`vacuum into '${pathOf(name)}'`);
    file.close();
    pasts.push({ name, spent: new Map(first.platform.spent) });
  });
  await first.core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Shop', days: 30 });
  const codes = Array.from({ length: 12 }, () => makeCode());
  await first.core.codes.add(ACTOR, 'game_id_1', [{ denomination: 60, codes }]);
  await first.core.start();
  isWatched = true;
  const id = await place(first);
  await expect.poll(() => first.core.orders.find(ACTOR, id)?.state).toBe('done');
  isWatched = false;
  await first.close();
  expect(pasts.length).toBeGreaterThan(20);

  for (const { name, spent } of pasts) {
    const next = await open(name, spent);
    await next.core.start();
    // Whoever had no answer repeats the request.
    expect([name, await place(next)]).toEqual([name, id]);
    await expect
      .poll(async () => {
        next.clock.advance(3_000);
        await next.core.settleDoubts();
        return next.core.orders.find(ACTOR, id)?.state;
      })
      .toBe('done');
    const order = next.core.orders.find(ACTOR, id);
    const receipts = new Set(order?.items.map(({ redemptionId }) => redemptionId));
    expect([name, receipts.size, next.platform.spent.size]).toEqual([name, 10, 10]);
    await next.close();
    const file = new Database(pathOf(name));
    expect([name, checkConservation(file).rows]).toEqual([name, []]);
    file.close();
  }
});
