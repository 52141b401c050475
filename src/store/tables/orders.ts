// Orders: several codes for one player. What each waits for, why it ends, and when it is looked at again; its codes are
// in order-items.ts.
import type { Secrets } from '../engine/secrets.ts';
import type { orders, OrderState, OrderWait } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type WholeRow = typeof orders.$inferSelect;
export type OrderRow = Omit<WholeRow, 'keySecret'>;

export interface NewOrder {
  name: string;
  accountId: number;
  actor: string;
  gameId: string;
  /** Empty: it is nobody's yet. */
  playerId: string;
  playerName: string | null;
  reference: string | null;
  onShortage: 'refuse' | 'wait';
  onBadCode: 'replace' | 'stop';
  deadline: number | null;
  /** The Idempotency-Key of its request. */
  key: string;
  now: number;
}

/** Of which orders a page tells: newest first, before that time. */
interface OrderQuery {
  accountId: number;
  /** Whose; of everybody without. */
  actor?: string | undefined;
  before: number;
  limit: number;
  state?: OrderState | undefined;
  reference?: string | undefined;
}

/** `onChanged` is told of each order that changes, by its name, in the transaction of that. */
export function createOrdersTable(sql: Sql, secrets: Secrets, onChanged: (name: string) => void) {
  const [orders, moves] = [ordersOf(sql), movesOf(sql)];

  function change(name: string, changes: number): boolean {
    if (changes > 0) onChanged(name);
    return changes > 0;
  }

  return {
    /** Keeps an order that runs, or is unclaimed where it has no player; its id. */
    insert: ({ key, ...order }: NewOrder): number =>
      orders.insert({ ...order, keySecret: secrets.seal(keyIdentity(order.name), key) }),
    find(id: number): OrderRow | undefined {
      const row = orders.find({ id });
      return row && openRow(row);
    },
    findByName(name: string): OrderRow | undefined {
      const row = orders.findByName({ name });
      return row && openRow(row);
    },
    /** undefined where it does not open any more. */
    findKey(name: string): string | undefined {
      const row = orders.findByName({ name });
      return row?.keySecret ? secrets.openIfSound(keyIdentity(name), row.keySecret) : undefined;
    },
    /** It is this player's now, and runs; false where it is somebody's, or over. */
    claim: (
      { id, name }: Named,
      to: { playerId: string; playerName: string | null; actor: string; now: number },
    ) => change(name, moves.claim({ id, ...to })),
    ...createOrderLists(sql),
    /** Of an account, those that have not ended. */
    countOpen: (accountId: number): number => orders.countOpen({ accountId })?.count ?? 0,
    /** Of a player of an account, those that have not ended, newest first. */
    listOpenOfPlayer: (accountId: number, playerId: string): OrderRow[] =>
      orders.listOpenOfPlayer({ accountId, playerId }).map(openRow),
    /** Those of somebody that have not ended, after this id. */
    listOpen: (after: number, limit: number) => orders.listOpen({ after, limit }),
    /** Of an actor, or of the whole account, those that wait. */
    listWaiting: (accountId: number, actor: string | null) => orders.listWaiting({ accountId, actor }),
    /** Of an account, those that run and have nothing under way, oldest first. */
    listInLine: (accountId: number, limit: number) => orders.listInLine({ accountId, limit }),
    /** It goes on. */
    run: ({ id, name }: Named) => change(name, moves.run({ id })),
    /** `since`: since when it waits for that. */
    wait: ({ id, name }: Named, wait: { waitsFor: OrderWait; since: number; failures: number }) =>
      change(name, moves.wait({ id, ...wait })),
    /**
     * Nothing more begins: what it ends as, once nothing of it is open. False where that was said before, or it is
     * over.
     */
    endSoon: ({ id, name }: Named, ending: string) => change(name, moves.endSoon({ id, ending })),
    /** The platform carries out again. */
    succeed: (id: number) => void moves.succeed({ id }),
    countReplaced: (id: number) => void moves.countReplaced({ id }),
    end: ({ id, name }: Named, end: { state: OrderState; reason: string | null; now: number }) =>
      change(name, moves.end({ id, ...end })),
    /** False where it is not stopped. */
    resume: ({ id, name }: Named, resumed: { actor: string; deadline: number | null }) =>
      change(name, moves.resume({ id, ...resumed })),
    /** What was missing of it went on as the order of this name; null: as itself. */
    replace: (id: number, replacedBy: string | null) => void moves.replace({ id, replacedBy }),
    /** Something of it changed elsewhere. */
    noteChanged: (name: string) => onChanged(name),
  };
}

/** What is listed of an account: what nobody has claimed is in no list. */
function createOrderLists(sql: Sql) {
  const lists = listsOf(sql);
  return {
    list({ state, reference, ...asked }: OrderQuery): OrderRow[] {
      const query = { ...asked, actor: asked.actor ?? null, state: state ?? null };
      const found =
        reference !== undefined
          ? lists.listByReference({ ...query, reference })
          : state !== undefined
            ? lists.listByState({ ...query, state })
            : lists.listBefore(query);
      return found.map(openRow);
    },
    /** Of an account, whatever became of them, strictly beyond a place, the nearest first. */
    listBeyond: (
      accountId: number,
      { at, id }: { at: number; id: number },
      direction: 'older' | 'newer',
      limit: number,
    ): OrderRow[] =>
      (direction === 'older' ? lists.listBack : lists.listOn)({ accountId, at, id, limit }).map(openRow),
    /** Of an account, those of one millisecond. */
    listAt: (accountId: number, at: number): OrderRow[] => lists.listAt({ accountId, at }).map(openRow),
  };
}

