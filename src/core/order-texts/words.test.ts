// The words of an order one by one: what each is read as, in both languages. What they make together: message.test.ts.
import { describe, expect, test } from 'vitest';

import { createGames } from '../games.ts';
import { asksAgain } from './repeat.ts';
import { isDoubtful } from './doubt.ts';
import { findPlayers } from './players.ts';
import { createOrderVocabulary, type OrderWord } from './words.ts';

const game = (id: string, currency: string, denominations: number[]) => ({
  id,
  currency,
  database: denominations.length > 0,
  denominations,
  codePattern: '^[A-Za-z0-9]{12,32}$',
  receipts: 'account' as const,
});
const vocabulary = createOrderVocabulary(
  createGames([game('game_id_1', 'UC', [60, 325, 660, 1800]), game('game_id_2', 'diamonds', [])]),
);
const word = (each: OrderWord): string => {
  switch (each.kind) {
    case 'number':
      return each.digits === '' ? `=${each.value}` : each.digits;
    case 'unit':
      return `unit(${[...each.denominations].join(' ')})`;
    case 'joint':
      return ',';
    case 'other':
      return `"${each.text.trim()}"`;
    default:
      return each.kind;
  }
};
const cut = (line: string) => vocabulary.cut(line).map(word).join(' ');
const split = (words: string) => words.split(', ');

describe('a word', () => {
  test.each(
    split(
      'id, uid, pid, player, ид, айди, айдишник, игрок, player id, game id, character id, игровой id, айди игрока',
    ),
  )('%s names a player', (text) => expect(cut(`${text} 5170925570`)).toBe('id 5170925570'));
  test.each(
    split(
      'pcs, pc, pieces, piece, times, codes, code, шт, штук, штуки, штука, раза, раз, кода, кодов, коды, код',
    ),
  )('%s counts', (text) => expect(cut(`2 ${text}`)).toBe('2 pieces'));
  test.each(split('x, х, ×, ✕, ✖, *, qty, quantity, кол-во, количество'))(
    '%s is followed by a count',
    (text) => expect(cut(`${text} 2`)).toBe('times 2'),
  );
  test.each([
    ['+79161234567', '"+79161234567"'],
    ['60 +79161234567', '60 "+79161234567"'],
    ['5170925570+79161234567', '5170925570 "+79161234567"'],
  ])('%s: a phone number is no number, also where it stands behind one', (line, words) =>
    expect(cut(line)).toBe(words),
  );
  test.each(split('of, по'))('%s is followed by what is counted', (text) =>
    expect(cut(`2 ${text} 60`)).toBe('2 each 60'),
  );
  test.each(
    split(
      'and, и, плюс, plus, amount, denomination, denom, pack, package, номинал, пакет, пак, +, -, :, ;, —, /, |, ., (, №, #',
    ),
  )('%s stands between', (text) => expect(cut(`${text} 60`)).toBe(', 60'));
  test.each(split('uc, юс, юси, уц, diamonds, diamond, алмазов'))('%s is a unit', (text) =>
    expect(cut(`60 ${text}`)).toMatch(/^60 unit\((60 325 660 1800)?\)$/),
  );
  test.each([
    ['two', 2],
    ['three', 3],
    ['four', 4],
    ['five', 5],
    ['два', 2],
    ['две', 2],
    ['три', 3],
    ['четыре', 4],
    ['пять', 5],
  ])('%s is %i before a word that counts', (text, count) => {
    expect(vocabulary.cut(`${text} по 60`)[0]).toMatchObject({ kind: 'number', value: count });
  });
  test.each([
    ['player77', '"player77"'],
    ['+79161234567', '"+79161234567"'],
    ['66o', '"66o"'],
    ['60s', '"60s"'],
    ['x-1', '"x-1"'],
    ['1.8k', '=1800'],
    ['1,8к', '=1800'],
    ['1.8 тыс', '=1800'],
    ['1 800', '=1800'],
    ["1'800", '=1800'],
    ['660uc', '660 unit(60 325 660 1800)'],
    ['six', '"six"'],
  ])('%s is %s', (text, read) => expect(cut(text)).toBe(read));
});

