// A player whom a message names instead of writing the ID: `LuckyRaven83 60`. The name as it was told, what is wanted
// before or behind it, and nothing else.
import { foldName } from '../folding.ts';
import type { Game } from '../games.ts';
import { readPlainMessage, type OrderForm } from './message.ts';
import { findOrderVocabulary } from './words.ts';

const SHORTEST_NAME = 3;
const LONGEST_READ = 128;

/**
 * The one of these players that the text names, with what it wants; undefined where that is nobody, or could be
 * several.
 */
export function readNamed<P extends { playerId: string; name: string }>(
  written: string,
  players: readonly P[],
  games: { all: readonly Game[]; managed: readonly Game[] },
): { player: P; form: OrderForm } | undefined {
  // Half a message says something else.
  if (written.length > LONGEST_READ) return undefined;
  const text = fold(written);
  const vocabulary = findOrderVocabulary(games);
  const found = players.flatMap((player) => {
    const rest = withoutName(text, fold(player.name));
    if (rest === undefined || vocabulary.cut(rest).some(({ kind }) => kind === 'other')) return [];
    const read = readPlainMessage(`${player.playerId} ${rest}`, games);
    const form = read.kind === 'orders' && read.orders.length === 1 ? read.orders[0] : undefined;
    const isWhole =
      form?.playerId === player.playerId && (form.items.length > 0 || form.amount !== undefined);
    return isWhole ? [{ player, form }] : [];
  });
  const [first] = found;
  return found.every(({ player }) => player.playerId === first?.player.playerId) ? first : undefined;
}

/** What stands before or behind a name, apart from it. */
function withoutName(text: string, name: string): string | undefined {
  if (name.length < SHORTEST_NAME || name.length > LONGEST_READ || !/\p{L}/u.test(name)) return undefined;
  if (text.startsWith(name) && /^[^\p{L}\p{N}]/u.test(text.slice(name.length)))
    return text.slice(name.length);
  const before = text.slice(0, -name.length);
  return text.endsWith(name) && /[^\p{L}\p{N}]$/u.test(before) ? before : undefined;
}

const fold = (text: string) => foldName(text.replace(/\s+/gu, ' ')).trim();
