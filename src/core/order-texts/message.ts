// What a plain message in a private chat is: an order form, something to ask about, codes for the stock, or nothing of
// these. A pure function of the text and the catalogue; nothing is looked up, and nothing costs anything.
import type { Game } from '../games.ts';
import { asksAgain } from './repeat.ts';
import { hasChoice } from './doubt.ts';
import { dropNoise, findCodes, findNumbers, holdsSpacedCodes, type FoundNumber } from './matches.ts';
import { countCodes, MOST_CODES, readOrderItems, type OrderItem } from './items.ts';
import { readOddAmount, type OddAmount } from './in-text.ts';
import { findOrderVocabulary, normalise, type OrderVocabulary, type OrderWord } from './words.ts';

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
const SHORTEST_ID = 5;
/** A longer number may be a code as well. */
const LONGEST_CERTAIN_ID = 11;
const LONGEST_ID = 20;
const SHORTEST_BROKEN = 10;

type Catalogue = { all: readonly Game[]; managed: readonly Game[] };

/** Reads a message. Never throws on any text. */
export function readPlainMessage(written: string, games: Catalogue): PlainMessage {
  const text = normalise(written.slice(0, LONGEST_READ));
  if (!/\d/.test(text)) return { kind: asksAgain(text) ? 'again' : 'nothing' };
  const vocabulary = findOrderVocabulary(games);
  return readForms(text, vocabulary) ?? readRest(text, games, vocabulary);
}

/** A line of forms: its numbers that are IDs, and the words before the first of them and behind each. */
interface Line {
  ids: string[];
  parts: OrderWord[][];
}

/** undefined where anything in it is not understood, or could be read in two ways. */
function readForms(text: string, vocabulary: OrderVocabulary): PlainMessage | undefined {
  if (hasChoice(text, vocabulary)) return undefined;
  const lines = dropListNumbers(text.toLowerCase().split('\n')).map((line) =>
    readLine(vocabulary.cut(line), vocabulary),
  );
  const known = lines.filter((line): line is Line => line !== undefined);
  if (known.length < lines.length) return undefined;
  const forms = toForms(known, vocabulary);
  if (!forms || forms.length === 0) return undefined;
  if (forms.length > 1 && forms.some(({ items }) => items.length === 0)) return undefined;
  if (forms.some(({ playerId }) => playerId.length > LONGEST_CERTAIN_ID)) return undefined;
  if (forms.length > MOST_ORDERS) return { kind: 'tooMany', of: 'players' };
  if (forms.some(({ items }) => countCodes(items) > MOST_CODES)) return { kind: 'tooMany', of: 'codes' };
  return { kind: 'orders', orders: forms };
}

/** `1. …`, `2) …`: where the lines are numbered from one on, their numbers are none of an order. */
function dropListNumbers(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== '');
  const isList = written.every((line, index) => new RegExp(`^\\s*${index + 1}[.)]\\s`).test(line));
  return isList ? written.map((line) => line.replace(/^\s*\d+[.)]\s/, '')) : [...lines];
}

function readLine(words: readonly OrderWord[], { isDenomination }: OrderVocabulary): Line | undefined {
  if (words.some(({ kind }) => kind === 'other')) return undefined;
  const line: Line = { ids: [], parts: [[]] };
  words.forEach((word, at) => {
    const isPlayer =
      word.kind === 'number' && isId(word.digits) && !hasUnit(words, at) && !isDenomination(word.value);
    if (isPlayer) line.ids.push(word.digits);
    if (isPlayer) line.parts.push([]);
    else line.parts.at(-1)?.push(word.kind === 'id' ? JOINT : word);
  });
  return line;
}

const JOINT: OrderWord = { kind: 'joint', adds: false };

/** `5000 UC`, but not the first number of `5170925570 UC 60`. */
function hasUnit(words: readonly OrderWord[], at: number): boolean {
  if (words[at + 1]?.kind !== 'unit') return false;
  return words[words[at + 2]?.kind === 'joint' ? at + 3 : at + 2]?.kind !== 'number';
}

const isId = (digits: string) => digits.length >= SHORTEST_ID && digits.length <= LONGEST_ID;

