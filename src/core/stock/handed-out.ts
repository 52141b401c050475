// What left the code database: codes spent today, and the codes of an extraction again.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import type { Games } from '../games.ts';
import { requireManaged } from '../managed.ts';
import { requirePermission } from '../permissions.ts';
import { countDay } from '../receipts/counted-days.ts';
import { readTimeZone, dayAt } from '../zones.ts';
import { readExtraction } from './extracting.ts';
import type { Jobs } from './jobs.ts';

/** From the bot's document: how long what was taken back can be sent again. */
export const SENT_AGAIN_WITHIN_MS = 24 * 60 * 60 * 1000;
/** Codes of one extraction: what one transaction hands out without holding up everybody else. */
export const MOST_EXTRACTED = 10_000;
const LISTED_AT_ONCE = 100;

export interface PastExtraction {
  gameId: string;
  denomination: number;
  codes: string[];
}

/** One extraction as a list tells it. */
export interface ExtractionSummary {
  id: number;
  createdAt: number;
  denomination: number;
  /** Codes it has taken so far. */
  count: number;
}

export interface HandedOut {
  /** How many codes one extraction from the chat takes at most. */
  mostAtOnce: number;
  /**
   * Codes of the database that redemptions of today spent, in the time zone of the account; by denomination, every one of the game
   * present.
   */
  countSpentToday(actor: AccountActor, gameId: string): Promise<Map<number, number>>;
  /** A page of the extractions of a game, from either door, the newest first; strictly before a moment. */
  listExtractions(
    actor: AccountActor,
    gameId: string,
    range?: { before?: number | undefined },
  ): ExtractionSummary[];
  /** The codes of an extraction of this account, whoever ordered it; undefined where there is none. */
  findExtraction(actor: AccountActor, extractionId: number): Promise<PastExtraction | undefined>;
}

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game). */
export function createHandedOut({
  store,
  games,
  clock,
  jobs,
}: {
  store: Store;
  games: Games;
  clock: Clock;
  jobs: Jobs;
}): HandedOut {
  return {
    mostAtOnce: MOST_EXTRACTED,
    async countSpentToday(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireManaged(games, gameId);
      const { accountId } = actor;
      const timeZone = readTimeZone(store, accountId);
      const spent = new Map<number, number>();
      await countDay(store, { accountId, timeZone }, dayAt(timeZone, clock.now()), (counted) => {
        const { spent: denomination, count } = counted;
        if (counted.gameId !== game.id || denomination === 0) return;
        spent.set(denomination, (spent.get(denomination) ?? 0) + count);
      });
      return new Map(game.denominations.map((denomination) => [denomination, spent.get(denomination) ?? 0]));
    },
    listExtractions(actor, gameId, { before = Number.MAX_SAFE_INTEGER } = {}) {
      requirePermission(actor, 'extractCodes');
      const { id } = requireManaged(games, gameId);
      const query = { accountId: actor.accountId, gameId: id, before, limit: LISTED_AT_ONCE };
      return store
        .read((tables) => tables.extractions.listBefore(query))
        .map(({ at, ...summary }) => ({ ...summary, createdAt: at }));
    },
    async findExtraction(actor, extractionId) {
      requirePermission(actor, 'extractCodes');
      const found = store.read((tables) => tables.extractions.find(extractionId));
      if (found?.accountId !== actor.accountId) return undefined;
      const codes = await readExtraction({ store, jobs }, extractionId);
      return { gameId: found.gameId, denomination: found.denomination, codes };
    },
  };
}
