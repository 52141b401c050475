// Which move of a code is allowed from which state, and what it leaves: all of them, of every state. And the same of
// redemptions.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { GAME, numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';
import type { Tables } from '../index.ts';

const STATES = [
  'available',
  'unverified',
  'in_question',
  'reserved',
  'in_doubt',
  'redeemed',
  'used',
  'invalid',
  'extracted',
  'undone',
] as const;
type State = (typeof STATES)[number];
const [NOW, ID, OTHER] = [5_000, 1, 2];

let t: TestStore;
let connection: Database.Database;
beforeAll(async () => {
  t = openTestStore();
  t.allowDrift();
  const trader = await openTrader(
    () => t.store,
    () => 0,
  );
  await trader.addCodes(numberedCodes('A', 2));
  connection = new Database(t.store.path);
});
afterAll(async () => {
  connection.close();
  await t.close();
});

/** The first code in this state, as one that came from `unverified`; the second is always reserved. */
function place(state: State): void {
  connection.exec(`update codes set state = 'reserved', claimed_from = 'available', returns = 0, changed_at = 0;
    update codes set state = '${state}', claimed_from = ${state === 'available' ? 'null' : "'unverified'"} where id = ${ID}`);
}
const stateOf = (id: number) =>
  connection
    .prepare("select state || ' ' || returns || ' ' || changed_at from codes where id = ?")
    .pluck()
    .get(id);

type Move = Exclude<
  keyof Tables['codes'],
  | 'takeOldest'
  | 'claim'
  | 'confirmClaim'
  | 'distrustClaim'
  | 'findOwner'
  | 'findStockKey'
  | 'listRefused'
  | 'listRefusedOf'
>;
const MOVES: Record<Move, [from: State[], to: string]> = {
  hold: [['reserved'], 'in_doubt 0'],
  giveBack: [['reserved', 'in_doubt'], 'unverified 0'],
  stepBack: [['reserved', 'in_doubt'], 'unverified 1'],
  redeem: [['reserved', 'in_doubt'], 'redeemed 0'],
  markUsed: [['reserved', 'in_doubt'], 'used 0'],
  markInvalid: [['reserved', 'in_doubt'], 'invalid 0'],
  stepAside: [['unverified'], 'unverified 1'],
  verify: [['unverified'], 'available 0'],
  discardAsUsed: [['unverified', 'in_question'], 'used 0'],
  discardAsInvalid: [['available', 'unverified'], 'invalid 0'],
  recover: [['unverified', 'reserved', 'in_question', 'in_doubt'], 'redeemed 0'],
  question: [['used', 'invalid'], 'unverified 0'],
};

describe.each(Object.entries(MOVES))('%s of a code', (name, [from, to]) => {
  test.each(STATES)('that is %s', async (state) => {
    place(state);
    const moved = await t.store.write(({ codes }) => codes[name as Move](ID, NOW));
    const isAllowed = from.includes(state);
    expect([moved, stateOf(ID)]).toEqual([isAllowed, isAllowed ? `${to} ${NOW}` : `${state} 0 0`]);
    expect(stateOf(OTHER)).toBe('reserved 0 0');
  });
});

/** A code that comes back while its batch stands, is being taken back, or was. */
describe.each([
  ['stands', '', false],
  [
    'is being taken back',
    `insert into jobs (id, account_id, actor, kind, subject_id, state, total, at, done) values (99, 1, 'host', 'undo', 1, 'running', 1, 0, 0)`,
    true,
  ],
  ['was taken back', 'update batches set undone_at = 1, undone_by = null where id = 1', true],
])('where its batch %s', (_, begin, isUndone) => {
  beforeEach(() => {
    connection.exec('delete from jobs where id = 99; update batches set undone_at = null, undone_by = null');
    if (begin) connection.exec(begin);
  });
  afterAll(() =>
    connection.exec('delete from jobs where id = 99; update batches set undone_at = null, undone_by = null'),
  );

  test.each(['available', 'unverified', 'in_question', 'used', 'invalid'] as const)(
    'one of %s goes back',
    async (from) => {
      for (const [name, returns] of [
        ['giveBack', 0],
        ['stepBack', 1],
      ] as const) {
        place('in_doubt');
        connection.exec(`update codes set claimed_from = '${from}' where id = ${ID}`);
        expect(await t.store.write(({ codes }) => codes[name](ID, NOW))).toBe(true);
        const isTakeable = from === 'available' || from === 'unverified';
        expect(stateOf(ID)).toBe(`${isUndone && isTakeable ? 'undone' : from} ${returns} ${NOW}`);
      }
    },
  );

  test('what was refused is in question again, and what is in question is released, where it is not taken back', async () => {
    place('used');
    expect(await t.store.write(({ codes }) => codes.question(ID, NOW))).toBe(!isUndone);
    place('in_question');
    const key = { accountId: 1, gameId: GAME.id, denomination: 60 };
    const to = { as: 'available', limit: 9, now: NOW } as const;
    expect(await t.store.write(({ takeover }) => takeover.putBack({ ...key, denomination: 325 }, to))).toBe(
      0,
    );
    expect(await t.store.write(({ takeover }) => takeover.putBack(key, to))).toBe(1);
    expect(stateOf(ID)).toBe(`${isUndone ? 'undone' : 'available'} 0 ${NOW}`);
  });
});

