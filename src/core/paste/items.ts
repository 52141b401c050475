// What a line with codes is made of: its codes with their labels, its amounts, and what it says beside them that no single number
// of it does.
import { findSpent } from './heading.ts';
import { WORDS, type Lexicon } from './lexicon.ts';
import type { Figure, Reckoning } from './numbers.ts';
import { ADDRESS, CODE, MOMENT, MONEY, PHONE, type Cut, type Piece, type Span } from './pieces.ts';

export type Item =
  /** The next code of the line; `label`: it is called something else, `SN`, `order`, `@`; `isCard`: groups of digits. */
  | { kind: 'code'; label?: string }
  /** The next run that was meant as a code. */
  | { kind: 'unknown' }
  | Amount;

/** What a run of characters of a line is; `number`: of something that the line names, or a price; `item`: of a line with codes. */
export interface Token extends Span {
  sense:
    | Item['kind']
    | 'count'
    | 'number'
    | 'time'
    | 'phone'
    | 'money'
    | 'address'
    | 'label'
    | 'heading'
    | 'prose';
  item?: Item;
}

export interface Amount {
  kind: 'amount';
  /** As it was written. */
  text: string;
  value: number;
  /** Written with the currency, or named. */
  certain?: true;
  /** `60:`: what follows belongs to it. */
  opens?: true;
  /** `60.` and `60)` at the beginning of a line. */
  marker?: true;
  leads?: true;
  /** The cell it stands in by itself. */
  cell?: number;
}

/** Nobody can tell what is meant: a whole line; `opens`: also of what follows it; `leading`: but where its first number counts. */
export interface Beside {
  text: string;
  opens?: true;
  leading?: true;
}

const MOST_LABEL = 4;

export function readTokens(
  line: string,
  { text, hasMoment }: Cut,
  reckoning: Reckoning,
  lexicon: Lexicon,
  delimiter: string | undefined,
): { tokens: Token[]; beside?: Beside } {
  const { pieces } = reckoning;
  const named = new Set<Piece>();
  const figures = new Map(reckoning.figures.map((figure) => [figure.from, figure]));
  const said = new Set(reckoning.figures.filter((figure) => isFigure(figure, text, pieces, lexicon, named)));
  const isBeside = ({ kind, word }: Piece) => kind === 'mark' || (kind === 'word' && lexicon.isSide(word));
  const oddAt = pieces.findIndex((piece) => !isBeside(piece));
  const place = {
    line,
    leading: oddAt === -1 ? pieces.length : oddAt,
    findCell: delimiter === undefined ? () => undefined : createCellFinder(text, delimiter),
  };
  const found: (Token | Piece)[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    const figure = figures.get(index);
    if (piece.kind === 'slot') {
      const item = readSlot(pieces, index, hasMoment, lexicon, named);
      found.push({ ...spanOf(piece), sense: item.kind, item });
    } else if (figure && said.has(figure)) {
      found.push({
        ...spanOf(piece, pieces[figure.to - 1]),
        sense: 'amount',
        item: toAmount(figure, pieces, place),
      });
      index = figure.to - 1;
    } else if (figure) {
      const sense = figure.role === 'count' || figure.role === 'marker' ? 'count' : 'number';
      found.push({ ...spanOf(piece, pieces[figure.to - 1]), sense });
      index = figure.to - 1;
    } else found.push(piece);
  }
  const tokens = found.map((each) =>
    'sense' in each ? each : { ...spanOf(each), sense: senseOf(each, named) },
  );
  const items = tokens.flatMap(({ item }) => item ?? []);
  const beside = findBeside(line, pieces, items, reckoning, lexicon, named);
  return { tokens, ...(beside && { beside }) };
}

const spanOf = (first: Piece, last = first): Span => ({ from: first.from, to: last.to });

/** Of what is neither a code nor a number. */
export function senseOf(piece: Piece, named?: ReadonlySet<Piece>): Token['sense'] {
  return SENSES[piece.text] ?? (named?.has(piece) ? 'label' : 'prose');
}
const SENSES: Record<string, Token['sense']> = {
  [ADDRESS]: 'address',
  [MOMENT]: 'time',
  [PHONE]: 'phone',
  [MONEY]: 'money',
};

