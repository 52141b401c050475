// Receipts by chance, as many as are wanted, with everything that a list can be filtered by: states, games, amounts,
// players, names, keys, days of several weeks; some in the same millisecond, some of another account.
import type { ErrorCode } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { endRedeemed, sendOrder } from './attempts.ts';
import type { SeededRandom } from './seeded-random.ts';

export const GENERATED = {
  players: ['5170925570', '5170925571', '5124780131', '77'],
  names: ['Ivan', 'иВАН', 'Ёлка', 'Hawk <b>', '=cmd()', 'nobody'],
  games: ['game_id_1', 'game_id_2'],
  amounts: [60, 325],
  errors: ['NO_CODES_AVAILABLE', 'CODE_USED', 'CHARACTER_NOT_FOUND'] satisfies ErrorCode[],
} as const;

export interface GeneratedOptions {
  accountId: number;
  /** Another account, whose receipts lie between these. */
  otherId: number;
  actors: readonly string[];
  count: number;
  /** Of the first; each is up to `stepMs` later than the one before. */
  from: number;
  stepMs: number;
}

/** In one transaction, oldest first. */
export function generateReceipts(
  store: Store,
  random: SeededRandom,
  { accountId, otherId, actors, count, from, stepMs }: GeneratedOptions,
): Promise<void> {
  return store.write((tables) => {
    let now = from;
    for (let index = 0; index < count; index += 1) {
      if (random.next() > 0.1) now += random.between(0, stepMs);
      const gameId = random.pick(GENERATED.games);
      const text = `60S${String(index).padStart(13, '0')}`;
      const denomination = random.next() < 0.8 ? random.pick(GENERATED.amounts) : null;
      const row = {
        accountId: random.next() < 0.1 ? otherId : accountId,
        actor: random.pick(actors),
        gameId,
        playerId: random.pick(GENERATED.players),
        playerName: random.next() < 0.3 ? null : random.pick(GENERATED.names),
        mode: 'direct' as const,
        denomination,
        codeId: null,
        usageId: null,
        now,
      };
      const chance = random.next();
      if (chance < 0.3) {
        tables.redemptions.insertFailed({ ...row, code: null }, random.pick(GENERATED.errors), 'refused');
        continue;
      }
      const id = tables.redemptions.begin({ ...row, code: { text, ...store.seals.seal(gameId, text) } });
      if (chance < 0.35) continue;
      if (chance < 0.4) {
        sendOrder(tables, id, now);
        tables.attempts.doubt(id, {}, now, now);
        tables.redemptions.doubt(id, { errorCode: 'UNKNOWN', errorMessage: null }, now, now);
        continue;
      }
      const amount = random.next() < 0.8 ? random.pick(GENERATED.amounts) : null;
      const receipt = { openid: 'o', playerName: row.playerName ?? 'x', region: null, productName: null };
      endRedeemed(tables, id, { ...receipt, amount, warning: false, credentials: null }, now + 1);
    }
  });
}
