// The code database as its owner sees it: what there is, adding in bulk (add-codes.ts), handing out (extract-codes.ts).
import type { CodeState } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { requireCodeDatabase } from '../games.ts';
import { addCodes, type AddedCodes, type CodeStockKey, findCodeConflict } from './add-codes.ts';
import {
  beginExtraction,
  extractCodes,
  type ExtractingDeps,
  type Extraction,
  type ExtractRequest,
} from './extract-codes.ts';
import type { IdempotencyKey } from '../idempotency.ts';
import type { Jobs } from './jobs.ts';

interface StockLine {
  denomination: number;
  /** Can be taken: available, and unverified since a restore, without what is promised. */
  available: number;
  /** To orders. */
  promised: number;
  reserved: number;
  inDoubt: number;
  /** There were codes of it at some time. */
  wasStocked: boolean;
}

export interface Codes {
  /** Codes that can be taken, by denomination, every denomination of the game present. */
  countAvailable(actor: AccountActor, gameId: string): Map<number, number>;
  /** The stock with what is under way, every denomination of the game present. */
  countStock(actor: AccountActor, gameId: string): StockLine[];
  /**
   * How many of these codes nobody has, this account has (or were redeemed), another account has. For a few hundred.
   */
  countConflicts(
    actor: AccountActor,
    gameId: string,
    codes: readonly string[],
  ): { fresh: number; ours: number; others: number; first?: string | undefined; last?: string | undefined };
  /** Adds in slices. Safe to repeat: what is already there is told as used; under a key, as the first time. */
  add(
    actor: AccountActor,
    gameId: string,
    stockKeys: readonly CodeStockKey[],
    options?: { idempotencyKey?: IdempotencyKey },
  ): Promise<AddedCodes>;
  /** Takes up to `amount` codes out of the database for good, oldest first. Under a key it is safe to repeat. */
  extract(actor: AccountActor, request: ExtractRequest): Promise<Extraction>;
  /** The same, answered as soon as it has begun; it goes on by itself. */
  beginExtraction(actor: AccountActor, request: ExtractRequest): Promise<void>;
}

const TAKEABLE: readonly CodeState[] = ['available', 'unverified'];

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game or denomination), IDEMPOTENCY_KEY_REUSED. */
export function createCodes(deps: ExtractingDeps & { jobs: Jobs }): Codes {
  const { store, games } = deps;

  function countStock(actor: AccountActor, gameId: string): StockLine[] {
    requirePermission(actor, 'seeStock');
    const game = requireCodeDatabase(games, gameId);
    const { accountId } = actor;
    const [counts, promises] = store.read(({ stock, orderItems }) => [
      stock.list(accountId, game.id),
      new Map(orderItems.listPromised(accountId, game.id).map((each) => [each.denomination, each.count])),
    ]);
    return game.denominations.map((denomination) => {
      const promised = promises.get(denomination) ?? 0;
      return {
        denomination,
        available: Math.max(0, sum(counts, denomination, TAKEABLE) - promised),
        promised,
        reserved: sum(counts, denomination, ['reserved']),
        inDoubt: sum(counts, denomination, ['in_doubt']),
        wasStocked: counts.some((row) => row.denomination === denomination),
      };
    });
  }

  return {
    countAvailable: (actor, gameId) =>
      new Map(countStock(actor, gameId).map(({ denomination, available }) => [denomination, available])),
    countStock,
    countConflicts(actor, gameId, codes) {
      requirePermission(actor, 'addCodes');
      return store.read((tables) => {
        const conflicts = codes.map((code) =>
          findCodeConflict(tables, { accountId: actor.accountId, gameId }, store.seals.hash(gameId, code)),
        );
        const others = conflicts.filter((conflict) => conflict === 'disowned').length;
        const fresh = codes.filter((_code, at) => conflicts[at] === undefined);
        const counts = { fresh: fresh.length, others, ours: codes.length - fresh.length - others };
        return { ...counts, first: fresh[0], last: fresh.at(-1) };
      });
    },
    add: (actor, gameId, stockKeys, options) => addCodes(deps, actor, gameId, stockKeys, options),
    extract: (actor, request) => extractCodes(deps, actor, request),
    async beginExtraction(actor, request) {
      const { jobId } = await beginExtraction(deps, actor, request);
      if (jobId !== undefined) deps.jobs.run(jobId).catch(() => undefined);
    },
  };
}

function sum(
  counts: readonly { denomination: number; state: CodeState; count: number }[],
  denomination: number,
  states: readonly CodeState[],
): number {
  return counts
    .filter((row) => row.denomination === denomination && states.includes(row.state))
    .reduce((total, { count }) => total + count, 0);
}