/** Amounts, and numbers of which nothing is known; a price without a currency, and the number of an order, are none. */
function isFigure(
  figure: Figure,
  text: string,
  pieces: readonly Piece[],
  lexicon: Lexicon,
  named: Set<Piece>,
): boolean {
  if (figure.role !== 'amount') return false;
  if (figure.certain) return true;
  const label = labelBefore(pieces, figure.from);
  const isNamed = label !== undefined && WORDS.amounts.has(label.word);
  if (isNamed && /[:：=]/.test(text.slice(label.end, pieces[figure.from]?.start))) figure.certain = true;
  if (label && !isNamed && WORDS.others.has(label.word) && !lexicon.isSide(label.word)) {
    named.add(label);
    return lexicon.isDenomination(figure.value);
  }
  const glued = (at: number, other: number) => pieces[at]?.end === pieces[other]?.start;
  const isDecimal = (at: number) =>
    /^[.,]$/.test(pieces[at + 1]?.text ?? '') &&
    glued(at, at + 1) &&
    glued(at + 1, at + 2) &&
    /^[0-9]{2}$/.test(pieces[at + 2]?.text ?? '');
  const isPrice = isDecimal(figure.from) || isDecimal(figure.from - 2);
  return !isPrice || lexicon.isDenomination(figure.value);
}

function labelBefore(pieces: readonly Piece[], at: number): Piece | undefined {
  let before = at - 1;
  while (before >= 0 && pieces[before]?.kind === 'mark' && at - before <= 3) before -= 1;
  return pieces[before]?.kind === 'word' ? pieces[before] : undefined;
}

interface Place {
  line: string;
  /** The first piece that is no mark and no word which changes nothing. */
  leading: number;
  findCell: (start: number, end: number) => number | undefined;
}

function toAmount(
  { value, certain, from, to }: Figure,
  pieces: readonly Piece[],
  { line, leading, findCell }: Place,
): Amount {
  const [first, last] = [pieces[from], pieces[to - 1]];
  const amount: Amount = { kind: 'amount', text: line.slice(first?.from, last?.to), value };
  let after = to;
  while (pieces[after] && '*_)]"\'`~'.includes(pieces[after]?.text ?? '')) after += 1;
  if (/^[:：=]$/.test(pieces[after]?.text ?? '')) amount.opens = true;
  if (from <= leading) amount.leads = true;
  if (certain) amount.certain = true;
  const isMarked = /^[.)]$/.test(pieces[to]?.text ?? '') && pieces[to]?.start === last?.end;
  if (from === 0 && !certain && isMarked) amount.marker = true;
  const cell = findCell(first?.start ?? 0, last?.end ?? 0);
  if (cell !== undefined) amount.cell = cell;
  return amount;
}

