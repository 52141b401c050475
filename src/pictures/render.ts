// A picture drawn as SVG becomes a PNG by resvg, with fonts of its own, beside the loop. The library is loaded at the
// first one.
import type { renderAsync } from '@resvg/resvg-js';
import { createRequire } from 'node:module';

import { FAMILY, FONT_FILES } from './font.ts';

const require = createRequire(import.meta.url);
const TIMEOUT_MS = 10_000;

/** The PNG, so many pixels wide. Rejects when drawing fails or takes longer than ten seconds. */
export async function renderPicture(svg: string, width: number): Promise<Buffer> {
  const resvg = require('@resvg/resvg-js') as { renderAsync: typeof renderAsync };
  const font = { fontFiles: [...FONT_FILES], loadSystemFonts: false, defaultFontFamily: FAMILY };
  const options = { fitTo: { mode: 'width', value: width }, font } as const;
  const image = await resvg.renderAsync(svg, options, AbortSignal.timeout(TIMEOUT_MS));
  return image.asPng();
}
