// The people of the sandbox are the same after every restart, and whatever keeps a receipt of one relies on it: written
// out.
import { expect, test } from 'vitest';

import { accountOf, describePlayer, sessionOf } from './people.ts';

test('a player is the same for ever, and another in another game', () => {
  const told = ['5124780131', '5124780132', '5124780140'].map((id) => describePlayer('game_id_1', id));
  expect(told).toEqual([
    { openid: '11406375695823890278', name: 'AmberBadger117', region: 'SA' },
    { openid: '13870450295129800490', name: 'SwiftComet57', region: 'SA' },
    {
      openid: '15219269996289757470',
      name: 'LongestNameThatThePlatformAllowsWhichIsSixtyCharacters_0123x',
      region: 'DE',
    },
  ]);
  const names = Array.from({ length: 7 }, (_, n) => describePlayer('game_id_1', String(5124780131 + n)).name);
  expect(names.slice(2)).toEqual([
    'QuietPixel90',
    'LuckyPixel95',
    'VelvetPixel230',
    'IronHarbor211',
    'VelvetFalcon162',
  ]);
  expect(describePlayer('game_id_2', '5124780131').openid).not.toBe(told[0]!.openid);
});

test('a third of the names is awkward, an eighth of the players has no region', () => {
  const crowd = Array.from({ length: 40 }, (_, n) => describePlayer('game_id_1', String(5124780131 + n)));
  const awkward = crowd.filter(({ name }) => !/^[A-Z][a-z]+[A-Z][a-z]+\d+$/.test(name));
  expect([awkward.length, crowd.filter(({ region }) => region === undefined).length]).toEqual([11, 4]);
});

test('the awkward names: markup, two directions, emoji, a long one, letters without width, a formula', () => {
  const crowd = Array.from(
    { length: 100 },
    (_, n) => describePlayer('game_id_1', String(5124780131 + n)).name,
  );
  expect(new Set(crowd.filter((name) => !/^[A-Z][a-z]+[A-Z][a-z]+\d+$/.test(name)))).toEqual(
    new Set([
      '<b>Bob</b> & *co*_[x](y)',
      '\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627',
      '\u{1F469}\u{1F3FD}\u200D\u{1F680}\u{1F3F3}\uFE0F\u200D\u{1F308} Nova',
      'LongestNameThatThePlatformAllowsWhichIsSixtyCharacters_0123x',
      'Zero\u200bWidth\u2060Joined',
      '=HYPERLINK("http://example.invalid","free")',
    ]),
  );
});

test('an account and a session are those of their order', () => {
  const order = { reference: 'ref-1', gameId: 'game_id_1', code: '60SABCDEFGH12345', playerId: '5124780131' };
  const account = {
    uid: '19536529538457510861',
    email: 'topup.84588f16a9@accounts.invalid',
    password: 'UiA892yZFDXp3z',
  };
  expect(accountOf(order)).toEqual(account);
  const { email, password = '', ...rest } = sessionOf(order);
  expect([email, password.length, password.slice(0, 12), rest]).toEqual([
    '18378902371549840277',
    300,
    '1hx6amzgnUR-',
    {},
  ]);
  expect(accountOf({ ...order, reference: 'ref-2' })).not.toEqual(account);
  expect(accountOf({ ...order, code: '60SABCDEFGH12346' })).not.toEqual(account);
});
