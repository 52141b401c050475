// The words of headings: what may stand beside a denomination without changing it, what counts pieces, what is money or a
// moment. In lower case, without marks. A word that is in no list keeps a line from being understood.
import { aliasesOf, LOOKALIKE_LETTERS, singular } from '../currencies.ts';

/** Names of codes: `660 codes` is a denomination, in `660 UC, 100 codes` they are counted. */
export const CODE_WORDS = list(
  'code codes pin pins voucher vouchers key keys coupon coupons card cards ' +
    'код кода коды кодов кодами кодам кодик кодики ки ка ваучер ваучера ваучеры ваучеров пин пины пинов ключ ключа ключи ключей ' +
    'купон купоны купонов карта карты карт карточка карточки карточек',
);

export const COUNT_UNITS = list(
  'pcs pc pieces piece units unit ea шт штук штука штуки штучек позиций единиц times раз',
);

/** Before a number of pieces. */
export const COUNT_LABELS = list('qty quantity count total всего итого количество кол во колво amt');

export const THOUSAND = list('k к тыс тысяча тысячи тысяч thousand');

/** Between two factors. */
export const TIMES = list('x х × * ✕ ✖ ·');

/** Said when codes are handed over. */
const GIVING = 'держи держите лови ловите забирай забирайте take enjoy';

/** Beside a denomination they change nothing. */
const SIDE_WORDS = list(
  `${GIVING} ` +
    'denomination denominations denom denoms nominal nominals value amount amounts face pack packs package packages bundle ' +
    'bundles gift redeem redemption activation activations top up topup for of each per the a new next more also then now here ' +
    'is are below following these worth batch lot list stock section game mobile global unknown cash with ' +
    'номинал номинала номиналы номиналом номиналов номинале сумма стоимостью по на для из с пакет пакета пакеты пакетов ' +
    'пачка пачки пак паки вот новый новые новая следующий следующие следующая дальше далее теперь ещё еще также и тут здесь ' +
    'ваш ваша ваши твой твои your yours product item товар ниже это идут идет идёт партия лот список склад активация активации активаций пополнение пополнения игра мобайл глобал',
);

/** They announce another denomination, and do not say which: `next denomination`. */
const CHANGING = list(
  'next denomination denominations denom номинал номинала номиналы номиналом следующий следующие следующая дальше далее',
);

/** A short line with one of these is talk between codes, and no name of something. */
const CHATTER = list(
  `${GIVING} ` +
    'hello hi hey good morning evening dear sir friend bro thanks thank thx ok okay yes please pls sorry wait sent check forwarded ' +
    'from привет приветствую здравствуйте добрый день вечер утро спасибо спс благодарю пожалуйста плиз ' +
    'да ок хорошо готово проверь проверьте проверяй проверяйте брат друг бро извините сорри секунду ' +
    'сейчас тоже самое same переслано от получил получили удачи',
);

/** Whether the words of a line without a number could name what the codes under it are for: `Royal pass`, `the smaller ones`. */
export function mayName(words: readonly string[]): boolean {
  if (words.length === 0 || words.length > LONGEST_NAME) return false;
  if (words.some((word) => CHATTER.has(word))) return false;
  return words.some((word) => !isSideWord(word) || CHANGING.has(word));
}

/** In words. */
const LONGEST_NAME = 12;
/** Of a line that says so. */
const LONGEST_EMPTY = 160;
const NOTHING_THERE =
  /(?<!\p{L})(?:пусто|нету?|законч\p{L}*|кончил\p{L}*|empty|none|nothing|no codes|(?:out of|no) stock|sold out|n\/a)(?!\p{L})/u;

/** Whether a line says that there are no codes of what it stands under, or names. */
export function saysEmpty(line: string): boolean {
  return NOTHING_THERE.test(line.slice(0, LONGEST_EMPTY).toLowerCase());
}

export const MONEY_MARKS = '$€£¥₽₴₸₹₺₼₾₩฿';
const MONEY_WORDS =
  'руб(?:л[а-яё]*)?|р|rub|rur|usd|usdt|eur|euro|kzt|тг|тенге|uah|грн|сом|сомов|сум|сумов|uzs|try|tl|inr|rs|dollars?|bucks|' +
  'долл?(?:ар[а-яё]*)?|бакс[а-яё]*|usdc|ton';
const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|янв|фев|мар|апр|мая|май|июн|июл|авг|сен|окт|ноя|дек';

/** What numbers of another sense look like, in a text of lower case. Every one of them is linear. */
export const OTHER_SENSES = {
  address: /(?:https?:\/\/|t\.me\/|www\.)\S*|(?<![\w.])(?:[\w.]{1,64})?@[\w.]+/g,
  moment: new RegExp(
    '(?<![\\d.,])(?:\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2}))(?:г\\.?)?(?![\\d])(?:t(?=\\d))?|' +
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\s+(?:${MONTHS})\\p{L}*\\.?(?:,?\\s+\\d{4})?(?!\\d)|` +
      `(?<!\\p{L})(?:${MONTHS})\\p{L}*\\.?\\s+\\d{1,2}(?:,\\s*\\d{4})?(?!\\d)|` +
      '(?<![\\d:])(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?(?![\\d:])',
    'gu',
  ),
  money: new RegExp(
    `[${MONEY_MARKS}]\\s?\\d[\\d.,]*[kк]?|(?<!\\d)\\d{1,12}(?:[.,]\\d{1,12})?[kк]?\\s?(?:[${MONEY_MARKS}%]|(?:${MONEY_WORDS})(?!\\p{L})\\.?)`,
    'gu',
  ),
  phone: /\+\d[\d ()-]{8,20}/g,
} as const;

/** What a text with a name of the currency holds somewhere: a glance before its words are looked at one by one. */
export function createCurrencyGlance(currency: string): RegExp {
  const name = singular(currency);
  const names = [name, ...aliasesOf(currency)].map((each) => each.replace(/[^\p{L}\p{N}]/gu, '.'));
  // A name in letters that only look Latin has one of them.
  return new RegExp(`${names.join('|')}|[${LOOKALIKE_LETTERS}]`, 'iu');
}

/** Whether a word says nothing about what it stands beside. */
export function isSideWord(word: string): boolean {
  return SIDE_WORDS.has(word) || CODE_WORDS.has(word) || COUNT_LABELS.has(word);
}

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
