// What of a text could be a player, and what the text calls it, number by number; what could be a code. What is asked
// about it: message.test.ts.
import { expect, test } from 'vitest';

import { createGames } from '../games.ts';
import { findCodes } from './codes.ts';
import { dropNoise, findPlayers } from './players.ts';
import { createOrderVocabulary } from './words.ts';

const games = createGames([
  {
    id: 'game_id_1',
    currency: 'UC',
    database: true,
    denominations: [60, 325, 660, 1800, 12_500],
    codePattern: '^[A-Za-z0-9]{12,32}$',
    receipts: 'account',
  },
]);
const vocabulary = createOrderVocabulary(games);

/** `id`: called one; then what is wanted for it; `other`: all are called something else. */
function find(text: string): string[] {
  const { players, areOthers } = findPlayers(text, vocabulary);
  return players.map(({ playerId, isNamed, items }) =>
    [
      playerId,
      ...(isNamed ? ['id'] : []),
      ...(areOthers ? ['other'] : []),
      ...items.map(({ denomination, count }) => `${denomination}x${count}`),
    ].join(' '),
  );
}

test.each<[text: string, found: string[]]>([
  ['1234', []],
  ['12345', ['12345']],
  ['1'.repeat(20), ['1'.repeat(20)]],
  ['1'.repeat(21), []],
  ['12500', []],
  ['id 12500', ['12500 id']],
  ['12345 ₽', []],
  ['$12345', []],
  ['$ 12345', []],
  ['id12345', ['12345 id']],
  ['paid12345', []],
  ['ab-12345', []],
  ['12345id', ['12345']],
  ['12345idx', []],
  ['12345.', ['12345']],
  ['12345-6789', ['12345']],
  ['ID: 1234567890', ['1234567890 id']],
  ['order 1234567890', ['1234567890 other']],
  ['order id 1234567890', ['1234567890 id']],
  ['phone 1234567890', ['1234567890 other']],
  ['# 1234567890', ['1234567890 other']],
  ['name 1234567890', ['1234567890 other']],
  ['8 916 123-45-67', ['89161234567 other']],
  ['517 092 5570', ['5170925570']],
  ['id 517 092 5570', ['5170925570 id']],
  ['order 517 092 5570', ['5170925570 other']],
])('one number: %j', (text, found) => {
  expect(find(text)).toEqual(found);
});

test.each<[text: string, found: string[]]>([
  ['12345 67890', ['1234567890']],
  ['id 1234567890 and 9876543210', ['1234567890 id', '9876543210']],
  ['9876543210\nid 1234567890', ['1234567890 id', '9876543210']],
  // What is called something else is there only where nothing else could be a player.
  ['order 9876543210\n1234567890', ['1234567890']],
  ['order 9876543210 1234567890', ['1234567890']],
  ['order 9876543210\norder 1234567890', ['9876543210 other', '1234567890 other']],
  // Said twice, it is what either place calls it.
  ['order 1234567890\n1234567890', ['1234567890']],
  ['1234567890\norder 1234567890', ['1234567890']],
  ['order 1234567890\norder 1234567890', ['1234567890 other']],
  ['phone 1234567890\norder 1234567890', ['1234567890 other']],
  ['order 1234567890\nphone 1234567890', ['1234567890 other']],
  ['1234567890\nid 1234567890', ['1234567890 id']],
  ['id 1234567890\n1234567890', ['1234567890 id']],
  ['1234567890\n1234567890 9876543210', ['1234567890', '9876543210']],
  ['1234567890 9876543210\n1234567890', ['1234567890', '9876543210']],
])('several: %j', (text, found) => {
  expect(find(text)).toEqual(found);
});

