// What could be codes in a text of any kind: a customer's sentence, a forwarded list, a supplier's message.
import type { Game } from '../games.ts';
import { readCode } from '../folding.ts';

/** A number up to this length is a player, or may be one. */
const LONGEST_NUMBER = 20;
const SHORTEST_BROKEN = 10;

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
      return code !== undefined && (/\p{L}/u.test(code) || code.length > LONGEST_NUMBER) ? [code] : [];
    });
}

/**
 * Whether a text without players is for the preview of an import: of several codes, of one beside what is nearly one, of
 * lines in groups, `AB12 CD34 EF56`, or of lines of one word under an amount that are nearly codes, cut in two perhaps.
 */
export function looksPasted(text: string, codes: number, games: readonly Game[]): boolean {
  if (codes > 1) return true;
  const words = text.split(/[^\p{L}\p{N}-]+/u);
  const isBroken = (word: string) =>
    /\d/.test(word) && /\p{L}/u.test(word) && findCodes(word, games).length === 0;
  if (codes === 1) return words.some((word) => word.length >= SHORTEST_BROKEN && isBroken(word));
  const isCode = codeTest(games);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.some((line) => readCode(line.replace(/ +/g, '-'), isCode) !== undefined)) return true;
  const [first = '', ...rest] = lines;
  const isHalf = (line: string) => /^[A-Za-z0-9-]{6,}$/.test(line) && isBroken(line);
  return rest.length >= 2 && rest.every(isHalf) && /^\d/.test(first);
}

const codeTest = (games: readonly Game[]) => (word: string) =>
  games.some(({ codePattern }) => codePattern.test(word));
