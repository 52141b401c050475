// An order that is worked on under an id, over the shipped profile of one that is polled and has no other proof:
// whatever commit its process is killed at, the next one asks for that job, and sends nothing again once the id is kept.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { connectProfiled, readShipped } from '../../../test/harness/profiled.ts';
import { json, startScriptedServer, type ScriptedServer } from '../../../test/scripted-server.ts';
import { alone } from '../../platforms.ts';
import type { Store } from '../../store/index.ts';

const shipped = readShipped('job-poll');
const PROFILE = { ...shipped, job: { ...shipped.job!, everyMs: 100 }, lookup: null };
const PLAYER = { gameId: 'game_id_1', playerId: '5170925570' };
const LATER_MS = 6 * 60_000;

let t: TestCore;
let server: ScriptedServer;
/** What dead processes wait for, until the test is over. */
let held: PromiseWithResolvers<never>;
beforeEach(async () => {
  t = await openTestCore();
  server = await startScriptedServer();
  held = Promise.withResolvers();
  held.promise.catch(() => undefined);
  standIn();
});
afterEach(async () => {
  held.reject(new Error('It is dead.'));
  await t.close();
  await server.close();
});

/** One job a reference; done when it is asked for the second time. */
function standIn(): void {
  const looks = new Map<string, number>();
  server.answerWith((response, heard) => {
    const reference = heard.url?.split('/')[3] ?? String(heard.headers['idempotency-key']);
    const about = { job_id: reference, external_id: reference };
    const asked = heard.method === 'GET' ? (looks.get(reference) ?? 0) + 1 : 0;
    looks.set(reference, asked);
    const player = { name: 'Zoë', openid: '900' };
    json(200, asked < 2 ? { ...about, status: 'running' } : { ...about, status: 'done', player })(
      response,
      heard,
    );
  });
}

const countSent = () => server.heard.filter(({ method }) => method === 'POST').length;
const start = (store: Store) =>
  t.restart({ store, upstreams: alone(connectProfiled(PROFILE, server.url), 'jobs') });

/** Of a process that is killed before or after one of its commits: nothing comes of what it does then. */
function dieAt(commit: number, side: 'before' | 'after'): { store: Store; dead: Promise<void> } {
  const dead = Promise.withResolvers<void>();
  let commits = 0;
  const die = () => {
    dead.resolve();
    return held.promise;
  };
  const write: Store['write'] = async (work, options) => {
    commits += 1;
    const own = commits;
    if (own > commit || (own === commit && side === 'before')) return die();
    const written = await t.store.write(work, options);
    return own === commit ? die() : written;
  };
  return { store: { ...t.store, write }, dead: dead.promise };
}

async function redeemUntil({ store, dead }: ReturnType<typeof dieAt>, code: string): Promise<void> {
  const redeemed = start(store).redeem(t.actor, { ...PLAYER, code });
  redeemed.catch(() => undefined);
  await Promise.race([dead, redeemed.then(() => Promise.reject(new Error('It was not killed.')))]);
}

/** Lives until nothing is open, or it is killed. */
async function settle(store: Store): Promise<void> {
  const core = start(store);
  await core.start();
  for (let looks = 0; looks < 6; looks += 1) {
    await core.settleDoubts();
    t.clock.advance(LATER_MS);
  }
}

function rows(sql: string): unknown[] {
  const file = new Database(t.store.path, { readonly: true });
  const found = file.prepare(sql).all();
  file.close();
  return found;
}

test.each([
  ['begun', 1, 'before', { sent: 0, ends: [] }],
  // Whether it was sent nobody knows: it is asked by sending it, under its reference.
  ['begun', 1, 'after', { sent: 1, ends: ['redeemed'] }],
  ['known by its id', 2, 'before', { sent: 2, ends: ['redeemed'] }],
  ['known by its id', 2, 'after', { sent: 1, ends: ['redeemed'] }],
  ['settled', 3, 'before', { sent: 1, ends: ['redeemed'] }],
  ['settled', 3, 'after', { sent: 1, ends: ['redeemed'] }],
] as const)('killed as it is %s (commit %i, %s)', async (_, commit, side, { sent, ends }) => {
  const killed = dieAt(commit, side);
  const code = makeCode();
  await redeemUntil(killed, code);
  await settle(t.store);
  expect(countSent()).toBe(sent);
  expect(rows('select state from redemptions')).toEqual(ends.map((state) => ({ state })));
});

test.each([
  ['begun', 7, 1],
  ['known by its id', 8, 0],
])('killed again as the repetition is %s (commit %i), it is sent %i times more', async (_, commit, more) => {
  await redeemUntil(dieAt(1, 'after'), makeCode());
  const second = dieAt(commit, 'after');
  await Promise.race([second.dead, settle(second.store)]);
  const before = countSent();
  await settle(t.store);
  expect(countSent()).toBe(before + more);
  expect(rows('select state from redemptions')).toEqual([{ state: 'redeemed' }]);
});

test('two orders that were given one id: it is of the first alone, and the other is in doubt', async () => {
  server.answerWith((response, heard) => {
    const about = { job_id: 'one', external_id: server.heard[0]?.headers['idempotency-key'] };
    const player = { name: 'Zoë', openid: '900' };
    json(
      200,
      heard.method === 'POST' ? { ...about, status: 'running' } : { ...about, status: 'done', player },
    )(response, heard);
  });
  const core = start(t.store);
  for (const code of [makeCode(), makeCode()]) await core.redeem(t.actor, { ...PLAYER, code });
  expect(rows('select state from redemptions')).toEqual([{ state: 'redeemed' }, { state: 'in_doubt' }]);
});
