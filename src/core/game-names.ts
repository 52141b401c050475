// The names of games in what people write.
import type { Game } from './games.ts';

/** A name of one of them in any language, in any case, with any blanks in it; undefined where none has a name. */
export function gameNamePattern(games: readonly Game[]): RegExp | undefined {
  const names = games.flatMap(({ name }) => Object.values(name ?? {}));
  if (names.length === 0) return undefined;
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s*'));
  return new RegExp(`(?<![\\p{L}\\d])(?:${escaped.join('|')})(?![\\p{L}\\d])`, 'iu');
}
