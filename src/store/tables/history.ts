// History of an account, read a slice at a time: pages, searches, counts and exports. Nothing here writes.
import { asc, desc, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import { BEHIND_ALL, type CodeSeals, type Secrets } from '../engine/secrets.ts';
import { WHOLE } from './redemptions-queries.ts';
import { hashHead, hashTail } from './code-ends.ts';
import { createRowOpener, type StoredRedemption } from './redemptions.ts';
import { redemptions } from '../schema/index.ts';

const ofAccount = sql`account_id = ${ph('accountId')}+0`;
const beforeCursor = sql`${ofAccount} and created_at <= ${ph('createdAt')}+0
  and (created_at, id) < (${ph('createdAt')}+0, ${ph('id')}+0)`;
const afterCursor = sql`${ofAccount} and created_at >= ${ph('createdAt')}+0
  and (created_at, id) > (${ph('createdAt')}+0, ${ph('id')}+0)`;

/** A place in the past of an account: the row that was read last. */
export interface HistoryCursor {
  createdAt: number;
  id: number;
}

/** What a redemption asked for, and what came of it. */
export interface Outcome extends HistoryCursor {
  gameId: string;
  state: (typeof redemptions.$inferSelect)['state'];
  /** What was redeemed; 0 where it is not known, or nothing was. */
  amount: number;
  /** What was asked for; 0 where the code came with the request. */
  denomination: number;
  /** The denomination of the code of the database that it spent; 0 where it spent none. */
  spent: number;
}

export function createHistoryTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const pages = preparePages(orm);
  const searches = prepareSearches(orm);
  const openRow = createRowOpener(secrets, seals);

  return {
    /** Newest first, strictly before the cursor. */
    listBack: (accountId: number, { createdAt, id }: HistoryCursor, limit: number): StoredRedemption[] =>
      pages.listBack.all({ accountId, createdAt, id, limit }).map(openRow),
    /**
     * The place so many rows before the cursor; undefined where there are fewer. Reads the index alone, not the rows.
     */
    skipBack: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      count: number,
    ): HistoryCursor | undefined => pages.skipBack.get({ accountId, createdAt, id, skipped: count - 1 }),
    /** Oldest first, strictly after the cursor and before `until`. */
    listFrom: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): StoredRedemption[] => pages.listFrom.all({ accountId, createdAt, id, until, limit }).map(openRow),
    /** The same without codes and credentials, newest first, not begun before `from`. */
    listBriefs: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      from: number,
      limit: number,
    ): BriefRow[] => searches.listBriefs.all({ accountId, createdAt, id, from, limit }),
    /** The same, oldest first, strictly after the cursor and before `until`. */
    listBriefsFrom: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): BriefRow[] => searches.listBriefsFrom.all({ accountId, createdAt, id, until, limit }),
    /** What was asked for and what came of it, oldest first, strictly after the cursor and before `until`. */
    listOutcomes: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): Outcome[] => pages.listOutcomes.all({ accountId, createdAt, id, until, limit }),
    /** What a player had, newest first, strictly before an id. */
    listOfPlayer: (accountId: number, playerId: string, before: number, limit: number): BriefRow[] =>
      searches.listOfPlayer.all({ accountId, playerId, before, limit }),
    /** The same, oldest first, strictly after an id. */
    listOfPlayerFrom: (accountId: number, playerId: string, after: number, limit: number): BriefRow[] =>
      searches.listOfPlayerFrom.all({ accountId, playerId, after, limit }),
    /** What is in doubt now, in no order. */
    listInDoubt: (accountId: number, limit: number): BriefRow[] =>
      searches.listInDoubt.all({ accountId, limit }),
    /** What is under way now, in no order. */
    listPending: (accountId: number, limit: number): BriefRow[] =>
      searches.listPending.all({ accountId, limit }),
    /** Redemptions whose code may begin as `beginning` does, in no order; none where it is shorter than what is indexed. */
    findOfHead(accountId: number, beginning: string, limit: number): StoredRedemption[] {
      const head = hashHead(secrets, beginning);
      if (!head) return [];
      const end = Buffer.concat([head, BEHIND_ALL]);
      return searches.findOfHead.all({ accountId, start: head, end, limit }).map(openRow);
    },
    /** Redemptions whose code may end as `ending` does, newest first; `ending` has at least the indexed length. */
    findOfTail: (accountId: number, ending: string, limit: number): StoredRedemption[] =>
      searches.findOfTail.all({ accountId, tail: hashTail(secrets, ending), limit }).map(openRow),
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
      .where(sql`${afterCursor} and created_at < ${ph('until')}+0`)
      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
    listOutcomes: orm
      .select({
        id: redemptions.id,
        createdAt: redemptions.createdAt,
        gameId: redemptions.gameId,
        state: redemptions.state,
        amount: sql<number>`case when state = 'redeemed' then coalesce(amount, 0) else 0 end`,
        denomination: sql<number>`coalesce(denomination, 0)`,
        spent: sql<number>`case when state <> 'redeemed' or code_id is null then 0
          when mode = 'database' then coalesce(denomination, 0)
          else coalesce((select c.denomination from codes c where c.id = code_id), 0) end`,
      })
      .from(redemptions)
      .where(sql`${afterCursor} and created_at < ${ph('until')}+0`)
      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}

/** What a search compares. */
export type BriefRow = Pick<
  typeof redemptions.$inferSelect,
  | 'id'
  | 'createdAt'
  | 'actor'
  | 'state'
  | 'gameId'
  | 'playerId'
  | 'playerName'
  | 'denomination'
  | 'amount'
  | 'errorCode'
  | 'codeId'
>;

function prepareSearches(orm: Orm) {
  const { id, createdAt, actor, state, gameId, playerId, playerName, denomination, amount } = redemptions;
  const { errorCode, codeId } = redemptions;
  const what = { state, gameId, denomination, amount, errorCode, codeId };
  const brief = { id, createdAt, actor, playerId, playerName, ...what };
  const briefs = (where: SQL) => orm.select(brief).from(redemptions).where(where);
  return {
    listBriefs: briefs(sql`${beforeCursor} and created_at >= ${ph('from')}+0`)
      .orderBy(desc(createdAt), desc(id))
      .limit(ph('limit'))
      .prepare(),
    listBriefsFrom: briefs(sql`${afterCursor} and created_at < ${ph('until')}+0`)
      .orderBy(asc(createdAt), asc(id))
      .limit(ph('limit'))
      .prepare(),
    listOfPlayer: briefs(sql`${ofAccount} and player_id = ${ph('playerId')} and id < ${ph('before')}+0`)
      .orderBy(desc(id))
      .limit(ph('limit'))
      .prepare(),
    listOfPlayerFrom: briefs(sql`${ofAccount} and player_id = ${ph('playerId')} and id > ${ph('after')}+0`)
      .orderBy(asc(id))
      .limit(ph('limit'))
      .prepare(),
    // Over the small indexes of what is in doubt, and what is under way, whoever's it is.
    listInDoubt: briefs(sql`state = 'in_doubt' and +account_id = ${ph('accountId')}`)
      .limit(ph('limit'))
      .prepare(),
    listPending: briefs(sql`state = 'pending' and +account_id = ${ph('accountId')}`)
      .limit(ph('limit'))
      .prepare(),
    findOfHead: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and code_head_hash >= +${ph('start')} and code_head_hash <= +${ph('end')}`)
      .limit(ph('limit'))
      .prepare(),
    findOfTail: orm
      .select(WHOLE)
      .from(redemptions)
      .where(sql`${ofAccount} and code_tail_hash = ${ph('tail')}`)
      .orderBy(desc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}
