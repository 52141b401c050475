// Single amounts among the words of a line: `60`, `60 UC`, `1,800`, `UC60`, with what stands beside them.
import type { Vocabulary } from './vocabulary.ts';
import type { Word } from './words.ts';

export interface Amount {
  kind: 'amount';
  /** As it was written. */
  text: string;
  value: number;
  /** Written with the currency. */
  certain: boolean;
  /** `60:` with or without the currency: what follows belongs to it. */
  opens: boolean;
  /** `60.` and `60)` at the beginning of a line. */
  marker: boolean;
  leads: boolean;
}

const SPACES = /^[ \t\u00a0\u2009\u202f]*$/;
const GROUPING = new Set([..." ,.'\u2019\u00a0\u2009\u202f"]);
const MONEY = new Set([...'$€£¥₽₴₸₹%']);

/** The amount that begins with this word, and the word after it. */
export function findAmount(
  line: string,
  words: readonly Word[],
  index: number,
  vocabulary: Vocabulary,
): { amount: Amount; next: number } | undefined {
  const prefixed = vocabulary.isCurrency(words[index]?.text ?? '') && isBeside(line, words, index);
  const first = prefixed ? index + 1 : index;
  const numeral = findNumeral(line, words, first, vocabulary);
  const start = words[first]?.start ?? 0;
  const end = words[(numeral?.next ?? 0) - 1]?.end ?? 0;
  if (numeral === undefined) return undefined;
  const certain = numeral.certain || prefixed;
  const rest = line.slice(end, end + 8);
  const opens = /^[\s*_)\]"'`~]*[:：=]/.test(rest);
  if (!certain && !opens && isSomethingElse(line, words, { start, end, next: numeral.next }, vocabulary)) {
    return undefined;
  }
  const leads = index === 0;
  const marker = leads && !certain && /^[.)]/.test(rest) && !line.slice(0, start).includes('(');
  return {
    amount: {
      kind: 'amount',
      text: line.slice(words[index]?.start, end),
      value: numeral.value,
      certain,
      opens,
      marker,
      leads,
    },
    next: numeral.next,
  };
}

/** `60`, `60 UC`, `60uc`, `1800`, `1,800`, `1.800 UC`, `1 800UC`, as one number of one or more words. */
function findNumeral(
  line: string,
  words: readonly Word[],
  index: number,
  vocabulary: Vocabulary,
): { value: number; certain: boolean; next: number } | undefined {
  const first = splitNumeral(words[index]?.text ?? '', vocabulary);
  if (first === undefined) return undefined;
  let { digits, certain } = first;
  let next = index + 1;
  while (!certain && digits.length <= 6 && /^\d{1,3}$/.test(words[index]?.text ?? '')) {
    const group = splitNumeral(words[next]?.text ?? '', vocabulary);
    const gap = line.slice(words[next - 1]?.end, words[next]?.start);
    if (group?.digits.length !== 3 || gap.length !== 1 || !GROUPING.has(gap)) break;
    digits += group.digits;
    certain = group.certain;
    next += 1;
  }
  const followed =
    !certain && isBeside(line, words, next - 1) && vocabulary.isCurrency(words[next]?.text ?? '');
  if (followed) return { value: Number(digits), certain: true, next: next + 1 };
  const whole = certain || vocabulary.isDenomination(Number(digits));
  if (whole) return { value: Number(digits), certain, next };
  // A number that no currency vouches for is neither grouped nor long: `325 660` are two, 1234567 is no amount.
  if (!/^\d{1,5}$/.test(first.digits) || /\D/.test(words[index]?.text ?? '')) return undefined;
  return { value: Number(first.digits), certain: false, next: index + 1 };
}

function splitNumeral(
  word: string,
  vocabulary: Vocabulary,
): { digits: string; certain: boolean } | undefined {
  if (word.length > 32 || vocabulary.isCode(word)) return undefined;
  const match = /^(\d{1,9}|\d{1,3}(?:\.\d{3}){1,2})(\p{L}*)$/u.exec(word);
  const [, digits = '', letters = ''] = match ?? [];
  if (digits === '' || (letters !== '' && !vocabulary.isCurrency(letters))) return undefined;
  return { digits: digits.replaceAll('.', ''), certain: letters !== '' };
}

/** Only blanks between this word and the next. */
function isBeside(line: string, words: readonly Word[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  return word !== undefined && next !== undefined && SPACES.test(line.slice(word.end, next.start));
}

/** `60 $` and `60 pcs` count other things. */
function isSomethingElse(
  line: string,
  words: readonly Word[],
  at: { start: number; end: number; next: number },
  vocabulary: Vocabulary,
): boolean {
  const after = line.slice(at.end, at.end + 2).trimStart();
  if (MONEY.has(line.charAt(at.start - 1)) || MONEY.has(after.charAt(0))) return true;
  const unit = words[at.next]?.text ?? '';
  if (!/^\p{L}+$/u.test(unit) || !isBeside(line, words, at.next - 1)) return false;
  return !vocabulary.isCode(unit) && !vocabulary.isMalformed(unit);
}
