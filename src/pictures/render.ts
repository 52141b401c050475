// A picture drawn as SVG becomes a PNG by resvg, with fonts of its own, beside the loop. The library is loaded at the
// first one. Its own PNG would be packed by the loop, 25 ms of one picture: zlib packs it in its threads.
import type { renderAsync, RenderedImage } from '@resvg/resvg-js';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

import { FAMILY, FONT_FILES } from './font.ts';

const require = createRequire(import.meta.url);
const TIMEOUT_MS = 10_000;

/** The PNG, so many pixels wide. Rejects when drawing fails or takes longer than ten seconds. */
export async function renderPicture(svg: string, width: number): Promise<Buffer> {
  const resvg = require('@resvg/resvg-js') as { renderAsync: typeof renderAsync };
  const font = { fontFiles: [...FONT_FILES], loadSystemFonts: false, defaultFontFamily: FAMILY };
  const options = { fitTo: { mode: 'width', value: width }, font } as const;
  const image = await resvg.renderAsync(svg, options, AbortSignal.timeout(TIMEOUT_MS));
  return toPng(image);
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Eight bits of red, green, blue and alpha each; nothing of it is told in passes. */
const RGBA = [8, 6, 0, 0, 0];

/** As the specification of PNG has it: its size, all rows as one stream, the end. */
async function toPng(image: RenderedImage): Promise<Buffer> {
  const header = Buffer.concat([uint32(image.width), uint32(image.height), Buffer.from(RGBA)]);
  const packed = await promisify(deflate)(await copyRows(image));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND')]);
}

/** So many in a turn of the loop. */
const ROWS_AT_ONCE = 200;

/** Each behind a 0: as it is. */
async function copyRows({ width, height, pixels }: RenderedImage): Promise<Buffer> {
  const stride = width * 4;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y += 1) {
    pixels.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
    if (y % ROWS_AT_ONCE === 0) await nextTurn();
  }
  return rows;
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