/** Each ID begins a form; lines without one go on with the form before, where that says nothing yet. */
function toForms(lines: readonly Line[], vocabulary: OrderVocabulary): OrderForm[] | undefined {
  const forms: OrderForm[] = [];
  const count = lines.reduce((sum, { ids }) => sum + ids.length, 0);
  // With one player everything in the message is for it, wherever it stands; what stands before it never goes with what
  // is behind.
  if (count === 1) {
    const playerId = lines.flatMap(({ ids }) => ids)[0];
    const items = readOrderItems(lines.flatMap(wordsOf), vocabulary);
    return playerId === undefined || !items ? undefined : [{ playerId, items }];
  }
  for (const line of lines) {
    const read = line.ids.length > 1 ? readPairs(line, vocabulary) : readSingle(line, vocabulary);
    if (!read) return undefined;
    forms.push(...read.forms);
    const last = forms.at(-1);
    if (read.items.length > 0) {
      if (!last || last.items.length > 0) return undefined;
      last.items = read.items;
    }
  }
  const players = new Map<string, OrderForm>();
  for (const { playerId, items } of forms) {
    players.set(playerId, { playerId, items: merge([...(players.get(playerId)?.items ?? []), ...items]) });
  }
  return [...players.values()];
}

/** What a line says: forms, or items for the form before it. */
type ReadLine = { forms: OrderForm[]; items: OrderItem[] } | undefined;

/** The words of a line without its IDs: nothing in them goes beyond where one stood. */
const wordsOf = ({ parts }: Line) => parts.flatMap((part): OrderWord[] => [...part, JOINT]);

function readSingle(line: Line, vocabulary: OrderVocabulary): ReadLine {
  const items = readOrderItems(wordsOf(line), vocabulary);
  const [playerId] = line.ids;
  if (!items) return undefined;
  return playerId === undefined ? { forms: [], items } : { forms: [{ playerId, items }], items: [] };
}

/** `ID 60, ID 325`, or `60 ID, 325 ID`: each has its own on the same side, and nothing stands on the other. */
function readPairs({ ids, parts }: Line, vocabulary: OrderVocabulary): ReadLine {
  const read = parts.map((part) => readOrderItems(part, vocabulary));
  const items = read.filter((each): each is OrderItem[] => each !== undefined);
  if (items.length < read.length) return undefined;
  const [first = [], last = []] = [items[0], items.at(-1)];
  const [behind, before] = [items.slice(1), items.slice(0, -1)];
  const isFull = (each: OrderItem[][]) => each.every((one) => one.length > 0);
  const own = first.length === 0 && isFull(behind) ? behind : undefined;
  const theirs = own ?? (last.length === 0 && isFull(before) ? before : undefined);
  return theirs && { forms: ids.map((playerId, at) => ({ playerId, items: theirs[at] ?? [] })), items: [] };
}

function merge(items: readonly OrderItem[]): OrderItem[] {
  const merged = new Map<number, OrderItem>();
  for (const item of items) {
    const count = (merged.get(item.denomination)?.count ?? 0) + item.count;
    merged.set(item.denomination, { ...item, count });
  }
  return [...merged.values()];
}

/** What is no form: what in it a person can be asked about. */
function readRest(text: string, games: Catalogue, vocabulary: OrderVocabulary): PlainMessage {
  const quiet = dropNoise(text);
  const codes = findCodes(quiet, games.all);
  const found = findNumbers(quiet, vocabulary);
  const numbers = found.numbers.filter(({ digits }) => !codes.includes(digits));
  const long = numbers.filter((number) => isLong(number) && !number.isNamed).length;
  if (arePasted(quiet, { codes: codes.length, long, numbers }, vocabulary)) return { kind: 'codes' };
  const [code] = codes;
  if (code !== undefined && codes.length === 1 && numbers.length === 0)
    return holdsBroken(quiet, games.all) ? { kind: 'codes' } : { kind: 'code', code };
  if (numbers.length === 0) {
    if (codes.length > 0 || holdsSpacedCodes(quiet, games.all) || areBrokenCodes(quiet, vocabulary))
      return { kind: 'codes' };
    return readAmount(text, vocabulary) ?? { kind: 'nothing' };
  }
  const asked = numbers.slice(0, MOST_CANDIDATES);
  const odd =
    numbers.length === 1 && codes.length === 0 ? readOddAmount(quiet, numbers, games, vocabulary) : undefined;
  const unread = codes.length === 0 && odd === undefined ? found.unread : [];
  if (isClear(text, numbers, { unread, odd }) && codes.length === 0)
    return { kind: 'orders', orders: asked.map(({ digits, items }) => toForm(digits, items, odd)) };
  const players = asked.map(({ digits, items }) => ({
    ...toForm(digits, items, odd),
    codes: numbers.length === 1 || codes.length === 1 ? codes : findCodesBeside(quiet, digits, games.all),
  }));
  return {
    kind: 'candidates',
    players,
    more: numbers.slice(MOST_CANDIDATES).map(({ digits }) => digits),
    mayBeCodes: codes.length + long > 0,
    unread,
  };
}

