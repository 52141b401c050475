// What a plain message in a private chat is: an order form, something to ask about, codes for the stock, or nothing of
// these. A pure function of the text and the catalogue; nothing is looked up, and nothing costs anything.
import type { Game } from '../games.ts';
import { addsUp } from './composition.ts';
import { isUnclear } from './doubt.ts';
import { findCodes, looksPasted } from './codes.ts';
import { countCodes, MOST_CODES, readOrderItems, type OrderItem } from './items.ts';
import { dropNoise, findOddAmount, findOrders, findPlayers, type FoundPlayers } from './players.ts';
import { asksAgain } from './repeat.ts';
import { findOrderVocabulary, normalise, type OrderVocabulary } from './words.ts';

/** A player, and what is wanted for it: nothing where the message does not say. */
export interface OrderForm {
  playerId: string;
  items: OrderItem[];
  /** What is wanted, and no denomination has. */
  amount?: number;
}

/** `codes`: those that stand beside it, to be redeemed for it. */
export interface Candidate extends OrderForm {
  codes: string[];
}

export type PlainMessage =
  /** Nothing but order forms: one, or several that each say what is wanted. Looked up at once. */
  | { kind: 'orders'; orders: OrderForm[] }
  /** Order forms, but more than one message may hold: players, or codes for one player. */
  | { kind: 'tooMany'; of: 'players' | 'codes' }
  /**
   * Players that are asked about, five at most; `more`: those left out. `mayBeCodes`: the message may be a paste for
   * the stock as well. `unread`: what else of an order stands there, as it was written.
   */
  | { kind: 'candidates'; players: Candidate[]; more: string[]; mayBeCodes: boolean; unread: string[] }
  /** One code and nothing that could be a player. */
  | { kind: 'code'; code: string }
  /** Codes for the stock. */
  | { kind: 'codes' }
  /** One denomination and nothing else: for whom, or is it what codes are to be added of? */
  | { kind: 'amount'; item: OrderItem }
  /** The same once more, and for whom it does not say. */
  | { kind: 'again' }
  | { kind: 'nothing' };

/** In one message, from the document of the bot. */
export const MOST_ORDERS = 10;
export const MOST_CANDIDATES = 5;
/** What is longer is read as far as this: a message of Telegram is shorter. */
const LONGEST_READ = 8_192;
/** A longer number may be a code as well. */
const LONGEST_CERTAIN_ID = 11;

type Catalogue = { all: readonly Game[]; managed: readonly Game[] };

/** Reads a message. Never throws on any text. */
export function readPlainMessage(written: string, games: Catalogue): PlainMessage {
  const text = normalise(written.slice(0, LONGEST_READ));
  if (!/\d/.test(text)) return { kind: asksAgain(text) ? 'again' : 'nothing' };
  const vocabulary = findOrderVocabulary(games);
  return readOrders(text, vocabulary) ?? readRest(text, games, vocabulary);
}

/** `720`, that no denomination has. */
type OddAmount = NonNullable<ReturnType<typeof findOddAmount>>;

/** Players of whom the text says it in known words alone; undefined where it could be read in two ways. */
function readOrders(text: string, vocabulary: OrderVocabulary): PlainMessage | undefined {
  const { players, isCertain } = findOrders(text, vocabulary);
  if (!isCertain || players.some(isLong)) return undefined;
  if (players.length > MOST_ORDERS) return { kind: 'tooMany', of: 'players' };
  if (players.some(({ items }) => countCodes(items) > MOST_CODES)) return { kind: 'tooMany', of: 'codes' };
  return { kind: 'orders', orders: players.map(({ playerId, items }) => ({ playerId, items })) };
}

