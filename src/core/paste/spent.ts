// Codes that the paste itself calls used, sold or broken: `CODE - sold`, a status column, `❌ CODE`. They are asked about, whatever
// heading they stand under, and are left out or added as the answer says.
import type { Reading } from './line-items.ts';
import type { PasteToken } from './token.ts';

/** Of a line: what stands further behind says nothing of its codes. */
const LONGEST_LOOKED_AT = 8_192;
/** A longer line without codes is prose. */
const MOST_WORDS = 8;
const SPENT =
  /(?<![\p{L}\p{N}-])(?:used|sold|redeemed|activated|spent|claimed|invalid|expired|refund(?:ed)?|returned|dead|broken|(?:does\s?n['’]?o?t|do\s?n['’]?o?t|not|never) work(?:s|ing|ed)?|not valid|использован\p{L}*|юзан\p{L}*|продан\p{L}*|активирован\p{L}*|погаш\p{L}*|потрач\p{L}*|списан\p{L}*|выдан\p{L}*|возврат\p{L}*|возвращ\p{L}*|недейств\p{L}*|невалид\p{L}*|просроч\p{L}*|бит(?:ый|ая|ые|ых)|брак|б\/у|нерабоч\p{L}*|не\s?(?:работа|рабоч|подош|подход|прош[её]?л|валид|действ|активиру)\p{L}*)(?![\p{L}\p{N}])|[❌🚫⛔]|~~/giu;
/** Right before such a word it says the opposite: `not used`, `ещё не активирован`. */
const NEGATED =
  /(?<![\p{L}\p{N}])(?:not|never|non|nothing|none|without|n['’]t|isn['’]t|aren['’]t|hasn['’]t|wasn['’]t|не|ни|без|(?:to|can|may|will) be)(?:\s+(?:been|yet|yet been|is|are|was|были|был|быть|ещё|еще))?[\s-]*$/iu;
const LONGEST_NEGATION = 24;

/** The word or mark by which a text calls something used or broken; undefined where there is none, or it is denied. */
export function findSpent(text: string): string | undefined {
  const looked = text.slice(0, LONGEST_LOOKED_AT);
  for (const { 0: mark, index } of looked.matchAll(SPENT)) {
    const before = looked.slice(Math.max(0, index - LONGEST_NEGATION), index);
    if (!NEGATED.test(before)) return mark.toLowerCase();
  }
  return undefined;
}

/** Whether a line without codes says so of those that follow: `Used ones:`. */
export function namesSpent(line: string): boolean {
  const words = line.match(/\p{L}+/gu) ?? [];
  return words.length > 0 && words.length <= MOST_WORDS && findSpent(line) !== undefined;
}

/**
 * The tokens of a line, its codes without a denomination where it calls them spent; `used: CODE` holds for what follows. `said`: the
 * line, or what stands in it outside the columns of codes.
 */
export function setSpentAside(said: string, tokens: PasteToken[], reading: Reading): PasteToken[] {
  const codes = tokens.filter((token) => token.kind === 'code');
  const [first] = codes;
  if (first === undefined || isBare(said, codes)) return tokens;
  const spent = findSpent(said);
  if (spent === undefined) return tokens;
  const name = ({ denomination, own }: { denomination: number | undefined; own?: string | undefined }) => {
    const what = denomination ?? own ?? reading.denomination;
    return what === undefined ? spent : `${what}, ${spent}`;
  };
  const asked = tokens.map((token) =>
    token.kind === 'code' ? { ...token, denomination: undefined, own: name(token) } : token,
  );
  if (!leads(said, spent, first.code)) return asked;
  const heading = { kind: 'heading' as const, text: name(first), denomination: undefined };
  reading.denomination = undefined;
  return [heading, ...asked];
}

/** A glance: nothing but codes and what separates them. */
function isBare(said: string, codes: readonly { code: string }[]): boolean {
  const length = codes.reduce((sum, { code }) => sum + code.length + 1, 0);
  return length >= said.length && codes.every(({ code }) => said.includes(code));
}

/** `used: CODE`. */
function leads(said: string, spent: string, code: string): boolean {
  const at = said.toLowerCase().indexOf(spent);
  return at < said.indexOf(code) && /^[\s)\]*_]*[:：]/u.test(said.slice(at + spent.length));
}
