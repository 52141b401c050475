// The numbers of a line: which are amounts, which count pieces or lines, which are of something that the line names; and whether the
// line is understood as a whole: one word more than is known, and it is not.
import { MONEY_MARKS, type Piece } from './pieces.ts';
import { WORDS, type Lexicon } from './lexicon.ts';

/** A number with what belongs to it; `from` and `to` are places among the pieces. */
export interface Figure {
  value: number;
  /** Written with the currency, or named as a denomination. */
  certain: boolean;
  from: number;
  to: number;
  /** `named`: of what stands before it, the number of an order. */
  role: 'amount' | 'count' | 'marker' | 'named';
  /** A name of codes follows: `660 codes`. */
  isOfCodes: boolean;
}

export interface Reckoning {
  /** As they were cut, but `ucx` in `660ucx10` is two words. */
  pieces: Piece[];
  figures: Figure[];
  /** Every number in every sense it may have. */
  numbers: number[];
  hasCurrency: boolean;
  /** A word or a mark is here that is not known. */
  unknown: boolean;
  /** Words that are not known. */
  unknownWords: Piece[];
}

/** Nothing longer is an amount. */
const LONGEST_DIGITS = 7;
const MOST_LINES = 999;
const MOST_PIECES = 80;
const GROUPING = /^[ ,.'’]$/;
/** Between an amount and its currency: `660-UC`, `660_UC`, `660 "UC"`. */
const JOINING = new Set('-_.*"\'’~`/([{|–—');
/** They say that what is written is not what is meant. */
const DOUBTFUL = /[?≈±≠≤≥%\p{N}]/u;

export function readNumbers(text: string, cut: readonly Piece[], lexicon: Lexicon): Reckoning {
  const isWhole = cut.some(({ kind }) => kind === 'slot');
  const pieces = (isWhole ? cut : cut.slice(0, MOST_PIECES)).flatMap((piece) => splitTimes(piece, lexicon));
  const rest = isWhole ? [] : cut.slice(MOST_PIECES).filter(({ kind }) => kind === 'number');
  const taken = new Set<number>();
  const numbers = rest.map(({ text: digits }) => Number(digits));
  const figures = findFigures(text, pieces, lexicon, { numbers, taken });
  giveRoles(figures, pieces, lexicon, taken);
  const unknown = pieces.filter((piece, index) => !taken.has(index) && !isKnown(piece, lexicon));
  return {
    pieces,
    figures,
    numbers,
    hasCurrency: pieces.some((piece) => isCurrency(piece, lexicon)),
    unknown: unknown.length > 0,
    unknownWords: unknown.filter(({ kind }) => kind === 'word'),
  };
}

const isCurrency = (piece: Piece | undefined, lexicon: Lexicon): boolean =>
  piece?.kind === 'word' && lexicon.isCurrency(piece.text);

function splitTimes(piece: Piece, lexicon: Lexicon): Piece[] {
  const [currency, times] = [piece.text.slice(0, -1), piece.text.slice(-1)];
  if (piece.kind !== 'word' || !WORDS.times.has(times) || !lexicon.isCurrency(currency)) return [piece];
  const at = piece.end - 1;
  return [
    { ...piece, text: currency, word: currency, end: at, to: piece.to - 1 },
    { ...piece, text: times, word: times, start: at, from: piece.to - 1 },
  ];
}

function isKnown(piece: Piece, lexicon: Lexicon): boolean {
  switch (piece.kind) {
    case 'number':
      return false;
    case 'slot':
    case 'sense':
      return true;
    case 'word':
      return lexicon.isSide(piece.word) || lexicon.isCurrency(piece.text);
    case 'mark':
      return !DOUBTFUL.test(piece.text) && !MONEY_MARKS.includes(piece.text);
  }
}

interface Ledger {
  numbers: number[];
  /** The pieces that are part of a number, or count. */
  taken: Set<number>;
}

function findFigures(
  text: string,
  pieces: readonly Piece[],
  lexicon: Lexicon,
  { numbers, taken }: Ledger,
): Figure[] {
  const figures: Figure[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    if (pieces[index]?.kind !== 'number') continue;
    const found = readNumber(text, pieces, index, lexicon, numbers);
    for (let each = index; each < found.next; each += 1) taken.add(each);
    const before = findCurrency(pieces, index - 1, -1, lexicon);
    const next = findCurrency(pieces, found.next, 1, lexicon);
    // `UC660 UC60`: what is written in one word belongs together.
    const isPrefixed = before === index - 1 && isGlued(pieces, before, 2);
    const after = isPrefixed && next !== undefined && !isGlued(pieces, found.next - 1, 2) ? undefined : next;
    // `UC 60 UC 325`: what stands between two numbers belongs to the one before it.
    const last = figures.at(-1);
    const isMine = before !== undefined && !(last?.certain && last.to > before);
    const certain = after !== undefined || isMine;
    const from = isMine ? before : index;
    const to = after === undefined ? found.next : after + 1;
    figures.push({ value: found.value, certain, from, to, role: 'amount', isOfCodes: false });
    index = found.next - 1;
  }
  return figures;
}

type Read = { value: number; next: number };

/** One number of one or more pieces: `1,800`, `1 800 UC`, `1.8k`, `600+60`. */
function readNumber(
  text: string,
  pieces: readonly Piece[],
  index: number,
  lexicon: Lexicon,
  numbers: number[],
): Read {
  const digits = pieces[index]?.text ?? '';
  const plain = digits.length > LONGEST_DIGITS ? NaN : Number(digits);
  numbers.push(plain);
  const isNext = (at: number) => findCurrency(pieces, at, 1, lexicon) !== undefined;
  const thousands = readThousands(pieces, index, plain);
  if (thousands) numbers.push(thousands.value);
  if (thousands) return thousands;
  // `x10 660 UC`: ten of them.
  const isFactor = WORDS.times.has(pieces[index - 1]?.text ?? '');
  const grouped = isFactor ? undefined : readGroups(text, pieces, index);
  if (grouped) numbers.push(grouped.value);
  if (grouped && (lexicon.isDenomination(grouped.value) || isNext(grouped.next))) return grouped;
  const [mark, other] = [pieces[index + 1], pieces[index + 2]];
  // `60.00`, with its currency: else it may be a price.
  const isWhole = (mark?.text === '.' || mark?.text === ',') && /^0{1,2}$/.test(other?.text ?? '');
  if (isWhole && isGlued(pieces, index, 3) && isNext(index + 3)) return { value: plain, next: index + 3 };
  // `600+60`: what is given on top of it belongs to it.
  if (mark?.text === '+' && other?.kind === 'number') {
    const sum = plain + Number(other.text);
    numbers.push(Number(other.text), sum);
    return { value: sum, next: index + 3 };
  }
  return { value: plain, next: index + 1 };
}

function readThousands(pieces: readonly Piece[], index: number, plain: number): Read | undefined {
  const isThousand = (at: number) => pieces[at]?.kind === 'word' && WORDS.thousand.has(pieces[at].word);
  if (isThousand(index + 1)) return { value: plain * 1000, next: index + 2 };
  const [mark, fraction] = [pieces[index + 1]?.text ?? '', pieces[index + 2]];
  if ((mark !== '.' && mark !== ',') || fraction?.kind !== 'number' || fraction.text.length > 3)
    return undefined;
  if (!isGlued(pieces, index, 3) || !isThousand(index + 3)) return undefined;
  return { value: Math.round(Number(`${plain}.${fraction.text}`) * 1000), next: index + 4 };
}

function readGroups(text: string, pieces: readonly Piece[], index: number): Read | undefined {
  const first = pieces[index];
  if (!first || !/^[1-9][0-9]{0,2}$/.test(first.text)) return undefined;
  let digits = first.text;
  let next = index + 1;
  for (;;) {
    // A blank is no piece, any other mark is one.
    const at = pieces[next]?.kind === 'mark' ? next + 1 : next;
    const [last, group] = [pieces[next - 1], pieces[at]];
    if (!last || group?.kind !== 'number' || group.text.length !== 3) break;
    if (!GROUPING.test(text.slice(last.end, group.start)) || digits.length > 4) break;
    digits += group.text;
    next = at + 1;
  }
  return digits === first.text ? undefined : { value: Number(digits), next };
}

const isGlued = (pieces: readonly Piece[], index: number, count: number): boolean =>
  pieces.slice(index, index + count).every((piece, at, all) => at === 0 || all[at - 1]?.end === piece.start);

/** The place of the currency next to a number, at most one joining mark away. */
function findCurrency(
  pieces: readonly Piece[],
  from: number,
  step: 1 | -1,
  lexicon: Lexicon,
): number | undefined {
  const beside = pieces[from];
  const isJoined = JOINING.has(beside?.text ?? '') || (step === -1 && ':=#'.includes(beside?.text ?? ' '));
  const at = beside?.kind === 'mark' && isJoined ? from + step : from;
  return isCurrency(pieces[at], lexicon) ? at : undefined;
}

/** Tells what counts pieces or lines from amounts. */
function giveRoles(figures: Figure[], pieces: readonly Piece[], lexicon: Lexicon, taken: Set<number>): void {
  const isDenomination = (figure: Figure) => figure.certain || lexicon.isDenomination(figure.value);
  const stockKeys = figures.filter(isDenomination);
  const hasOther = (figure: Figure) =>
    stockKeys.slice(0, 9).some((other) => other !== figure && other.role === 'amount');
  for (const [index, figure] of figures.entries()) {
    const [before, after] = [pieces[figure.from - 1], pieces[figure.to]];
    const hasDenomination = hasOther(figure);
    const label = findLabel(pieces, figure.from);
    if (after?.kind === 'word' && WORDS.units.has(after.word) && !figure.certain) {
      taken.add(figure.to);
      figure.role = 'count';
    } else if (after?.kind === 'word' && WORDS.codes.has(after.word) && !figure.certain) {
      if (hasDenomination) figure.role = 'count';
      else figure.isOfCodes = true;
    } else if (label && WORDS.counts.has(label.word) && !figure.certain) figure.role = 'count';
    else if (index === 0 && !isDenomination(figure) && isLineNumber(figure, pieces, hasDenomination))
      figure.role = 'marker';
    else if (
      before &&
      '-–—:|([,;→>'.includes(before.text) &&
      !isDenomination(figure) &&
      index > 0 &&
      hasDenomination
    )
      figure.role = 'count';
  }
  takeFactors(figures, pieces, isDenomination, { taken, lexicon });
}

/** The word before a number: `qty: 100`, `total 100`. */
function findLabel(pieces: readonly Piece[], from: number): Piece | undefined {
  const label = pieces[pieces[from - 1]?.kind === 'mark' ? from - 2 : from - 1];
  return label?.kind === 'word' ? label : undefined;
}

/** `1. 60 UC`, `2) 325`. */
function isLineNumber(figure: Figure, pieces: readonly Piece[], hasDenomination: boolean): boolean {
  if (figure.certain || figure.value > MOST_LINES || figure.from > 0 || !hasDenomination) return false;
  const [mark, next] = [pieces[figure.to], pieces[figure.to + 1]];
  return mark?.text === ')' || (mark?.text === '.' && next !== undefined && next.start > mark.end);
}

/** `60 x 100`, `100 x 60 UC`, `660 UC x10`: one factor is the denomination, the other counts. */
function takeFactors(
  figures: readonly Figure[],
  pieces: readonly Piece[],
  isDenomination: (figure: Figure) => boolean,
  { taken, lexicon }: { taken: Set<number>; lexicon: Lexicon },
): void {
  for (const [index, right] of figures.entries()) {
    const left = figures[index - 1];
    const at = right.from - 1;
    if (!WORDS.times.has(pieces[at]?.text ?? '')) {
      const behind = pieces[right.to];
      const isAlone =
        behind?.kind === 'word' && WORDS.times.has(behind.text) && right.to === pieces.length - 1;
      if (isAlone && right.role === 'amount') taken.add(right.to);
      continue;
    }
    if (!left) {
      // `x100` alone.
      if (pieces[at]?.kind === 'word') taken.add(at);
      if (pieces[at]?.kind === 'word' && !right.certain) right.role = 'count';
      continue;
    }
    const between = pieces.slice(left.to, at);
    if (!between.every(({ kind, word }) => kind === 'mark' || lexicon.isSide(word))) continue;
    taken.add(at);
    if (left.role === 'amount' && right.role === 'amount') tellFactors(left, right, isDenomination);
  }
}

function tellFactors(left: Figure, right: Figure, isDenomination: (figure: Figure) => boolean): void {
  const [isLeft, isRight] =
    left.certain === right.certain
      ? [isDenomination(left), isDenomination(right)]
      : [left.certain, right.certain];
  if (isLeft && !isRight) right.role = 'count';
  if (isRight && !isLeft) left.role = 'count';
}
