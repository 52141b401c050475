// Who is in the account, what each role may do to whom, and what a confirmed change tells whom.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import { createMembersFeature } from './members.ts';

const personOf = (telegramId: number, role: string, username?: string) => ({
  ...{ telegramId, role, username, name: `P${telegramId}` },
});
const STAFF = [
  personOf(5, 'owner'),
  personOf(6, 'admin', 'Six'),
  personOf(7, 'operator'),
  personOf(8, 'support'),
];

interface World {
  /** Who acts, of the staff. */
  as?: number;
  staff?: ReturnType<typeof personOf>[];
  confirmation?: object;
  status?: string;
}

async function handle(event: string, { as = 5, staff = STAFF, confirmation, status }: World = {}) {
  const did: unknown[] = [];
  const kept: ActionRows[] = [];
  const confirmations: Confirmation[] = [];
  const change =
    (action: string) =>
    (_actor: object, ...given: unknown[]) =>
      soon(() => {
        const rows = given.pop() as () => ActionRows;
        did.push([action, ...given]);
        kept.push(rows());
        return { status };
      });
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'id' },
    settings: { hostIds: [] },
    log: { warn: () => undefined },
    store: {
      confirmations: {
        save: (row: Confirmation) => soon(() => void confirmations.push(row)),
        find: () => confirmation,
      },
      preferences: { find: () => ({ language: 'ru', menu: '' }), save: () => Promise.resolve() },
      inTransaction: (rows: unknown) => rows,
    },
    core: {
      accounts: { find: () => ({ name: 'Shop' }) },
      members: {
        list: () => staff,
        findActor: () => ({ kind: 'member', accountId: 1, telegramId: as, role: 'owner' }),
        findOwner: () => ({ telegramId: 5 }),
        ...{ changeRole: change('role'), handOver: change('own'), remove: change('remove') },
      },
    },
  };
  const actor = {
    kind: 'member',
    accountId: 1,
    telegramId: as,
    role: staff.find((each) => each.telegramId === as)?.role,
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, { actor, from: { id: as, first_name: 'Me', is_bot: false } });
  const { handlers } = createMembersFeature(
    fake(deps),
    fake({ setMyCommands: () => Promise.resolve(true) }),
    [],
  );
  await handlers.middleware()(ctx, () => Promise.resolve());
  return { said, did, kept, confirmations };
}

const TAP: SaidWords = ['tap', undefined];
const LEAVE = 'members-button-leave -> members:leave';
const BACK = 'button-back -> members:list:0';
const INVITE = 'members-button-invite -> go:invite';
const line = (id: number, role: string, own = false, handle = '') =>
  `members-line${own ? '-you' : ''} {"person":"P${id}","handle":"${handle}","role":"role-${role}"}`;
const one = (id: number) => [`P${id} -> members:one:${id}`];

test.each([
  [5, [INVITE]],
  [6, [INVITE, LEAVE]],
])('the list as %i reads it', async (as, last) => {
  const lines = STAFF.map(({ telegramId: id, role }) => line(id, role, id === as, id === 6 ? ' @Six' : ''));
  const html = `members-title {"account":"Shop","count":4}\n\n${lines.join('\n')}\n\nmembers-hint`;
  const rows = [...STAFF.map(({ telegramId }) => one(telegramId)), last];
  expect((await handle('/members', { as })).said).toEqual([['reply', html, ...rows]]);
});

test.each([
  [8, 0, 8, []],
  [9, 0, 8, ['page-next -> members:list:1']],
  [17, 1, 8, ['page-previous -> members:list:0', 'page-next -> members:list:2']],
  [17, 2, 1, ['page-previous -> members:list:1']],
  [17, 9, 1, ['page-previous -> members:list:1']],
])('of %i members, page %i', async (count, page, shown, turns) => {
  const staff = Array.from({ length: count }, (_, n) => personOf(5 + n, n === 0 ? 'owner' : 'support'));
  const { said } = await handle(`members:list:${page}`, { staff });
  expect(said[1]?.slice(2)).toEqual([
    ...staff
      .slice(Math.min(page, Math.ceil(count / 8) - 1) * 8)
      .slice(0, shown)
      .map(({ telegramId }) => one(telegramId)),
    ...(turns.length > 0 ? [turns] : []),
    [INVITE],
  ]);
});

