// Codes for the visitor to paste: fresh ones of each denomination, and some that show what can go wrong.
import { randomBytes } from 'node:crypto';

import { mintCodes } from '../src/platform/sandbox/codes.ts';
import type { Sample } from './protocol.ts';

/** The game with a code database. */
export const GAME = 'game_id_1';

const FRESH = [
  { denomination: 60, count: 5 },
  { denomination: 325, count: 3 },
  { denomination: 660, count: 2 },
] as const;

/** How codes begin that show what can go wrong. */
const PECULIAR = [
  'TIMEOUT',
  'LOST',
  'DOWN',
  'DOWN1',
  'SLOW',
  'NOORDER',
  'USED',
  'INVALID',
  'NOACCOUNT',
] as const;

/** New ones each time; none of them is in any database. `unit` stands in their heading. */
export function mintSamples(unit: string): Sample[] {
  const fresh = FRESH.map(({ denomination, count }) => {
    const codes = mintPlayCodes(denomination, count);
    return { key: `fresh-${denomination}`, codes, text: [`${denomination} ${unit}:`, ...codes].join('\n') };
  });
  const peculiar = PECULIAR.map((prefix) => {
    const code = mintPeculiar(prefix);
    return { key: prefix, codes: [code], text: code };
  });
  return [...fresh, ...peculiar];
}

/** The same samples, with other codes for `key`, or for every key. */
export function mintAnew(samples: readonly Sample[], unit: string, key: string | undefined): Sample[] {
  const minted = mintSamples(unit);
  return samples.map((one) =>
    key === undefined || one.key === key ? (minted.find((other) => other.key === one.key) ?? one) : one,
  );
}

/** Fresh codes that the sandbox redeems. */
export function mintPlayCodes(denomination: number, count: number): string[] {
  return mintCodes({ count, denomination, randomBytes });
}

/** A code that the sandbox treats as its beginning says. */
export function mintPeculiar(prefix: string): string {
  // The tail of a minted code is as random as a code must be; a digit before it would bind it to a sandbox.
  return `${prefix}x${mintPlayCodes(60, 1).join('').slice(-9)}`;
}
