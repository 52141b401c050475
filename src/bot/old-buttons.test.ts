// Buttons of another time, of somebody else, or of nobody: what is there no more is said in an alert, and nothing is
// done.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openStage, type Stage } from '../../test/world/play/stage.ts';
import { personOf } from '../../test/harness/bot.ts';
import { makeCode } from '../../test/harness/core.ts';
import type { Role } from '../core/index.ts';
import type { SeenMessage } from '../../test/telegram/types.ts';

const withId = (action: string) => `${action}:abcdefghijkl`;
let t: Stage;
let file: Database.Database;
const screens = new Map<string, SeenMessage>();

beforeAll(async () => {
  t = await openStage({ api: { flood: 'none' } });
  file = new Database(t.app().databasePath, { readonly: true });
  const { core } = t.app();
  await core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
  await core.redeem(t.actors.owner, { gameId: 'game_id_1', playerId: '5170925570', denomination: 60 });
  for (const [name, user] of [
    ...Object.entries(t.people),
    ['host', t.host],
    ['stranger', t.stranger],
  ] as const) {
    const person = personOf(t.api, user);
    person.says('/help');
    screens.set(name, await person.sees(/\S/));
  }
});
afterAll(async () => {
  file.close();
  await t.stop();
});

/** Everything that an action would change. */
function count(): Record<string, unknown> {
  const tables = [
    'codes',
    'redemptions',
    'usages',
    'purchases',
    'api_keys',
    'webhooks',
    'invitations',
    'extractions',
    'imports',
    'jobs',
  ];
  return Object.fromEntries(
    [...tables, 'members'].map((name) => [name, file.prepare(`select count(*) from ${name}`).pluck().get()]),
  );
}

const OLD = 'This button is too old. Please begin again.';
const NO_RECEIPT = 'Receipt 999 is not there, or not yours to see.';
const NO_MEMBER = 'This person is not in the account any more.';
const NO_ACCOUNT = 'There is no such account. /accounts shows them all.';
const GONE = 'That is not there any more. Please begin again.';
const LATE = 'This file can be sent again for a day only, and that is over.';
const ROLE = /^Your role may not do this\. Only .* may\.$/;
const HOST = 'Only the service administrator may do this.';
const NOBODY =
  'You are not a member of an account yet. Ask its owner for an invitation, and open its link or paste the link here.';

/** The numbers of the people of the stage are always these. */
const OF_STAFF = [
  'members:list:0',
  'members:one:100004',
  'members:role:100004:admin',
  'members:remove:100004',
  ...['members:own:100002', 'members:sure:100002', 'key:new', 'key:revoke:1'],
];