const give = (id: number, role: string) => [
  `members-button-role {"role":"role-${role}"} -> members:role:${id}:${role}`,
];
const remove = (id: number) => [`members-button-remove -> members:remove:${id}`];
const own = (id: number) => [`members-button-own -> members:own:${id}`];

test.each<[as: number, whom: number, rows: string[][]]>([
  [5, 5, []],
  [5, 6, [give(6, 'operator'), give(6, 'support'), remove(6), own(6)]],
  [5, 8, [give(8, 'admin'), give(8, 'operator'), remove(8), own(8)]],
  [6, 5, []],
  [6, 6, [[LEAVE]]],
  [6, 7, [give(7, 'support'), remove(7)]],
])('what %i may do to %i', async (as, whom, rows) => {
  const { said } = await handle(`members:one:${whom}`, { as });
  const sorted = (some: unknown[]) => some.map((row) => JSON.stringify(row)).sort();
  expect(said[1]?.[0]).toBe('edit');
  expect(sorted(said[1]?.slice(2) ?? [])).toEqual(sorted([...rows, [BACK]]));
});

test.each<[event: string, as: number, said: SaidWords[]]>([
  ['/members', 7, [['reply', 'members-refused', [LEAVE]]]],
  ['members:list:0', 7, [['alert', 'refusal-for-admin']]],
  ['members:one:9', 5, [['alert', 'members-gone']]],
  ['members:role:9:support', 5, [['alert', 'members-gone']]],
  ['members:role:7:owner', 5, [['alert', 'members-gone']]],
  ['members:remove:9', 5, [['alert', 'members-gone']]],
  ['members:own:9', 5, [['alert', 'members-gone']]],
  ['members:own:7', 6, [['alert', 'refusal-for-owner']]],
  ['members:sure:7', 6, [['alert', 'refusal-for-owner']]],
  ['members:leave', 5, [['alert', 'members-owner-stays']]],
])('%s by %i asks for nothing', async (event, as, said) => {
  expect(await handle(event, { as })).toEqual({ said, did: [], kept: [], confirmations: [] });
});

test('ownership is warned of before it is asked about', async () => {
  const { said, confirmations } = await handle('members:own:7');
  const sure = ['members-button-sure -> members:sure:7'];
  expect([said, confirmations]).toEqual([
    [TAP, ['edit', 'members-ask-own-first {"person":"P7"}', sure, [BACK]]],
    [],
  ]);
});

const confirm = (key: string, role?: string): string[][] => [
  [`members-button-${key}${role === undefined ? '' : ` {"role":"role-${role}"}`} -> members-do:id`],
  ['button-cancel -> no:members-do:id'],
];

test.each<[event: string, as: number, how: string, words: string, change: { kind: string; role?: string }]>([
  [
    'members:role:7:admin',
    5,
    'edit',
    'members-ask-role {"person":"P7","role":"role-admin"}',
    { kind: 'role', role: 'admin' },
  ],
  [
    '/members 7 Admin',
    5,
    'reply',
    'members-ask-role {"person":"P7","role":"role-admin"}',
    { kind: 'role', role: 'admin' },
  ],
  ['members:remove:7', 6, 'edit', 'members-ask-remove {"person":"P7","role":""}', { kind: 'remove' }],
  ['/members 7 REMOVE', 6, 'reply', 'members-ask-remove {"person":"P7","role":""}', { kind: 'remove' }],
  ['members:sure:7', 5, 'edit', 'members-ask-own {"person":"P7","role":""}', { kind: 'own' }],
])('%s by %i is asked once more', async (event, as, how, words, change) => {
  const { said, did, confirmations } = await handle(event, { as });
  expect([said.at(-1), did]).toEqual([[how, words, ...confirm(change.kind, change.role)], []]);
  const payload = { ...change, accountId: 1, telegramId: 7, name: 'P7', madeIn: 1 };
  expect(confirmations).toMatchObject([{ action: 'members-do', chatId: 5, userId: as }]);
  expect(JSON.parse(confirmations[0]?.payload ?? '{}')).toEqual(payload);
});

