// What people write behind /add_codes and /extract_codes: a denomination, with or without its currency, and the rest.
// Also the words for a denomination of a game, and whether a text holds codes.
import type { Game } from '../../core/index.ts';
import type { BotContext } from '../context.ts';

/** `60 UC …`: the number before the first blank or colon, and what follows it. */
export interface CodeOrder {
  amount: number | undefined;
  rest: string;
}

/** Reads the beginning of what was written. A number of ten digits or more is no denomination but may be a code. */
export function readOrder(text: string, games: readonly Game[]): CodeOrder {
  const found = /^\s*(\d{1,9})\s*(\p{L}{1,24})?(?![\p{L}\p{N}])[ \t]*[:–—-]?/u.exec(text);
  const [whole = '', digits, word] = found ?? [];
  const isCurrency = word === undefined || games.some((game) => isSame(word, game.currency));
  if (digits !== undefined && isCurrency)
    return { amount: Number(digits), rest: text.slice(whole.length).trim() };
  const bare = /^\s*(\d{1,9})(?=[\s:]|$):?/.exec(text);
  if (bare?.[1] === undefined) return { amount: undefined, rest: text.trim() };
  return { amount: Number(bare[1]), rest: text.slice(bare[0].length).trim() };
}

/** `60 UC`. */
export function labelStockKey(
  { label }: Pick<BotContext, 'label'>,
  game: Pick<Game, 'currency'>,
  denomination: number,
): string {
  return label('codes-stock-key', { denomination: String(denomination), currency: game.currency });
}

/** Whether some word at the beginning of a text is a code of one of the games. A word without a digit is none. */
export const holdsCodes = (text: string, games: readonly Game[]): boolean =>
  text
    .slice(0, 8_192)
    .split(/[\s,;|:]+/)
    .some((word) => /\d/.test(word) && games.some((game) => game.codePattern.test(word)));

function isSame(word: string, currency: string): boolean {
  const singular = (text: string) => text.toLowerCase().replace(/(?<=...)s$/, '');
  return singular(word) === singular(currency);
}
