// Reading what somebody looks for: a day or two, an outcome, in words of both languages whatever they speak; the rest is
// words. Nothing is looked up here.
import { foldWritten } from '../folding.ts';
import { addDays, dayAt, isDay, startOfDay, type Day } from '../zones.ts';

export interface SearchQuery {
  /** From the beginning of the first to the end of the last. */
  days?: { first: Day; last: Day; from: number; until: number };
  state?: AskedState;
  /** What is none of these. Those that say nothing by themselves are not among them, unless there are no others. */
  words: string[];
}

interface Moment {
  timeZone: string;
  now: number;
}

/** The longest phrase that means one thing, in words. */
const LONGEST_PHRASE = 3;
const MOST_WORDS = 40;

/** The number of a receipt is one word. */
const OF_RECEIPT = /(?<![\p{L}\p{N}])(?:receipt|чека?)\s+[#№]?(?=\d{1,9}(?![\p{L}\p{N}]))/giu;

/** Understands both languages. What stands in quotes is words, whatever it says. */
export function readAsked(text: string, moment: Moment): SearchQuery {
  const joined = text.replace(OF_RECEIPT, '#');
  const tokens = (joined.match(/"[^"]*"|«[^«»]*»|“[^“”]*”|\S+/gu) ?? []).slice(0, MOST_WORDS).map(foldNumber);
  const days: Day[] = [];
  const words: string[] = [];
  let state: AskedState | undefined;
  for (let at = 0; at < tokens.length;) {
    const read = readPhrase(tokens.slice(at, at + LONGEST_PHRASE), moment);
    if (read?.day) days.push(read.day);
    else if (read?.state && !state) state = read.state;
    else words.push(...tokens.slice(at, at + (read?.length ?? 1)).map(toWord));
    at += read?.length ?? 1;
  }
  const telling = words.filter((word) => !isFiller(foldQueryWord(word)));
  const isAlone = days.length === 0 && state === undefined;
  const range = toRange(days, moment);
  return {
    ...(state && { state }),
    ...(range && { days: range }),
    words: telling.length > 0 || !isAlone ? telling : words,
  };
}

/** `٥١٢٤٧٨٠١٣١`: what has no letters is a number, whatever its script; names are compared by their own folding. */
const foldNumber = (token: string): string => (/\p{L}/u.test(token) ? token : foldWritten(token));

interface Phrase {
  /** In words. */
  length: number;
  day?: Day;
  state?: AskedState;
}

/** The longest phrase that the tokens begin with; undefined where the first is a word. */
function readPhrase(tokens: readonly string[], moment: Moment): Phrase | undefined {
  if (/^["«“]/.test(tokens[0] ?? '')) return undefined;
  for (let length = tokens.length; length > 0; length -= 1) {
    const words = tokens.slice(0, length).map(foldQueryWord);
    const state = findState(words.join(' '));
    if (state) return { length, state };
    const day = readDay(words, moment);
    if (day) return { length, day };
  }
  return undefined;
}

function readDay(words: readonly string[], { timeZone, now }: Moment): Day | undefined {
  const today = dayAt(timeZone, now);
  const [word = '', another] = words;
  if (another !== undefined) return readNamed(words, today);
  const relative = findRelativeDay(word);
  return relative === undefined ? readFigures(word, today) : addDays(today, relative);
}

/** `21.11`, `21/11/26`, `21.11.2026`, `2026-11-21`. */
function readFigures(word: string, today: Day): Day | undefined {
  const iso = /^(20\d\d)[-./](\d{1,2})[-./](\d{1,2})$/.exec(word);
  if (iso) return ofYear(Number(iso[3]), Number(iso[2]), Number(iso[1]), today);
  const figures = /^(\d{1,2})([./])(\d{1,2})(?:\2(20\d\d|\d\d))?$/.exec(word);
  const full = figures ?? /^(\d{1,2})(-)(\d{1,2})-(20\d\d)$/.exec(word);
  if (!full) return undefined;
  const [day, month] = [Number(full[1]), Number(full[3])];
  const year = full[4] === undefined ? undefined : (Number(full[4]) % 100) + 2000;
  // The American order, where it can be no other.
  return month > 12 && full[2] === '/' ? ofYear(month, day, year, today) : ofYear(day, month, year, today);
}

/** `21 ноября`, `Nov 21`, `21 nov 2026`. */
function readNamed(words: readonly string[], today: Day): Day | undefined {
  const [first = '', second = '', third] = words;
  const [figure, name] = /^\d/.test(first) ? [first, second] : [second, first];
  const day = /^(\d{1,2})(?:st|nd|rd|th|го|-го)?$/.exec(figure)?.[1];
  const month = findMonth(name);
  const year = third === undefined ? undefined : /^20\d\d$/.test(third) ? Number(third) : Number.NaN;
  if (day === undefined || month === undefined || Number.isNaN(year)) return undefined;
  return ofYear(Number(day), month, year, today);
}

/** Without a year it is the last one that was: nobody looks for what is yet to come. */
function ofYear(day: number, month: number, year: number | undefined, today: Day): Day | undefined {
  const found = { year: year ?? today.year, month, day };
  if (year === undefined && isLater(found, today)) found.year -= 1;
  return isDay(found) ? found : undefined;
}

const numberOf = ({ year, month, day }: Day) => (year * 100 + month) * 100 + day;
const isLater = (a: Day, b: Day) => numberOf(a) > numberOf(b);

function toRange(days: Day[], { timeZone }: Moment): SearchQuery['days'] {
  if (days.length === 0) return undefined;
  const first = days.reduce((a, b) => (isLater(a, b) ? b : a));
  const last = days.reduce((a, b) => (isLater(b, a) ? b : a));
  return { first, last, from: startOfDay(timeZone, first), until: startOfDay(timeZone, addDays(last, 1)) };
}

/** Without the quotes, or the marks that end a part of a sentence. */
function toWord(token: string): string {
  if (/^(["«“]).*["»”]$/u.test(token) && token.length > 2) return token.slice(1, -1);
  return token.replace(/(?<=^.|[^,;:.!?])[,;:.!?]+$/u, '');
}

export type AskedState = 'failed' | 'in_doubt';

/** As `foldQueryWord` has them; several words with a space. */
const STATES: Readonly<Record<AskedState, readonly string[]>> = {
  failed: ['failed', 'ошибка', 'ошибки', 'неудачные', 'не удалось'],
  in_doubt: ['in doubt', 'под вопросом', 'в сомнении', 'не ясно'],
};

const RELATIVE: Readonly<Record<string, number>> = {
  today: 0,
  сегодня: 0,
  yesterday: -1,
  вчера: -1,
  позавчера: -2,
};

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'january', 'янв', 'января', 'январь'],
  ['feb', 'february', 'фев', 'февр', 'февраля', 'февраль'],
  ['mar', 'march', 'мар', 'марта', 'март'],
  ['apr', 'april', 'апр', 'апреля', 'апрель'],
  ['may', 'мая', 'май'],
  ['jun', 'june', 'июн', 'июня', 'июнь'],
  ['jul', 'july', 'июл', 'июля', 'июль'],
  ['aug', 'august', 'авг', 'августа', 'август'],
  ['sep', 'sept', 'september', 'сен', 'сент', 'сентября', 'сентябрь'],
  ['oct', 'october', 'окт', 'октября', 'октябрь'],
  ['nov', 'november', 'ноя', 'нояб', 'ноября', 'ноябрь'],
  ['dec', 'december', 'дек', 'декабря', 'декабрь'],
];

/** What stands before what is looked for, and says nothing by itself. */
const FILLERS = new Set([
  ...[
    'id',
    'uid',
    'player',
    'code',
    'receipt',
    'by',
    'from',
    'operator',
    'for',
    'on',
    'of',
    'at',
    'in',
    'to',
  ],
  ...[
    'ид',
    'айди',
    'игрок',
    'игрока',
    'код',
    'чек',
    'чека',
    'от',
    'оператор',
    'за',
    'для',
    'на',
    'в',
    'с',
    'по',
    'до',
  ],
]);

const states = new Map(
  Object.entries(STATES).flatMap(([state, words]) => words.map((word) => [word, state as AskedState])),
);
const months = new Map(MONTHS.flatMap((words, index) => words.map((word) => [word, index + 1])));

/** A word as it is compared: small, without what stands around it. */
function foldQueryWord(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/^[\p{P}\p{S}]+|(?<=[^\p{P}\p{S}])[\p{P}\p{S}]+$/gu, '');
}

const findState = (words: string): AskedState | undefined => states.get(words);
/** How many days from today. */
const findRelativeDay = (words: string): number | undefined =>
  Object.hasOwn(RELATIVE, words) ? RELATIVE[words] : undefined;
const findMonth = (word: string): number | undefined => months.get(word);
const isFiller = (word: string): boolean => FILLERS.has(word);
