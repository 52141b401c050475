// What the host gives for nothing: how it is asked, booked and told.
import { expect, test } from 'vitest';

import type { SaidWords } from '../../../test/harness/bot-words.ts';
import { DAY_MS, NOW } from '../../../test/harness/host-menus.ts';
import { createHost, confirmationOf, toldIn } from '../../../test/harness/host-giving.ts';

const DESCRIBED = 'host-account {"id":"7","account":"Shop","subscription":"host-subscription-none"}';
const BACK = ['button-back -> host:account:7'];
const TAP: SaidWords = ['tap', undefined];

const DAYS = [7, 30, 90, 365].map((days) => `host-button-days {"days":${days}} -> host:days:7:${days}`);
const ASK_DAYS = `${DESCRIBED}\n\nhost-grant-how-many-days`;
const HINT = 'host-grant-days {"most":"3650"}\n\n';
const PEOPLE = ['Owner @sold (70)', 'Buyer @sold (80)'];
const TWO_NAMES = `host-grant-two-names {"who":"@sold"}\n<b>7</b> · \u2068Shop\u2069: \u2068Owner\u2069 @sold (70)\n<b>8</b> · \u2068—\u2069: \u2068Buyer\u2069 @sold (80)`;
const WHOSE = [`7 · ${PEOPLE[0]} -> host:grant:days:7`, `8 · ${PEOPLE[1]} -> host:grant:days:8`];
const COUNTS = [50, 100, 500, 1000, 5000].map((count) => `${count} -> host:activations:7:${count}`);
const confirm = (verb: 'give' | 'take', what: string) => [
  [`host-button-${verb} ${JSON.stringify({ what })} -> host-grant:confirmation-id`],
  ['button-cancel -> no:host-grant:confirmation-id'],
];
const askOf = (words: string) => `${DESCRIBED}\n\n${words}`;

test.each<[event: string, ids: number[], said: SaidWords[]]>([
  ['/grant Shop', [], [['reply', 'host-no-account']]],
  ['/grant Shop', [8], [['reply', 'host-no-account']]],
  ['/grant Shop', [7, 8], [['reply', 'host-grant-several {"text":"Shop"}']]],
  ['/grant @other', [7, 8], [['reply', 'host-grant-several {"text":"@other"}']]],
  ['/grant @owner', [7, 8], [['reply', ASK_DAYS, DAYS, BACK]]],
  [
    '/grant @sold 30',
    [7, 8],
    [['reply', TWO_NAMES, ...WHOSE.map((who) => [`${who}:30`.replace('host:grant:days', 'host:days')])]],
  ],
  ['/grant @sold', [7, 8], [['reply', TWO_NAMES, ...WHOSE.map((who) => [who])]]],
  ['/grant Shop', [7], [['reply', ASK_DAYS, DAYS, BACK]]],
  ['/grant Shop 0', [7], [['reply', HINT + ASK_DAYS, DAYS, BACK]]],
  ['/grant #7 x', [7, 8], [['reply', HINT + ASK_DAYS, DAYS, BACK]]],
  ['/grant Shop 3651', [7], [['reply', HINT + ASK_DAYS, DAYS, BACK]]],
  ['/grant Shop 12345', [7], [['reply', HINT + ASK_DAYS, DAYS, BACK]]],
  ['host:grant:days:7', [], [TAP, ['edit', ASK_DAYS, DAYS, BACK]]],
  ['host:grant:activations:7', [], [TAP, ['edit', askOf('host-grant-how-many-activations'), COUNTS, BACK]]],
  ['host:grant:days:8', [], [['alert', 'host-no-account']]],
  ['host:days:7:0', [], [['alert', 'host-no-account']]],
  ['host:days:7:3651', [], [['alert', 'host-no-account']]],
  ['host:activations:7:1000001', [], [['alert', 'host-no-account']]],
])('%s, where words mean %j, gives nothing yet', async (event, ids, said) => {
  const { handle, did, confirmations } = createHost({ ids });
  expect([await handle(event), did, confirmations]).toEqual([said, [], []]);
});

test.each<
  [
    event: string,
    how: string,
    words: string,
    payload: { accountId: number; days: number; activations: number },
  ]
