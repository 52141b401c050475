// Updates of Telegram that arrived, and where they stand. What an update says is sealed.
import type { Secrets } from '../engine/secrets.ts';
import type { inbox } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

export function createInboxTable(sql: Sql, secrets: Secrets) {
  const { save, begin, takeBack, finish, prune, ...waiting } = statementsOf(sql);
  const identity = (updateId: number) => `inbox:${updateId}`;
  return {
    /** Keeps an update; false when it is there already. */
    save: (updateId: number, update: string, now: number) =>
      save({ updateId, updateSecret: secrets.seal(identity(updateId), update), now }) === 1,
    /** Waiting updates after this one, in order; `update` is undefined where one does not open any more. */
    listWaiting: (afterId: number, limit: number) =>
      waiting.list({ afterId, limit }).map(({ updateId, updateSecret, attempts, receivedAt }) => ({
        updateId,
        attempts,
        receivedAt,
        update: secrets.openIfSound(identity(updateId), updateSecret),
      })),
    countWaiting: (): number => waiting.count()?.count ?? 0,
    /** Since when the first that waits has waited; undefined where none does. */
    waitsSince: (): number | undefined => waiting.since()?.receivedAt,
    countSetAside: (): number => waiting.countSetAside()?.count ?? 0,
    /** The oldest first. */
    listSetAside: (limit: number) => waiting.listSetAside({ limit }),
    /** Counts one more beginning; how many there were with it. */
    begin: (updateId: number): number => begin({ updateId })?.attempts ?? 0,
    /** Takes a counted beginning back: nothing of it was begun after all. */
    takeBack: (updateId: number) => takeBack({ updateId }) === 1,
    finish: (updateId: number, state: 'done' | 'failed' | 'set_aside') => finish({ updateId, state }) === 1,
    /** Prunes up to `limit` updates that are over and were received until then; returns how many. */
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}

type Row = typeof inbox.$inferSelect;
type OfUpdate = { updateId: number };
type Count = { count: number };

const statementsOf = (sql: Sql) => ({
  save: sql.run<OfUpdate & { updateSecret: Buffer; now: number }>(`
    insert into inbox (update_id, update_secret, state, received_at)
    values (@updateId, @updateSecret, 'waiting', @now)
    on conflict do nothing`),
  list: sql.all<{ afterId: number; limit: number }, Row>(`
    select * from inbox where state = 'waiting' and update_id > @afterId + 0
    order by update_id limit @limit + 0`),
  count: sql.one<void, Count>("select count(*) as count from inbox where state = 'waiting'"),
  countSetAside: sql.one<void, Count>("select count(*) as count from inbox where state = 'set_aside'"),
  since: sql.one<void, Pick<Row, 'receivedAt'>>(
    "select received_at from inbox where state = 'waiting' order by update_id limit 1",
  ),
  listSetAside: sql.all<{ limit: number }, Pick<Row, 'updateId' | 'receivedAt'>>(`
    select update_id, received_at from inbox where state = 'set_aside' order by update_id limit @limit + 0`),
  begin: sql.one<OfUpdate, Pick<Row, 'attempts'>>(`
    update inbox set attempts = attempts + 1 where update_id = @updateId + 0 and state = 'waiting'
    returning attempts`),
  takeBack: sql.run<OfUpdate>(`
    update inbox set attempts = attempts - 1
    where update_id = @updateId + 0 and state = 'waiting' and attempts > 0`),
  finish: sql.run<OfUpdate & Pick<Row, 'state'>>(
    "update inbox set state = @state where update_id = @updateId + 0 and state = 'waiting'",
  ),
  prune: sql.run<{ until: number; limit: number }>(`
    delete from inbox where update_id in (
      select update_id from inbox where received_at <= @until and state <> 'waiting' limit @limit)`),
});
