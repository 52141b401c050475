// What could be a player ID or a code in a text of any kind: a customer's sentence, a forwarded list, a supplier's message.
// Nothing here is an order: a person is asked about each.
import type { Game } from '../games.ts';
import { readCode } from '../written-codes.ts';
import { countCodes, MOST_CODES, readItems, type OrderItem } from './items.ts';
import type { OrderVocabulary, OrderWord } from './words.ts';

/** A number of a text that could be a player. */
export interface FoundNumber {
  digits: string;
  /** The text calls it an ID. */
  isNamed: boolean;
  /** What the text wants for it, as far as that is certain. */
  items: OrderItem[];
}

const LINKS = /\b(?:https?:\/\/|www\.|t\.me\/|tg:\/\/)\S+|\S+@\S+\.\S+|(?<!\S)@\w+/giu;
const PHONES = /\+\s?\d[\d ()-]{7,}\d/g;
const PRICE = /^\s?(?:₽|\$|€|£|₸|руб|р(?![\p{L}\d])|usd|rub|eur|тг|тенге|kzt|сум|uzs|грн|uah|try|tl|usdt)/iu;
const NAMED =
  /(?:player|uid|pid|id|айди|айдишник|ид|игрок\p{L}?)[ \t]*(?:id|айди)?[ \t]*[:=#№.\-–—]*[ \t]*$/iu;
/** `order 1234567`, `заказ № 1234567`: a number of somebody's books. */
const BOOKED =
  /(?:order|invoice|receipt|заказ\p{L}*|сч[её]т\p{L}*|чек\p{L}*|накладн\p{L}*)[ \t]*(?:no|n|номер|id)?[ \t]*[.:#№-]*[ \t]*$/iu;
const LONGEST_ID = 20;

/** What links, addresses and phone numbers are made of is no number of a player. */
export function dropNoise(text: string): string {
  return text.replace(LINKS, ' ').replace(PHONES, ' ');
}

/** Numbers of 5 to 20 digits that stand by themselves, each once, those that are called an ID first. */
export function findNumbers(text: string, vocabulary: OrderVocabulary): FoundNumber[] {
  const found = new Map<string, FoundNumber>();
  for (const line of text.split('\n')) {
    const numbers = numbersOf(line);
    const named = numbers.filter(({ isNamed }) => isNamed);
    for (const number of numbers) {
      const { digits, isNamed, end } = number;
      const before = found.get(digits);
      // Beside other players an amount could be anybody's.
      const isIts = numbers.length === 1 || (isNamed && named.length === 1);
      const items = isIts ? readBehind(line.slice(end), vocabulary) : [];
      found.set(digits, {
        digits,
        isNamed: isNamed || before?.isNamed === true,
        items: before && before.items.length > 0 ? before.items : items,
      });
    }
  }
  const all = withoutBooked([...found.values()], text);
  const named = all.filter(({ isNamed }) => isNamed);
  const only = all.length === 1 ? all[0] : named.length === 1 ? named[0] : undefined;
  if (only) {
    const anywhere = readAnywhere(text, vocabulary);
    if (countCodes(anywhere) > countCodes(only.items)) only.items = anywhere;
  } else if (all.every(({ items }) => items.length === 0)) {
    // `60 UC each`: one amount for whichever it is.
    const anywhere = readAnywhere(text, vocabulary);
    if (anywhere.length === 1) for (const each of all) each.items = anywhere;
  }
  return [...named, ...all.filter(({ isNamed }) => !isNamed)];
}

/** The number of an order is a player only where nothing else could be one. */
function withoutBooked(all: FoundNumber[], text: string): FoundNumber[] {
  const isBooked = ({ digits, isNamed }: FoundNumber) =>
    !isNamed && BOOKED.test(text.slice(0, text.indexOf(digits)).slice(-24));
  const others = all.filter((number) => !isBooked(number));
  return others.length > 0 ? others : all;
}

function numbersOf(line: string): { digits: string; isNamed: boolean; end: number }[] {
  const joined = readJoined(line);
  if (joined !== undefined) return [{ digits: joined, isNamed: false, end: line.length }];
  return [...line.matchAll(/\d+/g)].flatMap(({ 0: digits, index }) => {
    const before = line.slice(Math.max(0, index - 24), index);
    const after = line.slice(index + digits.length);
    const isNamed = NAMED.test(before) && !/[\p{L}\d](?:id|ид)$/iu.test(before);
    if (digits.length < 5 || digits.length > LONGEST_ID) return [];
    if (!isNamed && /(?:\p{L}|[\d)][./_\-:]|\p{L}[/_-]|[$€₽£]\s?|_)$/u.test(before)) return [];
    if (/^(?:\p{L}|[./_:]\d|-\d{1,3}-)/u.test(after) && !/^(?:id|ид)(?!\p{L})/iu.test(after)) return [];
    if (!isNamed && PRICE.test(after)) return [];
    return [{ digits, isNamed, end: index + digits.length }];
  });
}

/** `5170 925 570`: an ID in groups, where the line is nothing else. */
function readJoined(line: string): string | undefined {
  if (!/^\s*\d{1,4}(?:[ -]\d{2,4})+\s*$/.test(line)) return undefined;
  const digits = line.replace(/\D/g, '');
  return digits.length >= 8 && digits.length <= 11 ? digits : undefined;
}

/** What stands right behind an ID, up to the first word that is not understood. */
function readBehind(rest: string, vocabulary: OrderVocabulary): OrderItem[] {
  const words = vocabulary.cut(rest.toLowerCase());
  const until = words.findIndex(({ kind }) => kind === 'other' || kind === 'id');
  const known = until === -1 ? words : words.slice(0, until);
  const stop = words[until];
  // `660 руб` is a price.
  if (stop?.kind === 'other' && PRICE.test(stop.text)) return [];
  return bounded(readItems(known, vocabulary));
}

/** Amounts with their unit, `60 UC`, `2x60uc`, `60 юс x2`, `UC: 60`, wherever they stand. */
function readAnywhere(text: string, vocabulary: OrderVocabulary): OrderItem[] {
  const lines = text.toLowerCase().split('\n');
  const items = lines.flatMap((line) => {
    const words = vocabulary.cut(line);
    return words.flatMap((word, at) => (word.kind === 'unit' ? readAround(words, at, vocabulary) : []));
  });
  return bounded(items);
}

function readAround(words: readonly OrderWord[], unitAt: number, vocabulary: OrderVocabulary): OrderItem[] {
  const isIts = (each: OrderWord) => belongsToAmount(each, vocabulary);
  const endOf = (from: number) => {
    const length = words.slice(from).findIndex((each) => !isIts(each));
    return length === -1 ? words.length : from + length;
  };
  const start = words.slice(0, unitAt).findLastIndex((each) => !isIts(each)) + 1;
  if (start === unitAt) {
    const from = words[unitAt + 1]?.kind === 'joint' ? unitAt + 2 : unitAt + 1;
    // The number behind has a unit of its own: `uc: 60 uc`.
    if (words[endOf(from)]?.kind === 'unit') return [];
    return readItems(words.slice(unitAt, endOf(from)), vocabulary) ?? [];
  }
  const around = words.slice(start, endOf(unitAt + 1));
  return readItems(around, vocabulary) ?? readItems(words.slice(start, unitAt + 1), vocabulary) ?? [];
}

/** Whether it may stand in `2 x 60 UC 3 pcs`; a longer number is a player, or nothing of an order. */
function belongsToAmount(word: OrderWord, { isDenomination }: OrderVocabulary): boolean {
  if (word.kind === 'number') return word.digits.length < 5 || isDenomination(word.value);
  return word.kind === 'times' || word.kind === 'pieces' || word.kind === 'each';
}

function bounded(items: OrderItem[] | undefined): OrderItem[] {
  return items && countCodes(items) <= MOST_CODES ? items : [];
}

/** Words that have the form of a code of some game, with a letter and a digit in them; also in groups with dashes. */
export function findCodes(text: string, games: readonly Game[]): string[] {
  const isCode = (word: string) => games.some(({ codePattern }) => codePattern.test(word));
  return text
    .split(/[\s,;|:"'`()<>[\]«»]+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .flatMap((word) => {
      if (!/\d/.test(word) || /^(?:id|uid|pid|player)?\d{5,20}(?:id)?$/i.test(word)) return [];
      const code = readCode(word, isCode);
      return code !== undefined && (/\p{L}/u.test(code) || code.length > LONGEST_ID) ? [code] : [];
    });
}
