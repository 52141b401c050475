// Doubts with several upstreams: ended by an own record, by a witness that is believed, by sending the code once more,
// or by a person; never by what one says too early, or of a region that it does not hear of.
import { afterEach, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import {
  LOST,
  NEVER_SENT,
  openSeveral,
  refused,
  type SeveralUpstreams,
} from '../../../test/harness/several.ts';
import type { CodeOutcome, RedeemOutcome } from '../../platform/port.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const HOST = { kind: 'host', by: 'cli' } as const;
const MUTE: CodeOutcome = { status: 'unreachable', message: '', doesNotTell: true };
const SETTLED_MS = 2_000;

let t: SeveralUpstreams;
afterEach(() => t.close());

async function open(settings: Parameters<typeof openSeveral>[0], share = false): Promise<void> {
  t = await openSeveral(settings, { share });
  const codes = Array.from({ length: 4 }, () => makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
}
const order = (playerId: string, code?: string) => ({
  gameId: GAME,
  playerId,
  ...(code === undefined ? { denomination: 60 } : { code }),
});
const redeem = (playerId = PLAYER, code?: string) => t.core.redeem(t.actor, order(playerId, code));
/** The next order is carried out or lost on its way, and not answered. */
function lose(name: string, isCarriedOut: boolean): void {
  const platform = t.upstreams[name]!;
  platform.script.redeem = (sent) => {
    if (isCarriedOut) platform.redeemNow(sent);
    delete platform.script.redeem;
    return LOST;
  };
}
async function pass(ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.core.settleDoubts();
}
const attempts = (id: number) =>
  t
    .rows(`select * from attempts where redemption_id = ${id} order by n`)
    .map(({ upstream, kind, state, proof, witness }) => [upstream, kind, state, proof, witness]);
const stateOf = (id: number) =>
  t.rows(`select state, error_code as errorCode, warning from redemptions where id = ${id}`)[0];
const countOrders = (name: string) => t.upstreams[name]!.orders.length;

test('used by our player, as a witness tells, is ours: the attempt has spent it, whoever is asked', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } }, true);
  lose('east', true);
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed' });
  expect(attempts(1)).toEqual([['east', 'order', 'spent', 'lookup', 'west']]);
});

const LOGIN = { email: 'kept@example.test', password: 'kept' };
/** It alone has the receipt of the code, as its keeper. */
function addReceipt(name: string): void {
  const receipt = { openid: `open-${PLAYER}`, name: 'As kept', ...LOGIN, fullReceipt: true };
  const told = { redeemedAt: 0, toldAt: 0, expiresAt: 1, channelName: '', productName: '60' };
  t.upstreams[name]!.script.findCode = () => ({
    ...{ status: 'redeemed', ...told, openid: receipt.openid, amount: 60, receipt },
  });
}

test.each([true, false])(
  'the receipt, which its own upstream alone keeps, is waited for while that is silent (comes back: %s)',
  async (comesBack) => {
    await open({ east: {}, west: { witness: true } }, true);
    lose('east', true);
    t.upstreams['east']!.script.findCode = () => ({ status: 'unreachable', message: 'silence' });
    await redeem();
    for (const ms of [SETTLED_MS / 2, 2 * SETTLED_MS]) {
      await pass(ms);
      expect(stateOf(1)).toMatchObject({ state: 'in_doubt' });
    }
    if (comesBack) addReceipt('east');
    await pass(8 * SETTLED_MS);
    expect(stateOf(1)).toMatchObject({ state: 'redeemed', warning: comesBack ? 0 : 1 });
    const awaited = `select id from tasks where job_key = 'doubt:1' and run_at is not null`;
    expect(t.rows(awaited)).toHaveLength(comesBack ? 0 : 1);
    expect(t.core.receipts.find(t.actor, 1)?.credentials ?? null).toEqual(comesBack ? LOGIN : null);
  },
);

test.each([
  ['could not be reached', NEVER_SENT],
  ['refused it', refused('LOGIN_FAILED')],
])(
  'the receipt is fetched where it was carried out: not told without by one that %s before',
  async (_, first) => {
    await open({ east: { witness: true }, west: { witness: true } }, true);
    t.upstreams['east']!.script.redeem = () => first;
    lose('west', true);
    addReceipt('west');
    await redeem();
    await pass(SETTLED_MS / 2);
    expect(stateOf(1)).toMatchObject({ state: 'redeemed', warning: 0 });
    expect(t.core.receipts.find(t.actor, 1)?.credentials).toEqual(LOGIN);
  },
);

