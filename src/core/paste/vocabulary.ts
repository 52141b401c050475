// The words a reader of pastes knows: what is a code, a denomination, a currency, a column's name,
// and what was meant as a code and is none. Knows single words only, not where they stand.
import { createCurrencyTest } from '../currencies.ts';
import type { Game } from '../games.ts';
import { readCode } from '../written-codes.ts';
import { createCurrencyGlance } from './heading-words.ts';
import { LONGEST_WORD } from './words.ts';

export interface Vocabulary {
  isCode(word: string): boolean;
  /** The code that a word is, or that is written in groups with dashes: `AB12-CD34-EF56`. */
  readCode(word: string): string | undefined;
  /** Not a code, but somebody meant to paste one. */
  isMalformed(word: string): boolean;
  isDenomination(value: number): boolean;
  isCurrency(word: string): boolean;
  /** False only where no word of the text is the currency. */
  mayHoldCurrency(text: string): boolean;
  /** Names the column of the codes: "code", "voucher code". */
  namesCodes(cell: string): boolean;
  /** Names the column of the denominations: "denomination", "UC amount". */
  namesDenominations(cell: string): boolean;
  /** Names a column of what is sold, which may be a denomination: "product". */
  namesProducts(cell: string): boolean;
  /** Names a column that is neither: "serial number", "date". */
  namesOthers(cell: string): boolean;
}

const CODE_NAMES = list(
  'code codes pin pins voucher vouchers key keys coupon coupons код коды ваучер ваучеры пин ключ ключи',
);
const DENOMINATION_NAMES = list(
  'denomination denominations denom denoms amount amounts value nominal номинал номиналы сумма',
);
const OTHER_NAMES = list(
  'id no nr num number serial sn date time created expires expiry price cost status state name product order ' +
    'game region note notes comment quantity qty row index item дата цена статус номер серия товар название наименование',
);
const PRODUCT_NAMES = list('product item товар name название наименование');
const SIDE_NAMES = list('face gift redeem redemption activation top up topup card');

const SHORTEST_MALFORMED = 6;
const LONGEST_PROSE = 32;

/**
 * What is malformed, in this order of rules: dates and prices are not; a word with a digit and six characters or more is
 * (so is `ABC-123`); a word over 32 characters is; letters alone are where leaving out the marks inside, or reading a foreign
 * letter as a Latin one, would make a code (`ABCD-EFGH-IJKL`), and where they fit the pattern and are not written as words are:
 * a code has a digit. Every other word is prose.
 */
export function createVocabulary(game: Game): Vocabulary {
  const denominations = new Set(game.denominations);
  const isCurrency = createCurrencyTest(game.currency);
  const glance = createCurrencyGlance(game.currency);
  const isColumnName = (word: string) =>
    CODE_NAMES.has(word) || DENOMINATION_NAMES.has(word) || OTHER_NAMES.has(word) || SIDE_NAMES.has(word);
  const fits = (word: string) =>
    word.length <= LONGEST_WORD && game.codePattern.test(word) && !isColumnName(word.toLowerCase());
  const isCode = (word: string) => fits(word) && /[0-9]/.test(word);

  /** Some word is one of these and every word is one a column may have in its name. */
  const names = (cell: string, wanted: (word: string) => boolean) => {
    if (cell.length > 64) return false;
    const words = cell.toLowerCase().match(/\p{L}+/gu) ?? [];
    return words.some(wanted) && words.every((word) => isColumnName(word) || isCurrency(word));
  };
  return {
    isCode,
    readCode: (word) => readCode(word, isCode),
    isMalformed: (word) => !isColumnName(word.toLowerCase()) && isMeantAsCode(word, fits),
    isDenomination: (value) => denominations.has(value),
    isCurrency,
    mayHoldCurrency: (text) => glance.test(text),
    namesCodes: (cell) => names(cell, (word) => CODE_NAMES.has(word)),
    namesDenominations: (cell) => names(cell, (word) => DENOMINATION_NAMES.has(word) || isCurrency(word)),
    namesProducts: (cell) => PRODUCT_NAMES.has(cell.trim().toLowerCase()),
    namesOthers: (cell) => names(cell, (word) => OTHER_NAMES.has(word)),
  };
}

function isMeantAsCode(word: string, fits: (word: string) => boolean): boolean {
  if (word.length > LONGEST_PROSE) return true;
  if (/^\d{1,4}([-.])\d{1,2}\1\d{1,4}(?:T\d*|г)?$/.test(word) || /^\d+\.\d{1,2}$/.test(word)) return false;
  if (/\p{Nd}/u.test(word)) return word.length >= SHORTEST_MALFORMED;
  if (!/[A-Za-z]/.test(word)) return false;
  if (fits(word)) return !/^[A-Z]?[a-z]+$/.test(word);
  const repaired = word.replace(/[^\p{L}\p{M}]/gu, '').replace(/[^A-Za-z]/gu, 'A');
  return repaired !== word && fits(repaired);
}

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
