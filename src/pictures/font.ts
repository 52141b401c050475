// Font metrics: how wide words are in the fonts of the picture, read from the fonts themselves: labels are made to fit
// before they are drawn.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { packaged } from '../files.ts';

export type Weight = 'plain' | 'bold';

export const FAMILY = 'DejaVu Sans';
const folder = join(dirname(packaged('dejavu-fonts-ttf/package.json')), 'ttf');
const FILES = { plain: join(folder, 'DejaVuSans.ttf'), bold: join(folder, 'DejaVuSans-Bold.ttf') } as const;
export const FONT_FILES: readonly string[] = Object.values(FILES);

/** Width of a character in parts of the size; undefined where the font cannot draw it. */
type Advances = (codePoint: number) => number | undefined;

const read: Partial<Record<Weight, Advances>> = {};

/** Width of a text in pixels. Kerning is left out: it only ever makes these fonts narrower. */
export function measure(text: string, size: number, weight: Weight = 'plain'): number {
  const advances = (read[weight] ??= readAdvances(readFileSync(FILES[weight])));
  let width = 0;
  for (const character of text) width += advances(character.codePointAt(0) ?? 0) ?? 0.6;
  return width * size;
}

/** The text as it is, or as much of it as has room, with an ellipsis. */
export function cut(text: string, width: number, size: number, weight: Weight = 'plain'): string {
  if (measure(text, size, weight) <= width) return text;
  let room = width - measure('…', size, weight);
  let kept = '';
  for (const character of text) {
    room -= measure(character, size, weight);
    if (room < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The size at which a text has room: the one wished for, or a smaller one. */
export function shrink(text: string, width: number, size: number, weight: Weight = 'plain'): number {
  const wide = measure(text, size, weight);
  return wide <= width ? size : Math.floor((size * width * 10) / wide) / 10;
}

/** Without what the font has no sign for: pictures and foreign scripts would be empty boxes. */
export function drawable(text: string): string {
  const advances = (read.bold ??= readAdvances(readFileSync(FILES.bold)));
  const known = [...text.normalize('NFC').replace(/\s+/gu, ' ')].filter(
    (character) => (advances(character.codePointAt(0) ?? 0) ?? 0) > 0,
  );
  return known.join('').replace(/\s+/gu, ' ').trim();
}

/** Of an OpenType font: `cmap` (format 12) says which glyph a character is, `hmtx` how wide that is. */
function readAdvances(font: Buffer): Advances {
  const table = (tag: string): number => {
    for (let entry = 12; entry < 12 + font.readUInt16BE(4) * 16; entry += 16) {
      if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8);
    }
    throw new Error(`The font has no table ${tag}.`);
  };
  const unitsPerEm = font.readUInt16BE(table('head') + 18);
  const widths = font.readUInt16BE(table('hhea') + 34);
  const hmtx = table('hmtx');
  const groups = findGroups(font, table('cmap'));
  return (codePoint) => {
    const group = groups.find(({ from, to }) => codePoint >= from && codePoint <= to);
    if (!group) return undefined;
    const glyph = group.glyph + codePoint - group.from;
    return font.readUInt16BE(hmtx + Math.min(glyph, widths - 1) * 4) / unitsPerEm;
  };
}

function findGroups(font: Buffer, cmap: number): { from: number; to: number; glyph: number }[] {
  for (let n = 0; n < font.readUInt16BE(cmap + 2); n += 1) {
    const at = cmap + font.readUInt32BE(cmap + 4 + n * 8 + 4);
    if (font.readUInt16BE(at) !== 12) continue;
    return Array.from({ length: font.readUInt32BE(at + 12) }, (_, index) => {
      const group = at + 16 + index * 12;
      return {
        from: font.readUInt32BE(group),
        to: font.readUInt32BE(group + 4),
        glyph: font.readUInt32BE(group + 8),
      };
    });
  }
  throw new Error('The font has no table of characters in the form that is read here.');
}
