// What of an order is not read as any: an amount that no denomination has, and numbers that nothing accounts for. A
// person is told of them: nothing that was wanted is dropped without a word.
import type { Game } from '../games.ts';
import { isDoubtful } from './doubt.ts';
import type { FoundNumber } from './matches.ts';
import { addsUp } from './packs.ts';
import { withoutOtherSenses } from './items-in-text.ts';
import type { OrderVocabulary, OrderWord } from './words.ts';

export interface OddAmount {
  amount: number;
  /** The text is the player and this, and nothing else. */
  isAll: boolean;
  /** Of the denominations of some game it can be made. */
  addsUp: boolean;
}

const MOST_UNREAD = 5;
const LONGEST_WORD = 16;
/** Before a number that is no amount: it tells where or how far the player is. */
const PLACE = /^(?:server|region|zone|level|lvl|rank|сервер|регион|зона|уров\p{L}*|лвл|ранг)[:#№.=-]*$/iu;
/** Longer ones are players, or nothing of an order. */
const LONGEST_AMOUNT = 5;

/** `720`, beside the one player of the text. */
export function readOddAmount(
  text: string,
  players: readonly FoundNumber[],
  { managed }: { managed: readonly Game[] },
  vocabulary: OrderVocabulary,
): OddAmount | undefined {
  const words = wordsOf(text, vocabulary);
  const rest = words.filter((word) => !isPlayer(word, players));
  const at = rest.findIndex(({ kind }) => kind === 'number');
  const number = rest[at];
  if (number?.kind !== 'number' || rest.some((word, other) => other !== at && countsOrAmounts(word)))
    return undefined;
  const isAll = rest.every(({ kind }) => kind !== 'other');
  const hasUnit = [rest[at - 1], rest[at + 1]].some((word) => word?.kind === 'unit');
  if ((!isAll && !hasUnit) || number.digits.length > LONGEST_AMOUNT || number.value < 1) return undefined;
  if (vocabulary.isDenomination(number.value) || isDoubtful(text, vocabulary)) return undefined;
  const isMade = managed.some(({ denominations }) => addsUp(number.value, denominations));
  return { amount: number.value, isAll, addsUp: isMade };
}

/** Numbers that are no player, no amount and no count of what was read, each with the word behind it: `3 adet`. */
export function findUnread(
  text: string,
  players: readonly FoundNumber[],
  vocabulary: OrderVocabulary,
): string[] {
  const items = players.flatMap((player) => player.items);
  const read = new Set(items.flatMap(({ denomination, count }) => [denomination, count]));
  // `two accounts`
  if (players.length > 1) read.add(players.length);
  const words = wordsOf(joinGroups(text, players), vocabulary);
  const found = words.flatMap((word, at): string[] => {
    if (word.kind === 'other' && /^\d/.test(word.text)) return [word.text.slice(0, LONGEST_WORD)];
    if (word.kind !== 'number' || read.has(word.value) || isPlayer(word, players)) return [];
    if (word.digits.length >= LONGEST_AMOUNT && !vocabulary.isDenomination(word.value)) return [];
    const before = words[at - 1]?.kind === 'joint' ? words[at - 2] : words[at - 1];
    if (before?.kind === 'other' && PLACE.test(before.text) && !vocabulary.isDenomination(word.value))
      return [];
    const behind = words[at + 1];
    const [what] = (behind?.kind === 'other' && /^\p{L}{1,16}/u.exec(behind.text)) || [];
    return [[word.digits || String(word.value), ...(what === undefined ? [] : [what])].join(' ')];
  });
  return [...new Set(found)].slice(0, MOST_UNREAD);
}

const LOCAL_PHONE = /(?<!\d)[78][ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}(?!\d)/g;

/** IDs that are written in groups as one number each; local phone numbers are left out. */
function joinGroups(text: string, players: readonly FoundNumber[]): string {
  const joined = players.reduce(
    (each, { digits }) => each.replace(new RegExp([...digits].join('[ \\t,.-]?'), 'g'), digits),
    text,
  );
  return joined.replace(LOCAL_PHONE, ' ');
}

const wordsOf = (text: string, vocabulary: OrderVocabulary): OrderWord[] =>
  withoutOtherSenses(text.toLowerCase())
    .split('\n')
    .flatMap((line) => vocabulary.cut(line));

const isPlayer = (word: OrderWord, players: readonly FoundNumber[]) =>
  word.kind === 'number' && players.some(({ digits }) => digits === word.digits);

const countsOrAmounts = ({ kind }: OrderWord) =>
  kind === 'number' || kind === 'times' || kind === 'pieces' || kind === 'each';
