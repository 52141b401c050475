// The numbers of a line: which of them are amounts, which count pieces, and what stands beside them.
import type { Piece } from './heading-pieces.ts';
import { giveRoles, type Amount, type Figure } from './heading-roles.ts';
import { isSideWord, MONEY_MARKS, THOUSAND, TIMES } from './heading-words.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Reckoning {
  /** What could be a denomination: those that count pieces, or number lines, are not among them. */
  amounts: Amount[];
  /** How many numbers count pieces. */
  counts: number;
  /** Every number in every sense it may have. */
  numbers: number[];
  hasCurrency: boolean;
  /** A word or a mark is here that is not known. */
  unknown: boolean;
  /** A word is. */
  unknownWords: boolean;
  /** A number was followed by a name of codes: `660 codes`. */
  isCodesNamed: boolean;
}

/** Nothing longer is an amount. */
const LONGEST_DIGITS = 7;
/** Of a line: of what comes behind them only the numbers are looked at. */
const MOST_PIECES = 80;
const GROUPING = /^[ ,.'’]$/;
/** Between an amount and its currency: `660-UC`, `660_UC`, `660 "UC"`. */
const JOINING = new Set('-_.*"\'’~`/([{|–—');
/** They say that what is written is not what is meant. */
const DOUBTFUL = /[?≈±≠≤≥%\p{N}]/u;

export function readAmounts(text: string, cut: readonly Piece[], vocabulary: Vocabulary): Reckoning {
  const pieces = cut.slice(0, MOST_PIECES).flatMap((piece) => splitTimes(piece, vocabulary));
  const numbers = cut
    .slice(MOST_PIECES)
    .flatMap(({ kind, text: digits }) => (kind === 'number' ? Number(digits) : []));
  const taken = new Set<number>();
  const figures = findFigures(text, pieces, vocabulary, { numbers, taken });
  giveRoles(figures, pieces, vocabulary, taken);
  const amounts = figures.filter(({ role }) => role === 'amount');
  const unknown = pieces.filter((piece, index) => !taken.has(index) && !isKnown(piece, vocabulary));
  return {
    amounts: amounts.map(({ value, certain }) => ({ value, certain })),
    counts: figures.filter(({ role }) => role === 'count').length,
    numbers,
    hasCurrency: pieces.some((piece) => piece.kind === 'word' && vocabulary.isCurrency(piece.text)),
    unknown: unknown.length > 0,
    unknownWords: unknown.some(({ kind }) => kind === 'word'),
    isCodesNamed: amounts.some(({ isNamed }) => isNamed),
  };
}

/** `ucx` in `660ucx10` is two words. */
function splitTimes(piece: Piece, vocabulary: Vocabulary): Piece[] {
  const [currency, times] = [piece.text.slice(0, -1), piece.text.slice(-1)];
  if (piece.kind !== 'word' || !TIMES.has(times) || !vocabulary.isCurrency(currency)) return [piece];
  const at = piece.end - 1;
  return [
    { ...piece, text: currency, end: at },
    { ...piece, text: times, start: at },
  ];
}

function isKnown(piece: Piece, vocabulary: Vocabulary): boolean {
  switch (piece.kind) {
    case 'number':
      return false;
    case 'word':
      return isSideWord(piece.text) || vocabulary.isCurrency(piece.text);
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
  vocabulary: Vocabulary,
  { numbers, taken }: Ledger,
): Figure[] {
  const figures: Figure[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece?.kind !== 'number') continue;
    const found = readNumber(text, pieces, index, vocabulary, numbers);
    for (let each = index; each < found.next; each += 1) taken.add(each);
    const after = findCurrency(pieces, found.next, 1, vocabulary);
    const before = findCurrency(pieces, index - 1, -1, vocabulary);
    // `UC 60 UC 325`: what stands between two numbers belongs to the one before it.
    const isMine = before !== undefined && !figures.some((other) => other.certain && other.to > before);
    const certain = after !== undefined || isMine;
    const from = isMine ? before : index;
    const to = after === undefined ? found.next : after + 1;
    figures.push({ value: found.value, certain, from, to, role: 'amount', isNamed: false });
    index = found.next - 1;
  }
  return figures;
}

/** One number of one or more pieces: `1,800`, `1 800 UC`, `1.8k`, `600+60`. */
function readNumber(
  text: string,
  pieces: readonly Piece[],
  index: number,
  vocabulary: Vocabulary,
  numbers: number[],
): { value: number; next: number } {
  const digits = pieces[index]?.text ?? '';
  const plain = digits.length > LONGEST_DIGITS ? NaN : Number(digits);
  numbers.push(plain);
  const thousands = readThousands(pieces, index, plain);
  if (thousands) {
    numbers.push(thousands.value);
    return thousands;
  }
  // `x10 660 UC`: ten of them.
  const isFactor = TIMES.has(pieces[index - 1]?.text ?? '');
  const grouped = isFactor ? undefined : readGroups(text, pieces, index);
  if (grouped) {
    numbers.push(grouped.value);
    const isMeant =
      vocabulary.isDenomination(grouped.value) ||
      findCurrency(pieces, grouped.next, 1, vocabulary) !== undefined;
    if (isMeant) return grouped;
  }
  const [mark, other] = [pieces[index + 1], pieces[index + 2]];
  // `60.00`, with its currency: else it may be a price.
  const isWhole = (mark?.text === '.' || mark?.text === ',') && /^0{1,2}$/.test(other?.text ?? '');
  if (isWhole && isGlued(pieces, index, 3) && findCurrency(pieces, index + 3, 1, vocabulary) !== undefined) {
    return { value: plain, next: index + 3 };
  }
  // `600+60`: what is given on top of it belongs to it.
  if (mark?.text === '+' && other?.kind === 'number') {
    const sum = plain + Number(other.text);
    numbers.push(Number(other.text), sum);
    return { value: sum, next: index + 3 };
  }
  return { value: plain, next: index + 1 };
}

function readThousands(
  pieces: readonly Piece[],
  index: number,
  plain: number,
): { value: number; next: number } | undefined {
  const isThousand = (at: number) => {
    const piece = pieces[at];
    return piece?.kind === 'word' && THOUSAND.has(piece.text);
  };
  if (isThousand(index + 1)) return { value: plain * 1000, next: index + 2 };
  const [mark, fraction] = [pieces[index + 1]?.text ?? '', pieces[index + 2]];
  if ((mark !== '.' && mark !== ',') || fraction?.kind !== 'number' || fraction.text.length > 3)
    return undefined;
  if (!isGlued(pieces, index, 3) || !isThousand(index + 3)) return undefined;
  return { value: Math.round(Number(`${plain}.${fraction.text}`) * 1000), next: index + 4 };
}

function readGroups(
  text: string,
  pieces: readonly Piece[],
  index: number,
): { value: number; next: number } | undefined {
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

function isGlued(pieces: readonly Piece[], index: number, count: number): boolean {
  return pieces
    .slice(index, index + count)
    .every((piece, at, all) => at === 0 || all[at - 1]?.end === piece.start);
}

/** The place of the currency next to a number, at most one joining mark away. */
function findCurrency(
  pieces: readonly Piece[],
  from: number,
  step: 1 | -1,
  vocabulary: Vocabulary,
): number | undefined {
  const beside = pieces[from];
  const isJoined = JOINING.has(beside?.text ?? '') || (step === -1 && ':=#'.includes(beside?.text ?? ' '));
  const piece = pieces[beside?.kind === 'mark' && isJoined ? from + step : from];
  const isIt = piece?.kind === 'word' && vocabulary.isCurrency(piece.text);
  return isIt ? pieces.indexOf(piece) : undefined;
}
