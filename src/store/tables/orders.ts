// Orders: several codes for one player. What each waits for, why it ends, and when it is looked at again; its codes are
// in order-items.ts.
import { bound, desc, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import { orders, type OrderState, type OrderWait } from '../schema/index.ts';

export type OrderRow = Omit<typeof orders.$inferSelect, 'keySecret'>;

export interface NewOrder {
  name: string;
  accountId: number;
  actor: string;
  gameId: string;
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
export function createOrdersTable(orm: Orm, secrets: Secrets, onChanged: (name: string) => void) {
  const queries = { ...prepareOrders(orm), ...prepareOrderMoves(orm) };
  const openRow = ({ keySecret: _key, ...row }: typeof orders.$inferSelect): OrderRow => row;

  function change(name: string, { changes }: { changes: number }): boolean {
    if (changes > 0) onChanged(name);
    return changes > 0;
  }

  return {
    /** Keeps an order that runs; its id. */
    insert({ key, ...order }: NewOrder): number {
      const row = { ...order, keySecret: secrets.seal(keyIdentity(order.name), key) };
      return Number(queries.insert.run(row).lastInsertRowid);
    },
    find(id: number): OrderRow | undefined {
      const row = queries.find.get({ id });
      return row && openRow(row);
    },
    findByName(name: string): OrderRow | undefined {
      const row = queries.findByName.get({ name });
      return row && openRow(row);
    },
    /** undefined where it does not open any more. */
    findKey(name: string): string | undefined {
      const row = queries.findByName.get({ name });
      return row?.keySecret ? secrets.openIfSound(keyIdentity(name), row.keySecret) : undefined;
    },
    ...createOrderLists(orm, openRow),
    /** Of an account, those that have not ended. */
    countOpen: (accountId: number): number => queries.countOpen.get({ accountId })?.count ?? 0,
    /** Of a player of an account, those that have not ended, newest first. */
    listOpenOfPlayer: (accountId: number, playerId: string): OrderRow[] =>
      queries.listOpenOfPlayer.all({ accountId, playerId }).map(openRow),
    /** Those that have not ended, after this id. */
    listOpen: (after: number, limit: number): { id: number; name: string }[] =>
      queries.listOpen.all({ after, limit }),
    /** Those that are to be looked at by now. */
    listDue: (now: number, limit: number): { id: number; name: string }[] =>
      queries.listDue.all({ now, limit }),
    /** It goes on. */
    run: ({ id, name }: Named) => change(name, queries.run.run({ id })),
    /** It waits until `lookAt` at the latest; `since`: since when for that. */
    wait: (
      { id, name }: Named,
      wait: { waitsFor: OrderWait; since: number; lookAt: number; failures: number },
    ) => change(name, queries.wait.run({ id, ...wait })),
    /** It is looked at then, whatever it waits for. */
    setLookAt: (id: number, lookAt: number | null) => void queries.setLookAt.run({ id, lookAt }),
    /** Those of an actor, or of the whole account, that wait are looked at now: their right to go on has changed. */
    lookNow: (of: { accountId: number; actor: string | null; now: number }) => void queries.lookNow.run(of),
    /**
     * Nothing more begins: what it ends as, once nothing of it is open. False where that was said before, or it is
     * over.
     */
    endSoon: ({ id, name }: Named, ending: string) => change(name, queries.endSoon.run({ id, ending })),
    /** The platform carries out again. */
    succeed: (id: number) => void queries.succeed.run({ id }),
    countReplaced: (id: number) => void queries.countReplaced.run({ id }),
    end: ({ id, name }: Named, end: { state: OrderState; reason: string | null; now: number }) =>
      change(name, queries.end.run({ id, ...end })),
    /** False where it is not stopped. */
    resume: ({ id, name }: Named, resumed: { actor: string; deadline: number | null }) =>
      change(name, queries.resume.run({ id, ...resumed })),
    /** What was missing of it went on as the order of this name; null: as itself. */
    replace: (id: number, replacedBy: string | null) => void queries.replace.run({ id, replacedBy }),
    /** Something of it changed elsewhere. */
    noteChanged: (name: string) => onChanged(name),
  };
}

/** What is listed of an account. */
function createOrderLists(orm: Orm, openRow: (row: typeof orders.$inferSelect) => OrderRow) {
  const queries = prepareOrderLists(orm);
  return {
    list({ state, reference, ...asked }: OrderQuery): OrderRow[] {
      const query = { ...asked, actor: asked.actor ?? null };
      const found =
        reference !== undefined
          ? queries.listByReference.all({ ...query, reference })
          : state !== undefined
            ? queries.listByState.all({ ...query, state })
            : queries.listBefore.all(query);
      return found.map(openRow).filter((row) => state === undefined || row.state === state);
    },
    /** Of an account, whatever became of them, strictly beyond a place, the nearest first. */
    listBeyond(
      accountId: number,
      { at, id }: { at: number; id: number },
      direction: 'older' | 'newer',
      limit: number,
    ): OrderRow[] {
      const list = direction === 'older' ? queries.listBack : queries.listOn;
      return list.all({ accountId, at, id, limit }).map(openRow);
    },
    /** Of an account, those of one millisecond. */
    listAt: (accountId: number, at: number): OrderRow[] => queries.listAt.all({ accountId, at }).map(openRow),
  };
}

/** What names an order. */
type Named = Pick<OrderRow, 'id' | 'name'>;

const keyIdentity = (name: string): string => `order:${name}:key`;

function prepareOrders(orm: Orm) {
  return {
    insert: orm
      .insert(orders)
      .values({
        name: ph('name'),
        accountId: ph('accountId'),
        actor: ph('actor'),
        gameId: ph('gameId'),
        playerId: ph('playerId'),
        playerName: ph('playerName'),
        reference: ph('reference'),
        onShortage: ph('onShortage'),
        onBadCode: ph('onBadCode'),
        deadline: ph('deadline'),
        keySecret: ph('keySecret'),
        state: sql`'running'`,
        createdAt: ph('now'),
      })
      .prepare(),
    find: orm
      .select()
      .from(orders)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    findByName: orm
      .select()
      .from(orders)
      .where(sql`name = ${ph('name')}`)
      .prepare(),
    countOpen: orm
      .select({ count: sql<number>`count(*)` })
      .from(orders)
      .where(sql`account_id = ${ph('accountId')}+0 and (state = 'running' or state = 'waiting')`)
      .prepare(),
    listOpen: orm
      .select({ id: orders.id, name: orders.name })
      .from(orders)
      .where(sql`ended_at is null and id > ${ph('after')}+0`)
      .orderBy(orders.id)
      .limit(ph('limit'))
      .prepare(),
    listOpenOfPlayer: orm
      .select()
      .from(orders)
      .where(sql`player_id = ${ph('playerId')} and account_id = ${ph('accountId')}+0 and ended_at is null`)
      .orderBy(desc(orders.id))
      .prepare(),
    listDue: orm
      .select({ id: orders.id, name: orders.name })
      .from(orders)
      .where(sql`look_at <= ${ph('now')}+0`)
      .orderBy(orders.lookAt)
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareOrderLists(orm: Orm) {
  const page = (of: ReturnType<typeof sql>) =>
    orm
      .select()
      .from(orders)
      .where(
        sql`account_id = ${ph('accountId')}+0 and ${of} and created_at < ${ph('before')}+0 and coalesce(actor = ${ph('actor')}, 1)`,
      )
      .orderBy(desc(orders.createdAt))
      .limit(ph('limit'))
      .prepare();
  return {
    listAt: orm
      .select()
      .from(orders)
      .where(sql`account_id = ${ph('accountId')}+0 and created_at = ${ph('at')}+0`)
      .prepare(),
    listBack: orm
      .select()
      .from(orders)
      .where(
        sql`account_id = ${ph('accountId')}+0 and created_at <= ${ph('at')}+0
          and (created_at, id) < (${ph('at')}+0, ${ph('id')}+0)`,
      )
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(ph('limit'))
      .prepare(),
    listOn: orm
      .select()
      .from(orders)
      .where(
        sql`account_id = ${ph('accountId')}+0 and created_at >= ${ph('at')}+0
          and (created_at, id) > (${ph('at')}+0, ${ph('id')}+0)`,
      )
      .orderBy(orders.createdAt, orders.id)
      .limit(ph('limit'))
      .prepare(),
    listBefore: page(sql`true`),
    listByState: page(sql`state = ${ph('state')}`),
    listByReference: page(sql`reference = ${ph('reference')}`),
  };
}

function prepareOrderMoves(orm: Orm) {
  type Change = Parameters<ReturnType<typeof orm.update<typeof orders>>['set']>[0];
  const change = (set: Change, also = sql`true`) =>
    orm
      .update(orders)
      .set(set)
      .where(sql`id = ${ph('id')}+0 and ended_at is null and ${also}`)
      .prepare();
  const goesOn = { waitsFor: sql`null`, lookAt: sql`null` };
  return {
    run: change({ ...goesOn, state: sql`'running'` }),
    wait: change({
      state: sql`'waiting'`,
      waitsFor: bound('waitsFor'),
      waitsSince: bound('since'),
      lookAt: bound('lookAt'),
      failures: bound('failures'),
    }),
    setLookAt: change({ lookAt: bound('lookAt') }),
    lookNow: orm
      .update(orders)
      .set({ lookAt: bound('now') })
      .where(
        sql`account_id = ${ph('accountId')}+0 and state = 'waiting' and coalesce(actor = ${ph('actor')}, 1)`,
      )
      .prepare(),
    endSoon: change({ ending: bound('ending') }, sql`ending is null`),
    succeed: change({ failures: sql`0` }),
    countReplaced: change({ replaced: sql`replaced + 1` }),
    end: change({
      ...goesOn,
      state: bound('state'),
      reason: bound('reason'),
      endedAt: bound('now'),
      ending: sql`null`,
      waitsSince: sql`null`,
      failures: sql`0`,
    }),
    resume: orm
      .update(orders)
      .set({
        state: sql`'running'`,
        reason: sql`null`,
        endedAt: sql`null`,
        actor: bound('actor'),
        deadline: bound('deadline'),
        run: sql`run + 1`,
        replaced: sql`0`,
      })
      .where(sql`id = ${ph('id')}+0 and state = 'stopped'`)
      .prepare(),
    replace: orm
      .update(orders)
      .set({ replacedBy: bound('replacedBy') })
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
  };
}