>([
  ['/grant Shop 30', 'reply', 'host-ask-grant {"days":30}', { accountId: 7, days: 30, activations: 0 }],
  ['/grant 7 3650', 'reply', 'host-ask-grant {"days":3650}', { accountId: 7, days: 3650, activations: 0 }],
  ['host:days:7:1', 'edit', 'host-ask-grant {"days":1}', { accountId: 7, days: 1, activations: 0 }],
  ['host:days:7:3650', 'edit', 'host-ask-grant {"days":3650}', { accountId: 7, days: 3650, activations: 0 }],
  [
    'host:activations:7:1000000',
    'edit',
    'host-ask-grant-activations {"count":1000000}',
    { accountId: 7, days: 0, activations: 1_000_000 },
  ],
])('%s is asked once more', async (event, how, words, payload) => {
  const { handle, did, confirmations } = createHost({});
  const { days, activations: count } = payload;
  const what = days === 0 ? `goods-activations {"count":${count}}` : `host-button-days {"days":${days}}`;
  expect((await handle(event)).at(-1)).toEqual([how, askOf(words), ...confirm('give', what)]);
  expect(did).toEqual([]);
  expect(confirmations.map(({ payload: kept }) => JSON.parse(kept) as object)).toEqual([
    { ...payload, madeIn: null },
  ]);
});

test.each(['/grant Shop -7', '/grant 7 −7', 'host:days:7:-7'])(
  '%s takes nothing where nothing is left',
  async (event) => {
    const { handle, did, confirmations } = createHost({});
    expect((await handle(event)).at(-1)?.[1]).toBe('host-nothing-to-take {"account":"Shop"}');
    expect([did, confirmations]).toEqual([[], []]);
  },
);

const OWNER = { telegramId: 70 };

test.each<[payload: object, owner: object | undefined, order: object, told: unknown[]]>([
  [
    { accountId: 7, days: 30, activations: 0 },
    OWNER,
    { accountId: 7, days: 30, purchased: 0, orderId: 'id' },
    [
      ['result:id', 5, 'host-granted {"account":"Shop","days":30,"count":0,"until":"22 Dec 2026"}'],
      ['grant:id', 70, 'ru:granted {"account":"Shop","days":30,"count":0,"until":"22 декабря 2026"}'],
    ],
  ],
  [
    { accountId: 7, days: 0, activations: 50 },
    OWNER,
    { accountId: 7, days: 0, purchased: 50, orderId: 'id' },
    [
      [
        'result:id',
        5,
        'host-granted-activations {"account":"Shop","days":0,"count":50,"until":"22 Dec 2026"}',
      ],
      [
        'grant:id',
        70,
        'ru:granted-activations {"account":"Shop","days":0,"count":50,"until":"22 декабря 2026"}',
      ],
    ],
  ],
  [
    { accountId: 7, days: -7, activations: 0 },
    OWNER,
    { accountId: 7, days: -7, purchased: 0, orderId: 'id' },
    [
      ['result:id', 5, 'host-taken-days {"account":"Shop","days":7,"count":0,"until":"22 Dec 2026"}'],
      ['grant:id', 70, 'ru:taken-days {"account":"Shop","days":7,"count":0,"until":"22 декабря 2026"}'],
    ],
  ],
  [
    { accountId: 7, days: 30, activations: 0 },
    undefined,
    { accountId: 7, days: 30, purchased: 0, orderId: 'id' },
    [['result:id', 5, 'host-granted {"account":"Shop","days":30,"count":0,"until":"22 Dec 2026"}']],
  ],
])('%j is given, and the owner %j told', async (payload, owner, order, told) => {
  const confirmation = confirmationOf('host-grant', payload);
  const answer = { subscriptionExpiresAt: NOW + 30 * DAY_MS };
  const { handle, did, kept } = createHost({ confirmation, answer, ...(owner && { owner }) });
  expect(await handle('host-grant:id')).toEqual([TAP]);
  expect([did, toldIn(kept), kept[0]?.confirmation]).toEqual([[order], told, { id: 'id', updateId: 77 }]);
  const again = createHost({ confirmation: confirmationOf('host-grant', payload, 77) });
  expect([await again.handle('host-grant:id'), again.did]).toEqual([[TAP], []]);
});
