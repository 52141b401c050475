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

/** A part of the past of an account: strictly beyond a place, the nearest first. */
interface Stretch extends HistoryCursor {
  accountId: number;
  direction: 'older' | 'newer';
  /** How far, ms UTC: older ones that began then are in it, newer ones are not. */
  end: number;
  limit: number;
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
  const searches = searchesOf(sql);
  const [whole, briefs] = [stretchesOf<RedemptionRow>(sql, WHOLE), stretchesOf<BriefRow>(sql, BRIEF)];
  const listOutcomes = outcomesOf(sql);
  const openRow = createRowOpener(secrets, seals);

  return {
    /** Whole, with code and credentials. */
    list: ({ direction, ...stretch }: Stretch): StoredRedemption[] => whole[direction](stretch).map(openRow),
    /** Without them. */
    listBriefs: ({ direction, ...stretch }: Stretch): BriefRow[] => briefs[direction](stretch),
    /** What was asked for and what came of it, oldest first, strictly after the cursor and before `until`. */
    listOutcomes: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): Outcome[] => listOutcomes({ accountId, createdAt, id, end: until, limit }),
    /** What a player had, strictly beyond an id, the nearest first. */
    listOfPlayer: ({ direction, ...query }: OfPlayer & { direction: 'older' | 'newer' }): BriefRow[] =>
      searches.ofPlayer[direction](query),
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
type OfPlayer = OfAccount & { playerId: string; id: number };
type Place = OfAccount & HistoryCursor & { end: number };

const OF_ACCOUNT = 'account_id = @accountId + 0';
const OLDER = `${OF_ACCOUNT} and created_at <= @createdAt + 0
      and (created_at, id) < (@createdAt + 0, @id + 0) and created_at >= @end + 0
    order by created_at desc, id desc limit @limit + 0`;
const NEWER = `${OF_ACCOUNT} and created_at >= @createdAt + 0
      and (created_at, id) > (@createdAt + 0, @id + 0) and created_at < @end + 0
    order by created_at, id limit @limit + 0`;
const BRIEF =
  'id, created_at, actor, player_id, player_name, state, game_id, denomination, amount, error_code, code_id';

const stretchesOf = <Row>(sql: Sql, columns: string) => ({
  older: sql.all<Place, Row>(`select ${columns} from redemptions where ${OLDER}`),
  newer: sql.all<Place, Row>(`select ${columns} from redemptions where ${NEWER}`),
});

const outcomesOf = (sql: Sql) =>
  sql.all<Place, Outcome>(`
    select id, created_at, game_id, state,
      case when state = 'redeemed' then coalesce(amount, 0) else 0 end as amount,
      coalesce(denomination, 0) as denomination,
      case when state <> 'redeemed' or code_id is null then 0
        when mode = 'database' then coalesce(denomination, 0)
        else coalesce((select c.denomination from codes c where c.id = code_id), 0) end as spent
    from redemptions where actor <> 'lost' and ${NEWER}`);

function searchesOf(sql: Sql) {
  const briefs = <Args>(which: string) =>
    sql.all<Args & OfAccount, BriefRow>(`select ${BRIEF} from redemptions where ${which}`);
  const ofPlayer = `${OF_ACCOUNT} and player_id = @playerId`;
  return {
    ofPlayer: {
      older: briefs<OfPlayer>(`${ofPlayer} and id < @id + 0 order by id desc limit @limit + 0`),
      newer: briefs<OfPlayer>(`${ofPlayer} and id > @id + 0 order by id limit @limit + 0`),
    },
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