const toForm = (playerId: string, items: OrderItem[], odd: OddAmount | undefined): OrderForm =>
  odd ? { playerId, items: [], amount: odd.amount } : { playerId, items };

/** Asked, complained of or long: a person looks at it before a look-up is paid for. */
const UNCLEAR = new RegExp(
  '\\?|(?<!\\p{L})(?:where|when|why|which|what|who|how|never|again|still|late|wait\\p{L}*|check|receipt|ticket|problem\\p{L}*|issue|help|' +
    'scam\\p{L}*|где|когда|почему|како\\p{L}*|сколько|кто|что|опять|снова|чек\\p{L}*|заявк\\p{L}*|проблем\\p{L}*|помо[гщ]\\p{L}*|жд[уеё]\\p{L}*|' +
    'жалоб\\p{L}*|обман\\p{L}*|nerede\\p{L}*|ne zaman|neden|nas[ıi]l|sorun\\p{L}*|bekl\\p{L}*|d[óo]nde|cu[áa]nd?o|cu[áa]nto|' +
    'qu[ée]|espera\\p{L}*|onde|quando|quanto|cad[êe]|mana|kapan|kenapa|berapa|belum|أين|متى|كم|لماذا)(?!\\p{L})|哪|多少|什么时候|怎么',
  'iu',
);
const LONGEST_CLEAR = 200;

/**
 * Whether one player and one known amount are all that the text can be about, whatever harmless words stand beside
 * them.
 */
function isClear(
  text: string,
  [number, another]: readonly FoundNumber[],
  { unread, odd }: { unread: readonly string[]; odd: OddAmount | undefined },
): boolean {
  if (!number || another || isLong(number) || number.isOther || text.length > LONGEST_CLEAR) return false;
  if (odd) return odd.isAll && odd.addsUp;
  return countCodes(number.items) === 1 && unread.length === 0 && !UNCLEAR.test(text);
}

const isLong = ({ digits }: { digits: string }) => digits.length > LONGEST_CERTAIN_ID;

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
  const words = text
    .toLowerCase()
    .split('\n')
    .flatMap((line): OrderWord[] => [...vocabulary.cut(line), JOINT]);
  if (words.some(({ kind }) => kind === 'other' || kind === 'id')) return undefined;
  const [item, another] = readOrderItems(words, vocabulary) ?? [];
  return item && !another ? { kind: 'amount', item } : undefined;
}

/** Whether what is nearly a code stands beside one: both are looked at in the preview of an import. */
function holdsBroken(text: string, games: readonly Game[]): boolean {
  const words = text.split(/[^\p{L}\p{N}-]+/u).filter((word) => word.length >= SHORTEST_BROKEN);
  return words.some((word) => /\d/.test(word) && /\p{L}/u.test(word) && findCodes(word, games).length === 0);
}

/** `660 UC` over lines of one word that are nearly codes, cut in two perhaps: the preview of an import says so. */
function areBrokenCodes(text: string, vocabulary: OrderVocabulary): boolean {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  const isBroken = (line: string) =>
    /^\s*[A-Za-z0-9-]{6,}\s*$/.test(line) && /[A-Za-z]/.test(line) && /\d/.test(line);
  return rest.length >= 2 && rest.every(isBroken) && readAmount(first, vocabulary) !== undefined;
}

/** Whether it is a list of codes with, perhaps, numbers beside them, and not players with codes beside them. */
function arePasted(
  text: string,
  { codes, long, numbers }: { codes: number; long: number; numbers: readonly FoundNumber[] },
  vocabulary: OrderVocabulary,
): boolean {
  if (codes + long < 2 || numbers.some(({ isNamed }) => isNamed)) return false;
  const ids = numbers.filter((number) => !isLong(number) && !number.isOther);
  if (codes === 0) return long >= 3 && ids.length === 0;
  const [only] = ids;
  if (only && ids.length === 1 && codes > 1) return !leads(text, only.digits, vocabulary);
  return ids.length === 0 || codes >= 3 || codes > ids.length;
}

/** Whether a text begins or ends with the number, and says nothing of a denomination: a player, and codes for it. */
function leads(text: string, digits: string, vocabulary: OrderVocabulary): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isThere = [lines[0], lines.at(-1)].some((line) => line?.includes(digits));
  const words = lines.flatMap((line) => vocabulary.cut(line.toLowerCase()));
  return isThere && !words.some((word) => word.kind === 'number' && vocabulary.isDenomination(word.value));
}
