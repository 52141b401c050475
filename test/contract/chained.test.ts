// Two services chained by the upstream adapter: a redemption through both is one redemption, whatever the line between
// them does. Both in this process, on simulated time.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createCoreClock, systemClock } from '../../src/clock.ts';
import type { ApiKeyActor, Core } from '../../src/core/index.ts';
import { createUpstream } from '../../src/platform/upstream/upstream.ts';
import { alone } from '../../src/platforms.ts';
import { makeCode, openTestCore, type TestCore } from '../harness/core.ts';
import { openAccount } from '../harness/http.ts';
import { broken, heard } from '../world/machine/network.ts';
import { openReached, type Reached } from '../world/play/reached.ts';

/** What becomes of one exchange. */
type Fate =
  /** The other side has carried it out; of its answer come so many bytes. */
  | { answerCutAfter: number }
  /** Half of the request arrives: nothing is carried out. */
  | 'requestCut'
  /** It arrives after we gave up. */
  | 'late'
  | 'nobodyListens';

/** The outer side gives up later than the inner one, so that the inner one's own "unknown" is heard, too. */
const [INNER_TIMEOUT_MS, OUTER_TIMEOUT_MS, LATE_MS] = [250, 800, 1_000];
const STOCKED = { gameId: 'game_id_1', denomination: 60 };

let reached: Reached;
let t: TestCore;
let outer: Core;
let actor: ApiKeyActor;
/** Of the next exchanges; those after them go through. */
let fates: (Fate | undefined)[] = [];
let players = 0;
let playerId: string;

beforeAll(async () => {
  reached = await openReached({ platformTimeoutMs: INNER_TIMEOUT_MS });
  t = await openTestCore();
  const upstreams = alone(
    createUpstream({
      url: 'http://service.invalid',
      token: reached.stage.app().apiKey,
      send: ({ url, body = null, ...init }, { signal }) =>
        heard(exchange(fates.shift(), new Request(url, { ...init, body, signal }))),
    }),
  );
  const clock = { ...t.clock, ...createCoreClock(systemClock) };
  outer = t.restart({ upstreams, clock, platformTimeoutMs: OUTER_TIMEOUT_MS });
  ({ actor } = await openAccount(outer));
  const codes = Array.from({ length: 20 }, () => makeCode());
  await outer.codes.add(actor, STOCKED.gameId, [{ denomination: STOCKED.denomination, codes }]);
  await outer.start();
});
afterAll(async () => {
  await t.close();
  await reached.stop();
});
beforeEach(() => {
  fates = [];
  playerId = `7${String((players += 1)).padStart(9, '0')}`;
});
afterEach(() => expect(outer.health.countOpen()).toEqual({ pending: 0, inDoubt: 0 }));

const sleep = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

async function exchange(fate: Fate | undefined, request: Request): Promise<Response> {
  if (fate === 'nobodyListens') throw broken('ECONNREFUSED', 'connect');
  if (fate === 'requestCut') throw broken('ECONNRESET', 'read');
  if (fate === 'late') await sleep(LATE_MS);
  // What has arrived is carried out, whether or not we still listen.
  const answer = await reached.fetch(new Request(request, { signal: null }));
  request.signal.throwIfAborted();
  if (fate === undefined || typeof fate === 'string') return answer;
  if (fate.answerCutAfter === 0) throw broken('ECONNRESET', 'read');
  const begun = (await answer.bytes()).subarray(0, fate.answerCutAfter);
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(begun),
    pull: (controller) => controller.error(broken('UND_ERR_SOCKET', 'read')),
  });
  return new Response(body, answer);
}

async function redeem() {
  const answer = await outer.redeem(actor, { ...STOCKED, playerId });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}
const read = (id: number) => outer.receipts.find(actor, id);
const available = () => outer.codes.countAvailable(actor, STOCKED.gameId).get(STOCKED.denomination);
const used = () => outer.quota(actor).daily.used;
function readInside() {
  const { core, actor: inside } = reached.stage.app();
  const { receipts } = core;
  return receipts
    .list(inside, {})
    .filter((entry) => entry.playerId === playerId)
    .map(({ id }) => receipts.find(inside, id));
}
/** Until neither side has a doubt. */
async function settle(): Promise<void> {
  const isOpen = ({ health }: Core) => health.countOpen().pending + health.countOpen().inDoubt > 0;
  while (isOpen(outer) || isOpen(reached.stage.app().core)) await sleep(1_000);
}

test('over a whole line it is one receipt on each side, of the same code', async () => {
  const { state, warning, amount, code, credentials } = await redeem();
  expect({ state, warning, amount }).toEqual({ state: 'redeemed', warning: false, amount: 60 });
  expect(readInside()).toMatchObject([{ state: 'redeemed', code, credentials }]);
});

test.each([0, 40])(
  'whose answer is cut after %i bytes is unknown, then redeemed with its credentials',
  async (answerCutAfter) => {
    fates = [{ answerCutAfter }];
    const { id, state, code } = await redeem();
    expect(state).toBe('in_doubt');
    await settle();
    const receipt = read(id);
    expect(receipt).toMatchObject({ state: 'redeemed', code, warning: false });
    expect(receipt?.credentials).toBeDefined();
    expect(readInside()).toMatchObject([{ credentials: receipt?.credentials }]);
  },
);

test('stays in doubt while its receipt cannot be fetched, for the sake of the credentials', async () => {
  const cut: Fate = { answerCutAfter: 0 };
  // The order, the look at the code, the receipt; then once more the look, and half of the receipt.
  fates = [cut, undefined, cut, undefined, { answerCutAfter: 600 }];
  const { id } = await redeem();
  for (const left of [2, 0]) {
    while (fates.length > left) await sleep(100);
    await sleep(100);
    expect(read(id)?.state).toBe('in_doubt');
  }
  await settle();
  expect(read(id)).toMatchObject({ state: 'redeemed', warning: false });
  expect(read(id)?.credentials).toBeDefined();
});

test('that arrives only after we gave up waiting is found to be redeemed', async () => {
  fates = ['late'];
  const { id, state, code } = await redeem();
  expect([state, readInside()]).toEqual(['in_doubt', []]);
  await sleep(LATE_MS);
  expect(readInside()).toMatchObject([{ state: 'redeemed', code }]);
  await settle();
  expect(read(id)).toMatchObject({ state: 'redeemed', warning: false });
});

test('that never arrived whole is held until "not redeemed" is final, then code and usage go back', async () => {
  const before = { available: available()!, used: used() };
  fates = ['requestCut'];
  const { id, state, code, codeReset } = await redeem();
  expect({ state, codeReset }).toEqual({ state: 'in_doubt', codeReset: false });
  // Looks are told "not redeemed" before the other side's deadline is over: it might still begin.
  for (const ms of [11_000, 5_000]) {
    await sleep(ms);
    expect(read(id)?.state).toBe('in_doubt');
    expect([available(), used()]).toEqual([before.available - 1, before.used + 1]);
  }
  await settle();
  expect(read(id)).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN', codeReset: true });
  expect([available(), used(), readInside()]).toEqual([before.available, before.used, []]);
  expect(await redeem()).toMatchObject({ state: 'redeemed', code });
});

test('that finds nobody listening is over at once, code and usage back', async () => {
  const before = [available(), used()];
  fates = ['nobodyListens'];
  expect(await redeem()).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR', codeReset: true });
  expect([available(), used(), readInside()]).toEqual([...before, []]);
});
