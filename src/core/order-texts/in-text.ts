// What a text of any kind wants for its players: amounts with their unit wherever they stand, bare ones where nothing
// but chatter touches them. Half of an amount is never read: what is not understood is told, and a person is asked.
import type { Game } from '../games.ts';
import { isDoubtful } from './doubt.ts';
import { countCodes, MOST_CODES, readOrderItems, type OrderItem } from './items.ts';
import { addsUp } from './packs.ts';
import type { OrderVocabulary, OrderWord } from './words.ts';

export interface OddAmount {
  amount: number;
  /** The text is the player and this, and nothing else. */
  isAll: boolean;
  /** Of the denominations of some game it can be made. */
  addsUp: boolean;
}

const MONEY = '[₽$€£₸]|руб|р(?![\\p{L}\\d])|usd|rub|eur|тг|тенге|kzt|сум|uzs|грн|uah|try|tl';
const PRICE = new RegExp(`^\\s?(?:${MONEY})`, 'iu');
/** Prices, parts in a hundred, days and times: none of their numbers is an amount. */
const OTHER_SENSES = new RegExp(
  `[$€£₽₸]\\s?\\d[\\d.,]*|(?<!\\d[.,]?)\\d[\\d.,]{0,20}\\s?(?:%|${MONEY})|` +
    '(?<![\\d.,])\\d{1,2}(?:[./]\\d{1,2}(?:[./]\\d{2,4})?|:\\d{2}(?::\\d{2})?)(?![\\p{L}\\d])',
  'giu',
);
const LOCAL_PHONE = /(?<!\d)[78][ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}(?!\d)/g;
/** What is wanted is wanted for each player of the text. */
const EACH = /(?<!\p{L})(?:all|each|every|both|всем|каждому|обоим|по)(?!\p{L})/iu;
/** Beside a bare amount they change nothing of it. */
const CHATTER =
  /^(?:for|to|on|at|do|send|give|need|want|wants|add|get|pls|plz|please|thx|thanks|asap|same|him|her|me|my|again|urgent|now|bro|на|для|до|за(?:кинь|кинуть|кидывай)\p{L}*|с?кинь\p{L}*|кидай\p{L}*|отправь\p{L}*|нужно|надо|мне|ему|ей|плиз|пж|пожалуйста|спс|спасибо|срочно|бро|брат|all|each|всем|каждому|обоим|¤)[.,!:]*$|^[^\p{L}\p{N}$€₽%?]+$|^[^\p{L}\p{N}$€₽%?]/iu;
/** Beside an amount: it came already, or is there. */
const THERE =
  /^(?:have|has|had|got|received|gone|done|left|есть|было|получ\p{L}*|приш\p{L}*|уш(?:ло|ли|ел)|осталось|sent|delivered|готово|сделан\p{L}*|отправ(?:ил|лен)\p{L}*)(?!\p{L})/iu;