const openRow = ({ keySecret: _key, ...row }: WholeRow): OrderRow => row;

/** What names an order. */
type Named = Pick<OrderRow, 'id' | 'name'>;

const keyIdentity = (name: string): string => `order:${name}:key`;

type OfId = { id: number };

const ordersOf = (sql: Sql) => ({
  insert: sql.insert<Omit<NewOrder, 'key'> & { keySecret: Buffer }>(`
    insert into orders (name, account_id, actor, game_id, player_id, player_name, reference, on_shortage, on_bad_code,
      deadline, key_secret, state, created_at)
    values (@name, @accountId, @actor, @gameId, @playerId, @playerName, @reference, @onShortage, @onBadCode,
      @deadline, @keySecret, iif(@playerId = '', 'unclaimed', 'running'), @now)`),
  find: sql.one<OfId, WholeRow>('select * from orders where id = @id + 0'),
  findByName: sql.one<{ name: string }, WholeRow>('select * from orders where name = @name'),
  countOpen: sql.one<{ accountId: number }, { count: number }>(`
    select count(*) as count from orders
    where account_id = @accountId + 0 and (state = 'running' or state = 'waiting')`),
  listOpen: sql.all<{ after: number; limit: number }, Named>(`
    select id, name from orders where ended_at is null and player_id <> '' and id > @after + 0 order by id limit @limit + 0`),
  listOpenOfPlayer: sql.all<{ accountId: number; playerId: string }, WholeRow>(`
    select * from orders where player_id = @playerId and account_id = @accountId + 0 and ended_at is null
    order by id desc`),
  listInLine: sql.all<{ accountId: number; limit: number }, OfId>(`
    select id from orders where account_id = @accountId + 0 and state = 'running'
      and not exists (select 1 from order_items i where i.order_id = orders.id and i.state = 'open')
    order by created_at limit @limit + 0`),
  listWaiting: sql.all<{ accountId: number; actor: string | null }, OfId>(`
    select id from orders
    where account_id = @accountId + 0 and state = 'waiting' and coalesce(actor = @actor, 1)`),
});

type Page = { accountId: number; before: number; actor: string | null; limit: number };
type Beyond = { accountId: number; at: number; id: number; limit: number };

const listsOf = (sql: Sql) => {
  const page = <Also = object>(which: string) =>
    sql.all<Page & Also, WholeRow>(`
    select * from orders
    where account_id = @accountId + 0 and player_id <> '' and ${which} and created_at < @before + 0 and coalesce(actor = @actor, 1)
    order by created_at desc limit @limit + 0`);
  return {
    listAt: sql.all<{ accountId: number; at: number }, WholeRow>(
      "select * from orders where account_id = @accountId + 0 and player_id <> '' and created_at = @at + 0",
    ),
    listBack: sql.all<Beyond, WholeRow>(`
      select * from orders where account_id = @accountId + 0 and player_id <> '' and created_at <= @at + 0
        and (created_at, id) < (@at + 0, @id + 0)
      order by created_at desc, id desc limit @limit + 0`),
    listOn: sql.all<Beyond, WholeRow>(`
      select * from orders where account_id = @accountId + 0 and player_id <> '' and created_at >= @at + 0
        and (created_at, id) > (@at + 0, @id + 0)
      order by created_at, id limit @limit + 0`),
    listBefore: page('true'),
    listByState: page<{ state: OrderState }>('state = @state'),
    listByReference: page<{ reference: string; state: OrderState | null }>(
      'reference = @reference and coalesce(state = @state, 1)',
    ),
  };
};

const movesOf = (sql: Sql) => {
  /** Of one that has not ended. */
  const change = <Args = object>(set: string, also = 'true') =>
    sql.run<OfId & Args>(`update orders set ${set} where id = @id + 0 and ended_at is null and ${also}`);
  return {
    claim: change<{ playerId: string; playerName: string | null; actor: string; now: number }>(
      "player_id = @playerId, player_name = @playerName, actor = @actor, state = 'running', created_at = @now",
      "state = 'unclaimed'",
    ),
    run: change("waits_for = null, state = 'running'"),
    wait: change<{ waitsFor: OrderWait; since: number; failures: number }>(
      "state = 'waiting', waits_for = @waitsFor, waits_since = @since, failures = @failures",
    ),
    endSoon: change<{ ending: string }>('ending = @ending', 'ending is null'),
    succeed: change('failures = 0'),
    countReplaced: change('replaced = replaced + 1'),
    end: change<{ state: OrderState; reason: string | null; now: number }>(
      `waits_for = null, state = @state, reason = @reason, ended_at = @now, ending = null,
        waits_since = null, failures = 0`,
    ),
    resume: sql.run<OfId & { actor: string; deadline: number | null }>(`
      update orders set state = 'running', reason = null, ended_at = null, actor = @actor, deadline = @deadline,
        run = run + 1, replaced = 0
      where id = @id + 0 and state = 'stopped'`),
    replace: sql.run<OfId & { replacedBy: string | null }>(
      'update orders set replaced_by = @replacedBy where id = @id + 0',
    ),
  };
};
