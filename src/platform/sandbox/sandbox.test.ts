import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createManualClock, type ManualClock } from '../../clock.ts';
import type { Platform, PlatformOrder } from '../port.ts';
import { createSandbox } from './sandbox.ts';
import { mintCodes } from './codes.ts';

const START = Date.UTC(2026, 0, 13);
const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let path: string;
let clock: ManualClock;
let sandbox: Platform;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  path = join(folder, 'made', 'sandbox.db');
  clock = createManualClock(START);
  sandbox = open(0);
});

afterEach(() => {
  vi.useRealTimers();
  sandbox.close();
  rmSync(folder, { recursive: true });
});

function open(latencyMs: number): Platform {
  return createSandbox({ path, latencyMs, clock, sessionGames: ['game_id_3'] });
}

function order(code: string, changes: Partial<PlatformOrder> = {}): PlatformOrder {
  return { reference: randomUUID(), gameId: 'game_id_1', code, playerId: '5123456789', ...changes };
}

const calm = () => ({ signal: new AbortController().signal });

test('it says what it is, and when “not redeemed” is final', () => {
  expect([sandbox.name, sandbox.settlingMs, sandbox.lookPauseMs]).toEqual(['sandbox', 2_000, 500]);
});

test('what is written does not lock out who reads', () => {
  const reader = new Database(path, { readonly: true });
  expect(reader.pragma('journal_mode', { simple: true })).toBe('wal');
  reader.close();
});

function rowsOnDisk(): Record<string, unknown>[] {
  const reader = new Database(path, { readonly: true });
  try {
    return reader.prepare('select * from redemptions order by code').all() as Record<string, unknown>[];
  } finally {
    reader.close();
  }
}

describe('the truth of the sandbox', () => {
  test('a redemption is on disk before the caller even holds the promise', async () => {
    sandbox.close();
    sandbox = open(60_000);
    const call = new AbortController();
    const given = order('60Sabcdefghijkl');
    const outcome = sandbox.redeem(given, { signal: call.signal });
    expect(rowsOnDisk()).toEqual([
      {
        game_id: 'game_id_1',
        code: given.code,
        reference: given.reference,
        player_id: given.playerId,
        openid: expect.any(String),
        player_name: expect.any(String),
        amount: 60,
        has_order: 1,
        redeemed_at: START,
      },
    ]);
    call.abort();
    expect(await outcome).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
  });

  test('what was redeemed stays redeemed when the file is opened again', async () => {
    await sandbox.redeem(order('60Sabcdefghijkl'), calm());
    sandbox.close();
    sandbox = open(0);
    expect(await sandbox.redeem(order('60Sabcdefghijkl'), calm())).toMatchObject({ errorCode: 'CODE_USED' });
  });

  test.for(['USED', 'INVALID', 'RISK', 'LOGIN', 'NOACCOUNT', 'DOWN', 'LOST'])(
    'a %s code leaves no row',
    async (prefix) => {
      const call = new AbortController();
      const outcome = sandbox.redeem(order(`${prefix}0123456789`), { signal: call.signal });
      call.abort();
      expect((await outcome).status).not.toBe('redeemed');
      expect(rowsOnDisk()).toEqual([]);
    },
  );

  test('the table is strict', () => {
    const reader = new Database(path, { readonly: true });
    const tables = reader.pragma('table_list') as { name: string; strict: number }[];
    reader.close();
    expect(tables.find(({ name }) => name === 'redemptions')).toMatchObject({ strict: 1 });
  });

  test('codes are case-sensitive, and the same code of another game is another code', async () => {
    await sandbox.redeem(order('60Sabcdefghijkl'), calm());
    expect(await sandbox.redeem(order('60SABCDEFGHIJKL'), calm())).toMatchObject({ status: 'redeemed' });
    const elsewhere = order('60Sabcdefghijkl', { gameId: 'game_id_2' });
    expect(await sandbox.redeem(elsewhere, calm())).toMatchObject({ status: 'redeemed' });
  });
});

