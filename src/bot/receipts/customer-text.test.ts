// The receipt for a customer, line by line: what was got, and what to do next; nothing of how the account works.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createCustomerView, renderForCustomer } from './customer-text.ts';
import { createReceiptFileView } from './receipt-file.ts';
import { renderHistoryLines } from './history-entries.ts';

const AT = Date.UTC(2026, 10, 21, 7, 36);
const GAME = { currency: 'UC' };

function linesOf(
  changes: object,
  { game = GAME, isSandbox = false }: { game?: object | null; isSandbox?: boolean } = {},
) {
  const redemption = {
    ...{ id: 7, gameId: 'game_id_1', playerId: '5170925570', playerName: 'Player', createdAt: AT },
    ...{ state: 'redeemed', amount: 60, denomination: 60, warning: false },
    ...{ code: '60SECRET', actor: 'member:5', credentials: { email: 'e', password: 'p' } },
    ...changes,
  };
  const view = { redemption, game: game ?? undefined, timeZone: 'Europe/Moscow', isSandbox };
  return renderForCustomer(fake(view), { texts: KEYS_FOR_WORDS, language: 'en' }).split('\n');
}

const GAME_LINE = 'receipt-game {"game":"game_id_1"}';
const PLAYER = 'receipt-player {"player":"5170925570","name":"Player"}';
const WHEN = 'receipt-when {"when":"21 Nov 2026, 10:36 UTC+3"}';
const NUMBER = 'customer-number {"id":"7"}';
const amount = (what: string) => `receipt-amount {"what":"${what}"}`;
const wanted = (what: string) => `receipt-wanted {"what":"${what}"}`;

test('it says all that a customer asks', () => {
  expect(linesOf({})).toEqual([
    ...['customer-title-redeemed', '', GAME_LINE, PLAYER, amount('60 UC'), WHEN, NUMBER],
    ...['', 'customer-next-done'],
  ]);
  expect(linesOf({}, { isSandbox: true }).slice(0, 3)).toEqual([
    ...['customer-title-redeemed', 'receipt-sandbox', ''],
  ]);
});

test.each<[changes: object, title: string, what: string | undefined, next: string]>([
  [{ warning: true }, 'redeemed', amount('60 UC'), 'check'],
  [{ amount: 66 }, 'redeemed', amount('66 UC'), 'done'],
  [{ amount: undefined }, 'redeemed', amount('60 UC'), 'done'],
  [{ amount: undefined, denomination: undefined }, 'redeemed', undefined, 'done'],
  [{ state: 'pending' }, 'pending', wanted('60 UC'), 'wait'],
  [{ state: 'in_doubt', amount: 66 }, 'in-doubt', wanted('60 UC'), 'wait'],
  [{ state: 'failed', errorCode: 'CHARACTER_NOT_FOUND' }, 'failed', wanted('60 UC'), 'player'],
  [{ state: 'failed', errorCode: 'LOGIN_FAILED', denomination: undefined }, 'failed', undefined, 'failed'],
])('%j', (changes, title, what, next) => {
  const lines = linesOf(changes);
  expect([lines[0], lines.at(-1)]).toEqual([`customer-title-${title}`, `customer-next-${next}`]);
  expect(lines.filter((line) => /^receipt-(amount|wanted)/.test(line))).toEqual(
    what === undefined ? [] : [what],
  );
});

test('a player without a name is an ID, and a game that is gone has no currency', () => {
  expect(linesOf({ playerName: undefined })[3]).toBe('receipt-player-id {"player":"5170925570"}');
  expect(linesOf({}, { game: null })[4]).toBe(amount('60'));
});

const view = (redemption: object | undefined) =>
  ({
    texts: KEYS_FOR_WORDS,
    core: {
      members: { findActor: () => ({ accountId: 1 }) },
      receipts: { find: () => redemption },
      receiptDetails: () => ({}),
      games: { find: () => GAME },
      accounts: { timeZoneOf: () => 'UTC' },
      health: { isSandbox: false },
    },
  }) as never;
const ORDER = { of: { id: 7 }, telegramId: 5, language: 'en' } as const;

test('it is looked up when it is sent; a secret as a file, too', async () => {
  const redemption = { id: 7, gameId: 'game_id_1', playerId: '1', createdAt: AT, state: 'pending' };
  const shown = (await createCustomerView(view(redemption))(ORDER)) as { html: string };
  expect(shown.html.split('\n')[0]).toBe('customer-title-pending');
  const credentials = { password: 'a secret' };
  const file = (await createReceiptFileView(view({ ...redemption, credentials }))(ORDER)) as never as {
    send(api: object, chatId: number): Promise<void>;
    otherwise: object;
  };
  const sent: unknown[] = [];
  await file.send({ sendDocument: (...given: unknown[]) => Promise.resolve(void sent.push(given)) }, 9);
  const [[chatId, document]] = sent as [[number, { filename: string; toRaw(): Promise<Uint8Array> }]];
  expect([chatId, document.filename, Buffer.from(await document.toRaw()).toString()]).toEqual([
    ...[9, 'receipt-7.txt', 'a secret'],
  ]);
  expect(file.otherwise).toEqual({ html: '/receipt_7' });
  const unknown = { html: 'receipt-unknown {"id":"7"}' };
  expect(await createReceiptFileView(view(redemption))(ORDER)).toEqual(unknown);
  expect(await createReceiptFileView(view(undefined))(ORDER)).toEqual(unknown);
  expect(await createCustomerView(view(undefined))(ORDER)).toEqual(unknown);
});

const LINE = { id: 7, state: 'redeemed', createdAt: AT, playerId: '5170925570', gameId: 'game_id_1' };
const past = (changes: object, when: 'time' | 'moment' = 'moment') => {
  const games = { find: (id: string) => (id === 'game_id_1' ? GAME : undefined) };
  const place: Parameters<typeof renderHistoryLines>[0] = fake({
    texts: KEYS_FOR_WORDS,
    games,
    language: 'en',
    timeZone: 'Europe/Moscow',
    when,
  });
  const [line = '', ...rest] = renderHistoryLines(place, [{ ...LINE, ...changes } as never]).split('\n');
  expect(rest).toEqual(['', 'past-legend']);
  return JSON.parse(line.slice('history-entry '.length)) as object;
};

test.each<[changes: object, facts: object]>([
  [
    {},
    {
      mark: '✅',
      when: '21 Nov, 10:36',
      what: 'past-amount-unknown',
      player: '5170925570',
      code: '',
      id: '7',
    },
  ],
  [{ warning: true }, { mark: '⚠️' }],
  [{ state: 'failed', warning: true }, { mark: '❌' }],
  [{ state: 'in_doubt' }, { mark: '❔' }],
  [{ state: 'pending' }, { mark: '⏳' }],
  [{ amount: 60 }, { what: '60 UC' }],
  [{ amount: 60, gameId: 'gone' }, { what: '60' }],
  [{ playerName: 'Player' }, { player: 'Player (5170925570)' }],
  [{ codeTail: 'ABCD' }, { code: ' · …\u2060ABCD' }],
])('a line of the list of %j', (changes, facts) => expect(past(changes)).toMatchObject(facts));

test('in a list of one day the time says when', () =>
  expect(past({}, 'time')).toMatchObject({ when: '10:36' }));
