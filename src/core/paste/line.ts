// One line of a paste: its codes with the denomination that the line or a heading gives them.
// Tables with a header line are read in table.ts.
import { findAmount } from './amounts.ts';
import { hasUnknownWords, isHeadingLike, readHeading } from './heading.ts';
import { saysEmpty } from './heading-words.ts';
import { chooseAmounts, firstOf, isCounting, type Item, type Reading } from './line-items.ts';
import type { PasteToken } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';
import { findWords, LONGEST_WORD } from './words.ts';
import type { Word } from './words.ts';

/** Of what a heading says, as it is shown. */
const LONGEST_SHOWN = 64;
/**
 * The codes of a line. A line without any may be a heading, which sets `reading.denomination` for what follows: to undefined
 * where it is not understood or names a denomination the game does not have, so that no code is filed under the heading before it.
 * An amount with a colon, `60 UC: CODE`, is such a heading too; without one, `60 UC - CODE` or `CODE 60`, it holds for its line.
 */
export function readLine(
  line: { text: string; continues: boolean },
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  if (!line.continues) reading.line = undefined;
  const words = findWords(line.text);
  const items = findItems(line.text, words, vocabulary);
  if (items.some((item) => item.kind === 'code'))
    return readCodes(line.text, words, items, reading, vocabulary);
  if (isSpacedCode(words, vocabulary)) {
    const text = line.text.slice(words[0]?.start, words.at(-1)?.end);
    return [{ kind: 'malformed', text, denomination: current(reading) }];
  }
  if (!items.some((item) => item.kind === 'malformed'))
    return readAsHeading(line.text, items, reading, vocabulary);
  const tokens = readCodes(line.text, words, items, reading, vocabulary);
  // Whether its amount was meant for the line alone, with nothing but broken codes in it, nobody can tell.
  if (reading.line === undefined || tokens.some(({ kind }) => kind === 'heading')) return tokens;
  return [...tokens, begin(reading, line.text, undefined)];
}

/** A new heading; the line it stands in is over with it. */
function begin(reading: Reading, text: string, told: number | undefined): PasteToken {
  const denomination = reading.below ? undefined : told;
  reading.denomination = denomination;
  reading.fresh = true;
  reading.bare = undefined;
  return { kind: 'heading', text: shorten(text), denomination };
}

function shorten(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_SHOWN ? trimmed : `${trimmed.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}

function readAsHeading(
  text: string,
  items: readonly Item[],
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  if (saysEmpty(text)) reading.bare = undefined;
  const heading = readHeading(text, vocabulary, { fresh: reading.fresh });
  if (heading.kind === 'none') return [];
  const [lead] = items;
  const isNumber = lead?.kind === 'amount' && !lead.certain && items.length === 1;
  if (isNumber && isCounting(lead, reading, vocabulary)) return [];
  reading.line = undefined;
  if (reading.below) return [];
  const { bare } = reading;
  const told = heading.kind === 'heading' ? heading.denomination : undefined;
  // `660 UC`, `325 UC`, and codes only then: they could be of either.
  const isDoubtful = bare !== undefined && told !== undefined && bare.value !== told;
  const said = isDoubtful ? `${bare.text} / ${text.trim()}` : text;
  const value = isDoubtful ? undefined : told;
  const token = begin(reading, said, value);
  reading.bare = told === undefined ? bare : { value, text: said };
  return [token];
}

/** A line with codes, or with words that were meant as such. */
function readCodes(
  text: string,
  words: readonly Word[],
  items: readonly Item[],
  reading: Reading,
  vocabulary: Vocabulary,
): PasteToken[] {
  const before = reading.denomination;
  const headings: PasteToken[] = [];
  const telling = items.filter((item) => isTelling(item, vocabulary));
  const isVague = telling.some((item) => isVagueIn(item, reading)) && !telling.some(isCertain);
  const mayAsk = reading.line === undefined && (telling.length === 0 || isVague);
  const beside = mayAsk ? readBeside(text, words, isVague, vocabulary) : undefined;
  if (beside) {
    reading.line = beside;
    if (beside.opens) headings.push(begin(reading, beside.text, beside.denomination));
  }
  // What is asked about as a whole has no amount of its own.
  const meant = beside && isVague ? items.filter(({ kind }) => kind !== 'amount') : items;
  const tokens = assignDenominations(meant, reading, vocabulary);
  if (headings.length === 0 && reading.denomination !== before) {
    headings.push(begin(reading, reading.line?.text ?? text, reading.denomination));
  }
  reading.fresh = false;
  reading.bare = undefined;
  const closing = isRowOfAnother(items, tokens, reading) ? [begin(reading, text, undefined)] : [];
  return [...headings, ...tokens, ...closing];
}

/** `325 CODE CODE` under `60 UC`, or an amount that the game does not have: codes that follow could go on with either. */
function isRowOfAnother(
  items: readonly Item[],
  tokens: readonly PasteToken[],
  { line, denomination }: Reading,
): boolean {
  const leads = items[0]?.kind === 'amount' && tokens.length > 1;
  if (!leads || denomination === undefined || line === undefined) return false;
  return (
    line.denomination !== denomination &&
    tokens.every((token) => token.kind === 'code' && token.denomination === line.denomination)
  );
}

function isTelling(item: Item, vocabulary: Vocabulary): boolean {
  return item.kind === 'amount' && (item.certain || item.opens || vocabulary.isDenomination(item.value));
}

const isCertain = (item: Item) => item.kind === 'amount' && item.certain;

/** A number without its currency that does not number the line: what it means depends on what stands beside it. */
function isVagueIn(item: Item, { numbered }: Reading): boolean {
  if (item.kind !== 'amount' || item.certain || item.marker) return false;
  return !item.leads || numbered === undefined;
}

/**
 * What a line says beside its codes in a way that no single number of it does: `коды по 660: CODE`, `order #325: CODE`. Where
 * a number does (`isVague`), only that it is not understood: by words that are unknown, and not in a cell of its own.
 */
function readBeside(
  text: string,
  words: readonly Word[],
  isVague: boolean,
  vocabulary: Vocabulary,
): { denomination: number | undefined; text: string; opens: boolean } | undefined {
  const { rest, first } = leaveOutCodes(text, words, vocabulary);
  if (!(isVague ? /\p{L}/u : /[\p{L}\p{N}]/u).test(rest)) return undefined;
  const read = (part: string) => readHeading(part, vocabulary, { fresh: true, beside: true });
  if (isVague && !hasUnknownWords(rest, vocabulary)) return undefined;
  if (isVague) {
    const cells = rest.split(/[,;\t|]/).map(read);
    const isTold =
      cells.some(({ kind }) => kind === 'heading') && !cells.some(({ kind }) => kind === 'asked');
    if (isTold && cells.length > 1) return undefined;
  }
  const heading = read(rest);
  if (heading.kind === 'none') return undefined;
  const leading = rest.slice(0, first);
  const isAsked = heading.kind === 'asked';
  const opens = isAsked ? /\p{N}|\p{L}/u.test(leading) : /[:：=]\s*$/.test(leading);
  return { denomination: isAsked ? undefined : heading.denomination, text: shorten(rest), opens };
}

/** `first`: where the first of them stood. */
function leaveOutCodes(
  text: string,
  words: readonly Word[],
  vocabulary: Vocabulary,
): { rest: string; first: number } {
  const parts: string[] = [];
  let first = text.length;
  let from = 0;
  for (const word of words) {
    const { kind } = classify(word.text, word === words[0], vocabulary);
    if (kind !== 'code' && kind !== 'malformed') continue;
    parts.push(text.slice(from, word.start), ' '.repeat(word.end - word.start));
    from = word.end;
    first = Math.min(first, word.start);
  }
  return { rest: parts.join('') + text.slice(from), first };
}

function current(reading: Reading): number | undefined {
  return reading.line === undefined ? reading.denomination : reading.line.denomination;
}

function findItems(line: string, words: readonly Word[], vocabulary: Vocabulary): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < words.length;) {
    const found = findAmount(line, words, index, vocabulary);
    if (found === undefined) items.push(classify(words[index]?.text ?? '', index === 0, vocabulary));
    else items.push(found.amount);
    index = found?.next ?? index + 1;
  }
  return items;
}

