// Redemptions chosen at random, as a client would send them: mostly from the code database, some with codes of their
// own that make the sandbox behave in every way it knows. No two have a player in common.
import type { Seeded } from './seeded.ts';

export interface RandomOrder {
  playerId: string;
  /** The body of POST /redeem. */
  body: { gameId: string; playerId: string; denomination?: number; codeOverride?: string };
  /** Whether the sandbox, if it redeems this, keeps the full receipt and tells of it in time. */
  full: boolean;
}

/** The one denomination that is taken from the database. */
export const STOCKED = { gameId: 'game_id_1', denomination: 60 } as const;

const FROM_DATABASE = 0.65;
const UNKNOWN_PLAYER = 0.04;

// DOWN is not among them: in doubt over a cut line, such a code could never be asked about.
const DIRECT = [
  { gameId: 'game_id_1', prefix: '325S', full: true },
  { gameId: 'game_id_2', prefix: 'PLAIN', full: true },
  { gameId: 'game_id_3', prefix: '60S', full: true },
  { gameId: 'game_id_2', prefix: 'NOORDER', full: false },
  { gameId: 'game_id_2', prefix: 'GARBLED', full: false },
  { gameId: 'game_id_2', prefix: 'TIMEOUT', full: false },
  { gameId: 'game_id_2', prefix: 'LOST', full: false },
  { gameId: 'game_id_2', prefix: 'RISK', full: false },
  { gameId: 'game_id_2', prefix: 'LOGIN', full: false },
  { gameId: 'game_id_1', prefix: 'USED', full: false },
  { gameId: 'game_id_1', prefix: 'INVALID', full: false },
] as const;

/** The order at this place of a series; two with the same `random` and `at` are alike. */
export function chooseOrder(random: Seeded, at: number): RandomOrder {
  const number = String(at).padStart(9, '0');
  const playerId = `${random.next() < UNKNOWN_PLAYER ? '404' : '7'}${number}`;
  if (random.next() < FROM_DATABASE) return { playerId, body: { ...STOCKED, playerId }, full: true };
  const { gameId, prefix, full } = random.pick(DIRECT);
  return { playerId, body: { gameId, playerId, codeOverride: `${prefix}own${number}` }, full };
}

/** As many codes for the database, all of which the sandbox redeems. */
export function makeStock(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `${STOCKED.denomination}Sstock${String(at).padStart(9, '0')}`,
  );
}
