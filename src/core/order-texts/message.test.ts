// What plain messages are read as: a corpus of real-looking ones, and laws that hold for any text.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createGames } from '../games.ts';
import {
  MOST_CANDIDATES,
  MOST_ORDERS,
  readPlainMessage,
  type OrderForm,
  type PlainMessage,
} from './message.ts';
import { countCodes, MOST_CODES } from './items.ts';

const games = createGames(JSON.parse(readFileSync('data/games.json', 'utf8')));
const read = (text: string) => readPlainMessage(text, games);

const wordForm = ({ playerId, items, amount }: OrderForm) =>
  [
    playerId,
    ...(amount === undefined ? [] : [`(${amount})`]),
    items.map(({ denomination, count }) => (count > 1 ? `${denomination}x${count}` : denomination)).join('+'),
  ]
    .filter(Boolean)
    .join(' ');
const wordForms = (forms: readonly OrderForm[]) => forms.map(wordForm).join('; ');

/** As the corpus writes it. */
function word(message: PlainMessage): string {
  switch (message.kind) {
    case 'orders':
      return `order ${wordForms(message.orders)}`;
    case 'tooMany':
      return `too many ${message.of}`;
    case 'candidates': {
      const players = message.players.map((each) => [wordForm(each), ...each.codes].join(' code '));
      const more = message.more.length > 0 ? ` and ${message.more.length} more` : '';
      return `ask ${players.join('; ')}${more}${message.mayBeCodes ? ' or codes' : ''}${message.unread.map((each) => ` !${each}`).join('')}`;
    }
    case 'amount':
      return `amount ${message.item.denomination}x${message.item.count}`;
    case 'code':
      return `code ${message.code}`;
    case 'again':
    case 'codes':
    case 'nothing':
      return message.kind;
  }
}

const CORPUS = './messages.txt';
const lines = readFileSync(new URL(CORPUS, import.meta.url), 'utf8').split('\n');
const texts = lines.flatMap((line) => /^(?!#).*? \| (.*)$/.exec(line)?.[1] ?? []);

test('each message is read as the corpus says', async () => {
  const told = lines.map((line) => {
    const [, text] = /^(?!#).*? \| (.*)$/.exec(line) ?? [];
    return text === undefined ? line : `${word(read(text.replaceAll('\\n', '\n')))} | ${text}`;
  });
  await expect(told.join('\n')).toMatchFileSnapshot(CORPUS);
});

test('the corpus is worth its name', () => {
  expect(texts.length).toBeGreaterThanOrEqual(400);
  expect(texts.filter((text) => /[а-яё]/i.test(text)).length).toBeGreaterThanOrEqual(130);
});

test('a message holds ten players at most', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, each) => `${51709255 + each} 60`).join('\n');
  expect(read(lines(MOST_ORDERS))).toMatchObject({ kind: 'orders' });
  expect(read(lines(MOST_ORDERS + 1))).toEqual({ kind: 'tooMany', of: 'players' });
});

test('an amount as long as a player’s ID is an amount', () => {
  const large = createGames([
    {
      id: 'g',
      currency: 'UC',
      database: true,
      denominations: [60, 12_000],
      codePattern: '^[A-Z0-9]{12}$',
      receipts: 'account',
    },
  ]);
  const readLarge = (text: string) => word(readPlainMessage(text, large));
  expect(readLarge('5170925570 12000 UC')).toBe('order 5170925570 12000');
  expect(readLarge('hi 5170925570 12000 UC x2')).toBe('ask 5170925570 12000x2');
  expect(readLarge('hi 5170925570 2 x 12000')).toBe('ask 5170925570 12000x2');
  expect(readLarge('hi 5170925570 60 UC + 12000 UC')).toBe('ask 5170925570 60+12000');
  expect(readLarge('hi, id 12000, 60 UC')).toBe('order 12000 60');
});

test('a number that could be a denomination or a count is no order by guess', () => {
  const odd = createGames([
    {
      id: 'g',
      currency: 'coins',
      database: true,
      denominations: [5, 10],
      codePattern: '^x{4}$',
      receipts: 'account',
    },
  ]);
  expect(readPlainMessage('5170925570 5 x 10', odd).kind).toBe('candidates');
  expect(readPlainMessage('5170925570 10 coins x 2', odd)).toMatchObject({
    orders: [{ items: [{ denomination: 10, count: 2 }] }],
  });
});