function classify(text: string, leads: boolean, vocabulary: Vocabulary): Item {
  const unnumbered = leads ? text.replace(/^\d{1,6}\.+/, '') : text;
  const code =
    vocabulary.readCode(text) ?? (unnumbered === text ? undefined : vocabulary.readCode(unnumbered));
  if (code !== undefined) return { kind: 'code', text: code };
  const isMeant = vocabulary.isMalformed(text) && !isHeadingLike(text, vocabulary);
  return isMeant ? { kind: 'malformed', text: text.slice(0, LONGEST_WORD) } : { kind: 'word', text };
}

/** `AB12 CD34 EF56` alone on a line: a code somebody spaced out. */
function isSpacedCode(words: readonly Word[], vocabulary: Vocabulary): boolean {
  const length = words[0]?.text.length ?? 0;
  if (words.length < 3 || words.length > 8 || length < 4) return false;
  if (!words.every((word) => word.text.length === length && /^[A-Z0-9]+$/.test(word.text))) return false;
  const joined = words.map((word) => word.text).join('');
  return /\d/.test(joined) && vocabulary.isCode(joined);
}

function assignDenominations(items: readonly Item[], reading: Reading, vocabulary: Vocabulary): PasteToken[] {
  const amounts = chooseAmounts(items, reading, vocabulary);
  const tokens: Extract<PasteToken, { kind: 'code' | 'malformed' }>[] = [];
  const [first] = amounts;
  let forward = reading.line !== undefined || firstOf(items, amounts) === first;
  let waiting = 0;
  for (const item of items) {
    if (item.kind === 'amount') {
      if (!amounts.has(item)) continue;
      const denomination = vocabulary.isDenomination(item.value) ? item.value : undefined;
      forward ||= item.opens;
      if (forward) reading.line = { denomination, text: item.text };
      else for (const token of tokens.slice(waiting)) Object.assign(token, { denomination, own: item.text });
      if (item.opens) reading.denomination = denomination;
      waiting = tokens.length;
    } else if (item.kind === 'code') {
      tokens.push({ kind: 'code', code: item.text, denomination: current(reading), own: reading.line?.text });
    } else if (item.kind === 'malformed') {
      tokens.push({ kind: 'malformed', text: item.text, denomination: current(reading) });
    }
  }
  return tokens;
}