describe('what a code does', () => {
  test.for([
    ['60Sabcdefghijkl', 60],
    ['8100sabcdefghijk', 8100],
    ['0Sabcdefghijkl', undefined],
    ['S60abcdefghijkl', undefined],
    ['99999999999999999999Sabc', undefined],
  ] as const)('%s is worth %s', async ([code, amount]) => {
    const outcome = await sandbox.redeem(order(code), calm());
    expect(outcome).toMatchObject({
      status: 'redeemed',
      receipt: { productName: amount ? `${amount} credits (sandbox)` : 'Top-up (sandbox)' },
    });
    expect(outcome.status === 'redeemed' && outcome.receipt.amount).toBe(amount);
  });

  test.for(['', 'short', '60Sabcdefgh', 'a'.repeat(33), '60S-abcdefghijkl', '60Sabcdefghijkl\n'])(
    'malformed: %j is no code',
    async (code) => {
      expect(await sandbox.redeem(order(code), calm())).toMatchObject({
        errorCode: 'INVALID_CODE',
        asked: true,
      });
    },
  );

  test('a slow code is answered after 5 s and takes effect when the clock gets there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const given = order('SLOW0123456789');
    let outcome: unknown;
    void sandbox.redeem(given, calm()).then((value) => (outcome = value));
    await vi.advanceTimersByTimeAsync(4_999);
    clock.advance(4_999);
    expect(outcome).toBeUndefined();
    expect(await sandbox.findCode(given, calm())).toEqual({ status: 'underWay' });
    expect(await sandbox.findOrder(given, calm())).toEqual({ status: 'notFound' });
    await vi.advanceTimersByTimeAsync(1);
    clock.advance(1);
    expect(outcome).toMatchObject({ status: 'redeemed' });
    expect(await sandbox.findCode(given, calm())).toMatchObject({
      status: 'redeemed',
      redeemedAt: START + 5_000,
      expiresAt: START + 5_000 + 365 * DAY_MS,
    });
  });

  test('a slow code that is under way is used for everybody else', async () => {
    const call = new AbortController();
    const first = sandbox.redeem(order('SLOW0123456789'), { signal: call.signal });
    expect(await sandbox.redeem(order('SLOW0123456789'), calm())).toMatchObject({ errorCode: 'CODE_USED' });
    call.abort();
    expect(await first).toMatchObject({ status: 'unknown' });
  });

  test('an answer that nobody waits for any more leaves no timer', async () => {
    vi.useFakeTimers();
    const call = new AbortController();
    const first = sandbox.redeem(order('SLOW0123456789'), { signal: call.signal });
    expect(vi.getTimerCount()).toBe(1);
    call.abort();
    await first;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a code whose answer never came is used the second time', async () => {
    const call = new AbortController();
    const first = sandbox.redeem(order('TIMEOUT0123456'), { signal: call.signal });
    call.abort();
    expect(await first).toMatchObject({ status: 'unknown', errorCode: 'UNKNOWN' });
    expect(await sandbox.redeem(order('TIMEOUT0123456'), calm())).toMatchObject({
      errorCode: 'CODE_USED',
      asked: true,
    });
  });

  test('the order list shows an order to its own reference only', async () => {
    const given = order('60Sabcdefghijkl');
    await sandbox.redeem(given, calm());
    expect(await sandbox.findOrder(given, calm())).toEqual({
      status: 'found',
      productName: '60 credits (sandbox)',
      amount: 60,
    });
    expect(await sandbox.findOrder({ ...given, reference: randomUUID() }, calm())).toEqual({
      status: 'notFound',
    });
  });
});