test('used by another is CODE_USED', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } }, true);
  t.upstreams['east']!.script.redeem = (sent) => {
    t.upstreams['east']!.redeemNow({ ...sent, playerId: '5170925571' });
    return LOST;
  };
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(stateOf(1)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
});

test('"unused" of a witness that has never shown that it hears of others is no word: nothing goes back', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } });
  t.upstreams['east']!.script.redeem = () => LOST;
  await redeem();
  await pass(SETTLED_MS + 60_000);
  expect(stateOf(1)).toMatchObject({ state: 'in_doubt' });
});

/** A doubt at east that west proves to be spent; another one, and whether that ends by what west calls unused. */
async function proveAndAsk(ms = 0): Promise<unknown> {
  lose('east', true);
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(attempts(1)).toEqual([['east', 'order', 'spent', 'lookup', 'west']]);
  t.clock.advance(ms);
  return askAfter(2);
}

async function askAfter(id: number): Promise<unknown> {
  lose('east', false);
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(stateOf(id)).toMatchObject({ state: 'in_doubt' });
  // Sent once more it would be carried out.
  t.upstreams['east']!.script.redeem = () => NEVER_SENT;
  await pass(SETTLED_MS);
  return attempts(id)[0]?.slice(2);
}
const BY_WEST = ['not_spent', 'lookup', 'west'];
const UNPROVEN = ['unknown', null, null];

test('"unused" is believed of a witness that has proved lately what another had spent, and only when nothing can be carried out any more', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } }, true);
  expect(await proveAndAsk()).toEqual(BY_WEST);
  expect(stateOf(2)).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN' });
  expect(countOrders('east')).toBe(2);
});

test('what it proved eight days ago shows nothing of now', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } }, true);
  expect(await proveAndAsk(8 * 24 * 3_600_000)).toEqual(UNPROVEN);
});

test('what it proved of another game shows nothing of this', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness: true } }, true);
  lose('east', true);
  await t.core.redeem(t.actor, { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() });
  await pass(SETTLED_MS / 2);
  expect(attempts(1)).toEqual([['east', 'order', 'spent', 'lookup', 'west']]);
  expect(await askAfter(2)).toEqual(UNPROVEN);
});

test.each([
  ['another game', ['game_id_2'], UNPROVEN],
  ['this one', [GAME], BY_WEST],
])('a host declares a witness for %s', async (_, witness, ends) => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: { witness } });
  expect(await askAfter(1)).toEqual(ends);
});

test.each([
  ['all that know the game', {}, BY_WEST],
  ['not all that know the game', { wire: { hasNoLookUp: true } as const }, UNPROVEN],
])('"unused" as %s say it', async (_, north, ends) => {
  await open({ east: {}, west: { witness: true }, north: { witness: true, tier: 2, ...north } });
  // Its own word is none: another had it as well.
  t.upstreams['east']!.script.redeem = () => refused('LOGIN_FAILED');
  t.upstreams['west']!.script.redeem = () => LOST;
  await redeem();
  t.upstreams['west']!.script.redeem = () => NEVER_SENT;
  await pass(SETTLED_MS + 1_000);
  await pass(SETTLED_MS + 1_000);
  expect(attempts(1)[1]?.slice(2, 3)).toEqual(ends.slice(0, 1));
});

test('what it was sent itself shows nothing of a witness', async () => {
  await open({ east: { tier: 2, wire: { hasNoLookUp: true } }, west: { witness: true } });
  const { east, west } = t.upstreams;
  // It spends the code, and says that it did not.
  west!.script.redeem = (sent) => (west!.redeemNow(sent), refused('LOGIN_FAILED'));
  lose('east', false);
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(attempts(1).map(([name, , state, , witness]) => [name, state, witness])).toEqual([
    ['west', 'not_spent', null],
    ['east', 'spent', 'west'],
  ]);
  lose('east', false);
  west!.script.redeem = () => NEVER_SENT;
  await redeem();
  east!.script.redeem = () => NEVER_SENT;
  await pass(SETTLED_MS / 2);
  await pass(SETTLED_MS);
  expect(stateOf(2)).not.toMatchObject({ state: 'failed' });
});

test('the upstream itself is believed while no other was sent the code', async () => {
  await open({ east: {}, west: {} });
  lose('east', false);
  await redeem();
  await pass(SETTLED_MS / 2);
  await pass(SETTLED_MS + 1_000);
  expect(attempts(1)).toEqual([['east', 'order', 'not_spent', 'lookup', null]]);
});

