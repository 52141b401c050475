// Denominations, or weeks, as rows: the label, a bar of its kinds, and the figures behind it.
import { cut, drawable, measure } from '../../pictures/font.ts';
import {
  COLORS,
  dot,
  figure,
  INNER,
  KINDS,
  lyingBar,
  lyingScale,
  lyingWidth,
  MARGIN,
} from './svg-drawing.ts';
import { sum, write, type Kind } from './svg-drawing.ts';
import type { Drawn, PictureAmount } from './pictures.ts';

const HEIGHT = 40;
const BAR = 24;
const SIZE = 22;
const GAP = 16;
const MOST_LABEL = 290;

export function drawRows(amounts: readonly PictureAmount[], top: number): Drawn {
  const labels = amounts.map(({ label }) => cut(drawable(label), MOST_LABEL, SIZE));
  const labelWidth = Math.max(0, ...labels.map((label) => measure(label, SIZE)));
  const figuresWidth = Math.max(0, ...amounts.map((amount) => widthOf(figuresOf(amount))));
  const from = MARGIN + labelWidth + GAP;
  const scale = lyingScale(amounts, INNER - labelWidth - figuresWidth - 2 * GAP);
  const parts = amounts.map((amount, index) => {
    const y = top + index * HEIGHT;
    return [
      write(MARGIN, y + 26, labels[index] ?? '', { size: SIZE }),
      sum(amount) === 0 ? dot(from + 3, y + 18) : lyingBar(amount, from, y + 6, BAR, scale),
      ...writeFigures(amount, from + lyingWidth(amount, scale) + GAP - 2, y + 26),
    ].join('');
  });
  return { svg: parts.join(''), bottom: top + amounts.length * HEIGHT };
}

const figuresOf = (amount: PictureAmount): [Kind, string][] =>
  KINDS.filter((kind) => amount[kind] > 0).map((kind) => [kind, figure(kind, amount[kind])]);

function widthOf(figures: readonly [Kind, string][]): number {
  return figures.reduce((width, [, words]) => width + measure(words, SIZE, 'bold') + GAP, -GAP);
}

function writeFigures(amount: PictureAmount, left: number, y: number): string[] {
  let x = left;
  return figuresOf(amount).map(([kind, words]) => {
    const text = write(x, y, words, { size: SIZE, weight: 'bold', color: COLORS[kind] });
    x += measure(words, SIZE, 'bold') + GAP;
    return text;
  });
}
