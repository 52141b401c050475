// The picture of /stats, an SVG: whose it is and of which days, the sums with their marks, and the charts.
import { drawChart, type Bar, type ChartTone } from '../../chart.ts';
import { drawable, FAMILY } from '../../pictures/font.ts';
import { renderPicture } from '../../pictures/render.ts';
import { INK, sheet, write } from '../../pictures/svg.ts';

/** What it shows, in words that are ready to be drawn. */
export interface StatisticsPicture {
  shop: string;
  range: string;
  /** The last has the longest words. */
  sums: readonly { tone: ChartTone; count: number; words: string }[];
  charts: readonly { heading: string; bars: readonly Bar[] }[];
}

/** As wide as a phone shows without shrinking letters away. */
export const WIDTH = 800;
/** Finer than it is measured, for screens that are. */
const SCALE = 1.6;
const MARGIN = 40;
const INNER = WIDTH - 2 * MARGIN;
const SUM_WIDTHS: Record<ChartTone, number> = { good: 225, bad: 165, doubt: 330 };
const CHART = { width: INNER, height: 320, size: 22 };
const SECTION = CHART.height + 90;

/** Contrast with paper at least 4.5 to 1; told apart by who sees no red or no green, too. */
export const COLORS: Record<ChartTone, string> = { good: '#0b668a', bad: '#b5410c', doubt: '#5f5b80' };
/** What was redeemed is solid, what failed hatched, what is not known yet dotted. */
const LOOKS = `<style>
line { stroke: ${INK.line}; stroke-width: 1.5 }
.chart text { font-family: ${FAMILY}; font-weight: 700 }
.chart text.label { fill: ${INK.faint}; font-weight: 400 }
rect { stroke-width: 1.5 }
rect.good { fill: ${COLORS.good}; stroke: ${COLORS.good} }
rect.bad { fill: url(#bad); stroke: ${COLORS.bad} }
rect.doubt { fill: url(#doubt); stroke: ${COLORS.doubt} }
text.good { fill: ${COLORS.good} }
text.bad { fill: ${COLORS.bad} }
text.doubt { fill: ${COLORS.doubt} }
</style>
<pattern id="bad" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0h9v9h-9z" fill="#fbe5da"/><path d="M0 0h4.5v9h-4.5z" fill="${COLORS.bad}"/></pattern>
<pattern id="doubt" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0h9v9h-9z" fill="#e6e4f1"/><circle cx="4.5" cy="4.5" r="2.2" fill="${COLORS.doubt}"/></pattern>`;

/** A PNG. */
export const drawStatistics = (picture: StatisticsPicture): Promise<Buffer> =>
  renderPicture(composeStatistics(picture), WIDTH * SCALE);

export function composeStatistics({ shop, range, sums, charts }: StatisticsPicture): string {
  const height = 250 + charts.length * SECTION;
  let left = MARGIN;
  const counted = sums.map(({ tone, count, words }) => {
    const x = left;
    left += SUM_WIDTHS[tone];
    const room = SUM_WIDTHS[tone] - 20;
    return (
      write(String(count), x, 184, { size: 54, room, weight: 700, color: COLORS[tone] }) +
      `<rect class="${tone}" x="${x}" y="200" width="22" height="22"/>` +
      write(words, x + 32, 219, { size: 22, room: room - 32 })
    );
  });
  const drawn = charts.map(({ heading, bars }, index) => {
    const y = 250 + index * SECTION;
    return (
      `<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y}" y2="${y}"/>` +
      write(heading, MARGIN, y + 44, { size: 28, room: INNER, weight: 700 }) +
      `<g class="chart" transform="translate(${MARGIN} ${y + 62})">${drawChart(bars, CHART)}</g>`
    );
  });
  return sheet(WIDTH, height, [
    LOOKS,
    `<path d="M0 0h${WIDTH}v${height}h-${WIDTH}z" fill="${INK.paper}"/>`,
    write(drawable(shop) || '—', MARGIN, 66, { size: 36, room: INNER, weight: 700 }),
    write(range, MARGIN, 104, { size: 24, room: INNER, color: INK.faint }),
    ...counted,
    ...drawn,
  ]);
}
