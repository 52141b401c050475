// The words of an order: a line cut into numbers, units, signs of count, and what is between them. Knows single words
// only, not what they make together.
import { currencyPattern } from '../currencies.ts';
import { foldWritten } from '../folding.ts';
import { gameNamePattern } from '../games.ts';
import type { Game } from '../games.ts';

export type OrderWord =
  /** `digits` as written; `value` where it was written as an amount (`1.8k`, `1 800`). */
  | { kind: 'number'; digits: string; value: number }
  /** A unit of the games: `UC`, `юс`; with what is sold in it from a code database, which is nothing for many. */
  | { kind: 'unit'; denominations: ReadonlySet<number> }
  /** `id`, `айди`, `player`. */
  | { kind: 'id' }
  /** `x`, `×`, `qty`: a count follows. */
  | { kind: 'times' }
  /** `pcs`, `шт`, `codes`: the number beside it is a count. */
  | { kind: 'pieces' }
  /** `of`, `по`: the number before it is a count. */
  | { kind: 'each' }
  /** What separates: a comma, a dash, `amount`. `adds`: what is on both sides of it is wanted: `+`, `and`. */
  | { kind: 'joint'; adds: boolean }
  /** Anything else, up to the next blank. */
  | { kind: 'other'; text: string };

/** What the games call things, for reading orders. */
export interface OrderVocabulary {
  isDenomination(value: number): boolean;
  /** A text names a game that nothing can be ordered of by its amount alone. */
  namesAnotherGame(text: string): boolean;
  /** The words of one line, or of a part of it. */
  cut(line: string): OrderWord[];
}

const ID_WORDS =
  '(?:player|game|character|игровой|игрока)[ \\t]*(?:id|айди|ид)|(?:id|айди|ид)[ \\t]+игрока|айдишник|айди|ид|id|uid|pid|player|игрок';
const PIECE_WORDS = 'pcs|pc|pieces|piece|times|codes|code|шт|штук|штуки|штука|раза|раз|кода|кодов|коды|код';
const EACH_WORDS = 'of|по';
const ADDING_WORDS = 'and|и|плюс|plus';
const JOINT_WORDS = 'amount|denomination|denom|pack|package|номинал|пакет|пак';
/** Small counts in words: `два по 60`. */
const COUNTS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  два: 2,
  две: 2,
  три: 3,
  четыре: 4,
  пять: 5,
};
const COUNT_WORD = new RegExp(`^(?:${Object.keys(COUNTS).join('|')})(?!\\p{L})`, 'u');
const COUNT_WORDS = 'qty|quantity|кол-во|количество';