/** What is no order: what in it a person can be asked about. */
function readRest(text: string, games: Catalogue, vocabulary: OrderVocabulary): PlainMessage {
  const quiet = dropNoise(text);
  const codes = findCodes(quiet, games.all);
  const found = findPlayers(quiet, vocabulary);
  const { players } = found;
  if (arePasted(quiet, codes.length, found, vocabulary)) return { kind: 'codes' };
  const [code] = codes;
  if (players.length === 0) {
    if (looksPasted(quiet, codes.length, games.all)) return { kind: 'codes' };
    if (code !== undefined) return { kind: 'code', code };
    return readAmount(text, vocabulary) ?? { kind: 'nothing' };
  }
  const odd = codes.length === 0 ? findOddAmount(found, vocabulary) : undefined;
  const unread = codes.length === 0 && odd === undefined ? found.unread : [];
  const asked = players.slice(0, MOST_CANDIDATES).map(({ playerId, items }): OrderForm => {
    const fitting = countCodes(items) > MOST_CODES ? [] : items;
    return odd ? { playerId, items: [], amount: odd.amount } : { playerId, items: fitting };
  });
  if (codes.length === 0 && isClear(text, found, odd, games)) return { kind: 'orders', orders: asked };
  const codesOf = (playerId: string) =>
    players.length === 1 || codes.length === 1 ? codes : findCodesBeside(quiet, playerId, games.all);
  return {
    kind: 'candidates',
    players: asked.map((form) => ({ ...form, codes: codesOf(form.playerId) })),
    more: players.slice(MOST_CANDIDATES).map(({ playerId }) => playerId),
    mayBeCodes: codes.length > 0 || players.some((player) => isLong(player) && !player.isNamed),
    unread,
  };
}

const LONGEST_CLEAR = 200;

/**
 * Whether one player and one known amount are all that the text can be about, whatever harmless words stand beside
 * them.
 */
function isClear(
  text: string,
  { players: [player, another], hasUnreadNumber, areOthers }: FoundPlayers,
  odd: OddAmount | undefined,
  { managed }: Catalogue,
): boolean {
  if (!player || another || areOthers || isLong(player) || text.length > LONGEST_CLEAR) return false;
  if (odd) return odd.isAll && managed.some(({ denominations }) => addsUp(odd.amount, denominations));
  return countCodes(player.items) === 1 && !hasUnreadNumber && !isUnclear(text);
}

/** It may be a code as well. */
const isLong = ({ playerId }: { playerId: string }) => playerId.length > LONGEST_CERTAIN_ID;

/** The codes of the lines that hold this number and no other player. */
function findCodesBeside(text: string, digits: string, games: readonly Game[]): string[] {
  const lines = text.split('\n').filter((line) => {
    const numbers = line.match(/(?<![\p{L}\d])\d{5,}(?![\p{L}\d])/gu) ?? [];
    return numbers.length === 1 && numbers[0] === digits;
  });
  return lines.flatMap((line) => findCodes(line, games));
}

/** `660 UC` alone. */
function readAmount(text: string, vocabulary: OrderVocabulary): PlainMessage | undefined {
  const words = vocabulary.cut(text.toLowerCase().replaceAll('\n', ' , '));
  const [item, another] = readOrderItems(words, vocabulary) ?? [];
  return item && !another ? { kind: 'amount', item } : undefined;
}

/** Whether it is a list of codes with, perhaps, numbers beside them, and not players with codes beside them. */
function arePasted(
  text: string,
  codes: number,
  { players, areOthers }: FoundPlayers,
  vocabulary: OrderVocabulary,
): boolean {
  const long = players.filter(isLong).length;
  if (codes + long < 2 || players.some(({ isNamed }) => isNamed)) return false;
  const [only, another] = areOthers ? [] : players.filter((player) => !isLong(player));
  if (codes === 0) return long >= 3 && !only;
  if (only && !another && codes > 1) return !leads(text, only.playerId, vocabulary);
  return !only || codes >= 3 || codes > players.length - long;
}

/** Whether a text begins or ends with the number, and says nothing of a denomination: a player, and codes for it. */
function leads(text: string, digits: string, vocabulary: OrderVocabulary): boolean {
  const lines = text.trim().split('\n');
  const isThere = [lines[0], lines.at(-1)].some((line) => line?.includes(digits));
  const words = vocabulary.cut(text.toLowerCase());
  return isThere && !words.some((word) => word.kind === 'number' && vocabulary.isDenomination(word.value));
}
