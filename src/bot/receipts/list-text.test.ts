// What lists of redemptions and receipts for customers say, word by word.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { receiptOf } from '../../../test/harness/receipt-of.ts';
import type { HistoryLine, Redemption } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { renderForCustomer } from './customer-text.ts';
import { renderHistoryLines, type LinesPlace } from './history-entries.ts';

const texts = createTexts(TEST_GAMES);
const AT = Date.UTC(2026, 10, 21, 7, 36);
const plain = (html: string) => html.replace(/<[^>]*>|[\u2060\u2066-\u2069]/g, '').split('\n');

const LINE: HistoryLine = {
  id: 7,
  createdAt: AT,
  state: 'redeemed',
  warning: false,
  gameId: 'game_id_1',
  playerId: '5170925570',
  playerName: 'Player',
  amount: 60,
  errorCode: null,
  codeTail: 'ABC123',
};
const PLACE: LinesPlace = { texts, games: TEST_GAMES, language: 'en', timeZone: '+03:00', when: 'moment' };
const LEGEND = ['', '✅ redeemed · ⚠️ redeemed, receipt incomplete · ❌ failed · ❔ in doubt · ⏳ under way'];

test('a line says how it ended, when, what, for whom, the end of its code, and where its receipt is', () => {
  const unknown = { playerName: null, codeTail: null, amount: null };
  expect(
    plain(
      renderHistoryLines(PLACE, [
        LINE,
        { ...LINE, id: 8, warning: true },
        { ...LINE, id: 9, state: 'failed', warning: true },
        { ...LINE, id: 10, state: 'in_doubt' },
        { ...LINE, ...unknown, id: 11, state: 'pending' },
      ]),
    ),
  ).toEqual([
    '✅ 21 Nov, 10:36 · 60 UC · Player (5170925570) · …ABC123 · /receipt_7',
    '⚠️ 21 Nov, 10:36 · 60 UC · Player (5170925570) · …ABC123 · /receipt_8',
    '❌ 21 Nov, 10:36 · 60 UC · Player (5170925570) · …ABC123 · /receipt_9',
    '❔ 21 Nov, 10:36 · 60 UC · Player (5170925570) · …ABC123 · /receipt_10',
    '⏳ 21 Nov, 10:36 · amount not known · 5170925570 · /receipt_11',
    ...LEGEND,
  ]);
  expect(plain(renderHistoryLines({ ...PLACE, when: 'time' }, [LINE]))[0]).toMatch(/^✅ 10:36 · 60 UC/);
});

const REDEMPTION = receiptOf({ amount: 66 });
const forCustomer = (changes: Partial<Redemption>) =>
  plain(
    renderForCustomer(
      {
        redemption: { ...REDEMPTION, ...changes },
        game: TEST_GAMES.find('game_id_1'),
        timeZone: 'UTC',
        isSandbox: false,
      },
      { texts, language: 'en' },
    ),
  );

test('a customer is told what was topped up for whom, when, and the number', () => {
  expect(forCustomer({})).toEqual([
    '✅ Your top-up is done',
    '',
    'Game: game_id_1',
    'Player: Player, ID 5170925570',
    'Amount: 66 UC',
    'When: 21 Nov 2026, 07:36 UTC',
    'Receipt: 7',
    '',
    'If you do not see it yet, restart the game.',
  ]);
});

test.each<[Partial<Redemption>, title: string, next: string]>([
  [
    { warning: true },
    '✅ Your top-up is done',
    'It can take a little while to arrive. Please check in the game, and write to us if it does not come.',
  ],
  [
    { state: 'pending' },
    '⏳ Your top-up is under way',
    'It is not certain yet whether it has arrived. We are finding out and will tell you.',
  ],
  [
    { state: 'in_doubt', errorCode: 'UNKNOWN' },
    '⏳ Your top-up is being checked',
    'It is not certain yet whether it has arrived. We are finding out and will tell you.',
  ],
  [
    { state: 'failed', errorCode: 'CHARACTER_NOT_FOUND' },
    '❌ Your top-up did not go through',
    'The game does not know this player ID. Please check it and send us the right one.',
  ],
  [
    { state: 'failed', errorCode: 'LOGIN_FAILED' },
    '❌ Your top-up did not go through',
    'Nothing was topped up. Please write to us, and give this receipt number.',
  ],
])('a customer of %j is told what it means', (changes, title, next) => {
  const lines = forCustomer(changes);
  expect([lines[0], lines.at(-1)]).toEqual([title, next]);
});

test('what was not redeemed names what was asked for, and nothing that is not known', () => {
  const bare = receiptOf({ playerName: null, denomination: null, state: 'failed' });
  expect(forCustomer({ state: 'failed' })[4]).toBe('Asked for: 60 UC');
  expect(
    plain(
      renderForCustomer(
        { redemption: bare, game: undefined, timeZone: 'UTC', isSandbox: false },
        { texts, language: 'en' },
      ),
    ).slice(3, 5),
  ).toEqual(['Player: ID 5170925570', 'When: 21 Nov 2026, 07:36 UTC']);
});
