// The players of a message, and what it wants for each. Where every word is known, and there is one way to read them, it
// is an order; else a person is asked, with the words that were not understood.
import { hasChoice, isDoubtful } from './doubt.ts';
import { readOrderItems, type OrderItem } from './items.ts';
import type { OrderVocabulary, OrderWord } from './words.ts';

/** A number of a text that could be a player, and what is wanted for it. */
interface FoundPlayer {
  playerId: string;
  /** The text calls it an ID. */
  isNamed: boolean;
  items: OrderItem[];
}

export interface FoundPlayers {
  /** Those that are called an ID first. */
  players: FoundPlayer[];
  /** What was not understood, as it was written. */
  unread: string[];
  /** A number is among that: an amount, a count. */
  hasUnreadNumber: boolean;
  /** Nothing was not understood, and nothing could be read in two ways. */
  isCertain: boolean;
  /** The text calls each of them something else: the number of an order, a phone. */
  areOthers: boolean;
  /** The words beside them. */
  words: readonly OrderWord[];
}

const [SHORTEST_ID, LONGEST_ID] = [5, 20];
const [SHORTEST_GROUPED, LONGEST_GROUPED] = [8, 11];
const MOST_UNREAD = 5;
const LONGEST_UNREAD = 40;

/** In the place of what is no word of an order, whatever it is. */
const NOISE = ' ¤ ';
const LINK = /\b(?:https?:\/\/|www\.|t\.me\/|tg:\/\/)\S+|^@\w+/giu;
const PHONES = /\+\s?\d[\d ()-]{7,}\d/g;
const CARDS = /(?<!\d)\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?!\d)/g;
const MONEY =
  '[₽$€£₸](?! ?\\d)|руб\\p{L}{0,4}|р(?![\\p{L}\\d])|usdt?|rub|eur|тг|тенге|kzt|сум|uzs|грн|uah|try|tl';
