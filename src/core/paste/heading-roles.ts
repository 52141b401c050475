// What the numbers of a line are for: an amount, a count of pieces, the number of the line.
import type { Piece } from './heading-pieces.ts';
import { CODE_WORDS, COUNT_LABELS, COUNT_UNITS, isSideWord, TIMES } from './heading-words.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Amount {
  value: number;
  /** Written with the currency. */
  certain: boolean;
}

/** A number with what belongs to it; `from` and `to` are places among the pieces. */
export interface Figure extends Amount {
  from: number;
  to: number;
  role: 'amount' | 'count' | 'marker';
  isNamed: boolean;
}

const MOST_LINES = 999;

/** Tells what counts pieces or lines from amounts. */
export function giveRoles(
  figures: Figure[],
  pieces: readonly Piece[],
  vocabulary: Vocabulary,
  taken: Set<number>,
): void {
  const isLot = (figure: Figure) => figure.certain || vocabulary.isDenomination(figure.value);
  const count = (figure: Figure) => (figure.role = 'count');
  for (const [index, figure] of figures.entries()) {
    const [before, after] = [pieces[figure.from - 1], pieces[figure.to]];
    const others = figures.filter((other) => other !== figure && other.role === 'amount');
    if (after?.kind === 'word' && COUNT_UNITS.has(after.text) && !figure.certain) {
      taken.add(figure.to);
      count(figure);
    } else if (after?.kind === 'word' && CODE_WORDS.has(after.text) && !figure.certain) {
      if (others.some(isLot)) count(figure);
      else figure.isNamed = true;
    } else if (isLabelled(pieces, figure.from) && !figure.certain) count(figure);
    else if (index === 0 && !isLot(figure) && isLineNumber(figure, pieces, others.some(isLot)))
      figure.role = 'marker';
    else if (before && isBehind(before.text) && !isLot(figure) && index > 0 && others.some(isLot))
      count(figure);
  }
  takeFactors(figures, pieces, isLot, taken);
}

const isBehind = (mark: string) => '-–—:|([,;→>'.includes(mark);

/** `qty: 100`, `total 100`. */
function isLabelled(pieces: readonly Piece[], from: number): boolean {
  const at = pieces[from - 1]?.kind === 'mark' ? from - 2 : from - 1;
  const label = pieces[at];
  return label?.kind === 'word' && COUNT_LABELS.has(label.text);
}

/** `1. 60 UC`, `2) 325`. */
function isLineNumber(figure: Figure, pieces: readonly Piece[], hasLot: boolean): boolean {
  if (figure.certain || figure.value > MOST_LINES || figure.from > 0 || !hasLot) return false;
  const [mark, next] = [pieces[figure.to], pieces[figure.to + 1]];
  return mark?.text === ')' || (mark?.text === '.' && next !== undefined && next.start > mark.end);
}

/** `60 x 100`, `100 x 60 UC`, `660 UC x10`: one factor is the denomination, the other counts. */
function takeFactors(
  figures: readonly Figure[],
  pieces: readonly Piece[],
  isLot: (figure: Figure) => boolean,
  taken: Set<number>,
): void {
  for (const [index, right] of figures.entries()) {
    const left = figures[index - 1];
    const at = right.from - 1;
    if (!TIMES.has(pieces[at]?.text ?? '')) {
      const behind = pieces[right.to];
      const isAlone = behind?.kind === 'word' && TIMES.has(behind.text) && right.to === pieces.length - 1;
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
    if (!between.every((piece) => piece.kind === 'mark' || isSideWord(piece.text))) continue;
    taken.add(at);
    if (left.role === 'amount' && right.role === 'amount') tellFactors(left, right, isLot);
  }
}

function tellFactors(left: Figure, right: Figure, isLot: (figure: Figure) => boolean): void {
  const [isLeft, isRight] =
    left.certain === right.certain ? [isLot(left), isLot(right)] : [left.certain, right.certain];
  if (isLeft && !isRight) right.role = 'count';
  if (isRight && !isLeft) left.role = 'count';
}
