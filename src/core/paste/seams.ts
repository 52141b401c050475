// Where one message of a paste ends and the next begins: are they one text? Telegram clients cut a long paste near
// 4,096 characters, sometimes inside a code, and drop the blank where the cut fell on one.
import { findHead, findTail, findWords } from './cutting.ts';
import { readHeading } from './heading.ts';
import { lexLine } from './lexer.ts';
import type { Lexicon } from './lexicon.ts';
import { readNumbers } from './numbers.ts';

/** A message of this many characters was probably cut by the client that sent it. */
export const PROBABLY_CUT = 4_000;
const NEIGHBOURHOOD = 1_024;

/** The token across a seam and its halves. */
interface Seam {
  left: string;
  right: string;
  whole: string;
}

/**
 * What stood between two messages that follow each other: nothing, or the blank the client dropped; undefined where they are
 * two texts. After a message long enough to have been cut it is nothing, unless both halves at the seam are codes and the
 * whole is none; where the whole could be a code as well, the lengths of the codes next to it decide. After a shorter message
 * it is nothing only where neither half is a code and the whole is, and where neither an amount nor a number alone is joined.
 */
export function findBetween(
  left: { text: string; lastLength: number },
  right: string,
  lexicon: Lexicon,
): string | undefined {
  const before = left.text.slice(-NEIGHBOURHOOD);
  const after = right.slice(0, NEIGHBOURHOOD);
  const seam = findSeam(before, after);
  if (left.lastLength >= PROBABLY_CUT) {
    return seam !== undefined && isApart(seam, before, after, lexicon)
      ? findDropped(seam, before, lexicon)
      : '';
  }
  if (seam === undefined || !isCode(lexicon, seam.whole)) return undefined;
  if (isCode(lexicon, seam.left) || isCode(lexicon, seam.right)) return undefined;
  // `660` and a player's ID are two messages, whatever they would make together.
  if (/^\d+$/.test(seam.whole)) return undefined;
  const isWhole = (line: string) => isHeading(line, lexicon) || isAmountAlone(line, lexicon);
  return isWhole(lastLine(before)) || isWhole(firstLine(after)) ? undefined : '';
}

/** Also one in groups: cut inside, it is joined; cut behind, it stands apart. */
function isCode(lexicon: Lexicon, word: string): boolean {
  return lexicon.readCode(word) !== undefined;
}

function findSeam(before: string, after: string): Seam | undefined {
  const tail = findTail(before);
  const touching = tail + findHead(after);
  const word = findWords(touching).find(({ start, end }) => start < tail.length && tail.length < end);
  if (word === undefined) return undefined;
  const cut = tail.length - word.start;
  return { left: word.text.slice(0, cut), right: word.text.slice(cut), whole: word.text };
}

function isApart({ left, right, whole }: Seam, before: string, after: string, lexicon: Lexicon): boolean {
  const [leftIsCode, rightIsCode] = [isCode(lexicon, left), isCode(lexicon, right)];
  // Codes of one paste are mostly of one length: a half of that length is whole.
  const lengths = findNeighbours(before, after, lexicon).map((code) => code.length);
  const fits = (word: string) => !isCode(lexicon, whole) || lengths.includes(word.length);
  if (isCode(lexicon, whole) && lengths.includes(whole.length)) return false;
  if (leftIsCode && isHeading(firstLine(after), lexicon)) return true;
  if (rightIsCode && isHeading(lastLine(before), lexicon)) return true;
  const leftIsWhole = leftIsCode && fits(left);
  const rightIsWhole = rightIsCode && fits(right);
  if (leftIsWhole) return rightIsWhole || isAmount(right, lexicon);
  return rightIsWhole && isAmount(left, lexicon);
}

/** The codes nearest to the seam that it does not touch. */
function findNeighbours(before: string, after: string, lexicon: Lexicon): string[] {
  const earlier = before.slice(0, before.length - findTail(before).length);
  const later = after.slice(findHead(after).length);
  const isOne = (word: { text: string }) => isCode(lexicon, word.text);
  return [findWords(earlier).findLast(isOne), findWords(later).find(isOne)].flatMap(
    (word) => word?.text ?? [],
  );
}

/** A line end, but in the middle of a row of a table that is cut by blanks it is the blank of the row before. */
function findDropped({ left, right }: Seam, before: string, lexicon: Lexicon): string {
  if (!isAmount(left, lexicon) && !isAmount(right, lexicon)) return '\n';
  const row = before.split(/[\r\n]+/).at(-2) ?? '';
  const words = findWords(row);
  if (!words.some((word) => isCode(lexicon, word.text))) return '\n';
  const index = words.findLastIndex((word) => isAmount(word.text, lexicon));
  const amount = words[index];
  const beside = index > 0 ? row[(amount?.start ?? 0) - 1] : row[amount?.end ?? 0];
  return amount !== undefined && (beside === '\t' || beside === ' ') ? beside : '\n';
}

/** `60 UC`, `коды по 660`: more than a number, and a denomination the game has, since the piece of a code may look like any other. */
function isHeading(line: string, lexicon: Lexicon): boolean {
  if (!/[^\d\s]/.test(line)) return false;
  const lexed = lexLine(line);
  return readHeading(line, lexed, readNumbers(lexed, lexicon), lexicon).denomination !== undefined;
}

function isAmountAlone(line: string, lexicon: Lexicon): boolean {
  return /\d/.test(line) && isAmount(line.trim(), lexicon);
}

function isAmount(word: string, lexicon: Lexicon): boolean {
  const [digits = ''] = /^\d{0,9}/.exec(word) ?? [];
  const unit = word.slice(digits.length);
  const known = digits === '' || lexicon.isDenomination(Number(digits));
  return known && (unit === '' || lexicon.isCurrency(unit));
}

function lastLine(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

function firstLine(text: string): string {
  return /^[^\r\n]*/.exec(text)?.[0] ?? '';
}
