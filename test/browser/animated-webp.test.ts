// The container of the animation, read back by its own rules.
import { expect, test } from 'vitest';

import { animate } from './animated-webp.ts';

const still = (pixels: string) => {
  const head = Buffer.from('RIFF----WEBPVP8X----0123456789VP8 ----');
  head.writeUInt32LE(10, 16);
  head.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([head, Buffer.from(pixels), Buffer.alloc(pixels.length % 2)]);
};

test('holds the pictures of its frames alone, each in its place, for its time', () => {
  const file = animate(
    [
      { webp: still('whole'), x: 0, y: 0, width: 1280, height: 780, durationMs: 500 },
      { webp: still('part'), x: 20, y: 40, width: 3, height: 5, durationMs: 70_000 },
    ],
    1280,
    780,
  );
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  const chunks: [name: string, content: Buffer][] = [];
  for (let at = 12; at < file.length;) {
    const size = file.readUInt32LE(at + 4);
    chunks.push([file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + size)]);
    at += 8 + size + (size % 2);
  }
  expect(chunks.map(([name]) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
  expect([chunks[0]![1].readUIntLE(4, 3), chunks[0]![1].readUIntLE(7, 3)]).toEqual([1279, 779]);
  const last = chunks[3]![1];
  expect([0, 3, 6, 9, 12].map((at) => last.readUIntLE(at, 3))).toEqual([10, 20, 2, 4, 70_000]);
  expect(last.subarray(16).toString('latin1')).toContain('VP8 \x04\0\0\0part');
  expect(file.includes('0123456789')).toBe(false);
});

test('a frame that is no still picture is refused', () => {
  const frame = { webp: Buffer.from('RIFF----WEBPANIM'), x: 0, y: 0, width: 2, height: 2, durationMs: 1 };
  expect(() => animate([frame], 2, 2)).toThrow('no still WebP');
});