test('where nobody can tell it is sent once more, not before it can be carried out no more, to its own upstream under its reference', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  lose('east', true);
  await redeem();
  await pass(SETTLED_MS - 1);
  expect(countOrders('east')).toBe(1);
  await pass(60_000);
  const [first, again] = t.upstreams['east']!.orders;
  expect(again).toMatchObject({ reference: first?.reference, code: first?.code, playerId: PLAYER });
  expect(countOrders('west')).toBe(0);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed' });
  expect(attempts(1)).toEqual([
    ['east', 'order', 'not_spent', 'resend', null],
    ['east', 'resend', 'spent', 'resend', null],
  ]);
});

test('a witness that has answered "not told" is none that could tell', async () => {
  await open({ east: {}, west: {} });
  t.upstreams['east']!.script.findCode = () => MUTE;
  lose('east', false);
  await redeem();
  await pass(SETTLED_MS + 1_000);
  await pass(60_000);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed' });
});

test('used by this player, told to a code that is sent again, is ours where it came out of the stock', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  t.upstreams['east']!.script.redeem = () =>
    countOrders('east') === 1 ? LOST : refused('CODE_USED', { usedByPlayer: true });
  await redeem();
  await pass(SETTLED_MS / 2);
  await pass(SETTLED_MS + 1_000);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed', warning: 1 });
  expect(attempts(1)).toEqual([
    ['east', 'order', 'spent', 'resend', null],
    ['east', 'resend', 'not_spent', 'answer', null],
  ]);
});

test.each<[string, RedeemOutcome, string | undefined]>([
  ['a given code used by this player', refused('CODE_USED', { usedByPlayer: true }), makeCode()],
  ['used, nobody says by whom', refused('CODE_USED'), undefined],
  ['a risk', refused('RISK_CONTROL'), undefined],
])(
  '%s, when it is sent again, is told to a person once, accuses nobody, and is not sent again',
  async (_, outcome, code) => {
    await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
    t.upstreams['east']!.script.redeem = () => (countOrders('east') === 1 ? LOST : outcome);
    await redeem(PLAYER, code);
    for (let hour = 0; hour < 4; hour += 1) await pass(3_600_000);
    expect(stateOf(1)).toMatchObject({ state: 'in_doubt' });
    expect(countOrders('east')).toBe(2);
    expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
    const told = listNotices(t.store).map(({ kind }) => kind);
    expect(told.filter((kind) => ['doubtHeld', 'upstreamCase'].includes(kind))).toEqual(['doubtHeld']);
  },
);

test('five refusals that are alike end it', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  t.upstreams['east']!.script.redeem = () => (countOrders('east') === 1 ? LOST : refused('LOGIN_FAILED'));
  await redeem();
  for (let look = 0; look < 30; look += 1) await pass(600_000);
  expect(countOrders('east')).toBe(6);
  expect(t.core.doubts.summary(HOST)).toMatchObject({ held: 1 });
});

test('the own record ends it, and "under way" is no answer: nothing is sent, whatever the time', async () => {
  let record: RedeemOutcome = { ...LOST, underWay: true };
  await open({ east: { wire: { hasNoLookUp: true, findRecord: () => Promise.resolve(record) } }, west: {} });
  t.upstreams['east']!.script.redeem = () => ({ ...LOST, underWay: true, answer: { theirId: 'job-1' } });
  await redeem();
  for (let hour = 0; hour < 3; hour += 1) await pass(3_600_000);
  expect([stateOf(1), countOrders('east')]).toMatchObject([{ state: 'in_doubt' }, 1]);
  record = { status: 'redeemed', receipt: { openid: 'x', name: 'Ann' }, fullReceipt: false };
  await pass(3_600_000);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed', warning: 1 });
  expect(attempts(1)).toEqual([['east', 'order', 'spent', 'record', null]]);
});

test('an own record that never is final is handed to a person', async () => {
  const record: RedeemOutcome = { ...LOST, underWay: true };
  await open({ east: { wire: { hasNoLookUp: true, findRecord: () => Promise.resolve(record) } }, west: {} });
  t.upstreams['east']!.script.redeem = () => ({ ...LOST, underWay: true, answer: { theirId: 'job-1' } });
  await redeem();
  const held = () => t.core.doubts.listOf(HOST, t.actor.accountId).doubts.map(({ isHeld }) => isHeld);
  for (let hour = 0; hour < 5; hour += 1) await pass(3_600_000);
  expect(held()).toEqual([false]);
  for (let hour = 0; hour < 2; hour += 1) await pass(3_600_000);
  expect([held(), countOrders('east')]).toEqual([[true], 1]);
});