test.each<[text: string, found: string[]]>([
  ['1234567890 60', ['1234567890 60x1']],
  ['1234567890 60\n9876543210 325', ['1234567890 60x1', '9876543210 325x1']],
  ['1234567890 9876543210 60', ['1234567890', '9876543210']],
  ['id 1234567890 60\n9876543210', ['1234567890 id 60x1', '9876543210']],
  ['9876543210 id 1234567890 60', ['1234567890 id', '9876543210']],
  ['id 9876543210 id 1234567890 60', ['9876543210 id', '1234567890 id']],
  ['1234567890 60\n1234567890 325', ['1234567890 60x1 325x1']],
  ['1234567890\n1234567890 60\n9876543210', ['1234567890 60x1', '9876543210']],
  ['phone 1234567890 60', ['1234567890 other']],
  ['1234567890 not 60', ['1234567890']],
  // The whole text, where it can be for one of them alone.
  ['id 1234567890\nhe wants 60 UC please', ['1234567890 id 60x1']],
  ['id 1234567890\n9876543210\n60 UC', ['1234567890 id 60x1', '9876543210']],
  ['id 1234567890 9876543210\n60 UC', ['1234567890 id 60x1', '9876543210']],
  ['1234567890 60 UC\n325 UC', ['1234567890 60x1 325x1']],
  ['1234567890 60\nqty 2', ['1234567890 60x2']],
  ['1234567890 60\n60 minutes', ['1234567890']],
  // Or for each of them.
  ['id 1234567890\nid 9876543210\n60 UC', ['1234567890 id 60x1', '9876543210 id 60x1']],
  ['1234567890\n9876543210\n60 UC', ['1234567890 60x1', '9876543210 60x1']],
  ['1234567890 60\n60 UC each 9876543210', ['1234567890 60x1', '9876543210 60x1']],
])('what is wanted: %j', (text, found) => {
  expect(find(text)).toEqual(found);
});

test.each([
  ['see https://a.example/12345 now', 'see  ¤  now'],
  ['www.a.example/12345 x', ' ¤  x'],
  ['t.me/12345 x', ' ¤  x'],
  ['tg://12345 x', ' ¤  x'],
  ['a12345@b.example x', ' ¤  x'],
  ['@u12345 x', ' ¤  x'],
  ['x@12345', 'x@12345'],
  ['4111 1111 1111 1111', ' ¤ '],
  ['4111-1111-1111-1111', ' ¤ '],
  ['4111 1111-1111 1111', '4111 1111-1111 1111'],
  ['+1 (415) 555-0134 x', ' ¤  x'],
  ['+123456789 x', ' ¤  x'],
  ['+12345678 x', '+12345678 x'],
])('links, addresses, phones and cards are no players: %s', (text, left) => {
  expect(dropNoise(text)).toBe(left);
});

test.each<[text: string, codes: string[]]>([
  ['(ABCD1234EFGH),', ['ABCD1234EFGH']],
  ['ABCD1234EFGH,IJKL1234MNOP', ['ABCD1234EFGH', 'IJKL1234MNOP']],
  ['AB12-CD34-EF56', ['AB12CD34EF56']],
  ['1. ABCD1234EFGH', ['ABCD1234EFGH']],
  ['1234.ABCD1234EFGH', ['ABCD1234EFGH']],
  ['12345.ABCD1234EFGH', []],
  ['ABCDEFGHIJKL', []],
  ['id123456789012', []],
  ['12345678901234567890', []],
  ['123456789012345678901', ['123456789012345678901']],
])('codes of %s', (text, codes) => {
  expect(findCodes(text, games.all)).toEqual(codes);
});

test.each<[line: string, found: string[]]>([
  ['5170-9255-70', ['5170925570']],
  ['5,170,925,570', ['5170925570']],
  ['5.170.925', []],
  ['51.170.925', ['51170925']],
  ["5'170'925'570", ['5170925570']],
  ['51709 25570', ['5170925570']],
  ['51709 25570 1', ['51709', '25570']],
  ['2026-11-21', []],
  ['21 11 2026', []],
  ['517 092', []],
  ['517 0925', []],
  ['5170 9255', ['51709255']],
  ['517 092 557 012', []],
  ['517 092 557 01', ['51709255701']],
  ['517 092 557 60', ['51709255760', '517092557']],
  ['60 517 092 557', ['60517092557', '517092557']],
  ['517 092 5570 60', ['5170925570 60x1']],
  ['60 325 660 60', []],
  ['x517 092 5570', []],
  ['517 092 5570x', []],
  ['517 092 5570,5', []],
])('%j holds these numbers in groups: %j', (line, found) => {
  expect(find(line)).toEqual(found);
});
