// Reading the past of an account a piece at a time: pages, searches, counts and exports. Nothing here writes.
import { asc, desc, sql, type Orm } from '../engine/drizzle.ts';
import type { CodeSeals } from '../engine/code-seals.ts';
import { createRowOpener, hashTail, type StoredRedemption } from './redemptions.ts';
import { redemptions } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const ofAccount = sql`account_id = ${ph('accountId')}+0`;

/** A place in the past of an account: the row that was read last. */
export interface PastCursor {
  createdAt: number;
  id: number;
}

export function createHistoryTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const pages = preparePages(orm);
  const searches = prepareSearches(orm);
  const openRow = createRowOpener(secrets, seals);

  return {
    /** Newest first, of those begun at `until` or before. */
    listPage: (page: {
      accountId: number;
      until: number;
      skipped: number;
      limit: number;
    }): StoredRedemption[] => pages.listPage.all(page).map(openRow),
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
      searches.findOfTail.all({ accountId, tail: hashTail(secrets, ending), limit }).map(openRow),
    /** Names of players, newest first, strictly before the cursor. */
    listNames: (accountId: number, { createdAt, id }: PastCursor, limit: number) =>
      searches.listNames.all({ accountId, createdAt, id, limit }),
  };
}

function preparePages(orm: Orm) {
  return {
    listPage: orm
      .select()
      .from(redemptions)
      // Skipping runs over the index alone; only the rows of the page are read.
      .where(
        sql`id in (select id from redemptions where ${ofAccount} and created_at <= ${ph('until')}+0
            order by created_at desc, id desc limit ${ph('limit')} offset ${ph('skipped')})`,
      )
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .prepare(),
    listFrom: orm
      .select()
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
      .select()
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
      .where(
        sql`${ofAccount} and created_at <= ${ph('createdAt')}+0
            and (created_at, id) < (${ph('createdAt')}+0, ${ph('id')}+0)`,
      )
      .orderBy(desc(redemptions.createdAt), desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}