test('an amount beside the name of a game whose codes are not kept is no order', () => {
  const kept = {
    id: 'game_id_1',
    currency: 'UC',
    database: true,
    denominations: [60, 325],
    codePattern: '^[A-Z0-9]{12}$',
    receipts: 'account',
  };
  const named = createGames([
    { ...kept, name: { en: 'Game 1', ru: 'Игра 1' } },
    {
      ...kept,
      id: 'game_id_2',
      name: { en: 'Game 2', ru: 'Игра 2 (+)' },
      database: false,
      denominations: [],
    },
  ]);
  const itemsOf = (text: string) => {
    const message = readPlainMessage(text, named);
    if (message.kind === 'orders') return message.orders.flatMap(({ items }) => items);
    return message.kind === 'candidates' ? message.players.flatMap(({ items }) => items) : message.kind;
  };
  expect(itemsOf('Game 2, 5170925570 60')).toEqual([]);
  expect(itemsOf('5170925570 60 игра  2 (+)')).toEqual([]);
  expect(itemsOf('Game 1, 5170925570 60')).toEqual([{ denomination: 60, count: 1 }]);
  expect(itemsOf('Game 22, 5170925570 60')).toEqual([{ denomination: 60, count: 1 }]);
});

describe('laws', () => {
  const id = fc.integer({ min: 10_000, max: 99_999_999_999 }).map(String);
  const denomination = fc.constantFrom(60, 325, 660, 1800, 3850, 8100);
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'id',
        'айди',
        '60',
        '325',
        'UC',
        'юс',
        'x2',
        '+',
        ',',
        '\n',
        ' ',
        '₽',
        'hello',
        'за',
      ),
    },
    id,
    fc.stringMatching(/^[A-Z0-9]{12,20}$/),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const anyText = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(' '));

  test('any text is read, within the bounds, and says only what stands in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const message = read(text);
        const forms =
          message.kind === 'orders' ? message.orders : message.kind === 'candidates' ? message.players : [];
        expect(forms.length).toBeLessThanOrEqual(message.kind === 'orders' ? MOST_ORDERS : MOST_CANDIDATES);
        const digits = text.normalize('NFKC').replace(/\D/g, '');
        for (const { playerId, items } of forms) {
          expect(digits).toContain(playerId);
          expect(countCodes(items)).toBeLessThanOrEqual(MOST_CODES);
          expect(items.every(({ count }) => count >= 1)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('what may change an order is never looked up at once, and nothing is without an amount', () => {
    const harmless = fc.constantFrom('please', 'paid', 'пожалуйста', 'руб', 'nick', 'asap');
    const strange = fc.constantFrom('ABCD1234EFGH5678', '?', '7', '61', '3 adet', 'not', 'wrong', 'where');
    const put = (order: string, word: string, first: boolean) =>
      first ? `${word} ${order}` : `${order} ${word}`;
    fc.assert(
      fc.property(id, denomination, harmless, strange, fc.boolean(), (player, wanted, word, other, first) => {
        expect(read(put(player, word, first)).kind).not.toBe('orders');
        expect(read(put(player, other, first)).kind).not.toBe('orders');
        expect(read(put(`${player} ${wanted}`, other, first)).kind).not.toBe('orders');
        const { kind, ...message } = read(put(`${player} ${wanted}`, word, first));
        if (kind === 'orders')
          expect(message).toEqual({
            orders: [{ playerId: player, items: [{ denomination: wanted, count: 1 }] }],
          });
      }),
    );
  });

  test('counts and sums come back as they were written', () => {
    const item = fc.record({ denomination, count: fc.integer({ min: 1, max: 3 }) });
    const items = fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: (each) => each.denomination });
    const style = fc.constantFrom(
      (d: number, n: number) => `${d} x${n}`,
      (d: number, n: number) => `${n}x${d}`,
      (d: number, n: number) => `${d}UC x ${n}`,
      (d: number, n: number) => `${n} шт по ${d} юс`,
      (d: number, n: number) => `${d} UC - ${n} pcs`,
    );
    fc.assert(
      fc.property(id, items, style, fc.constantFrom(' + ', ', ', '\n'), (player, wanted, write, between) => {
        fc.pre(![60, 325, 660, 1800, 3850, 8100].includes(Number(player)));
        const text = wanted.map((each) => write(each.denomination, each.count)).join(between);
        expect(read(`${player}\n${text}`)).toEqual({
          kind: 'orders',
          orders: [{ playerId: player, items: wanted }],
        });
      }),
    );
  });

  test('words without a digit are neither players nor codes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zА-я ]{0,80}$/u), (text) => {
        expect(read(text)).toEqual({ kind: 'nothing' });
      }),
    );
  });
});