describe('in words', () => {
  const CODE = '60Sabcdefghijkl';
  const refused = (errorCode: string, message: string, asked = true) => ({
    status: 'refused',
    errorCode,
    message,
    asked,
  });
  const unknown = (errorCode: string, message: string) => ({ status: 'unknown', errorCode, message });

  test.for<[code: string, playerId: string, outcome: object]>([
    [CODE, '40412345', refused('CHARACTER_NOT_FOUND', 'There is no such player.')],
    [CODE, '50312345', refused('CHARACTER_NOT_FOUND', 'The look-up of the player cannot be reached.', false)],
    ['RISK0123456789', '5123456789', refused('RISK_CONTROL', 'The sandbox refuses this code: RISK_CONTROL.')],
    [
      'DOWN0123456789',
      '5123456789',
      { ...refused('NETWORK_ERROR', 'The connection to the sandbox was refused.', false), neverSent: true },
    ],
    ['GARBLED0123456', '5123456789', unknown('INVALID_ACTIVATION_RESPONSE', 'The answer cannot be read.')],
  ])('%s for %s', async ([code, playerId, outcome]) => {
    expect(await sandbox.redeem(order(code, { playerId }), calm())).toEqual(outcome);
  });

  test('a player that does not exist, and one whose look-up cannot be reached', async () => {
    const ask = (playerId: string) => sandbox.findCharacter({ gameId: 'game_id_1', playerId }, calm());
    expect(await ask('40412345')).toEqual({ status: 'notFound' });
    expect(await ask('50312345')).toEqual({
      status: 'unreachable',
      message: 'The sandbox cannot be reached.',
    });
  });

  test('redeemed before, given up before it was sent or while it waited, and a file that fails', async () => {
    await sandbox.redeem(order(CODE), calm());
    expect(await sandbox.redeem(order(CODE), calm())).toEqual({
      ...refused('CODE_USED', 'This code was redeemed before.'),
      usedByPlayer: true,
    });
    const another = order(CODE, { playerId: '5123456780' });
    expect(await sandbox.redeem(another, calm())).toEqual(
      refused('CODE_USED', 'This code was redeemed before.'),
    );
    const aborted = { signal: AbortSignal.abort() };
    expect(await sandbox.redeem(order('60Sabcdefghijkm'), aborted)).toEqual({
      ...refused('NETWORK_ERROR', 'Given up before anything was sent.', false),
      neverSent: true,
    });
    const waiting = new AbortController();
    const lost = sandbox.redeem(order('LOST0123456789'), waiting);
    waiting.abort();
    expect(await lost).toEqual(unknown('UNKNOWN', 'The sandbox did not answer in time.'));
    sandbox.close();
    expect(await sandbox.redeem(order(CODE), calm())).toEqual(
      unknown('UNKNOWN', 'The sandbox broke while it was redeeming.'),
    );
    const unreachable = { status: 'unreachable', message: 'The sandbox cannot be reached.' };
    expect(await sandbox.findCode(order(CODE), calm())).toEqual(unreachable);
    sandbox = open(0);
    expect(await sandbox.findCode(order('DOWN0123456789'), calm())).toEqual(unreachable);
  });

  test('a code that names no amount is told with none', async () => {
    const given = order('S60abcdefghijkl');
    await sandbox.redeem(given, calm());
    expect(await sandbox.findCode(given, calm())).toEqual({
      status: 'redeemed',
      redeemedAt: START,
      toldAt: START,
      expiresAt: START + 365 * DAY_MS,
      channelName: 'Sandbox Distribution',
      openid: expect.stringMatching(/^\d{20}$/) as unknown,
      amount: 0,
      productName: 'Top-up (sandbox)',
      playerId: given.playerId,
      playerName: expect.any(String) as unknown,
    });
    expect(await sandbox.findOrder(given, calm())).toEqual({
      status: 'found',
      productName: 'Top-up (sandbox)',
    });
  });
});

describe('people and accounts', () => {
  test('a look-up that cannot be reached asked nobody; a missing player was asked for', async () => {
    const code = '60Sabcdefghijkl';
    const missing = await sandbox.redeem(order(code, { playerId: '40412345' }), calm());
    expect(missing).toMatchObject({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', asked: true });
    const dark = await sandbox.redeem(order(code, { playerId: '50312345' }), calm());
    expect(dark).toMatchObject({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', asked: false });
  });

  test('among a hundred players every kind of awkward name turns up', async () => {
    const names: string[] = [];
    for (let id = 0; id < 100; id += 1) {
      const player = await sandbox.findCharacter(
        { gameId: 'game_id_1', playerId: String(70_000 + id) },
        calm(),
      );
      if (player.status === 'found') names.push(player.name);
    }
    expect(names).toHaveLength(100);
    for (const kind of [/[<&*_[]/, /\u202e/, /\u200d/, /^.{60}$/, /\u200b/, /^=/]) {
      expect(names.some((name) => kind.test(name))).toBe(true);
    }
    expect(names.filter((name) => /^[A-Z][a-z]+[A-Z][a-z]+\d+$/.test(name)).length).toBeGreaterThan(30);
  });

  test('the same id in another game is another person', async () => {
    const one = await sandbox.findCharacter({ gameId: 'game_id_1', playerId: '70001' }, calm());
    const other = await sandbox.findCharacter({ gameId: 'game_id_2', playerId: '70001' }, calm());
    expect(one).not.toEqual(other);
  });

  test('a session game tells an account id and a token of more than 256 characters', async () => {
    const outcome = await sandbox.redeem(order('60Sabcdefghijkl', { gameId: 'game_id_3' }), calm());
    expect(outcome).toMatchObject({
      receipt: { email: expect.stringMatching(/^\d{20}$/), password: expect.stringMatching(/^[\w-]{300}$/) },
    });
  });

  test('other games tell a login at no real domain, another one for every order', async () => {
    const outcomes = await Promise.all(
      mintCodes({ count: 20, denomination: 60, randomBytes }).map((code) =>
        sandbox.redeem(order(code), calm()),
      ),
    );
    const logins = outcomes.map((outcome) =>
      outcome.status === 'redeemed' ? outcome.receipt.email : undefined,
    );
    expect(new Set(logins).size).toBe(20);
    for (const login of logins) expect(login).toMatch(/^topup\.[0-9a-f]{10}@accounts\.invalid$/);
  });
});
