// The words of an order: a line cut into numbers, units, signs of count, and what is between them. Knows single words
// only, not what they make together.
import { currencyPattern } from '../currencies.ts';
import { foldWritten } from '../folding.ts';
import { gameNamePattern } from '../games.ts';
import type { Game } from '../games.ts';

type Sense =
  /** `digits` as written; `value` where it was written as an amount (`1.8k`, `1 800`). */
  | { kind: 'number'; digits: string; value: number }
  /** A unit of the games: `UC`, `юс`; with what is sold in it from a code database, which is nothing for many. */
  | { kind: 'unit'; denominations: ReadonlySet<number> }
  /** `id`: `айди`, `player`; `times`: `x`, `qty`, a count follows; `pieces`: `pcs`, `шт`, the number beside it counts. */
  | { kind: 'id' | 'times' | 'pieces' }
  /** `each`: `of`, `по`, the number before it is a count; `joint`: a comma, a dash, `and`, `amount`. */
  | { kind: 'each' | 'joint' }
  /** Anything else. */
  | { kind: 'other' };

/** `text`: as it was written, with the blanks before it. */
export type OrderWord = Sense & { text: string };

/** What the games call things, for reading orders. */
export interface OrderVocabulary {
  isDenomination(value: number): boolean;
  /** A text names a game that nothing can be ordered of by its amount alone. */
  namesAnotherGame(text: string): boolean;
  /** The words of one line, in lower case, or of a part of it. */
  cut(line: string): OrderWord[];
}

/** No letter goes on behind the word but the sign of a count: `ucx2`. */
const wordPattern = (words: string, behind = '') => String.raw`(?:${words})(?!(?![xх]\d)\p{L})\.?${behind}`;