test('whoever leaves is asked by the name of the account', async () => {
  const { said, confirmations } = await handle('members:leave', { as: 7 });
  expect(said).toEqual([TAP, ['edit', 'members-ask-leave {"account":"Shop"}', ...confirm('leave')]]);
  const payload = { kind: 'leave', accountId: 1, telegramId: 7, name: 'Shop', madeIn: 1 };
  expect(JSON.parse(confirmations[0]?.payload ?? '{}')).toEqual(payload);
});

test.each([
  ['/members @six', [['reply', line(6, 'admin', false, ' @Six')]]],
  ['/members SIX', [['reply', line(6, 'admin', false, ' @Six')]]],
  [
    '/members nobody',
    [
      ['reply', 'members-unknown {"person":"nobody"}'],
      ['reply', 'members-title'],
    ],
  ],
])('%s finds', async (event, said) => {
  const found = (await handle(event)).said.map(([how, words]) => [how, words]);
  expect(
    found.map(([how, words]) => [how, words?.startsWith('members-title') ? 'members-title' : words]),
  ).toEqual(said);
});

const confirmationOf = (change: object, as: number) => ({
  ...{ id: 'id', chatId: 5, userId: as, action: 'members-do', expiresAt: 1, takenBy: null },
  payload: JSON.stringify({ accountId: 1, telegramId: 7, name: 'P7', ...change }),
});
const toldIn = ([rows]: readonly ActionRows[]) =>
  rows?.messages?.map(({ chatId, content }) => [chatId, (JSON.parse(content) as { html: string }).html]);
const FACTS = '"account":"Shop","person":"Me"';

test.each<[change: object, as: number, status: string, did: unknown[], told: unknown[]]>([
  [
    { kind: 'role', role: 'admin' },
    5,
    'changed',
    ['role', 7, 'admin'],
    [
      [5, 'members-done-role {"person":"P7","role":"role-admin"}'],
      [7, `ru:members-told-role {${FACTS},"role":"ru:role-admin"}`],
    ],
  ],
  [
    { kind: 'own' },
    5,
    'handedOver',
    ['own', 7],
    [
      [5, 'members-done-own {"person":"P7","role":""}'],
      [7, `ru:members-told-own {${FACTS},"role":""}`],
    ],
  ],
  [
    { kind: 'remove' },
    5,
    'removed',
    ['remove', 7],
    [
      [5, 'members-done-remove {"person":"P7","role":""}'],
      [7, `ru:members-told-remove {${FACTS},"role":""}`],
    ],
  ],
  [
    { kind: 'leave' },
    7,
    'left',
    ['remove', 7],
    [
      [5, 'members-done-leave {"person":"P7","role":""}'],
      [5, `ru:members-told-leave {${FACTS},"role":""}`],
    ],
  ],
])('%j by %i is done, and both are told with it', async (change, as, status, did, told) => {
  const answer = await handle('members-do:id', { as, status, confirmation: confirmationOf(change, as) });
  expect([answer.said, answer.did, toldIn(answer.kept)]).toEqual([[TAP], [did], told]);
});

test.each([
  ['unchanged', 'members-unchanged'],
  ['alreadyOwner', 'members-unchanged'],
  ['notMember', 'members-gone'],
  ['changedMeanwhile', 'members-changed-meanwhile'],
])('where it is %s, that is said', async (status, words) => {
  const { said } = await handle('members-do:id', {
    status,
    confirmation: confirmationOf({ kind: 'remove' }, 5),
  });
  expect(said).toEqual([TAP, ['edit', `${words} {"person":"P7"}`]]);
});

test('of another account nothing is changed', async () => {
  const confirmation = confirmationOf({ kind: 'remove', accountId: 2 }, 5);
  await expect(handle('members-do:id', { confirmation })).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
