// A player who was forgotten, looked for through the service: whatever reads tells neither ID, openid, name, login, nor
// what programs called them; what is told of others, and the books, are as they were. In the file: cli/forget.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openOrderStory, PLAYER, type OrderStory } from '../../../test/harness/order-story.ts';
import { makeOf } from '../../../test/harness/order-world.ts';
import { randomIds } from '../../ids.ts';
import type { MemberActor } from '../context.ts';
import { forgetPlayer } from './forget-player.ts';

const GAME = 'game_id_1';
const OTHER = '5170925571';
const HOST = { kind: 'host', by: 'cli' } as const;

let s: OrderStory;
let owner: MemberActor;
beforeEach(async () => {
  s = await openOrderStory();
  const { accountId } = s.world;
  owner = { kind: 'member', accountId, telegramId: 7, role: 'owner' };
  await s.world.store().write(({ members, webhooks }) => {
    members.insert({ ...owner, name: 'Owner', username: null, now: 0 });
    const events = ['order.settled', 'redemption.settled'];
    const address = { reference: 'wh_1', url: 'https://shop.example', secret: 'whsec_1' };
    webhooks.insert({ ...address, accountId, events, createdBy: 'host', now: 0 });
  });
});
afterEach(() => s.close());

const forget = (player = PLAYER) =>
  forgetPlayer(
    { store: s.world.store(), clock: { ...s.world.clock, ...SCALES }, ids: randomIds },
    HOST,
    player,
  );
const SCALES = { monotonicNow: () => 0, begunAt: 0, safeNow: () => 0, calendarAheadMs: () => 0 };

/** A shop's past with a player: an order, and redemptions of either kind, one of which failed in their name. */
async function live(player: string) {
  await s.add(['GOOD', 'INVALID', 'GOOD']);
  const items = [{ denomination: 60, count: 2 }];
  const named = { reference: `for ${player}`, playerName: `Nick ${player}` };
  await s.place({
    ...named,
    playerId: player,
    items,
    idempotencyKey: { scope: 'http', key: `pay-${player}` },
  });
  const { script } = s.world.platform;
  const { redeem } = script;
  script.redeem = () => ({
    ...{ status: 'refused', errorCode: 'INVALID_CODE', message: `none for Player ${player}`, asked: true },
    answer: { httpStatus: 400, text: `{"uid":"${player}"}` },
  });
  const request = { gameId: GAME, playerId: player };
  const direct = (key: string) =>
    s.core().redeem(s.actor(), { ...request, code: makeOf('GOOD'), idempotencyKey: { scope: 'http', key } });
  await direct(`direct-${player}`);
  script.redeem = redeem!;
  await direct(`neutral-${player.length}-${s.id()}`);
  await s.world.rest();
}

/** All that anybody is told of the account. */
async function readAll(): Promise<Record<string, unknown>> {
  const core = s.core();
  const receipts = core.receipts.list(s.actor(), {});
  const ids = receipts.map(({ id }) => id);
  const full = [];
  for await (const rows of await core.receiptList.walk(owner, {}, { order: 'oldest', full: true }))
    full.push(...rows);
  return {
    receipts,
    each: ids.map((id) => core.receipts.find(s.actor(), id)),
    stories: ids.map((id) => core.receiptStories.find(owner, id, HOST)),
    orders: core.orders.list(s.actor(), {}),
    told: core.webhookDeliveries.listDue(1, 100, new Set()),
    full,
    players: [
      core.lastPlayers(owner, GAME),
      core.findNamed(owner, `Player ${PLAYER} 60`),
      core.lastOrder(owner),
    ],
    named: await Promise.all(
      [PLAYER, `open-${PLAYER}`, `Player ${PLAYER}`].map((word) => core.search.find(owner, word)),
    ),
    log: core.readAuditLog(owner, { limit: 50 }),
  };
}

test('nothing that is read names them, and others are named as before', async () => {
  await live(PLAYER);
  await live(OTHER);
  const before = await readAll();
  expect(JSON.stringify(before['told'])).toContain(`for ${PLAYER}`);
  const holds = (all: Record<string, unknown>, word: string) =>
    Object.keys(all).filter((name) => JSON.stringify(all[name]).includes(word));
  expect(holds(before, PLAYER)).toEqual([
    'receipts',
    'each',
    'stories',
    'orders',
    'told',
    'full',
    'players',
    'named',
  ]);

  expect(await forget()).toMatchObject({ status: 'forgotten', redemptions: 5 });
  const { named, ...after } = await readAll();
  expect(holds(after, PLAYER)).toEqual([]);
  expect(JSON.stringify(named)).not.toMatch(/"ids":\[\d/);
  expect(holds(after, OTHER)).toEqual(holds(before, OTHER).filter((name) => name !== 'named'));
  const ofOther = (all: Record<string, unknown>) =>
    Object.values(all)
      .flatMap((each) => (Array.isArray(each) ? each : []))
      .filter((each) => `${JSON.stringify(each)}`.includes(OTHER));
  expect(ofOther({ ...after, players: [] })).toEqual(ofOther({ ...before, players: [], named: [] }));
});

test('their receipts stay what they were: code, state, times; of keys only one that names them goes', async () => {
  await live(PLAYER);
  const tell = () =>
    s
      .core()
      .receipts.list(s.actor(), {})
      .map(({ id, state, code, createdAt }) => [id, state, code, createdAt]);
  const keys = () =>
    tell().map(([id]) =>
      s.world.store().read(({ redemptions }) => redemptions.findIdempotencyKey(Number(id))),
    );
  const before = tell();
  expect(keys().filter(Boolean)).toHaveLength(2);
  await forget();
  expect(tell()).toEqual(before);
  expect(keys().filter(Boolean)).toEqual([expect.stringContaining('neutral')]);
  expect(s.core().receipts.find(s.actor(), 1)).toHaveProperty('credentials', null);
});