/** A phone number is no player: `+79161234567`. */
const PHONE = /^\+\d{9,}/;
const THOUSANDS = /^\d{1,3}(?:[ .,'\u00a0]\d{3}){1,4}(?!\d)/;
const KILO = /^(\d{1,3}(?:[.,]\d{1,3})?)[ \t]?(?:k|к|тыс)(?![\p{L}\d])/u;
/** `x-1` is none. */
const TIMES = /^[xх×✕✖*](?!\p{L}|-\d)/u;
const JOINTS = /^(?:(?!\+\d{9})[+,;:&/|=.\-–—#№()[\]<>"'`«»“”_~!→➡•·▪►▶])+/;

/** A word, and how many characters it takes. */
interface Read {
  word: OrderWord;
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
  const all = new Set(games.managed.flatMap((game) => game.denominations));
  const isDenomination = (value: number) => all.has(value);
  const units = findUnits(games);
  const others = gameNamePattern(games.all.filter((game) => !games.managed.includes(game)));
  const patterns = {
    id: wordPattern(ID_WORDS),
    pieces: wordPattern(PIECE_WORDS),
    times: wordPattern(COUNT_WORDS),
    each: wordPattern(EACH_WORDS),
    adding: wordPattern(ADDING_WORDS),
    joint: wordPattern(JOINT_WORDS),
  };

  /** `known`: by place, since what stands behind a number is looked at twice. */
  const next = (line: string, at: number, known: Read[]): Read => (known[at] ??= read(line, at, known));

  function read(line: string, at: number, known: Read[]): Read {
    const rest = line.slice(at);
    if (PHONE.test(rest) && !/[\p{L}\d]/u.test(line.charAt(at - 1))) return readOther(rest);
    const number = readNumber(rest, isDenomination);
    // `66O`, `60s`, `325ABCD`: no number ends where another letter begins.
    const isGlued = (end: number) =>
      /^\p{L}/u.test(line.slice(end, end + 2)) && next(line, end, known).word.kind === 'other';
    if (number) return isGlued(at + number.length) ? readOther(rest) : number;
    const lengthOf = (pattern: RegExp) => pattern.exec(rest)?.[0].length ?? 0;
    for (const { pattern, denominations } of units) {
      const length = lengthOf(pattern);
      if (length > 0) return { word: { kind: 'unit', denominations }, length };
    }
    for (const kind of ['id', 'pieces', 'times', 'each'] as const) {
      const length = lengthOf(patterns[kind]);
      // `Player77` is a name.
      if (kind === 'id' && /^\d{1,4}(?!\d)/.test(rest.slice(length))) continue;
      if (length > 0) return { word: { kind }, length };
    }
    if (TIMES.test(rest)) return { word: { kind: 'times' }, length: 1 };
    const length = lengthOf(JOINTS);
    const added = lengthOf(patterns.adding);
    const adds = added > 0 || rest.slice(0, length).includes('+');
    const joined = Math.max(length, added, lengthOf(patterns.joint));
    return joined > 0 ? { word: { kind: 'joint', adds }, length: joined } : readOther(rest);
  }

  return {
    isDenomination,
    namesAnotherGame: (text) => others?.test(text) === true,
    cut(line) {
      const words: OrderWord[] = [];
      const known: Read[] = [];
      for (let at = 0; at < line.length;) {
        if (/\s/.test(line.charAt(at))) {
          at += 1;
          continue;
        }
        const { word, length } = next(line, at, known);
        words.push(word);
        at += length;
      }
      return words;
    },
  };
}

function findUnits({ all, managed }: Catalogue): { pattern: RegExp; denominations: ReadonlySet<number> }[] {
  return all.map(({ currency }) => ({
    pattern: wordPattern(currencyPattern(currency)),
    denominations: new Set(
      managed.filter((game) => game.currency === currency).flatMap((game) => game.denominations),
    ),
  }));
}

function readNumber(rest: string, isDenomination: (value: number) => boolean): Read | undefined {
  const amount = (text: string, value: number) =>
    isDenomination(value)
      ? { word: { kind: 'number' as const, digits: '', value }, length: text.length }
      : undefined;
  if (!/^\d/.test(rest)) return readCountWord(rest);
  const [kilo, thousands] = KILO.exec(rest) ?? [];
  const inThousands =
    kilo !== undefined && amount(kilo, Math.round(Number(thousands?.replace(',', '.')) * 1000));
  if (inThousands) return inThousands;
  const grouped = THOUSANDS.exec(rest)?.[0];
  const inGroups = grouped !== undefined && amount(grouped, Number(grouped.replace(/\D/g, '')));
  if (inGroups) return inGroups;
  const digits = /^\d+/.exec(rest)?.[0] ?? '';
  return { word: { kind: 'number', digits, value: Number(digits) }, length: digits.length };
}

function readCountWord(rest: string): Read | undefined {
  const counted = COUNT_WORD.exec(rest)?.[0] ?? '';
  const value = COUNTS[counted];
  return value === undefined
    ? undefined
    : { word: { kind: 'number', digits: '', value }, length: counted.length };
}

function readOther(rest: string): Read {
  const text = /^\S+/.exec(rest)?.[0] ?? rest;
  return { word: { kind: 'other', text }, length: text.length };
}

/** The first of these words that stands here, and no letter goes on behind it but the sign of a count: `ucx2`. */
function wordPattern(words: string): RegExp {
  return new RegExp(`^(?:${words})(?!(?![xх]\\d)\\p{L})\\.?`, 'u');
}

/** As it is read: folded, every blank a blank. */
export const normalise = (text: string): string =>
  foldWritten(text)
    .replace(/[^\S\r\n]/g, ' ')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
