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
const OFFERED = `select id from codes where id = @id
  and iif(state in ('reserved', 'in_doubt'), claimed_from, state) in ('available', 'unverified')`;

/** undefined on both sides where the books do not decide it. */
export function formatCode(
  { rows }: ChatAudit,
  row: Booked,
  text: string,
): [string | undefined, string | undefined] {
  const told = FATES.find(([, words]) => words.test(text))?.[0];
  const { codeId, errorCode, mode } = row;
  if (codeId === null || mode === 'direct' || told === undefined) return [undefined, undefined];
  // What was refused and is tried again is offered since.
  if (rows(OFFERED, { id: codeId }).length > 0) return [told, 'back'];
  return [told, errorCode === 'CODE_USED' ? 'used' : errorCode === 'INVALID_CODE' ? 'invalid' : 'back'];
}
