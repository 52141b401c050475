// Pictures are drawn for real, beside the loop.
import { expect, test } from 'vitest';

import { renderPicture } from './render.ts';

test('an SVG is a PNG as wide as is asked, and several are drawn at once', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="5"><text y="4">a</text></svg>';
  const pngs = await Promise.all([20, 40].map((width) => renderPicture(svg, width)));
  expect(
    pngs.map((png) => [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]),
  ).toEqual([
    ['PNG', 20, 10],
    ['PNG', 40, 20],
  ]);
});

test('what is no SVG is an error', async () => {
  await expect(renderPicture('no picture', 20)).rejects.toThrow();
});
