// Reading the past of an account a piece at a time: pages, searches, counts and exports. Nothing here writes.
import { asc, desc, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals } from '../engine/code-seals.ts';
import { WHOLE } from './redemptions-queries.ts';
import { hashTails } from './code-beginnings.ts';
import { createRowOpener, type StoredRedemption } from './redemptions.ts';
import { createTwinsTable } from './twins.ts';
import { redemptions } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const ofAccount = sql`account_id = ${ph('accountId')}+0`;
const beforeCursor = sql`${ofAccount} and created_at <= ${ph('createdAt')}+0
  and (created_at, id) < (${ph('createdAt')}+0, ${ph('id')}+0)`;

/** A place in the past of an account: the row that was read last. */
export interface PastCursor {
  createdAt: number;
  id: number;
}

export function createHistoryTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const pages = preparePages(orm);
  const searches = prepareSearches(orm);
  const openRow = createRowOpener(secrets, seals, createTwinsTable(orm));

  return {
    /** Newest first, strictly before the cursor. */
    listBack: (accountId: number, { createdAt, id }: PastCursor, limit: number): StoredRedemption[] =>
      pages.listBack.all({ accountId, createdAt, id, limit }).map(openRow),
    /** The place so many rows before the cursor; undefined where there are fewer. Reads the index alone, not the rows. */
    skipBack: (accountId: number, { createdAt, id }: PastCursor, count: number): PastCursor | undefined =>
      pages.skipBack.get({ accountId, createdAt, id, skipped: count - 1 }),
    /** Oldest first, strictly after the cursor and before `until`. */
    listFrom: (
      accountId: number,
      { createdAt, id }: PastCursor,
      until: number,
      limit: number,
    ): StoredRedemption[] => pages.listFrom.all({ accountId, createdAt, id, until, limit }).map(openRow),
    /** Newest first. */
    findOfPlayer: (accountId: number, playerId: string, limit: number): number[] =>
      searches.findOfPlayer.all({ accountId, playerId, limit }).map(({ id }) => id),
    /** Redemptions whose code ends as `ending` does, newest first; `ending` has at least the indexed length. */
    findOfTail: (accountId: number, ending: string, limit: number): StoredRedemption[] =>
      hashTails(secrets, ending)
        .flatMap((tail) => searches.findOfTail.all({ accountId, tail, limit }))
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(openRow),
    /** Names of players, newest first, strictly before the cursor. */
    listNames: (accountId: number, { createdAt, id }: PastCursor, limit: number) =>
      searches.listNames.all({ accountId, createdAt, id, limit }),
  };
}

function preparePages(orm: Orm) {
  return {
    listBack: orm
      .select(WHOLE)
      .from(redemptions)
      .where(beforeCursor)
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    skipBack: orm
      .select({ createdAt: redemptions.createdAt, id: redemptions.id })
      .from(redemptions)
      .where(beforeCursor)
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .limit(1)
      .offset(ph('skipped'))
      .prepare(),
    listFrom: orm
      .select(WHOLE)
      .from(redemptions)
      .where(
        sql`${ofAccount} and created_at >= ${ph('createdAt')}+0 and created_at < ${ph('until')}+0
            and (created_at, id) > (${ph('createdAt')}+0, ${ph('id')}+0)`,
      )
      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareSearches(orm: Orm) {
  return {
    findOfPlayer: orm
      .select({ id: redemptions.id })
      .from(redemptions)
      .where(sql`${ofAccount} and player_id = ${ph('playerId')}`)
      .orderBy(desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    findOfTail: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and code_tail_hash = ${ph('tail')}`)
      .orderBy(desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    listNames: orm
      .select({
        id: redemptions.id,
        createdAt: redemptions.createdAt,
        playerName: redemptions.playerName,
      })
      .from(redemptions)
      .where(beforeCursor)
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}
