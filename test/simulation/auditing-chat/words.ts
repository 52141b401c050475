// Of a failed receipt: what its words say became of the code, and what the books say.
import type { Booked, ChatAudit } from './books.ts';

export const GAMES_OF_SESSIONS: ReadonlySet<string> = new Set(['game_id_3']);

const FATES: readonly [fate: string, words: RegExp][] = [
  ['back', /The code went back into the stock/],
  ['untouched', /The code was not used: it is still good/],
  ['used', /The code cannot be used any more/],
  ['invalid', /The code was put aside/],
  ['invalid', /The code was not accepted/],
];
const STATE = 'select state from codes where id = @id';

/** undefined on both sides where the books do not decide it. */
export function wordCode(
  { rows }: ChatAudit,
  row: Booked,
  text: string,
): [string | undefined, string | undefined] {
  const told = FATES.find(([, words]) => words.test(text))?.[0];
  const { codeId, errorCode, mode } = row;
  if (codeId === null || mode === 'direct' || told === undefined) return [undefined, undefined];
  const [code] = rows<{ state: string }>(STATE, { id: codeId });
  const kept = errorCode === 'CODE_USED' ? 'used' : errorCode === 'INVALID_CODE' ? 'invalid' : 'back';
  // Whatever became of it since: one that is told as used stands in no stock.
  const isOnShelf = code?.state === 'available' || code?.state === 'unverified';
  return [told, told === kept && isOnShelf && told !== 'back' ? 'in stock' : kept];
}
