// What is wanted, out of the words between and behind player IDs: `60`, `60 x2`, `2x60`, `325+60`, `60 UC 2 pcs`. All
// of it is understood, or nothing is.
import type { OrderVocabulary, OrderWord } from './words.ts';

/** So many codes of one denomination. */
export interface OrderItem {
  denomination: number;
  count: number;
}

/** In one order for one player, from the document of the bot. */
export const MOST_CODES = 10;

/** Reads the words as items, in the order written; undefined where something is not understood. Equal ones are one. */
export function readOrderItems(
  words: readonly OrderWord[],
  vocabulary: OrderVocabulary,
): OrderItem[] | undefined {
  const items: OrderItem[] = [];
  let at = 0;
  while (at < words.length) {
    if (isBetween(words[at])) {
      at += 1;
      continue;
    }
    const read = readItem(words, at, vocabulary);
    if (!read || read.item.count < 1) return undefined;
    const same = items.find(({ denomination }) => denomination === read.item.denomination);
    if (same) same.count += read.item.count;
    else items.push(read.item);
    at = read.next;
  }
  return items;
}

export function countCodes(items: readonly OrderItem[]): number {
  return items.reduce((sum, { count }) => sum + count, 0);
}

type Read = { item: OrderItem; next: number } | undefined;

function readItem(words: readonly OrderWord[], start: number, vocabulary: OrderVocabulary): Read {
  const { isDenomination } = vocabulary;
  if (words[start]?.kind === 'times') return readSignFirst(words, start, vocabulary);
  const at = words[start]?.kind === 'unit' ? skipJoint(words, start + 1) : start;
  const first = numberAt(words, at);
  if (first === undefined) return undefined;
  const counted = readCountFirst(words, at, vocabulary);
  if (!isDenomination(first)) return counted;
  if (isForeign(words[start], first) || isForeign(words[at + 1], first)) return undefined;
  const afterUnit = words[at + 1]?.kind === 'unit' ? at + 2 : at + 1;
  const behind = readCountBehind(words, afterUnit, vocabulary);
  // `5 x 10` where both are denominations could be either.
  if (behind?.isDenomination) return undefined;
  return { item: { denomination: first, count: behind?.count ?? 1 }, next: behind?.next ?? afterUnit };
}

/** `60 diamonds`, where 60 is sold in another unit. */
const isForeign = (word: OrderWord | undefined, denomination: number) =>
  word?.kind === 'unit' && !word.denominations.has(denomination);

/** `x2 60 UC`, `qty: 2, UC: 60`. */
function readSignFirst(words: readonly OrderWord[], start: number, vocabulary: OrderVocabulary): Read {
  const at = skipJoint(words, start + 1);
  const count = numberAt(words, at);
  if (count === undefined || vocabulary.isDenomination(count)) return undefined;
  const next = skipJoint(words, at + 1);
  const read = words[next]?.kind === 'times' ? undefined : readItem(words, next, vocabulary);
  // A count on either side of one amount is two counts.
  return read?.item.count === 1 ? { ...read, item: { ...read.item, count } } : undefined;
}

/** `2 x 60 UC`, `2 pcs of 60`. */
function readCountFirst(words: readonly OrderWord[], at: number, { isDenomination }: OrderVocabulary): Read {
  const count = numberAt(words, at);
  const sign = words[at + 1]?.kind;
  if (count === undefined || (sign !== 'times' && sign !== 'pieces' && sign !== 'each')) return undefined;
  const amountAt = isBetween(words[at + 2]) ? at + 3 : at + 2;
  const denomination = numberAt(words, amountAt);
  if (denomination === undefined || !isDenomination(denomination) || isDenomination(count)) return undefined;
  if (isForeign(words[amountAt + 1], denomination)) return undefined;
  const next = words[amountAt + 1]?.kind === 'unit' ? amountAt + 2 : amountAt + 1;
  return { item: { denomination, count }, next };
}

/** `x2`, `x 2 pcs`, `2 pcs`, `- 2 pcs`; `isDenomination`: the number is one as well. */
function readCountBehind(
  words: readonly OrderWord[],
  start: number,
  { isDenomination }: OrderVocabulary,
): { count: number; next: number; isDenomination: boolean } | undefined {
  const at = skipJoint(words, start);
  const isTimes = words[at]?.kind === 'times';
  const countAt = isTimes ? skipJoint(words, at + 1) : at;
  const count = numberAt(words, countAt);
  if (count === undefined) return undefined;
  const behind = countAt + 1;
  const hasPieces = words[behind]?.kind === 'pieces';
  // `60, 2 pcs of 325`: the count is of what follows.
  const isOfNext = hasPieces && words[behind + 1]?.kind === 'each';
  if (!isTimes && (!hasPieces || isOfNext || isDenomination(count))) return undefined;
  return { count, next: hasPieces ? behind + 1 : behind, isDenomination: isDenomination(count) };
}

const isBetween = (word: OrderWord | undefined) => word?.kind === 'joint' || word?.kind === 'each';

function skipJoint(words: readonly OrderWord[], at: number): number {
  let next = at;
  while (words[next]?.kind === 'joint') next += 1;
  return next;
}

function numberAt(words: readonly OrderWord[], at: number): number | undefined {
  const word = words[at];
  return word?.kind === 'number' ? word.value : undefined;
}
