// The chart of days and of amounts: one function from figures to SVG, for the chat and for the console. It measures words
// by their letters, since it does not know in which font they are read, and names no colour: whoever shows it paints
// `.good`, `.bad`, `.doubt`, `.label` and `line`.

export type ChartTone = 'good' | 'bad' | 'doubt';

/** A column, its parts one upon another, the first at its foot. */
export interface Bar {
  /** Below it: broken between words where it has no room on a line, and left out between others where it has none at all. */
  label: string;
  parts: readonly BarPart[];
}

interface BarPart {
  tone: ChartTone;
  count: number;
  /** Said of the part where it is pointed at or listened to. */
  title?: string;
  /** The list of what was counted. */
  href?: string;
}

/** In pixels; `size`: of the letters, where there is room. */
interface ChartSize {
  width: number;
  height: number;
  size: number;
}

/** Before the figures of what did not simply go well: it is not told by its colour alone. */
const MARKS: Record<ChartTone, string> = { good: '', bad: '✕\u2009', doubt: '?\u2009' };
/** How wide a letter is on average, at most, and how high a line, in parts of the size. */
const LETTER = 0.66;
const LINE = 1.15;
/** Smaller letters than this part of the size are not read: a scale stands for the figures, and labels are fewer. */
const SMALLEST = 0.6;
/** The shortest part that is still seen. */
const LEAST = 4;
/** A column is no wider than so many letters are high. */
const WIDEST = 3.5;

/** What stands in an `<svg>` of `width` × `height`, escaped; nothing where there are no bars. */
export function drawChart(bars: readonly Bar[], { width, height, size }: ChartSize): string {
  const columns = bars.map(({ parts }) => parts.filter(({ count }) => count > 0));
  const most = Math.max(1, ...columns.map((parts) => parts.reduce((sum, { count }) => sum + count, 0)));
  const figureSize = sizeFor(columns.flat().map(figureOf), width / bars.length - size / 4, size);
  const left = figureSize === undefined ? (widthOf(`${most}`) * SMALLEST + 0.4) * size : 0;
  const step = (width - left) / bars.length;
  const middleOf = (index: number) => left + (index + 0.5) * step;
  const { labels, labelSize } = placeLabels(bars, step, size);
  const lines = Math.max(1, ...labels.map((each) => each.length));
  const ground = Math.round(height - (lines + 0.25) * size * LINE);
  const above = figureSize === undefined ? 1 : Math.max(1, ...columns.map((parts) => parts.length));
  const scale = (ground - above * size * LINE - 3 * LEAST) / most;
  const wide = Math.min(step * 0.7, WIDEST * size);

  const drawn = columns.flatMap((parts, index) => {
    let y = ground;
    const stacked = parts.map((part) => {
      const high = Math.max(LEAST, part.count * scale);
      y -= high;
      return drawPart(part, [middleOf(index) - wide / 2, y, wide, high]);
    });
    if (figureSize === undefined) return stacked;
    const figures = parts.map((part, line) =>
      write(figureOf(part), middleOf(index), y - size * (0.3 + line * LINE), figureSize, part.tone),
    );
    return [...stacked, ...figures];
  });
  const named = labels.flatMap((each, index) =>
    each.map((line, at) => {
      const half = (widthOf(line) * labelSize) / 2;
      const x = Math.max(half, Math.min(width - half, middleOf(index)));
      return write(line, x, ground + (at + 1) * size * LINE, labelSize, 'label');
    }),
  );
  const ruled = (figureSize === undefined ? scaleOf(most) : []).map((count) => {
    const y = ground - count * scale;
    return (
      drawLine([left, width], y) + write(`${count}`, 0, y + size * 0.2, size * SMALLEST, 'label', 'start')
    );
  });
  return [...ruled, ...drawn, drawLine([left, width], ground), ...named].join('');
}

const figureOf = ({ tone, count }: BarPart): string => MARKS[tone] + count;
const widthOf = (words: string): number => [...words].length * LETTER;

/** At which the widest of them has room; undefined where nobody would read it. */
function sizeFor(words: readonly string[], room: number, size: number): number | undefined {
  const fits = Math.min(size, room / Math.max(1, ...words.map(widthOf)));
  return fits < size * SMALLEST ? undefined : Math.floor(fits * 10) / 10;
}

/** The lines of each label: of all of them where their longest words have room, else of every second, third…, the last among them. */
function placeLabels(bars: readonly Bar[], step: number, size: number) {
  const words = bars.map(({ label }) => label.split(' '));
  const labelSize = sizeFor(words.flat(), step - size / 4, size);
  if (labelSize !== undefined)
    return { labelSize, labels: words.map((each) => breakLines(each, step / labelSize)) };
  // The last is moved by up to half of itself, so that it ends where the chart does.
  const widest = Math.max(...bars.map(({ label }) => widthOf(label))) * size;
  const every = Math.ceil((widest * 1.5) / step);
  return {
    labelSize: size,
    labels: bars.map(({ label }, index) => ((bars.length - 1 - index) % every === 0 ? [label] : [])),
  };
}

function breakLines([first = '', ...words]: readonly string[], room: number): string[] {
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (widthOf(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Two to five round figures up to the greatest. */
function scaleOf(most: number): number[] {
  const unit = 10 ** Math.floor(Math.log10(most));
  const gap = [0.2, 0.5, 1, 2].map((part) => part * unit).find((each) => each >= 1 && most / each <= 5) ?? 1;
  return Array.from({ length: Math.floor(most / gap) }, (_, index) => Math.round((index + 1) * gap));
}

function drawPart({ tone, title, href }: BarPart, place: readonly number[]): string {
  const [x, y, width, height] = place.map(round);
  const named = title === undefined ? '' : `<title>${escapeXml(title)}</title>`;
  const rect = `<rect class="${tone}" x="${x}" y="${y}" width="${width}" height="${height}">${named}</rect>`;
  return href === undefined
    ? rect
    : `<a href="${escapeXml(href)}" aria-label="${escapeXml(title ?? '')}">${rect}</a>`;
}

const drawLine = ([from = 0, to = 0]: readonly number[], y: number): string =>
  `<line x1="${round(from)}" x2="${round(to)}" y1="${round(y)}" y2="${round(y)}"/>`;

const write = (words: string, x: number, y: number, size: number, look: string, anchor = 'middle'): string =>
  `<text class="${look}" x="${round(x)}" y="${round(y)}" font-size="${round(size)}" text-anchor="${anchor}">${escapeXml(words)}</text>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** As text or as the value of an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (one) => SIGNS[one] ?? one);
