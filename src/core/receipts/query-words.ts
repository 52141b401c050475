// Words with which people say days and outcomes when they look for a redemption, in both languages, whatever they
// speak.

export type AskedState = 'failed' | 'in_doubt' | 'redeemed';

/** As `foldQueryWord` has them; several words with a space. */
const STATES: Readonly<Record<AskedState, readonly string[]>> = {
  failed: [
    ...['failed', 'fail', 'fails', 'failure', 'failures', 'error', 'errors', 'unsuccessful', 'not redeemed'],
    ...['неудача', 'неудачи', 'неудачные', 'неудачная', 'неудачный', 'неудачно', 'неуспешные', 'неуспешно'],
    ...['ошибка', 'ошибки', 'ошибок', 'ошибкой', 'с ошибкой', 'сбой', 'сбои', 'не удалось', 'не удались'],
    ...['не активировано', 'не активирован', 'не прошло', 'не прошла', 'не прошли', 'не прошел'],
  ],
  in_doubt: [
    ...[
      'in doubt',
      'in-doubt',
      'in_doubt',
      'doubt',
      'doubts',
      'doubtful',
      'not certain',
      'uncertain',
      'unclear',
    ],
    ...[
      'под вопросом',
      'в сомнении',
      'сомнение',
      'сомнения',
      'сомнительные',
      'сомнительная',
      'неясно',
      'неясные',
    ],
    ...['не ясно', 'пока не ясно'],
  ],
  redeemed: [
    ...['redeemed', 'success', 'successful', 'succeeded'],
    ...['успешно', 'успешные', 'успешная', 'успех', 'активировано', 'активированные'],
  ],
};

const RELATIVE: Readonly<Record<string, number>> = {
  today: 0,
  сегодня: 0,
  yesterday: -1,
  вчера: -1,
  позавчера: -2,
  'day before yesterday': -2,
};

/** Of the calendar: how many weeks or months from this one. */
const SPANS: Readonly<Record<string, readonly ['week' | 'month', number]>> = {
  'this week': ['week', 0],
  'эта неделя': ['week', 0],
  'этой неделе': ['week', 0],
  'эту неделю': ['week', 0],
  'last week': ['week', -1],
  'прошлая неделя': ['week', -1],
  'прошлой неделе': ['week', -1],
  'прошлую неделю': ['week', -1],
  'this month': ['month', 0],
  'этот месяц': ['month', 0],
  'этом месяце': ['month', 0],
  'last month': ['month', -1],
  'прошлый месяц': ['month', -1],
  'прошлом месяце': ['month', -1],
};
const LAST_DAYS = /^(?:(?:last|последние|последних) )?(\d{1,3}) (?:days?|день|дня|дней)$/;

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
export const findSpan = (words: string) => (Object.hasOwn(SPANS, words) ? SPANS[words] : undefined);
/** Of `last 7 days`, with today. */
export const findLastDays = (words: string): number => Number(LAST_DAYS.exec(words)?.[1] ?? 0);
export const findMonth = (word: string): number | undefined => months.get(word);
export const isFiller = (word: string): boolean => FILLERS.has(word);