describe('beside a number', () => {
  const wants = (text: string) => findPlayers(text, vocabulary).players[0]?.items;
  const ordered = [{ denomination: 660, count: 1 }];

  test('nothing gives it another sense', () => expect(wants('5170925570 660')).toEqual(ordered));

  test.each(split('₽, $, €, £, ₸, руб, р, usd, rub, eur, тг, тенге, kzt, сум, uzs, грн, uah, try, tl, usdt'))(
    '%s makes it a price',
    (money) => {
      expect(wants(`5170925570 660 ${money}`)).toEqual([]);
    },
  );
  test.each(
    split(
      'мин, минут, минуты, час, часов, сек, секунд, дн, дней, день, лет, год, года, балл, баллов, очк, очков, место, уров, уровень, лвл, min, mins, minute, minutes, hour, hours, sec, secs, second, seconds, day, days, year, years, point, points, fps, lvl, level, place, th',
    ),
  )('%s behind it counts something else', (unit) => {
    expect(wants(`5170925570 660 ${unit}`)).toEqual([]);
  });
  test.each(
    split(
      'have, has, had, got, received, gone, done, left, есть, было, получил, пришло, ушло, ушли, ушел, осталось, sent, delivered, готово, сделано, отправил, отправлено',
    ),
  )('%s says that it is there', (there) => {
    expect(wants(`5170925570 660 uc ${there}`)).toEqual([]);
  });
  test.each(
    split(
      'order, invoice, receipt, ticket, заказ, заказа, счет, счёт, чек, за, цена, price, paid, оплата, перевел, cost, сумма, total, итого, всего, level, lvl, уровень, лвл, server, сервер, region, регион, zone, зона, rank, ранг, top, топ, дом, скидка, остаток, баланс, balance, age, возраст, card, карта, nick',
    ),
  )('%s before it is of something else', (label) => {
    expect(wants(`${label} 660 5170925570`)).toEqual([]);
    expect(wants(`${label}: 660 5170925570`)).toEqual([]);
  });
  test.each(
    split(
      'for, to, на, для, pls, plz, please, плиз, пж, пожалуйста, thx, thanks, спс, спасибо, срочно, asap, same, ему, ей, мне, him, her, me, !',
    ),
  )('%s behind it changes nothing', (following) => {
    expect(wants(`5170925570\n660 ${following}`)).toEqual(ordered);
  });
  test('a word that nobody knows leaves nothing', () =>
    expect(wants('5170925570\n660 anything')).toEqual([]));
  test.each(['50%', '12.11', '12/11/2026', '10:30', '$60', '60₽', 'nick Bob', 'имя: Bob60'])(
    '%s is no amount, and takes none away',
    (other) => expect(wants(`${other}\n5170925570\n660`)).toEqual(ordered),
  );
});

describe('a message', () => {
  test.each(
    split(
      "не, not, don't, didn’t, or, или, либо, instead, вместо, кроме, except, отмена, cancel, cancelled, ошибка, wrong, refund, возврат, верните, вернуть, передумал, changed my mind, no wait, wait no, нет стой, нет, подожди, already sent, already done, уже отправил, уже пришло, уже получил, уже скинул, no, без 60, 60 uc нет, iptal, yanlış, iade, cancelar, devuelve, não, estorno, batal, jangan, إلغاء, 不要, 取消, 退款",
    ).filter((text) => text !== 'нет' && text !== 'подожди'),
  )('with “%s” may not be meant', (text) => expect(isDoubtful(`5170925570 ${text}`, vocabulary)).toBe(true));

  test.each(
    split(
      'нет, sorry, сори, извините, oops, упс, ой, wait, стой, погоди, подожди, actually, rather, better, i mean, correction, change, changed, точнее, вернее, лучше, поправка, измени, смени, поменяй',
    ),
  )('with “%s” between two amounts or players may stand for the second alone', (text) => {
    expect(isDoubtful(`5170925570 60 ${text} 325`, vocabulary)).toBe(true);
    expect(isDoubtful(`5170925570 ${text} 5170925571`, vocabulary)).toBe(true);
    expect(isDoubtful(`${text} 5170925570 325`, vocabulary)).toBe(false);
  });
  test.each([
    '60/325',
    '60-325',
    '660 (325',
    '60 uc / 325',
    '60|325',
    '60 → 325',
    '60=325',
    '60:325',
    '60 -> 325',
    '60 => 325',
    '60 ➡️ 325',
  ])('%s is a choice', (text) => expect(isDoubtful(text, vocabulary)).toBe(true));
  test.each(['60 325', '60/77', '60+325', '5170925570 60', 'note 60', 'шинор'])('%s is none', (text) =>
    expect(isDoubtful(text, vocabulary)).toBe(false),
  );

  test.each(
    split(
      'again, same, the same, same again, the same again, same one, same one again, once again, once more, one more, one more time, repeat, repeat it, repeat that, repeat last, repeat last one, repeat the last one, еще, ещё раз, еще один, еще одну, еще такой же, еще такую же, то же, тоже самое, то же самое, то же самое еще раз, такой же, такую же, снова, опять, повтор, повтори, повторить, повторите, повтори последний, повтори последнюю, давай еще раз, ему же еще, ему же еще раз',
    ),
  )('“%s” asks for the same once more', (text) => {
    expect([
      asksAgain(text),
      asksAgain(`${text.toUpperCase()}, пожалуйста!`),
      asksAgain(`please ${text}`),
    ]).toEqual([true, true, true]);
    expect(asksAgain(`${text} word`)).toBe(false);
  });
  test('that is longer than 48 characters asks for nothing once more', () => {
    expect([asksAgain('again'.padEnd(48)), asksAgain('again'.padEnd(49)), asksAgain('')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
