// What the database itself refuses of the ledger, tried from outside, whatever the program above it does; and that every legal step passes.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
let connection: Database.Database;

beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
  // As a stranger opens it.
  connection = new Database(t.store.path);
  connection.pragma('foreign_keys = OFF');
  connection.exec(`insert into accounts (id, name, created_at) values (1, 'A', 0);
    insert into redemptions (id, account_id, actor, game_id, player_id, mode, code_hash, code_secret, state, created_at)
      values (1, 1, 'host', 'game_id_1', '5170925570', 'direct', x'01', x'02', 'pending', 0);`);
});
afterEach(async () => {
  connection.close();
  await t.close();
});

type Fields = Record<string, string | number | Buffer | null>;

/** An attempt that is open; what is named is otherwise. */
function send(n: number, fields: Fields = {}): void {
  const row = {
    ...{ redemption_id: 1, n, upstream: `upstream-${n}`, kind: 'order', reference: `reference-${n}` },
    ...{ state: 'open', begun_at: 10 * n, ...fields },
  };
  const names = Object.keys(row);
  connection
    .prepare(
      `insert into attempts (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
    )
    .run(row);
}

function change(n: number, fields: Fields): void {
  const names = Object.keys(fields).map((name) => `${name} = @${name}`);
  connection.prepare(`update attempts set ${names.join(', ')} where n = @at`).run({ ...fields, at: n });
}

const NOT_SPENT = { state: 'not_spent', proof: 'answer', ended_at: 20 };
const SPENT = { state: 'spent', proof: 'answer', ended_at: 20 };
const UNKNOWN = { state: 'unknown', ended_at: 20, quiet_until: 30 };
const RESEND = { kind: 'resend', begun_at: 30 };

function settle(state: 'redeemed' | 'failed' | 'in_doubt'): void {
  const end = state === 'in_doubt' ? 'null' : '50';
  connection.exec(
    `update redemptions set state = '${state}', error_code = 'UNKNOWN', settled_at = ${end} where id = 1`,
  );
}

describe('what is legal passes:', () => {
  test('a redemption that is carried out', () => {
    send(1);
    change(1, SPENT);
    settle('redeemed');
  });

  test('one that fails without anything sent', () => {
    settle('failed');
  });

  test('one that another upstream carries out', () => {
    send(1);
    change(1, NOT_SPENT);
    send(2);
    change(2, SPENT);
    settle('redeemed');
  });

  test('a doubt that is resolved, its last moment lowered before', () => {
    send(1);
    change(1, UNKNOWN);
    settle('in_doubt');
    change(1, { quiet_until: 25 });
    change(1, { state: 'not_spent', proof: 'person', resolved_at: 40 });
    settle('failed');
  });

  test('a doubt that is resolved by sending it once more', () => {
    send(1);
    change(1, UNKNOWN);
    settle('in_doubt');
    send(2, { ...RESEND, upstream: 'upstream-1', reference: 'reference-1' });
    change(2, UNKNOWN);
    send(3, { ...RESEND, upstream: 'upstream-1', reference: 'reference-1' });
    change(3, SPENT);
    for (const n of [1, 2]) change(n, { state: 'not_spent', proof: 'resend', resolved_at: 40 });
    settle('redeemed');
  });

  test('what is told of an attempt later, and its answer forgotten', () => {
    send(1);
    change(1, { ...UNKNOWN, message: 'late', raw_secret: Buffer.from('x') });
    change(1, { state: 'spent', proof: 'lookup', witness: 'east', resolved_at: 40 });
    change(1, { message: null, raw_secret: null, their_id: '7' });
  });

  test('one that was found after a takeover, and whose player is named later', () => {
    send(1, { ...SPENT, proof: 'lookup' });
    settle('redeemed');
    connection.exec("update redemptions set actor = 'lost'");
    connection.exec("update redemptions set player_id = '51000', actor = 'apiKey:1'");
    expect(() => connection.exec("update redemptions set player_id = '52000'")).toThrow('stays with');
  });

  test('sealing the same code anew', () => {
    send(1);
    connection.exec("update redemptions set code_hash = x'03', code_secret = x'04'");
  });
});

describe('an attempt', () => {
  test('is the only one that is open', () => {
    send(1);
    expect(() => send(2)).toThrow('every earlier one is proven');
    expect(() => send(2, RESEND)).toThrow('one is open');
    change(1, UNKNOWN);
    send(2, RESEND);
    expect(() => send(3, RESEND)).toThrow('one is open');
  });

  test('is the only one that spent the code', () => {
    send(1);
    change(1, UNKNOWN);
    send(2, RESEND);
    change(2, SPENT);
    expect(() => change(1, { state: 'spent', proof: 'resend', resolved_at: 40 })).toThrow('one has spent');
  });

  test.each([
    ['open', {}],
    ['unknown', UNKNOWN],
    ['spent', SPENT],
  ])('is no second order while an earlier one is %s', (_, fields) => {
    send(1);
    if (Object.keys(fields).length > 0) change(1, fields);
    expect(() => send(2)).toThrow('every earlier one is proven');
  });

  test('is no order to an upstream that had one', () => {
    send(1);
    change(1, NOT_SPENT);
    expect(() => send(2, { upstream: 'upstream-1' })).toThrow('an upstream that had none');
  });

  test('is sent once more only when nobody can carry out the earlier one any more', () => {
    send(1);
    change(1, UNKNOWN);
    expect(() => send(2, { ...RESEND, begun_at: 29 })).toThrow('the time is over');
  });

  test('is numbered without a gap, and takes no place of another', () => {
    expect(() => send(2)).toThrow('numbered');
    expect(() => send(1, RESEND)).toThrow('is unknown');
    send(1);
    const columns = 'redemption_id, n, upstream, kind, reference, state, begun_at';
    expect(() =>
      connection.exec(
        `insert or replace into attempts (${columns}) values (1, 1, 'x', 'order', 'r', 'open', 0)`,
      ),
    ).toThrow('numbered');
  });

  test.each(['redeemed', 'failed'] as const)('begins in no redemption that is %s', (state) => {
    send(1);
    change(1, state === 'redeemed' ? SPENT : NOT_SPENT);
    settle(state);
    expect(() => send(2)).toThrow('an open redemption');
    expect(() => send(1, { redemption_id: 9 })).toThrow('an open redemption');
  });

  test.each([UNKNOWN, NOT_SPENT, SPENT])('begins open, or is found spent: not $state', (fields) => {
    expect(() => send(1, fields)).toThrow('begins open');
  });

  test('is never deleted', () => {
    send(1);
    expect(() => connection.exec('delete from attempts')).toThrow('No attempt is deleted');
  });

  test.each(['redemption_id', 'n', 'upstream', 'kind', 'reference', 'begun_at'])(
    'keeps its %s for ever',
    (column) => {
      send(1);
      expect(() => change(1, { [column]: column === 'kind' ? 'resend' : 77 })).toThrow(
        'What was sent stands',
      );
    },
  );

  test.each([
    [SPENT, NOT_SPENT],
    [SPENT, { ...UNKNOWN, proof: null }],
    [NOT_SPENT, SPENT],
    [NOT_SPENT, { ...UNKNOWN, proof: null }],
    [UNKNOWN, { state: 'open', ended_at: null, quiet_until: null }],
    [SPENT, { proof: 'person' }],
    [SPENT, { ended_at: 21 }],
    [NOT_SPENT, { quiet_until: 30, resolved_at: 30 }],
  ])('that was %o is not %o later', (was, later) => {
    send(1);
    change(1, was);
    expect(() => change(1, later)).toThrow('is written once');
  });

  test.each([
    ['proven', { state: 'spent', ended_at: 20 }],
    ['proven', { ...UNKNOWN, proof: 'answer' }],
    ['proof', { ...SPENT, proof: 'age' }],
    ['never_sent', { ...SPENT, proof: 'never_sent' }],
    ['witness', { ...SPENT, witness: 'east' }],
    ['ended', { state: 'spent', proof: 'answer' }],
    ['quiet', { state: 'unknown', ended_at: 20 }],
    ['quiet', { quiet_until: 30 }],
    ['resolved', { ...SPENT, resolved_at: 40 }],
    ['resolved', { ...SPENT, quiet_until: 30 }],
    ['state', { ...SPENT, state: 'lost' }],
  ])('is refused by attempts_%s: %o', (name, fields) => {
    send(1);
    expect(() => change(1, fields)).toThrow(`attempts_${name}`);
  });
});

describe('a redemption', () => {
  test('is redeemed with a spent attempt alone', () => {
    expect(() => settle('redeemed')).toThrow('by a spent attempt');
    send(1);
    expect(() => settle('redeemed')).toThrow('by a spent attempt');
    change(1, NOT_SPENT);
    expect(() => settle('redeemed')).toThrow('by a spent attempt');
    expect(() =>
      connection.exec(`insert into redemptions (account_id, actor, game_id, player_id, mode, state, created_at, settled_at)
        values (1, 'host', 'game_id_1', '51', 'direct', 'redeemed', 0, 1)`),
    ).toThrow('by a spent attempt');
  });

  test.each([
    ['open', {}],
    ['unknown', UNKNOWN],
    ['spent', SPENT],
  ])('never fails with an attempt that is %s', (_, fields) => {
    send(1);
    if (Object.keys(fields).length > 0) change(1, fields);
    expect(() => settle('failed')).toThrow('failed when none is');
  });

  test.each([
    'code_id = 7',
    "player_id = '51000'",
    "game_id = 'game_id_2'",
    "code_hash = x'09'",
    "code_id = 7, code_hash = x'09'",
  ])('that was sent keeps its code and its player: not %s', (set) => {
    connection.exec(`update redemptions set ${set}`);
    connection.exec(
      "update redemptions set code_id = null, player_id = '51', game_id = 'game_id_1', code_hash = x'01'",
    );
    send(1);
    expect(() => connection.exec(`update redemptions set ${set}`)).toThrow('stays with');
    change(1, NOT_SPENT);
    settle('failed');
    expect(() => connection.exec(`update redemptions set ${set}`)).toThrow('stays with');
  });
});

describe('the player of what was sent', () => {
  const ERASED = 'openid = null, player_name = null, region = null, credentials_secret = null';
  const FORGOTTEN = 'forgotten-abcdefghijklmnop';
  const forget = (as = FORGOTTEN, erased = ERASED) =>
    connection.exec(`update redemptions set player_id = '${as}', ${erased}`);
  const name = () =>
    connection.exec(
      "update redemptions set openid = 'o', player_name = 'n', region = 'DE', credentials_secret = x'01'",
    );

  test.each([
    ['redeemed', SPENT],
    ['failed', NOT_SPENT],
  ] as const)('is forgotten once it is %s, with all that names them', (state, end) => {
    send(1);
    change(1, end);
    settle(state);
    name();
    forget();
  });

  test.each(['pending', 'in_doubt'] as const)('is not forgotten while it is %s', (state) => {
    send(1);
    if (state === 'in_doubt') {
      change(1, UNKNOWN);
      settle(state);
    }
    expect(() => forget()).toThrow('stays with its redemption and its player');
  });

  test.each([
    '52000',
    '',
    'forgotten',
    'forgotten-',
    'forgotten-abcdefghijklmno',
    'forgotten-abcdefghijklmnopa',
    'forgotten-5170925570000000',
    'Forgotten-abcdefghijklmnop',
  ])('gives way to no other name: %j', (as) => {
    send(1);
    change(1, SPENT);
    settle('redeemed');
    expect(() => forget(as)).toThrow('stays with its redemption and its player');
  });

  test.each(['openid', 'player_name', 'region', 'credentials_secret'])('keeps no %s', (column) => {
    send(1);
    change(1, SPENT);
    settle('redeemed');
    name();
    const rest = ERASED.split(', ').filter((part) => !part.startsWith(column));
    expect(() => forget(FORGOTTEN, rest.join(', '))).toThrow('stays with its redemption and its player');
  });

  test('is forgotten once, and with nothing else of it', () => {
    send(1);
    change(1, SPENT);
    settle('redeemed');
    for (const also of ["game_id = 'game_id_2'", 'code_id = 7', "code_hash = x'09'"])
      expect(() => forget(FORGOTTEN, `${ERASED}, ${also}`)).toThrow(
        'stays with its redemption and its player',
      );
    forget();
    expect(() => forget('forgotten-ponmlkjihgfedcba')).toThrow('stays with its redemption and its player');
    expect(() => forget('5170925570')).toThrow('stays with its redemption and its player');
  });
});
