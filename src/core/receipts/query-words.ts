// Words with which people say days and outcomes when they look for a redemption, in both languages, whatever they
// speak.

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
export function foldQueryWord(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/^[\p{P}\p{S}]+|(?<=[^\p{P}\p{S}])[\p{P}\p{S}]+$/gu, '');
}

export const findState = (words: string): AskedState | undefined => states.get(words);
/** How many days from today. */
export const findRelativeDay = (words: string): number | undefined =>
  Object.hasOwn(RELATIVE, words) ? RELATIVE[words] : undefined;
export const findMonth = (word: string): number | undefined => months.get(word);
export const isFiller = (word: string): boolean => FILLERS.has(word);