/** In this order; `Player77` is a name, `x-1` no count, `+79161234567` a phone number. */
const WORDS: readonly [kind: 'id' | 'times' | 'pieces' | 'each' | 'joint', pattern: string][] = [
  [
    'id',
    wordPattern(
      '(?:player|game|character|игровой|игрока)[ \\t]*(?:id|айди|ид)|(?:id|айди|ид)[ \\t]+игрока|айдишник|айди|ид|id|uid|pid|player|игрок',
      String.raw`(?!\d{1,4}(?!\d))`,
    ),
  ],
  [
    'pieces',
    wordPattern('pcs|pc|pieces|piece|times|codes|code|шт|штук|штуки|штука|раза|раз|кода|кодов|коды|код'),
  ],
  ['times', wordPattern('qty|quantity|кол-во|количество')],
  ['each', wordPattern('of|по')],
  ['times', String.raw`[xх×✕✖*](?!\p{L}|-\d)`],
  ['joint', '(?:(?!\\+\\d{9})[+,;:&/|=.\\-–—#№()\\[\\]<>"\'`«»“”_~!→➡•·▪►▶])+'],
  ['joint', wordPattern('and|и|плюс|plus|amount|denomination|denom|pack|package|номинал|пакет|пак')],
];
/** Small counts in words: `два по 60`. */
const COUNTS = new Map(
  Object.entries({ two: 2, three: 3, four: 4, five: 5, два: 2, две: 2, три: 3, четыре: 4, пять: 5 }),
);
const COUNT_WORD = new RegExp(`^(?:${[...COUNTS.keys()].join('|')})(?!\\p{L})`, 'u');
/** What is no letter and no digit is a word of its own: `✅5170925570`. */
const OTHER = /^(?:\+\d\S*|[^\p{L}\p{N}\s]+|\S+)/u;
/** A phone number is no player: `+79161234567`. */
const PHONE = /^\+\d{9,}/;
const THOUSANDS = /^\d{1,3}(?:[ .,'\u00a0]\d{3}){1,4}(?!\d)/;
const KILO = /^(\d{1,3}(?:[.,]\d{1,3})?)[ \t]?(?:k|к|тыс)(?![\p{L}\d])/u;

interface Read {
  sense: Sense;
  /** In characters. */
  length: number;
}

type Catalogue = { managed: readonly Game[]; all: readonly Game[] };

const vocabularies = new WeakMap<Catalogue, OrderVocabulary>();

/** That of a catalogue, made once. */
export function findOrderVocabulary(games: Catalogue): OrderVocabulary {
  const known = vocabularies.get(games) ?? createOrderVocabulary(games);
  vocabularies.set(games, known);
  return known;
}

export function createOrderVocabulary(games: Catalogue): OrderVocabulary {
  const { all, managed } = games;
  const sold = new Set(managed.flatMap((game) => game.denominations));
  const isDenomination = (value: number) => sold.has(value);
  const others = gameNamePattern(all.filter((game) => !managed.includes(game)));
  const units = all.map(({ currency }): [sense: Sense, pattern: string] => {
    const sellers = managed.filter((game) => game.currency === currency);
    const denominations = new Set(sellers.flatMap((game) => game.denominations));
    return [{ kind: 'unit', denominations }, wordPattern(currencyPattern(currency))];
  });
  const known = [...units, ...WORDS.map(([kind, pattern]): [Sense, string] => [{ kind }, pattern])];
  // The first that fits, in one pass: a message of nothing but signs is thousands of them.
  const anyKnown = new RegExp(`^(?:${known.map(([, pattern]) => `(${pattern})`).join('|')})`, 'u');

  function read(line: string, at: number): Read {
    const rest = line.slice(at);
    if (PHONE.test(rest) && !/[\p{L}\d]/u.test(line.charAt(at - 1))) return readOther(rest);
    const number = readNumber(rest, isDenomination);
    if (number) {
      // `66O`, `60s`, `325ABCD`: no number ends where another letter begins.
      const isGlued =
        /^\p{L}/u.test(rest.slice(number.length, number.length + 2)) &&
        read(line, at + number.length).sense.kind === 'other';
      return isGlued ? readOther(rest) : number;
    }
    const [text = '', ...which] = anyKnown.exec(rest) ?? [];
    const [sense] = known[which.findIndex((each) => each !== undefined)] ?? [];
    return sense ? { sense, length: text.length } : readOther(rest);
  }

  return {
    isDenomination,
    namesAnotherGame: (text) => others?.test(text) === true,
    cut(line) {
      const words: OrderWord[] = [];
      for (let at = 0; at < line.length;) {
        let from = at;
        while (/\s/.test(line.charAt(from))) from += 1;
        if (from === line.length) break;
        const { sense, length } = read(line, from);
        const end = from + length;
        words.push({ ...sense, text: line.slice(at, end) });
        at = end;
      }
      return words;
    },
  };
}

const readOther = (rest: string): Read => ({
  sense: { kind: 'other' },
  length: OTHER.exec(rest)?.[0].length ?? 1,
});

function readNumber(rest: string, isDenomination: (value: number) => boolean): Read | undefined {
  const number = (digits: string, value: number, { length }: string): Read => ({
    sense: { kind: 'number', digits, value },
    length,
  });
  const [digits] = /^\d+/.exec(rest) ?? [];
  if (digits === undefined) {
    const [counted = ''] = COUNT_WORD.exec(rest) ?? [];
    return counted === '' ? undefined : number('', COUNTS.get(counted) ?? 0, counted);
  }
  if (digits.length > 3) return number(digits, Number(digits), digits);
  const [kilo = '', thousands = ''] = KILO.exec(rest) ?? [];
  const [grouped = ''] = THOUSANDS.exec(rest) ?? [];
  const amounts = [
    { text: kilo, value: Math.round(Number(thousands.replace(',', '.')) * 1000) },
    { text: grouped, value: Number(grouped.replace(/\D/g, '')) },
  ];
  const amount = amounts.find(({ text, value }) => text !== '' && isDenomination(value));
  return amount ? number('', amount.value, amount.text) : number(digits, Number(digits), digits);
}

/** As it is read: folded, every blank a blank. */
export const normalise = (text: string): string =>
  foldWritten(text)
    .replace(/[^\S\r\n]/g, ' ')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