test('where nobody answers, neither what could tell nor what it was sent to, a person is asked in the end', async () => {
  await open({ east: {}, west: {} });
  t.upstreams['east']!.script.redeem = () => (countOrders('east') === 1 ? LOST : NEVER_SENT);
  t.upstreams['east']!.script.findCode = () => ({ status: 'unreachable', message: '' });
  await redeem();
  const held = () => t.core.doubts.listOf(HOST, t.actor.accountId).doubts.map(({ isHeld }) => isHeld);
  for (let hour = 0; hour < 5; hour += 1) await pass(3_600_000);
  expect(held()).toEqual([false]);
  for (let hour = 0; hour < 4; hour += 1) await pass(3_600_000);
  expect(held()).toEqual([true]);
});

test('a night in which nobody looked is no patience: the first look after it ends nothing', async () => {
  await open({ east: {} });
  t.upstreams['east']!.script.redeem = () => LOST;
  t.upstreams['east']!.script.findCode = () => ({ status: 'underWay' });
  await redeem();
  await pass(10_000);
  const held = () => t.core.doubts.listOf(HOST, t.actor.accountId).doubts.map(({ isHeld }) => isHeld);
  await pass(12 * 3_600_000);
  expect(held()).toEqual([false]);
  for (let hour = 0; hour < 6; hour += 1) await pass(3_600_000);
  expect(held()).toEqual([true]);
});

test('what one attempt was answered stands at no other', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  lose('east', false);
  await redeem();
  t.upstreams['east']!.script.redeem = () => ({ ...LOST, answer: { theirId: 'job-2', text: 'garbled' } });
  await pass(SETTLED_MS - 1);
  await pass(60_000);
  const told = t.rows('select n, their_id as job, raw_secret is null as isSilent from attempts order by n');
  expect(told).toEqual([
    { n: 1, job: null, isSilent: 1 },
    { n: 2, job: 'job-2', isSilent: 0 },
  ]);
});

test('a record that it was refused gives the code back', async () => {
  const record = refused('NO_ACCOUNTS_AVAILABLE');
  await open({ east: { wire: { hasNoLookUp: true, findRecord: () => Promise.resolve(record) } }, west: {} });
  t.upstreams['east']!.script.redeem = () => ({ ...LOST, underWay: true, answer: { theirId: 'job-1' } });
  await redeem();
  await pass(SETTLED_MS);
  expect(stateOf(1)).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN' });
  expect(attempts(1)).toEqual([['east', 'order', 'not_spent', 'record', null]]);
});

test('an open attempt that a process left behind is unknown at the next start, and settled there', async () => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  t.upstreams['east']!.script.redeem = () =>
    countOrders('east') === 1 ? LOST : new Promise<never>(() => undefined);
  await redeem();
  await pass(SETTLED_MS / 2);
  t.clock.advance(SETTLED_MS + 1_000);
  void t.core.settleDoubts();
  await t.until(() => attempts(1).length === 2);
  const next = t.restart();
  await next.start();
  expect(attempts(1).map(([, , state]) => state)).toEqual(['unknown', 'unknown']);
  await next.stop(0);
});

test.each([true, false])('a person ends it, and says why (redeemed: %s)', async (isRedeemed) => {
  await open({ east: { wire: { hasNoLookUp: true } }, west: {} });
  t.upstreams['east']!.script.redeem = () => (countOrders('east') === 1 ? LOST : refused('RISK_CONTROL'));
  await redeem();
  const decide = () => t.core.doubts.decide(HOST, { redemptionId: 1, isRedeemed, reason: 'They said so.' });
  if (!isRedeemed) expect(await decide()).toMatchObject({ status: 'tooEarly' });
  await pass(SETTLED_MS + 1_000);
  expect(await decide()).toEqual({ status: 'decided' });
  expect(await decide()).toEqual({ status: 'none' });
  const [first] = attempts(1);
  expect(first).toEqual(['east', 'order', isRedeemed ? 'spent' : 'not_spent', 'person', null]);
  expect(stateOf(1)).toMatchObject({
    state: isRedeemed ? 'redeemed' : 'failed',
    warning: isRedeemed ? 1 : 0,
  });
  const code = t.rows('select state from codes where id = 1');
  expect(code).toEqual([{ state: isRedeemed ? 'redeemed' : 'unverified' }]);
  expect(t.rows("select reason from audit_log where what = 'doubtDecided'")).toEqual([
    { reason: 'They said so.' },
  ]);
});

