// The picture of /stats as a whole, an SVG: whose it is and of which days, the sums with their marks, the days, the
// denominations.
import { drawCalendar } from './calendar.ts';
import { drawColumns, hasRoom, MOST_COLUMNS } from './columns.ts';
import { cut, drawable, shrink } from '../../pictures/font.ts';
import { renderPicture } from '../../pictures/render.ts';
import {
  COLORS,
  INK,
  INNER,
  KINDS,
  MARGIN,
  PATTERNS,
  piece,
  drawRule,
  WIDTH,
  write,
  type Kind,
} from './svg-drawing.ts';
import type { Drawn, StatisticsPicture } from './pictures.ts';
import { drawRows } from './rows.ts';

/** Widths of the sums, in the order of the kinds; the last has the longest words. */
const SUMS: Record<Kind, number> = { redeemed: 225, failed: 165, open: 340 };

/** Finer than it is measured, for screens that are. */
const SCALE = 1.6;

/** A PNG. */
export const drawStatistics = (picture: StatisticsPicture): Promise<Buffer> =>
  renderPicture(composeStatistics(picture), WIDTH * SCALE);

export function composeStatistics(picture: StatisticsPicture): string {
  const { words, days, weeks, amounts } = picture;
  const parts = [drawTitle(words)];
  let y = 132;
  parts.push(drawSums(picture, y));
  y += 118;
  // Of one day the sums have said it.
  if (weeks.length > 0) y = section(parts, words.byWeek, y, (top) => drawRows(weeks, top));
  else if (days.length > 1) {
    const asColumns = days.length <= MOST_COLUMNS && hasRoom(days);
    y = section(parts, words.byDay, y, (top) =>
      asColumns ? drawColumns(days, top) : drawCalendar(days, words.weekdays, top),
    );
  }
  if (amounts.length > 0) y = section(parts, words.byAmount, y, (top) => drawRows(amounts, top));
  const height = Math.ceil(y + 12);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">` +
    `${PATTERNS}<rect width="${WIDTH}" height="${height}" fill="${INK.paper}"/>${parts.join('')}</svg>`
  );
}

function drawTitle({ shop, range }: StatisticsPicture['words']): string {
  const name = drawable(shop);
  const size = Math.max(28, shrink(name, INNER, 36, 'bold'));
  const title = cut(name === '' ? '—' : name, INNER, size, 'bold');
  return (
    write(MARGIN, 66, title, { size, weight: 'bold' }) +
    write(MARGIN, 104, range, { size: shrink(range, INNER, 24), color: INK.faint })
  );
}

function drawSums({ words, total }: StatisticsPicture, top: number): string {
  const shown = KINDS.filter((kind) => kind !== 'open' || total.open > 0);
  const smallest = (sizeOf: (kind: Kind) => number) => Math.min(...shown.map(sizeOf));
  const countSize = smallest((kind) => shrink(String(total[kind]), SUMS[kind] - 20, 54, 'bold'));
  const labelSize = smallest((kind) => shrink(words[kind], SUMS[kind] - 50, 22));
  let x = MARGIN;
  const parts: string[] = [];
  for (const kind of shown) {
    parts.push(
      write(x, top + 52, String(total[kind]), { size: countSize, weight: 'bold', color: COLORS[kind] }),
      piece(kind, x, top + 68, 22, 22),
      write(x + 32, top + 87, words[kind], { size: labelSize }),
    );
    x += SUMS[kind];
  }
  return parts.join('');
}

/** A ruled-off part under its heading; returns where it ends. */
function section(parts: string[], heading: string, y: number, draw: (top: number) => Drawn): number {
  const size = shrink(heading, INNER, 28, 'bold');
  const drawn = draw(y + 62);
  parts.push(drawRule(y), write(MARGIN, y + 44, heading, { size, weight: 'bold' }), drawn.svg);
  return drawn.bottom + 22;
}
