// History of an account, read a slice at a time: pages, searches, counts and exports. Nothing here writes.
import type { redemptions } from '../schema/index.ts';
import { BEHIND_ALL, type CodeSeals, type Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';
import { hashHead, hashTail } from './code-ends.ts';
import { createRowOpener, WHOLE, type RedemptionRow, type StoredRedemption } from './redemptions.ts';

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

export function createHistoryTable(sql: Sql, secrets: Secrets, seals: CodeSeals) {
  const pages = pagesOf(sql);
  const searches = searchesOf(sql);
  const openRow = createRowOpener(secrets, seals);

  return {
    /** Oldest first, strictly after the cursor and before `until`. */
    listFrom: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): StoredRedemption[] => pages.listFrom({ accountId, createdAt, id, until, limit }).map(openRow),
    /** Without codes and credentials, newest first, strictly before the cursor and not begun before `from`. */
    listBriefs: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      from: number,
      limit: number,
    ): BriefRow[] => searches.listBriefs({ accountId, createdAt, id, from, limit }),
    /** The same, oldest first, strictly after the cursor and before `until`. */
    listBriefsFrom: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): BriefRow[] => searches.listBriefsFrom({ accountId, createdAt, id, until, limit }),
    /** What was asked for and what came of it, oldest first, strictly after the cursor and before `until`. */
    listOutcomes: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): Outcome[] => pages.listOutcomes({ accountId, createdAt, id, until, limit }),
    /** What a player had, newest first, strictly before an id. */
    listOfPlayer: (accountId: number, playerId: string, before: number, limit: number): BriefRow[] =>
      searches.listOfPlayer({ accountId, playerId, before, limit }),
    /** The same, oldest first, strictly after an id. */
    listOfPlayerFrom: (accountId: number, playerId: string, after: number, limit: number): BriefRow[] =>
      searches.listOfPlayerFrom({ accountId, playerId, after, limit }),
    /** What is in doubt now, in no order. */
    listInDoubt: (accountId: number, limit: number): BriefRow[] => searches.listInDoubt({ accountId, limit }),
    /** What is under way now, in no order. */
    listPending: (accountId: number, limit: number): BriefRow[] => searches.listPending({ accountId, limit }),
    /** Redemptions whose code may begin as `beginning` does, in no order; none where it is shorter than what is indexed. */
    findOfHead(accountId: number, beginning: string, limit: number): StoredRedemption[] {
      const head = hashHead(secrets, beginning);
      if (!head) return [];
      const end = Buffer.concat([head, BEHIND_ALL]);
      return searches.findOfHead({ accountId, start: head, end, limit }).map(openRow);
    },
    /** Redemptions whose code may end as `ending` does, newest first; `ending` has at least the indexed length. */
    findOfTail: (accountId: number, ending: string, limit: number): StoredRedemption[] =>
      searches.findOfTail({ accountId, tail: hashTail(secrets, ending), limit }).map(openRow),
  };
}

type OfAccount = { accountId: number; limit: number };
type Until = OfAccount & HistoryCursor & { until: number };

const OF_ACCOUNT = 'account_id = @accountId + 0';
const BACK = `${OF_ACCOUNT} and created_at <= @createdAt + 0
      and (created_at, id) < (@createdAt + 0, @id + 0)`;
const NEWEST_FIRST = 'order by created_at desc, id desc';
const ON = `${OF_ACCOUNT} and created_at >= @createdAt + 0
      and (created_at, id) > (@createdAt + 0, @id + 0) and created_at < @until + 0
    order by created_at, id limit @limit + 0`;

const pagesOf = (sql: Sql) => ({
  listFrom: sql.all<Until, RedemptionRow>(`select ${WHOLE} from redemptions where ${ON}`),
  listOutcomes: sql.all<Until, Outcome>(`
    select id, created_at, game_id, state,
      case when state = 'redeemed' then coalesce(amount, 0) else 0 end as amount,
      coalesce(denomination, 0) as denomination,
      case when state <> 'redeemed' or code_id is null then 0
        when mode = 'database' then coalesce(denomination, 0)
        else coalesce((select c.denomination from codes c where c.id = code_id), 0) end as spent
    from redemptions where actor <> 'lost' and ${ON}`),
});

function searchesOf(sql: Sql) {
  const briefs = <Args>(which: string) =>
    sql.all<Args & OfAccount, BriefRow>(`
    select id, created_at, actor, player_id, player_name, state, game_id, denomination, amount, error_code, code_id
    from redemptions where ${which}`);
  const ofPlayer = `${OF_ACCOUNT} and player_id = @playerId`;
  return {
    listBriefs: briefs<HistoryCursor & { from: number }>(
      `${BACK} and created_at >= @from + 0 ${NEWEST_FIRST} limit @limit + 0`,
    ),
    listBriefsFrom: briefs<Until>(ON),
    listOfPlayer: briefs<{ playerId: string; before: number }>(
      `${ofPlayer} and id < @before + 0 order by id desc limit @limit + 0`,
    ),
    listOfPlayerFrom: briefs<{ playerId: string; after: number }>(
      `${ofPlayer} and id > @after + 0 order by id limit @limit + 0`,
    ),
    // Over the small indexes of what is in doubt, and what is under way, whoever's it is.
    listInDoubt: briefs<unknown>("state = 'in_doubt' and +account_id = @accountId limit @limit + 0"),
    listPending: briefs<unknown>("state = 'pending' and +account_id = @accountId limit @limit + 0"),
    findOfHead: sql.all<OfAccount & { start: Buffer; end: Buffer }, RedemptionRow>(`
      select ${WHOLE} from redemptions
      where ${OF_ACCOUNT} and code_head_hash >= +@start and code_head_hash <= +@end limit @limit + 0`),
    findOfTail: sql.all<OfAccount & { tail: Buffer }, RedemptionRow>(`
      select ${WHOLE} from redemptions where ${OF_ACCOUNT} and code_tail_hash = @tail
      order by id desc limit @limit + 0`),
  };
}