describe('what is taken', () => {
  const stockKey = { accountId: 1, gameId: GAME.id, denomination: 60, now: NOW };

  test.each(STATES)('a code that is %s', async (state) => {
    place(state);
    const isTakeable = state === 'available' || state === 'unverified';
    const taken = await t.store.write(({ codes }) => codes.takeOldest(stockKey));
    expect([taken?.id, taken?.claimedFrom]).toEqual(isTakeable ? [ID, state] : [undefined, undefined]);
    place(state);
    const isClaimable = isTakeable || state === 'in_question' || state === 'used' || state === 'invalid';
    const hash = t.store.seals.hash(GAME.id, numberedCodes('A', 1)[0]!);
    const claimed = await t.store.write(({ codes }) => codes.claim({ gameId: GAME.id, hash, now: NOW }));
    expect(claimed?.id).toBe(isClaimable ? ID : undefined);
    const owner = t.store.read(({ codes }) => codes.findOwner(GAME.id, hash));
    const isOwned = state !== 'extracted' && state !== 'undone';
    const held = {
      id: ID,
      accountId: 1,
      denomination: 60,
      state: isClaimable ? 'reserved' : state,
      batchId: 1,
    };
    expect(owner).toEqual(isOwned ? held : undefined);
  });

  test.each([
    ['another account', { accountId: 2 }],
    ['another game', { gameId: 'game_id_2' }],
    ['another denomination', { denomination: 325 }],
  ])('nothing of %s', async (_what, other) => {
    place('available');
    expect(await t.store.write(({ codes }) => codes.takeOldest({ ...stockKey, ...other }))).toBeUndefined();
  });

  /** What a claim came from is told anew in one case of all: the other stands, and so does what lies beside it. */
  describe.each([
    ['confirmClaim', 'reserved', 'unverified', 'available'],
    ['distrustClaim', 'in_doubt', 'available', 'unverified'],
  ] as const)('%s', (name, of, before, after) => {
    const froms = ['available', 'unverified', 'in_question', 'used', 'invalid'] as const;
    test.each(STATES.flatMap((state) => froms.map((from) => [state, from] as const)))(
      'of a code that is %s and was %s',
      async (state, from) => {
        place(state);
        connection.exec(`update codes set claimed_from = '${from}' where id = ${ID}`);
        connection.exec(`update codes set state = '${of}', claimed_from = '${before}' where id = ${OTHER}`);
        await t.store.write(({ codes }) => codes[name](ID));
        expect(connection.prepare('select claimed_from from codes order by id').pluck().all()).toEqual([
          state === of && from === before ? after : from,
          before,
        ]);
      },
    );
  });
});

describe('a redemption', () => {
  const REDEMPTIONS = ['pending', 'in_doubt', 'redeemed', 'failed'] as const;
  const failure = { errorCode: 'RISK_CONTROL', errorMessage: null } as const;
  const receipt = {
    openid: '1',
    playerName: 'P',
    region: null,
    productName: null,
    amount: null,
    warning: false,
  };
  const ends: [name: string, from: string[], to: string, end: (tables: Tables) => boolean][] = [
    [
      'doubt',
      ['pending'],
      'in_doubt',
      ({ redemptions }) => redemptions.doubt(ID, { ...failure, errorCode: 'UNKNOWN' }, NOW),
    ],
    [
      'settleRedeemed',
      ['pending', 'in_doubt'],
      'redeemed',
      ({ redemptions }) => redemptions.settleRedeemed(ID, { ...receipt, credentials: {} }, NOW),
    ],
    [
      'settleFailed',
      ['pending', 'in_doubt'],
      'failed',
      ({ redemptions }) => redemptions.settleFailed(ID, { ...failure, codeReset: false }, NOW),
    ],
    ['noteLook', ['in_doubt'], 'in_doubt', ({ redemptions }) => redemptions.noteLook(ID, '[]')],
  ];
  beforeAll(() => {
    // What an attempt has to do with it is held by attempts.test.ts.
    connection.exec('drop trigger redemptions_proven');
    const insert = connection.prepare(
      `insert into redemptions (id, account_id, actor, game_id, player_id, mode, state, created_at)
       values (?, 1, 'host', 'game_id_1', '5170925570', 'direct', 'pending', 0)`,
    );
    for (const id of [ID, OTHER]) insert.run(id);
  });
  beforeEach(() => {
    connection.exec("update redemptions set state = 'pending', settled_at = null, error_code = null");
  });
  const states = () => connection.prepare('select state from redemptions order by id').pluck().all();

  describe.each(ends)('%s', (_name, from, to, end) => {
    test.each(REDEMPTIONS)('of one that is %s', async (state) => {
      const settled = state === 'redeemed' || state === 'failed';
      connection.exec(`update redemptions set state = '${state}', settled_at = ${settled ? 1 : 'null'},
        error_code = ${state === 'failed' ? "'UNKNOWN'" : 'null'} where id = ${ID}`);
      const isAllowed = from.includes(state);
      expect(await t.store.write(end)).toBe(isAllowed);
      expect(states()).toEqual([isAllowed ? to : state, 'pending']);
    });
  });
});
