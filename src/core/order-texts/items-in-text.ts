// What a text of any kind wants for a player: right behind the ID, with its unit anywhere, or as a bare number that
// nothing else claims. Half of an amount is never read: where something beside it is not understood, nothing is wanted.
import { countCodes, MOST_CODES, readOrderItems, type OrderItem } from './items.ts';
import type { OrderVocabulary, OrderWord } from './words.ts';

const MONEY = '[₽$€£₸]|руб|р(?![\\p{L}\\d])|usd|rub|eur|тг|тенге|kzt|сум|uzs|грн|uah|try|tl';
const PRICE = new RegExp(`^\\s?(?:${MONEY})`, 'iu');
/** Behind a number: it counts something else. */
const OTHER_UNIT =
  /^(?:мин(?:ут\p{L}*)?|час\p{L}*|сек\p{L}*|дн\p{L}*|день|лет|год\p{L}*|балл\p{L}*|очк\p{L}*|место|уров\p{L}*|лвл|min(?:ute)?s?|hours?|sec(?:ond)?s?|days?|years?|points?|fps|lvl|level|place|th)(?!\p{L})/iu;
/** Prices, parts in a hundred, days and times: none of their numbers is an amount. */
const OTHER_SENSES = new RegExp(
  `[$€£₽₸]\\s?\\d[\\d.,]*|(?<!\\d[.,]?)\\d[\\d.,]{0,20}\\s?(?:%|${MONEY})|` +
    '(?<![\\d.,])\\d{1,2}(?:[./]\\d{1,2}(?:[./]\\d{2,4})?|:\\d{2}(?::\\d{2})?)(?![\\p{L}\\d])',
  'giu',
);
/** A name, and a number behind it may be part of it. */
const NICK = /(?<!\p{L})(?:nick(?:name)?|name|ник|имя)(?!\p{L})[ \t:=-]*[^\s,;]+/giu;
/** What is wanted is wanted for each player of the text. */
const EACH = /(?<!\p{L})(?:all|each|every|both|всем|каждому|обоим|по)(?!\p{L})/iu;
/** Before a number: what it says is no amount. */
const OTHER_LABEL =
  /(?:order|invoice|receipt|ticket|заказ\p{L}*|сч[её]т\p{L}*|чек\p{L}*|№|#|за|цен\p{L}*|price|paid|оплат\p{L}*|переве\p{L}*|cost|сумм\p{L}*|total|итого|всего|кол-?во|количество|qty|level|lvl|уров\p{L}*|лвл|server|сервер|region|регион|zone|зона|rank|ранг|top|топ|дом|скидк\p{L}*|остат\p{L}*|баланс\p{L}*|balance|age|возраст|got|had|have|has|received|получил\p{L}*|есть|был\p{L}*|code|код|card|карт\p{L}*|nick|[$€₽])[:#№.=\-–—]{0,31}$/iu;
/** Of a word, from its end. */
const LONGEST_LABEL = 32;
/** Behind a number: it is an amount all the same. */
const FOLLOWING =
  /^(?:for|to|на|для|pls|plz|please|плиз|пж|пожалуйста|thx|thanks|спс|спасибо|срочно|asap|same|ему|ей|мне|him|her|me)(?!\p{L})|^[^\p{L}\p{N}$€₽%?]/iu;

/** Beside an amount: it came already, or is there. */
const THERE =
  /^(?:have|has|had|got|received|gone|done|left|есть|было|получ\p{L}*|приш\p{L}*|уш(?:ло|ли|ел)|осталось|sent|delivered|готово|сделан\p{L}*|отправ(?:ил|лен)\p{L}*)(?!\p{L})/iu;

/** The text without prices, days and times. */
export const withoutOtherSenses = (text: string): string => text.replace(OTHER_SENSES, ' ¤ ');

/** What the text wants for every one of its players. */
export function readWantedOfEach(text: string, vocabulary: OrderVocabulary): OrderItem[] {
  const isSaid = EACH.test(text) || vocabulary.cut(text.toLowerCase()).some(({ kind }) => kind === 'unit');
  const wanted = isSaid ? readWanted(text, vocabulary) : [];
  return wanted?.length === 1 ? wanted : [];
}

/** Whether what stands behind a number makes it one. */
export const isPrice = (behind: string): boolean => PRICE.test(behind);

/**
 * What stands right behind an ID, up to the first word that is not understood; nothing where another amount stands
 * behind that.
 */
export function readBehind(rest: string, vocabulary: OrderVocabulary): OrderItem[] {
  const words = vocabulary.cut(rest.toLowerCase());
  const until = words.findIndex(({ kind }) => kind === 'other' || kind === 'id');
  const known = until === -1 ? words : words.slice(0, until);
  const stop = words[until];
  // `660 руб` is a price.
  if (stop?.kind === 'other' && [PRICE, OTHER_UNIT, THERE].some((sense) => sense.test(stop.text))) return [];
  const isOne = (word: OrderWord) => word.kind === 'number' && vocabulary.isDenomination(word.value);
  if (known.some(isOne) && words.slice(known.length).some(isOne)) return [];
  return bounded(readOrderItems(known, vocabulary));
}

/**
 * What the whole text wants: amounts with their unit wherever they stand, else the one number that can be nothing but
 * an amount; undefined where it counts something and does not tell what.
 */
export function readWanted(text: string, vocabulary: OrderVocabulary): OrderItem[] | undefined {
  const lines = withoutOtherSenses(text.toLowerCase()).replace(NICK, ' nick ').split('\n');
  const runs = lines.flatMap((line) => cutRuns(line, vocabulary));
  const named = runs.filter(({ words }) => words.some(({ kind }) => kind === 'unit') && words.some(isNumber));
  const told = named.length > 0 ? named : runs.filter((run) => isBareAmount(run, vocabulary));
  const read = told.map(({ words }) => readOrderItems(words, vocabulary) ?? readLast(words, vocabulary));
  // `qty 2`, `2 шт` apart from it: of what?
  const isCounted = runs.some((run) => !told.includes(run) && countsSomething(run.words));
  if (isCounted || told.some(({ isThere }) => isThere)) return undefined;
  if (read.some((items) => items === undefined)) return [];
  if (named.length === 0 && (told.length !== 1 || told.some(({ isSafe }) => !isSafe))) return [];
  return bounded(read.flatMap((items) => items ?? []));
}

/** Words of a line that belong together: `2 x 60 UC + 325`. */
interface Run {
  words: OrderWord[];
  /** Nothing beside it gives its numbers another sense. */
  isSafe: boolean;
  /** It came already, or is there. */
  isThere: boolean;
}

function cutRuns(line: string, vocabulary: OrderVocabulary): Run[] {
  const words = vocabulary.cut(line);
  const belonging = findBelonging(words, vocabulary);
  const runs: Run[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const start = at;
    while (belonging[at]) at += 1;
    if (at === start) continue;
    const isThere = [words[start - 1], words[at], words[at + 1]].some(
      (word) => word?.kind === 'other' && THERE.test(word.text),
    );
    runs.push({ words: words.slice(start, at), isSafe: isSafe(words, start, at), isThere });
  }
  return runs;
}

/** Of each word; from behind, since what joins belongs where the next one does. */
function findBelonging(words: readonly OrderWord[], vocabulary: OrderVocabulary): boolean[] {
  const belonging: boolean[] = [];
  for (let at = words.length - 1; at >= 0; at -= 1)
    belonging[at] = belongs(words, at, { ...vocabulary, isNextOne: belonging[at + 1] === true });
  return belonging;
}

/** Whether it may stand in `UC: 2 x 60 + 325 UC 3 pcs`; a longer number is a player, or nothing of an order. */
function belongs(
  words: readonly OrderWord[],
  at: number,
  { isDenomination, isNextOne }: Pick<OrderVocabulary, 'isDenomination'> & { isNextOne: boolean },
): boolean {
  const word = words[at];
  switch (word?.kind) {
    case 'number':
      return word.digits.length < 5 || isDenomination(word.value);
    case 'times':
    case 'pieces':
    case 'each':
    case 'unit':
      return true;
    case 'joint': {
      const isLabel = words[at - 1]?.kind === 'unit' && words[at - 2]?.kind !== 'number';
      return (word.adds || isLabel || isCountAt(words, at + 1)) && isNextOne;
    }
    case 'id':
    case 'other':
    case undefined:
      return false;
  }
}

/** `60 UC, 2 pcs`, `60 UC, x2`. */
function isCountAt(words: readonly OrderWord[], at: number): boolean {
  return words[at]?.kind === 'times' || (words[at]?.kind === 'number' && words[at + 1]?.kind === 'pieces');
}

const isNumber = ({ kind }: OrderWord) => kind === 'number';
/** Ten at most are ordered at once; `*1234` is the end of a card. */
const isSmall = (word: OrderWord) => word.kind === 'number' && word.value <= 99;

function countsSomething(words: readonly OrderWord[]): boolean {
  return words.some(({ kind }) => kind === 'times' || kind === 'pieces') && words.some(isSmall);
}

function isBareAmount({ words }: Run, { isDenomination }: OrderVocabulary): boolean {
  return words.some((word) => word.kind === 'number' && isDenomination(word.value));
}

/** `100 660 UC` after a name that ends in a number: what stands beside the unit. */
function readLast(words: readonly OrderWord[], vocabulary: OrderVocabulary): OrderItem[] | undefined {
  return readOrderItems(words.slice(-2), vocabulary);
}

function isSafe(words: readonly OrderWord[], start: number, end: number): boolean {
  const [before, after] = [words[start - 1], words[end]];
  const second = words[start - 2];
  const label = before?.kind === 'joint' ? second : before;
  if (label?.kind === 'other' && OTHER_LABEL.test(label.text.slice(-LONGEST_LABEL))) return false;
  if (before?.kind === 'joint' && second?.kind === 'number' && second.digits.length < 5) return false;
  const behind = words[end + 1];
  if (after?.kind === 'joint' && behind?.kind === 'number' && behind.digits.length < 5) return false;
  return after?.kind !== 'other' || FOLLOWING.test(after.text);
}

function bounded(items: OrderItem[] | undefined): OrderItem[] {
  return items && countCodes(items) <= MOST_CODES ? items : [];
}
