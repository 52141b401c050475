// What could be a player ID or a code in a text of any kind: a customer's sentence, a forwarded list, a supplier's
// message. Nothing here is an order: a person is asked about each.
import type { Game } from '../games.ts';
import { readCode } from '../folding.ts';
import { isDoubtful } from './doubt.ts';
import { findGrouped } from './groups.ts';
import type { OrderItem } from './items.ts';
import { isOfEach, isPrice, readWanted } from './in-text.ts';
import type { OrderVocabulary } from './words.ts';

/** A number of a text that could be a player. */
export interface FoundNumber {
  digits: string;
  /** The text calls it an ID. */
  isNamed: boolean;
  /** The text calls it something else: the number of an order, a phone. */
  isOther: boolean;
  /** Of a phone, a card, or behind `#`: nothing is wanted for it. */
  isPhone: boolean;
  /** What the text wants for it, as far as that is certain. */
  items: OrderItem[];
}

const LINK = /\b(?:https?:\/\/|www\.|t\.me\/|tg:\/\/)\S+|^@\w+/giu;
/** `+1 (415) 555-0134`; `8 916 123-45-67` could be a player. */
const PHONES = /\+\s?\d[\d ()-]{7,}\d/g;
const LOCAL_PHONE = /^[78][ -]\d{3}[ -]\d{3}[ -]\d{2}[ -]\d{2}$/;
const CARDS = /(?<!\d)\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?!\d)/g;
const NAMED = /(?:player|uid|pid|id|айди|айдишник|ид|игрок\p{L}?) ?(?:id|айди)? ?[:=#№.\-–—]* ?$/iu;
/** `order 1234567`, `заказ № 1234567`, `тел 89161234567`: a number of somebody's books, of a phone, a name. */
const OTHER =
  /(?:order|invoice|receipt|ticket|ref|reference|transaction|serial|phone|card|nick|name|заказ\p{L}*|сч[её]т\p{L}*|чек\p{L}*|заявк\p{L}*|накладн\p{L}*|перевод\p{L}*|тел(?:ефон)?|карт\p{L}*|сери\p{L}*|ник|имя)\.? ?(?:no|n|номер|id)? ?[.:#№-]* ?$|[#№] ?$/iu;
const PHONE = /(?:phone|card|тел(?:ефон)?|карт\p{L}*)[^\p{L}\p{N}]*$|[#№] ?$/iu;
const LONGEST_ID = 20;
const MOST_ASKED = 5;
/** Looked at before a number. */
const NEAR = 24;

/** What links, addresses, phone numbers and cards are made of is no number of a player. */
export function dropNoise(text: string): string {
  const words = text.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/u);
  const unlinked = words.map((word) => (isAddress(word) ? ' ' : word.replace(LINK, ' '))).join('');
  return unlinked.replace(CARDS, ' ').replace(PHONES, ' ');
}

/** Something, an `@`, something, a dot, something. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@', 1);
  const dot = word.lastIndexOf('.', word.length - 2);
  return at !== -1 && dot > at + 1;
}

/**
 * Numbers of 5 to 20 digits that stand by themselves, or in groups, each once, those that are called an ID first, with
 * what is wanted for each: by the text where there is one, else by its own line; `unread`: what else of numbers stands
 * there. What is called something else is among them only where nothing else could be a player.
 */
export function findNumbers(
  text: string,
  vocabulary: OrderVocabulary,
): { numbers: FoundNumber[]; unread: string[] } {
  const found = new Map<string, FoundNumber & { lines: string[]; isAlone: boolean }>();
  const lines = text.split('\n');
  for (const line of lines) {
    const numbers = numbersOf(line, vocabulary);
    const named = numbers.filter(({ isNamed }) => isNamed);
    for (const { digits, isNamed, isOther, isPhone, end } of numbers) {
      const before = found.get(digits);
      // Beside other players an amount could be anybody's, but for what stands behind the one that is called so.
      const isLast = isNamed && named.length === 1 && numbers.every((each) => each.end <= end);
      const own = numbers.length === 1 ? [line] : isLast ? [digits + line.slice(end)] : [];
      found.set(digits, {
        digits,
        isNamed: isNamed || before?.isNamed === true,
        isOther: isOther && before?.isOther !== false,
        isPhone: isPhone && before?.isPhone !== false,
        isAlone: numbers.length === 1 && before?.isAlone !== false,
        items: [],
        lines: [...(before?.lines ?? []), ...own],
      });
    }
  }
  const all = withoutOthers([...found.values()]);
  const numbers = [...all.filter(({ isNamed }) => isNamed), ...all.filter(({ isNamed }) => !isNamed)];
  const isAlone = (digits: string) => found.get(digits)?.isAlone === true;
  const [first, another] = numbers;
  if (!first) return { numbers, unread: [] };
  const isOne = !another || (first.isNamed && !another.isNamed && isAlone(first.digits));
  // Of more players nobody is asked about at once.
  const players = numbers.slice(0, MOST_ASKED);
  const wantedBy = (some: readonly string[]) => readWanted(some, players, vocabulary, { isListed: !isOne });
  const whole = wantedBy(lines);
  const asked = (isOne ? [first] : players).filter(({ isPhone }) => !isPhone);
  const isDoubted = isDoubtful(text, vocabulary);
  if (!isDoubted)
    for (const each of asked)
      each.items = isOne ? whole.items : wantedBy(found.get(each.digits)?.lines ?? []).items;
  const isTaken = () => asked.some(({ items }) => items.length > 0);
  const areAlike = numbers.every(({ isNamed }) => isNamed === first?.isNamed);
  if (!isTaken() && areAlike && !isDoubted && isOfEach(text, whole))
    for (const each of asked) each.items = whole.items;
  return { numbers, unread: isTaken() ? whole.unread : whole.numbers };
}

function withoutOthers<Each extends FoundNumber>(all: Each[]): Each[] {
  const players = all.filter(({ isOther }) => !isOther);
  return players.length > 0 ? players : all;
}

type Place = Pick<FoundNumber, 'digits' | 'isNamed' | 'isOther' | 'isPhone'> & { end: number };

function numbersOf(line: string, vocabulary: OrderVocabulary): Place[] {
  const isAmount = (group: string) => vocabulary.isDenomination(Number(group));
  const grouped = findGrouped(line, isAmount).map(({ digits, start, end }) => {
    const name = nameOf(line.slice(Math.max(0, start - NEAR), start));
    const isLocal = LOCAL_PHONE.test(line.slice(start, end));
    return { digits, ...name, isOther: name.isOther || isLocal, isPhone: name.isPhone || isLocal, end };
  });
  const plain = [...line.matchAll(/\d+/g)].flatMap(({ 0: digits, index }): Place[] => {
    if (digits.length < 5 || digits.length > LONGEST_ID) return [];
    const before = line.slice(Math.max(0, index - NEAR), index);
    const after = line.slice(index + digits.length);
    const name = nameOf(before);
    const { isNamed } = name;
    if (!isNamed && /(?:\p{L}|[\d)][./_\-:]|\p{L}[/_-]|[$€₽£]\s?|_)$/u.test(before)) return [];
    if (/^(?:\p{L}|[./_:]\d|-\d{1,3}-)/u.test(after) && !/^(?:id|ид)(?!\p{L})/iu.test(after)) return [];
    if (!isNamed && (isAmount(digits) || isPrice(after))) return [];
    return [{ digits, ...name, end: index + digits.length }];
  });
  return [...grouped, ...plain];
}

/** Of what stands before a number, near it. */
function nameOf(near: string): Pick<FoundNumber, 'isNamed' | 'isOther' | 'isPhone'> {
  const before = near.replace(/[ \t]+/g, ' ');
  const isNamed = NAMED.test(before) && !/[\p{L}\d](?:id|ид)$/iu.test(before);
  const isOther = !isNamed && OTHER.test(before);
  return { isNamed, isOther, isPhone: isOther && PHONE.test(before) };
}

/** Words that have the form of a code of some game, with a letter and a digit in them; also in groups with dashes. */
export function findCodes(text: string, games: readonly Game[]): string[] {
  const isCode = codeTest(games);
  return text
    .split(/[^\p{L}\p{N}._\-\u2010-\u2013]+/u)
    .map((word) =>
      word.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '').replace(/^\d{1,4}\.+(?=.)/, ''),
    )
    .flatMap((word) => {
      if (!/\d/.test(word) || /^(?:id|uid|pid|player)?\d{5,20}(?:id)?$/i.test(word)) return [];
      const code = readCode(word, isCode);
      return code !== undefined && (/\p{L}/u.test(code) || code.length > LONGEST_ID) ? [code] : [];
    });
}

/** Whether some line is nothing but groups of one length that would make a code: `AB12 CD34 EF56`. */
export function holdsSpacedCodes(text: string, games: readonly Game[]): boolean {
  const isCode = codeTest(games);
  return text.split('\n').some((line) => readCode(line.trim().replace(/ +/g, '-'), isCode) !== undefined);
}

const codeTest = (games: readonly Game[]) => (word: string) =>
  games.some(({ codePattern }) => codePattern.test(word));
