// A few days as columns: each kind on a ground line of its own, all at one scale, the figure on every column.
import { measure, shrink } from '../../pictures/font.ts';
import { COLORS, dot, figure, INK, INNER, KINDS, LEAST, MARGIN } from './svg-drawing.ts';
import { piece, round, sum, write, type Kind } from './svg-drawing.ts';
import type { Drawn, PictureDay } from './pictures.ts';

/** More have no room for their figures side by side. */
export const MOST_COLUMNS = 14;
/** All kinds together. */
const HEIGHT = 260;
const FIGURE = 24;
const WIDEST = 64;

export function drawColumns(days: readonly PictureDay[], top: number): Drawn {
  const highest = (kind: Kind) => Math.max(0, ...days.map((day) => day[kind]));
  const kinds = KINDS.filter((kind) => kind === 'redeemed' || highest(kind) > 0);
  const scale =
    HEIGHT /
    Math.max(
      1,
      kinds.reduce((total, kind) => total + highest(kind), 0),
    );
  const step = INNER / days.length;
  const parts: string[] = [];
  let y = top;
  for (const kind of kinds) {
    y += FIGURE + 12 + Math.max(LEAST, highest(kind) * scale);
    parts.push(drawKind(days, kind, { ground: y, scale, step }));
    y += 4;
  }
  days.forEach((day, index) => {
    const x = MARGIN + step * (index + 0.5);
    parts.push(
      write(x, y + 28, day.day, { size: 22, weight: 'bold', anchor: 'middle' }),
      write(x, y + 54, day.weekdayLabel, {
        size: shrink(day.weekdayLabel, step - 4, 20),
        color: INK.faint,
        anchor: 'middle',
      }),
    );
  });
  return { svg: parts.join(''), bottom: y + 62 };
}

function drawKind(
  days: readonly PictureDay[],
  kind: Kind,
  { ground, scale, step }: { ground: number; scale: number; step: number },
): string {
  const width = Math.min(WIDEST, step * 0.66);
  const size = Math.min(...days.map((day) => shrink(figure(kind, day[kind]), step - 4, FIGURE, 'bold')));
  const columns = days.map((day, index) => {
    const count = day[kind];
    const middle = MARGIN + step * (index + 0.5);
    if (count === 0)
      return kind === 'redeemed' && sum(day) === 0 && !day.isBefore ? dot(middle, ground - 9) : '';
    const height = Math.max(LEAST, count * scale);
    const style = { size, weight: 'bold', color: COLORS[kind], anchor: 'middle' } as const;
    return (
      piece(kind, middle - width / 2, ground - height, width, height) +
      write(middle, ground - height - 7, figure(kind, count), style)
    );
  });
  return (
    columns.join('') +
    `<rect x="${MARGIN}" y="${round(ground)}" width="${INNER}" height="1.5" fill="${INK.faint}"/>`
  );
}

/** Whether every figure stands on its column at a size that is still read. */
export const hasRoom = (days: readonly PictureDay[]): boolean =>
  days.every((day) =>
    KINDS.every((kind) => measure(figure(kind, day[kind]), 17, 'bold') <= INNER / days.length - 4),
  );