/** Prices, parts in a hundred, days and times: none of their numbers is an amount. */
const OTHER_SENSES = new RegExp(
  `[$€£₽₸] ?\\d[\\d.,]*|(?<!\\d[.,]?)\\d[\\d.,]{0,20} ?(?:%|${MONEY})|` +
    '(?<![\\d.,])\\d{1,2}(?:[./]\\d{1,2}(?:[./]\\d{2,4})?|:\\d{2}(?::\\d{2})?)(?![\\p{L}\\d])',
  'giu',
);
/** Where the player is, or how far: their numbers are no amounts, unless they could be some. */
const PLACES =
  /(?<!\p{L})((?:server|region|zone|level|lvl|rank|сервер|регион|зона|уров\p{L}*|лвл|ранг)[ :#№.=-]{0,3})(\d{1,4})(?!\d)/giu;
/** `order 1234567`, `заказ № 1234567`, `тел 89161234567`: a number of somebody's books, of a phone, a name. */
const OTHERS =
  /(?<!\p{L})(?:order|invoice|receipt|ticket|ref|reference|transaction|serial|phone|card|nick|name|заказ\p{L}*|сч[её]т\p{L}*|чек\p{L}*|заявк\p{L}*|накладн\p{L}*|перевод\p{L}*|тел(?:ефон)?|карт\p{L}*|сери\p{L}*|ник|имя)\.? ?(?:no|n|номер)?[ .:#№-]{0,3}\d{5,20}(?!\d)|[#№] ?\d{5,20}(?!\d)/giu;
const LOCAL_PHONES = /(?<!\d)[78][ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}(?!\d)/g;
/** Groups of one to four digits with one mark between them, two of five, or the same in thousands: `517 092 5570`. */
const GROUPS =
  /(?<![\p{L}\d.,_/-])(?:\d{1,4}(?:[ -]\d{1,4}){1,5}|(?<!\d[ -])\d{5}[ -]\d{5}(?![ -]\d)|\d{1,3}([,.'’])\d{3}(?:\1\d{3}){1,2})(?![\p{L}\d]|[.,_/-]\d)/gu;
/** `2026-11-21`, `21 11 2026`. */
const DAY = /^(?:\d{4}[ -]\d{1,2}[ -]\d{1,2}|\d{1,2}[ -]\d{1,2}[ -]\d{4})$/;
/** What is wanted is wanted for each player of the text. */
const EACH = /(?<!\p{L})(?:all|each|every|both|всем|каждому|обоим|по)(?!\p{L})/iu;
/** Beside a bare amount they change nothing of it. */
const CHATTER =
  /^(?:hi|hey|hello|привет|здравствуйте|for|to|on|at|do|send|give|need|want|wants|add|get|pls|plz|please|thx|thanks|asap|same|him|her|me|my|again|urgent|now|bro|на|для|до|за(?:кинь|кинуть|кидывай)\p{L}*|с?кинь\p{L}*|кидай\p{L}*|отправь\p{L}*|нужно|надо|мне|ему|ей|плиз|пж|пожалуйста|спс|спасибо|срочно|бро|брат|all|each|всем|каждому|обоим)[.,!:]*$|^[^\p{L}\p{N}$€₽%?]/iu;

/** Between lines, and in the place of a player: what stands on both sides does not touch. */
const EDGE: OrderWord = { kind: 'joint', text: '' };

/** Without what links, addresses, phone numbers and cards are made of. */
export function dropNoise(text: string): string {
  const words = text.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/u);
  const unlinked = words.map((word) => (isAddress(word) ? NOISE : word.replace(LINK, NOISE))).join('');
  return unlinked.replace(CARDS, NOISE).replace(PHONES, NOISE);
}

/** Something, an `@`, something, a dot, something. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@', 1);
  const dot = word.lastIndexOf('.', word.length - 2);
  return at !== -1 && dot > at + 1;
}

/** The players of a text that is nothing but orders; `isCertain` is false where it is anything else. */
export const findOrders = (text: string, vocabulary: OrderVocabulary): FoundPlayers => {
  const found = readPlayers(text, vocabulary);
  return { ...found, isCertain: found.isCertain && !hasChoice(text, vocabulary) };
};

/**
 * The players of a text of any kind, without noise. What is called something else is among them only where nothing else
 * could be a player.
 */
export function findPlayers(text: string, vocabulary: OrderVocabulary): FoundPlayers {
  const named = text.replace(LOCAL_PHONES, (phone) => ` #${phone.replace(/\D/g, '')}${NOISE}`);
  const placed = named.replace(PLACES, (whole, place: string, digits) =>
    vocabulary.isDenomination(Number(digits)) ? whole : place,
  );
  const quiet = joinGroups(placed.replace(OTHER_SENSES, NOISE), vocabulary);
  const found = readPlayers(quiet.replace(OTHERS, NOISE), vocabulary);
  const areOthers = found.players.length === 0;
  const read = areOthers ? readPlayers(quiet, vocabulary) : found;
  const isDoubted = areOthers || isDoubtful(text, vocabulary);
  if (!isDoubted) return read;
  const players = read.players.map((player) => ({ ...player, items: [] }));
  return { ...read, players, unread: listUnread(read.words, new Set()), areOthers };
}

/** IDs that are written in groups as one number each; an amount beside one may be the end of it, too. */
function joinGroups(text: string, { isDenomination }: OrderVocabulary): string {
  const isId = (digits: string) => digits.length >= SHORTEST_GROUPED && digits.length <= LONGEST_GROUPED;
  return text.replace(GROUPS, (written) => {
    const groups = written.split(/\D/);
    const isOther = (group: string) => !isDenomination(Number(group)) && group.length > 1;
    const [first, last] = [groups.findIndex(isOther), groups.findLastIndex(isOther)];
    if (first === -1 || DAY.test(written)) return written;
    const from = groups.slice(0, first).every((group) => isDenomination(Number(group))) ? first : 0;
    const to = groups.slice(last + 1).every((group) => isDenomination(Number(group)))
      ? last + 1
      : groups.length;
    const [whole, own] = [groups.join(''), groups.slice(from, to).join('')];
    if (isId(whole)) return [whole, ...(own !== whole && isId(own) ? [own] : []), NOISE].join(' ');
    if (!isId(own)) return written;
    return [...groups.slice(0, from), own, NOISE, ...groups.slice(to)].join(' ');
  });
}

interface Line {
  ids: string[];
  /** The words before the first of them, and behind each. */
  parts: OrderWord[][];
}

function readPlayers(text: string, vocabulary: OrderVocabulary): FoundPlayers {
  const found = new Map<string, FoundPlayer>();
  const lines = dropListNumbers(text.toLowerCase().split('\n')).map((line) =>
    cutLine(line, found, vocabulary),
  );
  const wants = listWants(lines).map((want) => ({ ...want, ...readWanted(want, vocabulary) }));
  // What is the only amount and no player's own is for each of them: `60 UC:`, and players below it.
  const [only, another] = wants.filter(({ items }) => items.length > 0);
  const isForAll =
    only && !another && !only.isOwn && (only.hasUnit || EACH.test(text)) && only.items.length === 1;
  const all = [...found.values()];
  const named = all.filter(({ isNamed }) => isNamed);
  let isCertain = found.size > 0 && !isForAll;
  const taken = new Set<OrderWord>();
  for (const { playerId, items, isKnown, words } of wants) {
    isCertain &&= isKnown && (playerId !== undefined || items.length === 0);
    const own = all.filter((each) => each.playerId === playerId);
    const players = !isForAll || items.length === 0 ? own : named.length > 0 ? named : all;
    for (const player of players) player.items = merge([...player.items, ...items]);
    if (players.length > 0) for (const word of words) taken.add(word);
  }
  const players = [...named, ...all.filter(({ isNamed }) => !isNamed)];
  const words = lines.flatMap(({ parts }) => [...parts.flatMap((part) => [...part, EDGE])]);
  // Of several each says what is wanted.
  isCertain &&= players.length === 1 || players.every(({ items }) => items.length > 0);
  const hasUnreadNumber = words.some((word) => isNumber(word) && !taken.has(word));
  return { players, unread: listUnread(words, taken), hasUnreadNumber, isCertain, areOthers: false, words };
}

/** `1. …`, `2) …`: where the lines are numbered from one on, their numbers are none of an order. */
function dropListNumbers(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== '');
  const isList = written.every((line, index) => new RegExp(`^\\s*${index + 1}[.)]\\s`).test(line));
  return isList ? written.map((line) => line.replace(/^\s*\d+[.)]\s/, '')) : [...lines];
}

/** Notes its players among those `found`. */
function cutLine(text: string, found: Map<string, FoundPlayer>, vocabulary: OrderVocabulary): Line {
  const words = vocabulary.cut(text);
  const line: Line = { ids: [], parts: [[]] };
  let isNamed = false;
  for (const [at, word] of words.entries()) {
    const isPlayer =
      word.kind === 'number' &&
      word.digits.length >= SHORTEST_ID &&
      word.digits.length <= LONGEST_ID &&
      (isNamed || !vocabulary.isDenomination(word.value)) &&
      (word.digits.length >= SHORTEST_GROUPED || !hasUnit(words, at));
    if (isPlayer) {
      const { digits: playerId } = word;
      const before = found.get(playerId);
      found.set(playerId, { playerId, isNamed: isNamed || before?.isNamed === true, items: [] });
      line.ids.push(playerId);
      line.parts.push([]);
    } else line.parts.at(-1)?.push(word.kind === 'id' ? EDGE : word);
    isNamed = word.kind === 'id' || (isNamed && word.kind === 'joint');
  }
  return line;
}

/** `50000 UC`, but not the first number of `1234567 UC 60`. */
const hasUnit = (words: readonly OrderWord[], at: number): boolean =>
  words[at + 1]?.kind === 'unit' && words[at + 2]?.kind !== 'number';

/** Words of a text by the player for whom they stand; undefined for nobody. */
interface Want {
  playerId: string | undefined;
  words: readonly OrderWord[];
  /** It stands in the line of the player. */
  isOwn: boolean;
  /** Behind a player, whose name may follow. */
  isListed: boolean;
}

/**
 * With one player everything is for it, wherever it stands. Else the words of its line are, or those on one side of each
 * of a line: `ID 60, ID 325`; a line without one goes on with the one before, where nothing is said of that yet.
 */
function listWants(lines: readonly Line[]): Want[] {
  const players = new Set(lines.flatMap(({ ids }) => ids));
  const whole = (some: readonly Line[]) =>
    some.flatMap(({ parts }) => parts.flatMap((part) => [EDGE, ...part]));
  if (players.size < 2)
    return [{ playerId: [...players][0], words: whole(lines), isOwn: true, isListed: false }];
  const isSaid = (part: readonly OrderWord[]) =>
    part.some(({ kind }) => kind === 'number' || kind === 'times');
  let open: string | undefined;
  return lines.flatMap((line): Want[] => {
    const { ids, parts } = line;
    if (ids.length < 2) {
      const [playerId = isSaid(parts[0] ?? []) ? open : undefined] = ids;
      const words = whole([line]);
      if (isSaid(words)) open = undefined;
      else [open] = ids;
      return [{ playerId, words, isOwn: ids.length > 0, isListed: true }];
    }
    open = undefined;
    const isSide = (side: readonly OrderWord[][]) => side.every(isSaid);
    const isBehind = !isSaid(parts[0] ?? []) && isSide(parts.slice(1));
    const isBefore = !isSaid(parts.at(-1) ?? []) && isSide(parts.slice(0, -1));
    return parts.map((part, at): Want => {
      const playerId = isBehind ? ids[at - 1] : isBefore ? ids[at] : undefined;
      return { playerId, words: [EDGE, ...part, EDGE], isOwn: playerId !== undefined, isListed: true };
    });
  });
}

interface Wanted {
  items: OrderItem[];
  /** Those that say it. */
  words: readonly OrderWord[];
  /** All words are known, and read. */
  isKnown: boolean;
  hasUnit: boolean;
}

/**
 * Amounts with their unit wherever they stand, bare ones where nothing but chatter touches them. Half of what is wanted
 * is not it: where a count or an amount is not understood, nothing is.
 */
function readWanted({ words, isListed }: Want, vocabulary: OrderVocabulary): Wanted {
  const whole = words.some(({ kind }) => kind === 'other') ? undefined : readOrderItems(words, vocabulary);
  const hasUnit = words.some(({ kind }) => kind === 'unit');
  if (whole) return { items: whole, words, isKnown: true, hasUnit };
  const [items, taken]: [OrderItem[], OrderWord[]] = [[], []];
  for (let start = 0; start < words.length;) {
    let end = start;
    while (words[end] && words[end] !== EDGE && words[end]?.kind !== 'other') end += 1;
    const run = words.slice(start, end);
    const [before, after] = [words[start - 1], words[end]];
    const isQuiet = isHarmless(before) && (isHarmless(after) || (isListed && before === EDGE));
    const isSaid = isQuiet || run.some(({ kind }) => kind === 'unit');
    const read = isSaid ? readOrderItems(run, vocabulary) : undefined;
    if (!read && saysHowMany(run, vocabulary)) return { items: [], words: [], isKnown: false, hasUnit };
    if (read) {
      items.push(...read);
      taken.push(...run);
    }
    start = end + 1;
  }
  return { items: merge(items), words: taken, isKnown: false, hasUnit };
}

const isHarmless = (word: OrderWord | undefined) => word?.kind !== 'other' || CHATTER.test(word.text.trim());

/** An amount, or a count: `60 days`, `2 pcs`. */
function saysHowMany(run: readonly OrderWord[], { isDenomination }: OrderVocabulary): boolean {
  const isCounted = run.some(({ kind }) => kind === 'times' || kind === 'pieces');
  return run.some(
    (word) => word.kind === 'number' && (isDenomination(word.value) || (isCounted && word.digits.length < 3)),
  );
}

/** Also `3adet` and `要325`; `Player123` is a name. */
const isNumber = ({ kind, text }: OrderWord): boolean =>
  kind === 'number' || (kind === 'other' && /^\s*\p{sc=Han}*\d/u.test(text));

/** Stretches of words of which nothing was read, but for chatter. */
function listUnread(words: readonly OrderWord[], taken: ReadonlySet<OrderWord>): string[] {
  const stretches: OrderWord[][] = [[]];
  for (const word of words) {
    if (word === EDGE || taken.has(word) || (word.kind === 'other' && isHarmless(word))) stretches.push([]);
    else stretches.at(-1)?.push(word);
  }
  const told = stretches.map((stretch) => {
    const isWord = ({ kind }: OrderWord) => kind !== 'joint';
    const within = stretch.slice(stretch.findIndex(isWord), stretch.findLastIndex(isWord) + 1);
    return within.some(({ kind }) => kind === 'other' || kind === 'number')
      ? within
          .map(({ text }) => text)
          .join('')
          .trim()
          .slice(0, LONGEST_UNREAD)
      : '';
  });
  return [...new Set(told)].filter((text) => /[\p{L}\p{N}]/u.test(text)).slice(0, MOST_UNREAD);
}

function merge(items: readonly OrderItem[]): OrderItem[] {
  const counts = new Map<number, number>();
  for (const { denomination, count } of items)
    counts.set(denomination, (counts.get(denomination) ?? 0) + count);
  return [...counts].map(([denomination, count]) => ({ denomination, count }));
}

/** `720`, beside the one player of the text; `isAll`: the text is that, and nothing else. */
export function findOddAmount(
  { players, words }: FoundPlayers,
  vocabulary: OrderVocabulary,
): { amount: number; isAll: boolean } | undefined {
  const isCounting = ({ kind }: OrderWord) => ['number', 'times', 'pieces', 'each'].includes(kind);
  const at = words.findIndex(isCounting);
  const number = words[at];
  if (players.length !== 1 || number?.kind !== 'number' || words.filter(isCounting).length > 1)
    return undefined;
  const isAll = words.every(({ kind }) => kind !== 'other');
  const hasUnit = [words[at - 1], words[at + 1]].some((word) => word?.kind === 'unit');
  const isAmount = number.value > 0 && number.digits.length <= 5 && !vocabulary.isDenomination(number.value);
  return isAmount && (isAll || hasUnit) ? { amount: number.value, isAll } : undefined;
}