/** The place of a cell that holds nothing else than what stands there; asked from left to right. */
function createCellFinder(
  text: string,
  delimiter: string,
): (start: number, end: number) => number | undefined {
  let [cell, cellStart] = [0, 0];
  return (start, end) => {
    for (let next = text.indexOf(delimiter, cellStart); next !== -1 && next < start;) {
      [cell, cellStart] = [cell + 1, next + 1];
      next = text.indexOf(delimiter, cellStart);
    }
    const next = text.indexOf(delimiter, end);
    const rest = text.slice(cellStart, start) + text.slice(end, next === -1 ? text.length : next);
    return /^[\s"'.]*$/.test(rest) ? cell : undefined;
  };
}

function readSlot(
  pieces: readonly Piece[],
  index: number,
  hasMoment: boolean,
  lexicon: Lexicon,
  named: Set<Piece>,
): Item {
  if (pieces[index]?.text !== CODE) return { kind: 'unknown' };
  const before = pieces[index - 1];
  if (before?.text === ADDRESS && before.end === pieces[index]?.start) return { kind: 'code', label: '@' };
  const label = findLabel(pieces, index, hasMoment, lexicon);
  for (const piece of label?.pieces ?? []) named.add(piece);
  return label?.isOther
    ? { kind: 'code', label: label.pieces.map(({ text }) => text).join(' ') }
    : { kind: 'code' };
}

/** The words right before a code: what it is called; undefined where they say nothing of it. */
function findLabel(
  pieces: readonly Piece[],
  index: number,
  hasMoment: boolean,
  lexicon: Lexicon,
): { pieces: Piece[]; isOther: boolean } | undefined {
  let at = index - 1;
  let hasColon = false;
  for (; at >= 0 && /^[:：=#"'`«»()?.>-]$/.test(pieces[at]?.text ?? ''); at -= 1)
    hasColon ||= /[:：=]/.test(pieces[at]?.text ?? '');
  const words: Piece[] = [];
  for (; at >= 0 && words.length < MOST_LABEL; at -= 1) {
    const piece = pieces[at];
    // `S/N`, `Order no.`.
    const isJoint =
      piece?.kind === 'mark' &&
      /^[./'-]$/.test(piece.text) &&
      words.length > 0 &&
      pieces[at + 1]?.start === piece.end;
    if (piece?.kind === 'word') words.unshift(piece);
    else if (!isJoint) break;
  }
  if (words.length === 0) return undefined;
  const joined = words.map(({ word }) => word).join('');
  const isOf = (list: ReadonlySet<string>) => list.has(joined) || words.some(({ word }) => list.has(word));
  const others = [...words.map(({ word }) => word), joined].filter(
    (word) => WORDS.others.has(word) && !lexicon.isSide(word),
  );
  const isStrong = others.some((word) => !WORDS.numbers.has(word));
  const isCode = isOf(WORDS.codes);
  if (isStrong || (others.length > 0 && !isCode)) return { pieces: words, isOther: true };
  if (isCode || !hasColon || hasMoment) return undefined;
  const isKnown = ({ word, text }: Piece) =>
    lexicon.isSide(word) ||
    WORDS.chatter.has(word) ||
    WORDS.units.has(word) ||
    lexicon.isCurrency(text) ||
    lexicon.ours?.test(text);
  if (words.every(isKnown) || findSpent(words.map(({ word }) => word)) !== undefined) return undefined;
  return { pieces: words, isOther: true };
}

/**
 * What a line says in a way that no single number of it does: `order #325: CODE`, `325 pcs CODE`. A bare number among words that are
 * not known is asked about, unless it stands in a cell of its own.
 */
function findBeside(
  line: string,
  pieces: readonly Piece[],
  items: readonly Item[],
  { numbers, hasCurrency, unknownWords }: Reckoning,
  lexicon: Lexicon,
  named: ReadonlySet<Piece>,
): Beside | undefined {
  const amounts = items.filter((item) => item.kind === 'amount');
  if (amounts.some(({ certain }) => certain)) return undefined;
  const isDenomination = ({ value }: Amount) => lexicon.isDenomination(value);
  const telling = amounts.filter((amount) => !amount.marker && (isDenomination(amount) || amount.opens));
  const unknown = unknownWords.filter((piece) => !named.has(piece));
  const vague = telling.filter(({ cell, opens }) => cell === undefined && !opens);
  const isVague = vague.length > 0 && unknown.length > 0;
  const isHidden = numbers.some(
    (value) => lexicon.isDenomination(value) && !amounts.some((each) => each.value === value),
  );
  const theirs = new Set(telling.length > 0 ? numbersAfter(pieces, named) : []);
  const isNamed = telling.some(({ text }) => theirs.has(/^[0-9]*/.exec(text)?.[0]));
  const isNameless = hasCurrency && telling.length === 0 && unknown.length > 0;
  if (!isVague && !isHidden && !isNamed && !isNameless) return undefined;
  const first = line.search(/[\ue000\ue001]/);
  const opens = /[\p{L}\p{N}]/u.test(line.slice(0, first));
  const isLeading = !isHidden && !isNamed && !isNameless && vague.length === 1 && vague[0]?.leads === true;
  const said = line
    .replace(/[\ue000\ue001]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 64);
  return { text: said, ...(opens && { opens }), ...(isLeading && { leading: true }) };
}

/** The numbers before which a name of something else stands, as they are written. */
function numbersAfter(pieces: readonly Piece[], named: ReadonlySet<Piece>): (string | undefined)[] {
  let next: string | undefined;
  return pieces.toReversed().flatMap((piece) => {
    if (piece.kind === 'number') next = piece.text;
    return named.has(piece) && WORDS.others.has(piece.word) ? [next] : [];
  });
}
