// The code database as its owner sees it: what there is, adding in bulk (adding.ts), handing out (extracting.ts).
import type { CodeState } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { requireManaged } from '../managed.ts';
import { requirePermission } from '../permissions.ts';
import { addCodes, type AddedCodes, type CodeLot } from './adding.ts';
import { extractCodes, type ExtractingDeps, type Extraction, type ExtractRequest } from './extracting.ts';
import { findObstacle } from './obstacles.ts';

export interface StockLine {
  denomination: number;
  /** Can be taken: available, and unverified since a restore. */
  available: number;
  reserved: number;
  inDoubt: number;
}

export interface Codes {
  /** Codes that can be taken, by denomination, every denomination of the game present. */
  countAvailable(actor: AccountActor, gameId: string): Map<number, number>;
  /** The stock with what is under way, every denomination of the game present. */
  countStock(actor: AccountActor, gameId: string): StockLine[];
  /** How many of these codes nobody has, this account has (or were redeemed), another account has. For a few hundred. */
  countStandings(
    actor: AccountActor,
    gameId: string,
    codes: readonly string[],
  ): { fresh: number; ours: number; others: number };
  /** Adds in slices. Safe to repeat: what is already there is told as used, or, into the same batch, as accepted. */
  add(
    actor: AccountActor,
    gameId: string,
    lots: readonly CodeLot[],
    batchId?: number,
    onProgress?: (done: number) => void,
  ): Promise<AddedCodes>;
  /** Takes up to `amount` codes out of the database for good, oldest first. Under a key it is safe to repeat. */
  extract(actor: AccountActor, request: ExtractRequest): Promise<Extraction>;
}

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game or denomination), IDEMPOTENCY_KEY_REUSED. */
export function createCodes(deps: ExtractingDeps): Codes {
  const { store, games } = deps;

  return {
    countAvailable(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireManaged(games, gameId);
      const counts = store.read((tables) => tables.stock.countTakeable(actor.accountId, game.id));
      const byDenomination = new Map(counts.map(({ denomination, count }) => [denomination, count]));
      return new Map(
        game.denominations.map((denomination) => [denomination, byDenomination.get(denomination) ?? 0]),
      );
    },
    countStock(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireManaged(games, gameId);
      const [takeable, claimed] = store.read(({ stock }) => [
        stock.countTakeable(actor.accountId, game.id),
        stock.countClaimed(actor.accountId, game.id),
      ]);
      return game.denominations.map((denomination) => {
        const available = takeable.find((row) => row.denomination === denomination)?.count ?? 0;
        const count = (state: CodeState) =>
          claimed
            .filter((row) => row.denomination === denomination && row.state === state)
            .reduce((sum, row) => sum + row.count, 0);
        return { denomination, available, reserved: count('reserved'), inDoubt: count('in_doubt') };
      });
    },
    countStandings(actor, gameId, codes) {
      requirePermission(actor, 'addCodes');
      return store.read((tables) => {
        const obstacles = codes.map((code) =>
          findObstacle(tables, { accountId: actor.accountId, gameId }, store.seals.hash(gameId, code)),
        );
        const others = obstacles.filter((obstacle) => obstacle === 'disowned').length;
        const fresh = obstacles.filter((obstacle) => obstacle === undefined).length;
        return { fresh, others, ours: codes.length - fresh - others };
      });
    },
    add: (actor, gameId, lots, batchId, onProgress) =>
      addCodes(deps, actor, gameId, lots, batchId, onProgress),
    extract: (actor, request) => extractCodes(deps, actor, request),
  };
}
