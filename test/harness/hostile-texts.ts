// Texts of full length made to keep a reader busy: pieces repeated, with something before, between and behind them on
// which a pattern that went far must turn back. The same seed is the same texts.
import fc from 'fast-check';

/** Of a message of Telegram, in characters. */
export const LONGEST_MESSAGE = 4_096;

/** What is known to have kept some pattern busy somewhere, and whatever is like it. */
const KNOWN: readonly string[] = [
  ...[
    '0@',
    '1@@@',
    '@',
    'a@',
    '@a.',
    'a.',
    '.',
    '1.',
    '1,',
    '1/',
    '1:',
    '1-',
    '-',
    '—',
    '=',
    '?',
    '?a=',
    '&',
  ],
  ...[
    '(',
    ')',
    '+',
    '+1',
    '+1 (',
    '+ ',
    '+ 1 ',
    '#',
    '№',
    '# ',
    '*',
    '* ',
    '/',
    '\\',
    '_',
    '~',
    '…',
    '!',
    '%',
  ],
  ...['"', '«', '“', '"a', '«a ', '<', '<b', '>', '&lt;', '[', '{', '{ $x }', '$', '1₽', '1 $', '0.0'],
  ...[' ', '\t', '\n', ' \n', '\r\n', '\u00a0', '\u2028', 'a ', '1 ', '1\n', 'a\n', '1) ', '1. 60\n'],
  ...['0', '60', '1 234 ', '123 ', '12345 ', '1234-', '60/325 ', '60 x2 ', '5170925570 ', '5170925570 60\n'],
  ...['a', 'A', 'я', 'AB1', 'AB12CD34EF56 ', 'AB12-', 'A1', 'a1-', '1a', 'x', 'х2', 'k', '1k', '60s', '60uc'],
  ...[
    'не ',
    'no ',
    'no 1 ',
    'or ',
    'id',
    'id ',
    'id: ',
    'player ',
    'player',
    'заказ',
    'заказ ',
    'order ',
    'ник ',
  ],
  ...[
    'тел ',
    'game 2 ',
    'вчера ',
    '21 ноя ',
    '21.11 ',
    '21.11.',
    'key ',
    'receipt_',
    'crs_',
    'UTC+3 ',
    'a/b',
  ],
  ...[
    'http://',
    'https://a',
    'www.',
    't.me/',
    'Bearer ',
    '123456:',
    ';charset',
    ' at a:1',
    '🎮',
    '👩‍👩‍👧 ',
    '\u202e',
  ],
  ...[
    '\u200b',
    '\u0301',
    'e\u0301',
    'ß',
    'ﷺ',
    '０',
    '٣',
    '\ud800',
    '\0',
    '60 UC:',
    'UC ',
    '2 шт ',
    ', ',
    ' + ',
  ],
];

/** On which a pattern that took all of it must turn back. */
const TURNS: readonly string[] = ['', '!', 'a', '1', ' ', '\n', '@', 'я', '.', '"'];

/** At full length: pieces again and again, between what stands before and behind. */
export function repeat(unit: string, behind = '', before = '', length = LONGEST_MESSAGE): string {
  const room = Math.max(0, length - before.length - behind.length);
  return before + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + behind;
}

/** Every known piece, bare and with whatever turns a pattern back behind it; in brief with one of these, in turn. */
export function knownTexts({ brief = false } = {}): string[] {
  return KNOWN.flatMap((unit, index) =>
    TURNS.filter((_, turn) => !brief || turn === index % TURNS.length).map((turn) => repeat(unit, turn)),
  );
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 1, arbitrary: fc.constantFrom(...TURNS.slice(1)) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }) },
);
const unit = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const beside = fc.array(piece, { maxLength: 2 }).map((pieces) => pieces.join(''));

/** One run of pieces, or two side by side, which a pattern may share out between them in many ways. */
const text = fc
  .record({ first: unit, second: fc.option(unit), before: beside, behind: beside })
  .map(({ first, second, before, behind }) =>
    second === null
      ? repeat(first, behind, before)
      : repeat(first, '', before, LONGEST_MESSAGE / 2) + repeat(second, behind, '', LONGEST_MESSAGE / 2),
  );

/** So many, drawn from a small grammar by the seed. */
export const drawnTexts = (seed: number, count: number): string[] =>
  fc.sample(text, { seed, numRuns: count });

/** As a test tells of it. */
export function describeText(hostile: string): string {
  return `${JSON.stringify(hostile.slice(0, 24))}…${JSON.stringify(hostile.slice(-8))}`;
}