/** Whose buttons, what is said of them, and what they send. */
const ROWS: [who: Role | 'host' | 'stranger', said: string | RegExp, ...data: string[]][] = [
  ['owner', OLD, 'x', 'settings:notice:on:nonsense', 'settings:zone:UTC', 'settings:under:00000000:60:5'],
  [
    'owner',
    OLD,
    'buy:packs:0',
    'buy:packs:101',
    'export:0',
    'export:367',
    'history:0:',
    'history:day:20261345',
    'history:day:20260230',
    'history:day:20260309:2:o:zzzzzzzzzzz:1',
    'history:2:o:1:zzzzzzzzzzz',
  ],
  ['owner', OLD, 'add:new:60:game_id_1', 'batch:undo:999'],
  ['owner', OLD, ...['find:1', 'no:x', 'redeem-now', 'redeem-all'].map(withId)],
  [
    'owner',
    OLD,
    ...['stop', 'rest', 'again', 'logins', 'buyer', 'buyers'].map((what) => `order-${what}:ord_00000000`),
  ],
  ['owner', OLD, ...['export-full', 'members-do', 'key-issue'].map(withId)],
  ['owner', OLD, ...['key-revoke', 'add-codes', 'delete-pasted', 'extract'].map(withId)],
  ['owner', NO_RECEIPT, 'receipt:file:999', 'receipt:customer:999'],
  ['owner', NO_RECEIPT, 'redeem:again:999', 'redeem:player:999', 'redeem:change:999'],
  ['owner', NO_MEMBER, 'members:one:999', 'members:own:999', 'members:sure:999'],
  ['owner', NO_MEMBER, 'members:remove:999', 'members:role:999:admin'],
  ['owner', 'The owner cannot leave. Hand the account over to somebody first.', 'members:leave'],
  ['owner', 'This key is revoked already.', 'key:revoke:999'],
  ['owner', GONE, 'add:done:999', 'add:stop:999', 'add:more:999', 'add:as:999:abc:60'],
  ['owner', LATE, 'undo-again:999'],
  ['owner', OLD, 'extract:again:999'],
  [
    'owner',
    HOST,
    'host:new',
    'host:account:1',
    'host:accounts:after:0',
    'host:refund:1',
    'host:ask',
    'host:days:1:5',
  ],
  ['host', NO_ACCOUNT, 'host:account:999', 'host:doubts:999', 'host:grant:days:999', 'host:days:999:5'],
  [
    'host',
    NO_ACCOUNT,
    'host:days:1:0',
    'host:days:1:3651',
    'host:activations:1:0',
    'host:activations:1:1000001',
  ],
  ['host', 'This account has an owner already.', 'host:owner:1'],
  ['host', 'I know no payment of this number.', 'host:refund:999'],
  ['host', OLD, ...['host-found:1', 'host-grant', 'host-refund', 'host-refund-ask', 'host-open'].map(withId)],
  ['host', NOBODY, 'members:leave', 'key:new', 'members:list:0', 'export:30', 'settings:notices'],
  ['stranger', NOBODY, 'stock:0:game_id_1', 'redeem:again:1', 'receipt:file:1'],
  ['support', ROLE, 'redeem:again:1', 'batches:top', 'batch:undo:1', 'extract:again:1'],
  ['support', ROLE, 'stats:7', 'export:30', 'buy:packs:1', 'key:new', 'settings:zones', 'settings:stock'],
  [
    'support',
    ROLE,
    ...['redeem-now', 'redeem-all', 'add-codes', 'undo-batch', 'extract', 'key-issue'].map(withId),
  ],
  ['operator', ROLE, 'extract:again:1', 'stats:7', 'stats:text:7', 'export:30', 'buy:packs:1', 'key:new'],
  ['operator', ROLE, ...OF_STAFF],
  ['support', ROLE, ...OF_STAFF],
  ['stranger', NOBODY, ...OF_STAFF, 'settings:stock', 'buy:packs:1'],
  ['operator', ROLE, 'settings:zones', 'settings:stock'],
  ['admin', ROLE, 'key:new', 'key:list:0', 'key:revoke:1'],
  ['admin', ROLE, 'members:own:1', 'members:sure:1', ...['export-full', 'key-issue'].map(withId)],
];

test.each(ROWS)('%s hears: %s', async (who, said, ...data) => {
  const before = count();
  const user = who === 'host' ? t.host : who === 'stranger' ? t.stranger : t.people[who];
  for (const each of data) {
    const answer = await t.api.press(user, screens.get(who)!, { data: each });
    expect([each, answer?.text, answer?.alert]).toEqual([each, expect.stringMatching(said), true]);
  }
  expect(count()).toEqual(before);
});

test('the last that there is of a bounded thing is no old button', async () => {
  for (const [who, data] of [
    ['owner', 'buy:packs:1'],
    ['admin', 'buy:packs:100'],
    ['owner', 'export:1'],
    ['owner', 'export:366'],
    ['host', 'host:days:1:1'],
    ['host', 'host:days:1:3650'],
    ['host', 'host:activations:1:1'],
    ['host', 'host:activations:1:1000000'],
  ] as const) {
    const user = who === 'host' ? t.host : t.people[who];
    expect([data, (await t.api.press(user, screens.get(who)!, { data }))?.alert]).toEqual([data, false]);
  }
});