/** Before a number that is no amount: it tells where or how far the player is. */
const PLACE = /^(?:server|region|zone|level|lvl|rank|сервер|регион|зона|уров\p{L}*|лвл|ранг)[:#№.=-]*$/iu;
const MOST_UNREAD = 5;
const LONGEST_WORD = 16;
/** Longer ones are players, or nothing of an order. */
const LONGEST_AMOUNT = 5;

/** Whether what stands behind a number makes it a price. */
export const isPrice = (behind: string): boolean => PRICE.test(behind);

/** Words of a line that belong together: `2 x 60 UC + 325`; undefined items: they are not understood. */
interface Run {
  words: readonly OrderWord[];
  items: OrderItem[] | undefined;
  /** The word behind it. */
  after: OrderWord | undefined;
}

/** What some lines of a text want, and what else of numbers stands there. */
export interface WantedItems {
  items: OrderItem[];
  unread: string[];
  /** All numbers that could be wanted, for where these items are not taken. */
  numbers: string[];
  hasUnit: boolean;
}

/** `isListed`: what stands right behind a player is of that, whoever is named behind it. */
export function readWanted(
  lines: readonly string[],
  players: readonly { digits: string }[],
  vocabulary: OrderVocabulary,
  { isListed = false } = {},
): WantedItems {
  const { isDenomination } = vocabulary;
  const isPlayer = (word: OrderWord | undefined) =>
    word?.kind === 'number' &&
    (players.some(({ digits }) => digits === word.digits) ||
      (word.digits.length >= LONGEST_AMOUNT && !isDenomination(word.value)));
  const ends = (word: OrderWord) => isPlayer(word) || word.kind === 'other' || word.kind === 'id';
  const others: string[] = [];
  const runs: Run[] = [];
  for (const line of lines) {
    const words = cutLine(line, players, vocabulary);
    for (let at = 0; at < words.length; at += 1) {
      const start = at;
      while (words[at] && !ends(words[at]!)) at += 1;
      const stop = words[at];
      const isTold = isListed && isPlayer(words[start - 1]);
      if (at > start) runs.push(toRun(words, start, at, { vocabulary, isTold }));
      if (stop?.kind === 'other' && /^\p{sc=Han}*\d/u.test(stop.text))
        others.push(stop.text.slice(0, LONGEST_WORD));
    }
  }
  const tellNumbers = (some: readonly Run[]) => {
    const told = some.flatMap(({ words, after }) => listNumbers(words, after, vocabulary));
    return [...new Set([...others, ...told])].slice(0, MOST_UNREAD);
  };
  const vague = runs.filter(({ items }) => items === undefined);
  /** An amount, or a count: `60 days`, `2 pcs`. */
  const saysHowMany = ({ words }: Run) => {
    const isCounted = words.some(({ kind }) => kind === 'times' || kind === 'pieces');
    return words.some(
      (word) =>
        word.kind === 'number' && (isDenomination(word.value) || (isCounted && word.digits.length < 3)),
    );
  };
  const items = runs.flatMap((run) => run.items ?? []);
  // Half of what is wanted is not it.
  const isHalf = vague.some(saysHowMany);
  const isWhole = !isHalf && countCodes(items) <= MOST_CODES;
  const numbers = tellNumbers(runs);
  const hasUnit = runs.some(({ words }) => words.some(({ kind }) => kind === 'unit'));
  const unread = isHalf ? numbers : tellNumbers(vague);
  return { items: isWhole ? merge(items) : [], unread, numbers, hasUnit };
}

function toRun(
  all: readonly OrderWord[],
  start: number,
  end: number,
  { vocabulary, isTold }: { vocabulary: OrderVocabulary; isTold: boolean },
): Run {
  const words = all.slice(start, end);
  const [before, after] = [all[start - 1], all[end]];
  const isNumber = ({ kind }: OrderWord) => kind === 'number';
  if (!words.some(isNumber) && !words.some(({ kind }) => kind === 'times'))
    return { words, items: [], after };
  const isQuiet = (word: OrderWord | undefined) => word?.kind !== 'other' || CHATTER.test(word.text);
  const isThere = [before, after].some((word) => word?.kind === 'other' && THERE.test(word.text));
  const isSaid = isTold || words.some(({ kind }) => kind === 'unit') || (isQuiet(before) && isQuiet(after));
  return { words, items: isSaid && !isThere ? readOrderItems(words, vocabulary) : undefined, after };
}

/** Each number with the word behind it: `3 adet`. */
function listNumbers(
  words: readonly OrderWord[],
  after: OrderWord | undefined,
  vocabulary: OrderVocabulary,
): string[] {
  return words.flatMap((word, at): string[] => {
    if (word.kind !== 'number') return [];
    if (word.digits.length >= LONGEST_AMOUNT && !vocabulary.isDenomination(word.value)) return [];
    const behind = at === words.length - 1 ? after : words[at + 1];
    const [what] = (behind?.kind === 'other' && /^\p{L}{1,16}/u.exec(behind.text)) || [];
    return [[word.digits || String(word.value), ...(what === undefined ? [] : [what])].join(' ')];
  });
}

/** The words of a line without prices, days, times and places; IDs that are written in groups as one number each. */
function cutLine(
  line: string,
  players: readonly { digits: string }[],
  vocabulary: OrderVocabulary,
): OrderWord[] {
  const joined = players.reduce(
    (each, { digits }) => each.replace(new RegExp([...digits].join('[ \\t,.-]?'), 'g'), digits),
    line.toLowerCase(),
  );
  const words = vocabulary.cut(joined.replace(LOCAL_PHONE, ' ').replace(OTHER_SENSES, ' ¤ '));
  return words.filter((word, at) => {
    // `two accounts`
    if (word.kind === 'number' && word.digits === '' && word.value === players.length)
      return players.length < 2;
    const before = words[at - 1]?.kind === 'joint' ? words[at - 2] : words[at - 1];
    const isPlace = before?.kind === 'other' && PLACE.test(before.text);
    return !isPlace || word.kind !== 'number' || vocabulary.isDenomination(word.value);
  });
}

function merge(items: readonly OrderItem[]): OrderItem[] {
  const counts = new Map<number, number>();
  for (const { denomination, count } of items)
    counts.set(denomination, (counts.get(denomination) ?? 0) + count);
  return [...counts].map(([denomination, count]) => ({ denomination, count }));
}

/** Whether what the text wants is for every one of its players: `60 UC each`. */
export const isOfEach = (text: string, { items, hasUnit }: WantedItems): boolean =>
  items.length === 1 && (hasUnit || EACH.test(text));

/** `720`, beside the one player of the text. */
export function readOddAmount(
  text: string,
  players: readonly { digits: string }[],
  { managed }: { managed: readonly Game[] },
  vocabulary: OrderVocabulary,
): OddAmount | undefined {
  const words = text.split('\n').flatMap((line) => cutLine(line, players, vocabulary));
  const rest = words.filter(
    (word) => word.kind !== 'number' || players.every(({ digits }) => digits !== word.digits),
  );
  const at = rest.findIndex(({ kind }) => kind === 'number');
  const number = rest[at];
  const isOther = ({ kind }: OrderWord) => ['number', 'times', 'pieces', 'each'].includes(kind);
  if (number?.kind !== 'number' || rest.filter(isOther).length > 1) return undefined;
  const isAll = rest.every(({ kind }) => kind !== 'other');
  const hasUnit = [rest[at - 1], rest[at + 1]].some((word) => word?.kind === 'unit');
  if ((!isAll && !hasUnit) || number.digits.length > LONGEST_AMOUNT || number.value < 1) return undefined;
  if (vocabulary.isDenomination(number.value) || isDoubtful(text, vocabulary)) return undefined;
  const isMade = managed.some(({ denominations }) => addsUp(number.value, denominations));
  return { amount: number.value, isAll, addsUp: isMade };
}
