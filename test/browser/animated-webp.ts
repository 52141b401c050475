// An animated WebP out of still ones: https://developers.google.com/speed/webp/docs/riff_container. Each frame covers
// the part of the picture that changed.

export interface Frame {
  /** A still WebP without transparency. */
  webp: Buffer;
  /** Where it goes; even numbers, as the container counts in pairs of pixels. */
  x: number;
  y: number;
  width: number;
  height: number;
  durationMs: number;
}

const ANIMATED = 0x02;
/** What a frame covers is replaced, not blended. */
const REPLACES = 0x02;

/** The file: endless, of this size. Throws when a frame is no still WebP. */
export function animate(frames: readonly Frame[], width: number, height: number): Buffer {
  const header = Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), number24(width - 1), number24(height - 1)]);
  // A ground of no colour, and no end.
  const animation = Buffer.alloc(6);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', header),
    chunk('ANIM', animation),
    ...frames.map((frame) => chunk('ANMF', frameOf(frame))),
  ]);
  return chunk('RIFF', body);
}

function frameOf({ webp, x, y, width, height, durationMs }: Frame): Buffer {
  const place = [x / 2, y / 2, width - 1, height - 1, durationMs].map(number24);
  return Buffer.concat([...place, Buffer.from([REPLACES]), pixelsOf(webp)]);
}

/** The chunk with the picture itself, whatever stands around it. */
function pixelsOf(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length;) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end);
    at = end;
  }
  throw new Error('This is no still WebP.');
}

/** Chunks have even lengths; the padding does not count. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}----`);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function number24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
