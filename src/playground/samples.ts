// Codes for the visitor to paste: fresh ones of each denomination, and some that show what can go wrong.
import { randomBytes } from 'node:crypto';

import { mintCodes } from '../platform/sandbox/codes.ts';
import type { Snapshot } from './protocol.ts';

export type Samples = Snapshot['samples'];

/** The game with a code database, and the denominations that the shop begins with. */
export const GAME = 'game_id_1';
export const DENOMINATIONS = [60, 325, 660] as const;

const FRESH = [
  { denomination: 60, count: 5 },
  { denomination: 325, count: 3 },
  { denomination: 660, count: 2 },
] as const;

const PECULIAR = [
  { prefix: 'TIMEOUT', label: 'Redeemed, but the platform never answers: settles by itself' },
  { prefix: 'LOST', label: 'Not redeemed, and nobody is told: comes back by itself' },
  { prefix: 'SLOW', label: 'The platform takes five seconds' },
  { prefix: 'NOORDER', label: 'Redeemed without a full receipt: shows the warning' },
  { prefix: 'USED', label: 'Refused: it was redeemed before' },
  { prefix: 'INVALID', label: 'Refused: there is no such code' },
  { prefix: 'NOACCOUNT', label: 'Refused, and returned: no platform account is free' },
] as const;

/** Any number of 5 to 20 digits is a player; these have names of every kind, and the last is none. */
const PLAYERS = {
  label: 'Players to redeem for (the last one does not exist)',
  codes: ['5170925571', '5170925552', '5170925551', '4041234567'],
};

/** New ones each time; none of them is in any database. */
export function mintSamples(): Samples {
  const fresh = FRESH.map(({ denomination, count }) => ({
    label: `${count} fresh codes of ${denomination} UC`,
    codes: mint(denomination, count),
  }));
  const peculiar = PECULIAR.map(({ prefix, label }) => ({ label, codes: [mintPeculiar(prefix)] }));
  return [...fresh, ...peculiar, PLAYERS];
}

/** Fresh codes that the sandbox redeems. */
export function mint(denomination: number, count: number): string[] {
  return mintCodes({ count, denomination, randomBytes });
}

/** A code that the sandbox treats as its beginning says. */
export function mintPeculiar(prefix: string): string {
  // The tail of a minted code is as random as a code must be.
  return prefix + mint(60, 1).join('').slice(-9);
}
