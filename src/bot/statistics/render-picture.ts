// Draws the picture of /stats: composed as an SVG, made a PNG by resvg, with fonts of its own. A program of its own
// that pictures.ts starts and asks: picture in, PNG out. It ends when whoever started it is gone.
import { Resvg } from '@resvg/resvg-js';

import { FAMILY, FONT_FILES } from './font.ts';
import { WIDTH } from './svg-drawing.ts';
import type { StatisticsPicture } from './pictures.ts';
import { composeStatistics } from './compose-picture.ts';

/** Finer than it is measured, for screens that are. */
const SCALE = 1.6;

process.on('message', (picture: StatisticsPicture) => {
  process.send?.(draw(picture));
});

/** The PNG. */
function draw(picture: StatisticsPicture): Uint8Array {
  const svg = new Resvg(composeStatistics(picture), {
    fitTo: { mode: 'width', value: WIDTH * SCALE },
    font: { fontFiles: [...FONT_FILES], loadSystemFonts: false, defaultFontFamily: FAMILY },
  });
  return new Uint8Array(svg.render().asPng());
}
