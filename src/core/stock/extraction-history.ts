// What left the code database: codes spent today, extractions and their codes again, and what became of their files in
// chats.
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { type Games, requireCodeDatabase } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { toActor } from '../members.ts';
import { eachOutcome } from '../receipts/counted-days.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';
import { readTimeZone, dayAt, rangeOfDays } from '../zones.ts';
import { readExtraction } from './extract-codes.ts';
import type { Jobs } from './jobs.ts';

/** From the bot's document: how long what was taken back can be sent again. */
export const SENT_AGAIN_WITHIN_MS = 24 * 60 * 60 * 1000;
/** Codes of one extraction: what one transaction hands out without holding up everybody else. */
export const MOST_EXTRACTED = 10_000;
const LISTED_AT_ONCE = 100;

interface EarlierExtraction {
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

/** The same among those of other games. */
interface RecentExtraction extends ExtractionSummary {
  gameId: string;
  /** Who ordered it. */
  actorLabel: ActorLabel;
}

/** A week of UTC. */
const PACE_DAYS = 7;

export interface ExtractionHistory {
  /** How many codes one extraction from the chat takes at most. */
  mostAtOnce: number;
  /**
   * Codes of the database that redemptions of today spent, in the time zone of the account; by denomination, every one
   * of the game present.
   */
  countSpentToday(actor: AccountActor, gameId: string): Promise<Map<number, number>>;
  /** How many codes a day redemptions of the last week spent, by denomination; none where none was. */
  paceOf(actor: AccountActor, gameId: string): Promise<Map<number, number>>;
  /** A page of the extractions of a game, from either door, the newest first; strictly before a moment. */
  listExtractions(
    actor: AccountActor,
    gameId: string,
    range?: { before?: number | undefined },
  ): ExtractionSummary[];
  /** The newest so many of all games that took any code, from either door, the newest first. */
  listRecent(actor: AccountActor, limit: number): RecentExtraction[];
  /** The codes of an extraction of this account, whoever ordered it; undefined where there is none. */
  findExtraction(actor: AccountActor, extractionId: number): Promise<EarlierExtraction | undefined>;
  /** Whether it goes on still. */
  isUnderWay(extractionId: number): boolean;
  /** A surface has handed its file over. */
  noteSent(extractionId: number): Promise<void>;
  /**
   * A surface cannot hand its file to whoever it was for: the owner is told once, unless somebody has had it. What an
   * owner took out themselves is told to nobody: it waits for their own chat.
   */
  noteUnsent(extractionId: number): Promise<void>;
}

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game). */
export function createExtractionHistory({
  store,
  games,
  clock,
  jobs,
}: {
  store: Store;
  games: Games;
  clock: Clock;
  jobs: Jobs;
}): ExtractionHistory {
  return {
    mostAtOnce: MOST_EXTRACTED,
    async countSpentToday(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireCodeDatabase(games, gameId);
      const { accountId } = actor;
      const timeZone = readTimeZone(store, accountId);
      const spent = new Map<number, number>();
      const today = dayAt(timeZone, clock.now());
      await eachOutcome(store, accountId, rangeOfDays({ from: today, to: today }, timeZone), (row) => {
        if (row.gameId !== game.id || row.spent === 0) return;
        spent.set(row.spent, (spent.get(row.spent) ?? 0) + 1);
      });
      return new Map(game.denominations.map((denomination) => [denomination, spent.get(denomination) ?? 0]));
    },
    async paceOf(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const { id } = requireCodeDatabase(games, gameId);
      return readPace(store, { accountId: actor.accountId, gameId: id, now: clock.now() });
    },
    listExtractions(actor, gameId, { before = Number.MAX_SAFE_INTEGER } = {}) {
      requirePermission(actor, 'extractCodes');
      const { id } = requireCodeDatabase(games, gameId);
      const query = { accountId: actor.accountId, gameId: id, before, limit: LISTED_AT_ONCE };
      return store
        .read((tables) => tables.extractions.listBefore(query))
        .map(({ at, ...summary }) => ({ ...summary, createdAt: at }));
    },
    listRecent(actor, limit) {
      requirePermission(actor, 'extractCodes');
      return store.read((tables) => listNewest(tables, actor.accountId, limit));
    },
    async findExtraction(actor, extractionId) {
      requirePermission(actor, 'extractCodes');
      const found = store.read((tables) => tables.extractions.find(extractionId));
      if (found?.accountId !== actor.accountId) return undefined;
      const codes = await readExtraction({ store, jobs }, extractionId);
      return { gameId: found.gameId, denomination: found.denomination, codes };
    },
    isUnderWay: (extractionId) =>
      store.read((tables) => tables.jobs.findOfSubject('extract', extractionId)?.state === 'running'),
    async noteSent(extractionId) {
      await store.write((tables) => tables.extractions.markSent(extractionId, clock.now()));
    },
    async noteUnsent(extractionId) {
      await store.write((tables) => notifyUnsent(tables, extractionId, clock.now()));
    },
  };
}

async function readPace(
  store: Store,
  { accountId, gameId, now }: { accountId: number; gameId: string; now: number },
): Promise<Map<number, number>> {
  const until = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const spent = new Map<number, number>();
  // A shop that began two days ago has a pace of two days.
  let length = 0;
  await eachOutcome(store, accountId, { from: until - PACE_DAYS * DAY_MS, until }, (row) => {
    if (row.gameId !== gameId || row.spent === 0) return;
    length ||= Math.ceil((until - row.createdAt) / DAY_MS);
    spent.set(row.spent, (spent.get(row.spent) ?? 0) + 1);
  });
  return new Map([...spent].map(([denomination, count]) => [denomination, count / length]));
}

function listNewest(tables: Tables, accountId: number, limit: number): RecentExtraction[] {
  const rows = tables.extractions.listNewest(accountId, limit);
  return rows.map(({ id, at, gameId, denomination, taken, actor }) => {
    const actorLabel = toActorLabel(tables, accountId, actor);
    return { id, createdAt: at, gameId, denomination, count: taken, actorLabel };
  });
}

function notifyUnsent(tables: Tables, extractionId: number, now: number): void {
  const found = tables.extractions.find(extractionId);
  if (!found || found.taken === 0) return;
  const { accountId, actor, gameId, denomination, taken: count } = found;
  const orderer = tables.members.list(accountId).find((row) => nameActor(toActor(row)) === actor);
  if (orderer?.role === 'owner' || !tables.extractions.markUnsentTold(extractionId, now)) return;
  writeNotice(
    tables,
    { kind: 'extractionUnsent', accountId, extractionId, gameId, denomination, count },
    now,
  );
}
