// Receipts by chance, as many as are wanted, with everything that a list can be filtered by: states, games, amounts,
// players, names, keys, days of several weeks; some in the same millisecond, some of another account.
import type { AccountActor, ErrorCode } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { endRedeemed, sendOrder } from './attempts.ts';
import { DAY_MS, type TestCore } from './core.ts';
import type { Seeded } from './seeded.ts';

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

const codeOf = (index: number): string => `60S${String(index).padStart(13, '0')}`;

/** Two batches, a month ago, of codes that receipts will then be of; by the id of each code its batch. */
export async function addGeneratedCodes(
  { core, clock }: TestCore,
  actor: AccountActor,
): Promise<Map<number, number>> {
  clock.advance(-30 * DAY_MS);
  const of = new Map<number, number>();
  for (const first of [0, 1]) {
    const codes = Array.from({ length: 100 }, (_, index) => codeOf(3 * index + first));
    const { batchId } = await core.codes.add(actor, GENERATED.games[0], [{ denomination: 60, codes }]);
    for (let id = of.size + 1, last = of.size + 100; id <= last; id += 1) of.set(id, batchId);
  }
  clock.advance(30 * DAY_MS);
  return of;
}

/** In one transaction, oldest first. */
export function generateReceipts(
  store: Store,
  random: Seeded,
  { accountId, otherId, actors, count, from, stepMs }: GeneratedOptions,
): Promise<void> {
  return store.write((tables) => {
    let now = from;
    for (let index = 0; index < count; index += 1) {
      if (random.next() > 0.1) now += random.between(0, stepMs);
      const gameId = random.pick(GENERATED.games);
      const text = codeOf(index);
      const denomination = random.next() < 0.8 ? random.pick(GENERATED.amounts) : null;
      const row = {
        accountId: random.next() < 0.1 ? otherId : accountId,
        actor: random.pick(actors),
        gameId,
        playerId: random.pick(GENERATED.players),
        playerName: random.next() < 0.3 ? null : random.pick(GENERATED.names),
        mode: 'direct' as const,
        denomination,
        usageId: null,
        now,
      };
      const chance = random.next();
      if (chance < 0.3) {
        tables.redemptions.insertFailed(
          { ...row, codeId: null, code: null },
          random.pick(GENERATED.errors),
          'refused',
        );
        continue;
      }
      const code = { text, ...store.seals.seal(gameId, text) };
      const codeId = tables.codes.claim({ gameId, hash: code.hash, now })?.id ?? null;
      const id = tables.redemptions.begin({ ...row, codeId, code });
      if (chance < 0.35) continue;
      if (chance < 0.4) {
        sendOrder(tables, id, now);
        tables.attempts.doubt(id, {}, now, now);
        tables.redemptions.doubt(id, { errorCode: 'UNKNOWN', errorMessage: null }, now);
        continue;
      }
      const amount = random.next() < 0.8 ? random.pick(GENERATED.amounts) : null;
      const receipt = { openid: 'o', playerName: row.playerName ?? 'x', region: null, productName: null };
      endRedeemed(tables, id, { ...receipt, amount, warning: false, credentials: null }, now + 1);
    }
  });
}