const cases = () => listNotices(t.store).filter(({ kind }) => kind === 'upstreamCase');

test('a code that somebody else used after it was sent is a case of whom it was sent to, told once', async () => {
  await open({ east: {}, west: {} });
  const { east } = t.upstreams;
  east!.script.redeem = () => LOST;
  const steal = (code: string) =>
    east!.redeemNow({ ...order(PLAYER), reference: 'x', playerId: '5170925571', code });
  for (const count of [1, 2]) {
    await redeem();
    t.clock.advance(5_000);
    steal(east!.orders.at(-1)?.code ?? '');
    await pass(10_000);
    expect(stateOf(count)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
    expect(cases()).toHaveLength(count);
  }
  expect(t.core.upstreams.list(HOST).map(({ state }) => state)).toEqual(['usable', 'usable']);
});

test('one that was used before it was sent, or that another had in hand, is none', async () => {
  await open({ east: {}, west: {} });
  const { east } = t.upstreams;
  east!.script.redeem = () => LOST;
  const given = makeCode();
  for (const code of [undefined, given]) {
    await redeem(PLAYER, code);
    const { code: sent = '', reference } = east!.orders.at(-1) ?? {};
    east!.spent.set(sent, {
      ...{ playerId: '5170925571', reference: `${reference}` },
      redeemedAt: t.clock.now() - (code === undefined ? 3_600_000 : 0),
    });
    await pass(10_000);
  }
  expect(cases()).toEqual([]);
});

const USED: CodeOutcome = {
  ...{ status: 'redeemed', redeemedAt: 0, toldAt: 0, expiresAt: 1, channelName: '', productName: '' },
  ...{ openid: 'open-900', amount: 0 },
};

test.each<[string, Parameters<typeof openSeveral>[0][string]['wire'], number]>([
  [
    'knows no players',
    { hasNoNames: true, findCharacter: () => Promise.resolve({ status: 'notOffered' }) },
    2,
  ],
  ['does not know the player', { findCharacter: () => Promise.resolve({ status: 'notFound' }) }, 1],
  ['says that it works on it', { findCode: () => Promise.resolve({ status: 'underWay' }) }, 1],
])('what one tells by the openid alone and %s is handed to a person, told once', async (_, wire, orders) => {
  await open({ east: { wire: { findCode: () => Promise.resolve(USED), ...wire } } });
  t.upstreams['east']!.script.redeem = () => (countOrders('east') === 1 ? LOST : refused('CODE_USED'));
  await redeem();
  for (let hour = 0; hour < 9; hour += 1) {
    await pass(3_600_000);
    if (hour > 6) await t.core.doubts.askNow(HOST);
  }
  await t.core.settleDoubts();
  expect([countOrders('east'), t.core.doubts.summary(HOST)]).toMatchObject([orders, { held: 1 }]);
  expect(listNotices(t.store).filter(({ kind }) => kind === 'doubtHeld')).toHaveLength(1);
});

test('the openid alone, where no player is known, is asked about by sending it again, which may replay the receipt', async () => {
  const findCharacter = () => Promise.resolve({ status: 'notOffered' } as const);
  await open({ east: { wire: { findCode: () => Promise.resolve(USED), hasNoNames: true, findCharacter } } });
  lose('east', true);
  await redeem();
  await pass(SETTLED_MS / 2);
  await pass(60_000);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed' });
});

test("a record under an id by which another redemption is known there, too, is nobody's word", async () => {
  const record: RedeemOutcome = {
    status: 'redeemed',
    receipt: { openid: 'x', name: 'Ann' },
    fullReceipt: false,
  };
  await open({ east: { wire: { hasNoLookUp: true, findRecord: () => Promise.resolve(record) } }, west: {} });
  t.upstreams['east']!.script.redeem = () =>
    countOrders('east') === 3 ? refused('CODE_USED') : { ...LOST, answer: { theirId: 'job-1' } };
  await redeem();
  await pass(SETTLED_MS / 2);
  expect(stateOf(1)).toMatchObject({ state: 'redeemed' });
  await redeem();
  for (let hour = 0; hour < 3; hour += 1) await pass(3_600_000);
  expect([stateOf(2), t.core.doubts.summary(HOST)]).toMatchObject([{ state: 'in_doubt' }, { held: 1 }]);
});
