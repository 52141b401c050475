// What the pictures are made of: a sheet, and words in the font of the pictures that have room where they stand.
import { escapeXml } from '../chart.ts';
import { cut, FAMILY, shrink } from './font.ts';

/** Dark on light, whatever the theme of the chat is. */
export const INK = { text: '#17202a', faint: '#5a6572', line: '#e1e6eb', paper: '#ffffff' };

export interface Style {
  size: number;
  /** How wide it may be: what is wider is smaller, and then cut. */
  room: number;
  weight?: 400 | 700;
  color?: string;
  anchor?: 'start' | 'middle';
}

/** Words on a line; `y` is where their feet stand. */
export function write(text: string, x: number, y: number, style: Style): string {
  const { room, weight = 400, color = INK.text, anchor = 'start' } = style;
  const kind = weight > 400 ? 'bold' : 'plain';
  const size = Math.max(style.size * 0.6, shrink(text, room, style.size, kind));
  const shown = escapeXml(cut(text, room, size, kind));
  return `<text x="${x}" y="${y}" font-family="${FAMILY}" font-size="${size}" font-weight="${weight}" fill="${color}" text-anchor="${anchor}">${shown}</text>`;
}

/** A whole picture. */
export const sheet = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`;
