import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { behaviourOf, mintCodes } from './codes.ts';

describe('minting', () => {
  test('minted codes are 16 characters, all different, and worth their denomination', () => {
    const codes = mintCodes({ count: 500, denomination: 8100, randomBytes });
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(code).toMatch(/^8100S[A-Za-z0-9]{11}$/);
    expect(codes.map(behaviourOf)).toEqual(
      codes.map(() => expect.objectContaining({ kind: 'redeems', amount: 8100 })),
    );
  });

  test('no letter is favoured: bytes beyond the last whole alphabet are thrown away', () => {
    const bytes = [255, 248, 0, 61, 62, 247];
    let at = 0;
    const next = (size: number) => Uint8Array.from({ length: size }, () => bytes[at++ % bytes.length] ?? 0);
    expect(mintCodes({ count: 1, denomination: 60, randomBytes: next })).toEqual(['60SA9A9A9A9A9A9A']);
  });

  test('the same randomness twice does not give the same code twice', () => {
    let call = 0;
    const repeating = (size: number) => new Uint8Array(size).fill(call++ < 3 ? 1 : 2);
    expect(mintCodes({ count: 2, denomination: 60, randomBytes: repeating })).toEqual([
      '60SBBBBBBBBBBBBB',
      '60SCCCCCCCCCCCCC',
    ]);
  });

  test.for([0, -60, 1.5, 10_000_000, Number.NaN])('a denomination of %s is refused', (denomination) => {
    expect(() => mintCodes({ count: 1, denomination, randomBytes })).toThrow(RangeError);
  });
});
