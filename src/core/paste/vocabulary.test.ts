// The words of a paste one by one: what is a code, what was meant as one, which names a column may have, what says nothing beside an
// amount. What lines of them mean: headings.test.ts and paste.test.ts.
import { describe, expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import {
  CODE_WORDS,
  COUNT_LABELS,
  COUNT_UNITS,
  isSideWord,
  mayName,
  OTHER_SENSES,
  saysEmpty,
  THOUSAND,
  TIMES,
} from './heading-words.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325]));
const split = (words: string) => words.split(' ');

/** A code would be told as malformed, too: whether it is one is asked first. */
describe('a word', () => {
  test.each<[word: string, code: boolean, malformed: boolean]>([
    ['AAAA1111bbbb', true, true],
    ['AAAA1111bbb', false, true],
    ['1'.repeat(32), true, true],
    [`A1${'b'.repeat(31)}`, false, true],
    ['A1b2c', false, false],
    ['A1b2c3', false, true],
    ['ABC-123', false, true],
    ['ABCDEFGHIJKL', false, true],
    ['Abcdefghijkl', false, false],
    ['abcdefghijkl', false, false],
    ['abcdefghIjkl', false, true],
    ['ABCD-EFGH-IJKL', false, true],
    ['АBCDEFGHIJKL', false, true],
    ['a'.repeat(32), false, false],
    ['a'.repeat(33), false, true],
    ['21.11.2026', false, false],
    ['2026-11-21', false, false],
    ['2026-11-21T10', false, false],
    ['21.11.2026г', false, false],
    ['21-11.2026', false, true],
    ['1234.50', false, false],
    ['1234.500', false, true],
    ['привет', false, false],
    ['denominations', false, false],
    ['REDEMPTIONREDEMPTION', false, true],
    ['redemption', false, false],
  ])('%s: code %s, malformed %s', (word, code, malformed) => {
    expect([vocabulary.isCode(word), vocabulary.isMalformed(word)]).toEqual([code, malformed]);
  });

  test('names the currency, and a denomination is one of the game', () => {
    expect(['UC', 'uc', 'ucs', 'юс', 'gold'].map((word) => vocabulary.isCurrency(word))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect([60, 325, 61].map((value) => vocabulary.isDenomination(value))).toEqual([true, true, false]);
    expect(['60 UC', '60 юс', 'gold'].map((text) => vocabulary.mayHoldCurrency(text))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a column', () => {
  const { namesCodes, namesDenominations, namesOthers, namesProducts } = vocabulary;
  const read = (cell: string) => [
    namesCodes(cell),
    namesDenominations(cell),
    namesOthers(cell),
    namesProducts(cell),
  ];
  test.each(
    split(
      'code codes pin pins voucher vouchers key keys coupon coupons код коды ваучер ваучеры пин ключ ключи',
    ),
  )('of codes: %s', (cell) => {
    expect(read(cell)).toEqual([true, false, false, false]);
    expect(namesCodes(`Gift ${cell.toUpperCase()}`)).toBe(true);
  });
  test.each(
    split(
      'denomination denominations denom denoms amount amounts value nominal номинал номиналы сумма uc юс',
    ),
  )('of denominations: %s', (cell) => expect(read(cell)).toEqual([false, true, false, false]));
  test.each(
    split(
      'id no nr num number serial sn date time created expires expiry price cost status state order game region note notes comment quantity qty row index дата цена статус номер серия',
    ),
  )('of something else: %s', (cell) => expect(read(cell)).toEqual([false, false, true, false]));
  test.each(split('product item товар название наименование'))('of products: %s', (cell) =>
    expect(read(` ${cell.toUpperCase()} `)).toEqual([false, false, true, true]),
  );
  test.each(split('face gift redeem redemption activation top up topup card'))('beside these: %s', (cell) => {
    expect(read(cell)).toEqual([false, false, false, false]);
    expect(read(`${cell} code`)).toEqual([true, false, false, false]);
  });
  test.each(['code please', 'the code', '', `code${' '.repeat(61)}`, '12'])('of nothing: %j', (cell) =>
    expect(read(cell)).toEqual([false, false, false, false]),
  );
  test('has a name of 64 characters at most', () => expect(namesCodes(`code${' '.repeat(60)}`)).toBe(true));
});

describe('beside an amount', () => {
  test.each(
    split(
      'denomination denominations denom denoms nominal nominals value amount amounts face pack packs package packages bundle bundles gift redeem redemption activation activations top up topup for of each per the a new next more also then now here is are below following these worth batch lot list stock section game mobile global unknown cash with ' +
        'номинал номинала номиналы номиналом номиналов номинале сумма стоимостью по на для из с пакет пакета пакеты пакетов пачка пачки пак паки вот новый новые новая следующий следующие следующая дальше далее теперь ещё еще также и тут здесь ваш ваша ваши твой твои your yours product item товар ниже это идут идет идёт партия лот список склад активация активации активаций пополнение пополнения игра мобайл глобал ' +
        'держи держите лови ловите забирай забирайте take enjoy ' +
        'code codes pin pins voucher vouchers key keys coupon coupons card cards код кода коды кодов кодами кодам кодик кодики ки ка ваучер ваучера ваучеры ваучеров пин пины пинов ключ ключа ключи ключей купон купоны купонов карта карты карт карточка карточки карточек ' +
        'qty quantity count total всего итого количество кол во колво amt',
    ),
  )('%s says nothing', (word) => expect(isSideWord(word)).toBe(true));
  test('other words do', () => expect(['royal', 'used', 'юс', ''].some(isSideWord)).toBe(false));

  test('pieces, thousands and factors have their words', () => {
    expect([...COUNT_UNITS]).toEqual(
      split('pcs pc pieces piece units unit ea шт штук штука штуки штучек позиций единиц times раз'),
    );
    expect([...THOUSAND]).toEqual(split('k к тыс тысяча тысячи тысяч thousand'));
    expect([...TIMES]).toEqual(split('x х × * ✕ ✖ ·'));
    expect([COUNT_LABELS.size, CODE_WORDS.size]).toEqual([11, 42]);
  });

  test.each<[sense: keyof typeof OTHER_SENSES, texts: string[], none: string[]]>([
    ['address', ['https://x.y/60', 't.me/60', 'www.60', '@user60', 'a.b@c60.d'], ['60', 'user60']],
    [
      'moment',
      [
        '21.11.2026',
        '21/11/26',
        '2026-11-21',
        '2026-11-21t',
        '21.11.2026г.',
        '21 nov',
        '3rd march 2026',
        'nov 21',
        'янв. 5, 2026',
        '21 ноября',
        '10:30',
        '23:59:59',
      ],
      ['24:00', '10:60', '60', '21.11', '660 uc'],
    ],
    [
      'money',
      [
        '$60',
        '€ 60',
        '60₽',
        '60 руб.',
        '60рублей',
        '1.5k$',
        '60%',
        '60 usd',
        '60 р',
        '60 сум',
        '60 баксов',
        '60 ton',
      ],
      ['60', '60 uc', '60 рублика1х', '60 tone'],
    ],
    ['phone', ['+7 916 123-45-67', '+79161234567'], ['79161234567', '+123']],
  ])('%s is another sense', (sense, texts, none) => {
    const left = (text: string) => text.replace(OTHER_SENSES[sense], '').trim();
    expect(texts.map(left).filter((text) => text !== '' && text !== 't')).toEqual([]);
    for (const text of none) expect(left(text)).not.toBe('');
  });
});

describe('a line without codes', () => {
  test.each(split('пусто нет нету закончились кончилось empty none nothing n/a'))(
    'with %s says that nothing is there',
    (word) => {
      expect([saysEmpty(`325 - ${word}`), saysEmpty(word.toUpperCase())]).toEqual([true, true]);
    },
  );
  test.each(['no codes', 'out of stock', 'no stock', 'sold out'])('%s says it, too', (text) =>
    expect(saysEmpty(text)).toBe(true),
  );
  test('others do not, nor what stands beyond 160 characters', () => {
    expect(['nonet', 'пустота', 'stock', 'no', ''].map(saysEmpty)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(saysEmpty(`${'.'.repeat(156)}none`)).toBe(true);
    expect(saysEmpty(`${'.'.repeat(157)}none`)).toBe(false);
  });

  test.each<[words: string, may: boolean]>([
    ['royal pass', true],
    ['the smaller ones', true],
    ['next denomination', true],
    ['следующий', true],
    ['the new codes', false],
    ['royal pass thanks', false],
    ['держи royal', false],
    ['привет', false],
    ['a b c d e f g h i j k l', true],
    ['a b c d e f g h i j k l m', false],
  ])('“%s” may be the name of what follows: %s', (words, may) => expect(mayName(split(words))).toBe(may));
  test('without words names nothing', () => expect(mayName([])).toBe(false));
});
