// What the picture is drawn with: colours, patterns, words and bars as SVG. Dark on light, whatever the theme of the
// chat is; what is told apart by colour is told apart by pattern and by mark as well.
import { FAMILY, type Weight } from '../../pictures/font.ts';
import type { PictureCounts } from './pictures.ts';

/** As wide as a phone shows without shrinking letters away. */
export const WIDTH = 800;
export const MARGIN = 40;
export const INNER = WIDTH - 2 * MARGIN;

export const INK = {
  paper: '#ffffff',
  text: '#17202a',
  faint: '#5a6572',
  line: '#e1e6eb',
  bed: '#f4f6f9',
  otherBed: '#e9eef3',
};

export type Kind = keyof PictureCounts;
/** In the order in which they stand in a bar and in a line of figures. */
export const KINDS = ['redeemed', 'failed', 'open'] as const satisfies readonly Kind[];
/** Contrast with paper at least 4.5 to 1; told apart by who sees no red or no green, too. */
export const COLORS: Record<Kind, string> = { redeemed: '#0b668a', failed: '#b5410c', open: '#5f5b80' };
/** Before the figures of what was not simply redeemed. */
const MARKS: Record<Kind, string> = { redeemed: '', failed: '✕', open: '?' };

/** Hatched and dotted; what was redeemed is solid. */
export const PATTERNS =
  `<defs><pattern id="failed" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<rect width="9" height="9" fill="#fbe5da"/><rect width="4.5" height="9" fill="${COLORS.failed}"/></pattern>` +
  `<pattern id="open" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="#e6e4f1"/>` +
  `<circle cx="4.5" cy="4.5" r="2.2" fill="${COLORS.open}"/></pattern></defs>`;

export interface Style {
  size: number;
  weight?: Weight;
  color?: string;
  anchor?: 'start' | 'middle' | 'end';
}

/** Words on a line; `y` is where their feet stand. */
export function write(x: number, y: number, words: string, style: Style): string {
  const { size, weight = 'plain', color = INK.text, anchor = 'start' } = style;
  return (
    `<text x="${round(x)}" y="${round(y)}" font-family="${FAMILY}" font-size="${size}" ` +
    `font-weight="${weight === 'bold' ? 700 : 400}" fill="${color}" text-anchor="${anchor}">${escapeXml(words)}</text>`
  );
}

/** A piece of a bar in the colour and the pattern of its kind. */
export function piece(kind: Kind, x: number, y: number, width: number, height: number): string {
  const fill = kind === 'redeemed' ? COLORS.redeemed : `url(#${kind})`;
  const corner = Math.min(2.5, width / 4);
  // The outline stands inside.
  return (
    `<rect x="${round(x + 0.75)}" y="${round(y + 0.75)}" width="${round(Math.max(1, width - 1.5))}" ` +
    `height="${round(Math.max(1, height - 1.5))}" rx="${round(corner)}" fill="${fill}" stroke="${COLORS[kind]}" stroke-width="1.5"/>`
  );
}

/** The shortest piece that is still seen. */
export const LEAST = 5;
const BETWEEN = 2;

/** A bar that lies: its kinds one after another. What is not nothing is seen. */
export function lyingBar(counts: PictureCounts, x: number, y: number, height: number, scale: number): string {
  let from = x;
  const pieces = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const width = Math.max(LEAST, counts[kind] * scale);
    from += width + BETWEEN;
    return piece(kind, from - width - BETWEEN, y, width, height);
  });
  return pieces.join('');
}

export function lyingWidth(counts: PictureCounts, scale: number): number {
  const pieces = KINDS.filter((kind) => counts[kind] > 0);
  return pieces.reduce((width, kind) => width + Math.max(LEAST, counts[kind] * scale) + BETWEEN, 0);
}

/** The scale at which the longest bar is `room` wide, with its gaps and with what was widened to be seen. */
export function lyingScale(all: readonly PictureCounts[], room: number): number {
  return (room - KINDS.length * (LEAST + BETWEEN)) / Math.max(1, ...all.map(sum));
}

/** Where there was nothing. */
export const dot = (x: number, y: number): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="2.5" fill="${INK.faint}"/>`;

/** `3`, or `✕ 3` with a thin space. */
export function figure(kind: Kind, count: number): string {
  return MARKS[kind] === '' ? String(count) : `${MARKS[kind]}\u2009${count}`;
}

export function sum({ redeemed, failed, open }: PictureCounts): number {
  return redeemed + failed + open;
}

export function drawRule(y: number): string {
  return `<rect x="${MARGIN}" y="${round(y)}" width="${INNER}" height="1.5" fill="${INK.line}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
