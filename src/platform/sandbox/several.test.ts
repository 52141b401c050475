// Several sandboxes over one truth: what a digit behind a magic word binds, and what stays one for all of them.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import type { Platform, PlatformOrder } from '../port.ts';
import { createSandboxes } from './sandbox.ts';

let folder: string;
let clock: ManualClock;
let sandboxes: Platform[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandboxes-'));
  clock = createManualClock(Date.UTC(2026, 0, 13));
  sandboxes = createSandboxes({ path: join(folder, 'sandbox.db'), latencyMs: 0, clock, count: 3 });
});

afterEach(() => {
  for (const sandbox of sandboxes) sandbox.close();
  rmSync(folder, { recursive: true });
});

const calm = () => ({ signal: new AbortController().signal });

function order(code: string, changes: Partial<PlatformOrder> = {}): PlatformOrder {
  return { reference: randomUUID(), gameId: 'game_id_1', code, playerId: '5123456789', ...changes };
}

function at(number: number): Platform {
  const sandbox = sandboxes[number - 1];
  if (!sandbox) throw new Error(`There is no sandbox ${number}.`);
  return sandbox;
}

/** Given up as soon as it has been sent. */
async function sendAndGiveUp(number: number, sent: PlatformOrder) {
  const call = new AbortController();
  const outcome = at(number).redeem(sent, call);
  call.abort();
  return outcome;
}

test('what one has redeemed is used at all, and each tells for whom', async () => {
  const given = order('60Sabcdefghijkl');
  await at(1).redeem(given, calm());
  for (const number of [1, 2, 3]) {
    const another = order(given.code, { playerId: '5123456780' });
    expect(await at(number).redeem(another, calm())).toMatchObject({ errorCode: 'CODE_USED' });
    expect(await at(number).findCode(given, calm())).toMatchObject({ playerId: given.playerId });
  }
});

test.for(['USED0123456789', 'used0123456789', 'USED1abcdefghi', 'USED2abcdefghi'])(
  '%s was used by another player, whichever is asked',
  async (code) => {
    const outcomes = await Promise.all(
      [1, 2, 3].map(async (number) => {
        expect(await at(number).redeem(order(code), calm())).toMatchObject({ errorCode: 'CODE_USED' });
        return at(number).findCode({ gameId: 'game_id_1', code }, calm());
      }),
    );
    const [first] = outcomes;
    expect(first).toMatchObject({ status: 'redeemed', redeemedAt: Date.UTC(2025, 0, 1) });
    expect(first?.status === 'redeemed' && first.playerId).toMatch(/^\d{20}$/);
    for (const other of outcomes) expect({ ...other, toldAt: 0 }).toEqual({ ...first, toldAt: 0 });
  },
);

test.for([
  ['DOWN', { errorCode: 'NETWORK_ERROR', neverSent: true, asked: false }],
  ['NOACCOUNT', { errorCode: 'NO_ACCOUNTS_AVAILABLE', asked: true }],
  ['LOGIN', { errorCode: 'LOGIN_FAILED', asked: true }],
] as const)(
  'a code that begins with %s1 is refused at the first, and redeems at the second',
  async ([word, refusal]) => {
    const given = order(`${word}1abcdefghi`);
    expect(await at(1).redeem(given, calm())).toMatchObject({ status: 'refused', ...refusal });
    expect(await at(2).redeem({ ...given, reference: randomUUID() }, calm())).toMatchObject({
      status: 'redeemed',
    });
  },
);

test('a lost answer of one is told by another', async () => {
  const [spent, kept] = [order('TIMEOUT2abcdef'), order('LOST2abcdefghi')];
  for (const given of [spent, kept])
    expect(await sendAndGiveUp(2, given)).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
  expect(await at(1).findCode(spent, calm())).toMatchObject({ status: 'redeemed' });
  expect(await at(1).findCode(kept, calm())).toEqual({ status: 'notRedeemed' });
});

test('no look-up tells of a mute code, and the same order again does', async () => {
  const given = order('MUTE3abcdefghi');
  expect(await sendAndGiveUp(3, given)).toMatchObject({ status: 'unknown' });
  for (const number of [1, 2, 3])
    expect(await at(number).findCode(given, calm())).toMatchObject({ status: 'unreachable' });
  expect(await at(3).redeem(given, calm())).toMatchObject({ status: 'redeemed' });
  const elsewhere = { ...given, reference: randomUUID() };
  expect(await at(1).redeem(elsewhere, calm())).toMatchObject({ errorCode: 'CODE_USED', usedByPlayer: true });
});

test('a late code is under way for 8 s, to whoever asks, then redeemed', async () => {
  const given = order('LATE1abcdefghi');
  expect(await sendAndGiveUp(1, given)).toMatchObject({ status: 'unknown' });
  clock.advance(7_999);
  expect(await at(2).findCode(given, calm())).toEqual({ status: 'underWay' });
  expect(await sendAndGiveUp(1, given)).toMatchObject({ status: 'unknown' });
  clock.advance(1);
  expect(await at(2).findCode(given, calm())).toMatchObject({ status: 'redeemed' });
  expect(await at(1).redeem(given, calm())).toMatchObject({ status: 'redeemed' });
});
