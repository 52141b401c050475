// Pictures are drawn for real, beside the loop.
import { inflateSync } from 'node:zlib';

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

test('each of its pixels is where the SVG has it', async () => {
  const below = '<rect y="300" width="10" height="1" fill="#0b668a"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="301"><rect width="10" height="300" fill="#fff"/>${below}</svg>`;
  const png = await renderPicture(svg, 10);
  // Behind the signature and the header with their lengths and sums: the rows, each behind the byte of its filter.
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const row = (color: number[]) => [0, ...Array.from({ length: 10 }, () => color).flat()];
  expect([...rows.subarray(0, 41)]).toEqual(row([255, 255, 255, 255]));
  expect([...rows.subarray(299 * 41)]).toEqual([...row([255, 255, 255, 255]), ...row([11, 102, 138, 255])]);
});

test('what is no SVG is an error', async () => {
  await expect(renderPicture('no picture', 20)).rejects.toThrow();
});
