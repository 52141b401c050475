// A player by name: only where the message is the name and what is wanted, and only where one player has it.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { readNamed } from './player-name.ts';

const PLAYERS = [
  { playerId: '5170925571', name: 'LuckyRaven83' },
  { playerId: '5170925571', name: 'LuckyRaven83' },
  { playerId: '5170925572', name: 'Iron Comet' },
  { playerId: '5170925573', name: 'Twin' },
  { playerId: '5170925574', name: 'Twin' },
  { playerId: '5170925575', name: '(.*)[a' },
  { playerId: '5170925576', name: '60' },
  { playerId: '5170925577', name: 'UC' },
];
const one = (denomination: number, count = 1) => ({ items: [{ denomination, count }] });

test.each<[text: string, found: object | undefined]>([
  ['LuckyRaven83 60', { playerId: '5170925571', ...one(60) }],
  ['luckyraven83, 60 UC', { playerId: '5170925571', ...one(60) }],
  ['60 x2 LuckyRaven83', { playerId: '5170925571', ...one(60, 2) }],
  ['\u2068LuckyRaven83\u2069: 325', { playerId: '5170925571', ...one(325) }],
  ['LuckyRaven83 720', { playerId: '5170925571', items: [], amount: 720 }],
  ['iron  comet 60', { playerId: '5170925572', ...one(60) }],
  ['(.*)[a 60', { playerId: '5170925575', ...one(60) }],
  ['LuckyRaven83', undefined],
  ['LuckyRaven83 61', undefined],
  ['LuckyRaven83x 60', undefined],
  ['not LuckyRaven83 60', undefined],
  ['LuckyRaven83 60 tomorrow', undefined],
  ['LuckyRaven83 60 5170925572', undefined],
  ['Twin 60', undefined],
  ['60 60', undefined],
  ['UC 60', undefined],
  ['Raven 60', undefined],
  [`LuckyRaven83 60${' '.repeat(200)}325`, undefined],
])('%j', (text, found) => {
  expect(readNamed(text, PLAYERS, TEST_GAMES)?.form).toEqual(found);
});
