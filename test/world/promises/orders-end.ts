// No order waits for ever, or for nothing: one that has no end waits for what is not there, and no longer than it may;
// and of every end its program is told.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** What has changed is noticed within ten minutes, and a restart may come between. */
const NOTICED_MS = 30 * 60_000;

interface Row {
  name: string;
  state: string;
  waitsFor: string | null;
  since: number | null;
  deadline: number | null;
  open: number;
  free: number;
}

/** `free`: of what its next code is of, and promised to nobody; 0 where that is paused. */
const OPEN = `
  select o.name, o.state, o.waits_for as waitsFor, o.waits_since as since, o.deadline,
    (select count(*) from order_items i where i.order_id = o.id and i.state = 'open') as open,
    coalesce((select max(0, coalesce((select c.count from stock_counts c where c.account_id = i.account_id and c.game_id = i.game_id
          and c.denomination = i.denomination and c.state = 'available'), 0)
        - coalesce((select p.count from stock_promises p where p.account_id = i.account_id and p.game_id = i.game_id
          and p.denomination = i.denomination), 0))
      from order_items i where i.order_id = o.id and i.state = 'waiting' and i.denomination is not null and i.promised = 0
        and not exists (select 1 from stock_pauses s where s.account_id = i.account_id and s.game_id = i.game_id
          and s.denomination = i.denomination and s.paused_at is not null)
      order by i.n limit 1), 0) as free
  from orders o where o.ended_at is null`;

export function noOrderWaitsForEver({ disk, time }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(OPEN).all() as Row[]);
  return rows.flatMap((row) => {
    const what = judge(row, time.clock.now());
    return what === undefined ? [] : [`${row.name} ${what}: ${JSON.stringify(row)}`];
  });
}

function judge({ state, waitsFor, since, deadline, open, free }: Row, now: number): string | undefined {
  // A doubt that nobody can tell the end of waits for a person.
  if (waitsFor === 'doubt') return open === 1 ? undefined : 'waits for a doubt, and nothing of it is open';
  if (state === 'running') return open === 1 ? undefined : 'runs, and nothing of it is under way';
  const waited = now - (since ?? now);
  if (deadline !== null && now > deadline + NOTICED_MS) return 'has passed its deadline';
  if (deadline === null && waited > DAY_MS + NOTICED_MS) return `waits for ${waitsFor} for more than a day`;
  if (waitsFor === 'stock' && free > 0 && waited > NOTICED_MS) return 'waits for a stock that is there';
  return undefined;
}

/** That of a link tells of the link. */
const UNTOLD = `
  select o.name, o.account_id as accountId from orders o where o.ended_at > ? and o.player_id <> ''
    and o.actor not like 'claim:%' and not exists (select 1 from claims c where c.order_id = o.id)
    and exists (select 1 from webhooks w where w.account_id = o.account_id and w.created_at < o.ended_at
      and w.removed_at is null and w.disabled_at is null and ',' || w.events || ',' like '%,order.settled,%')
    and not exists (select 1 from webhook_messages m where m.account_id = o.account_id and m.type = 'order.settled'
      and m.at = o.ended_at)`;

export function theEndOfAnOrderIsToldByWebhook({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(UNTOLD).all(diary.judgedUntil));
  return (rows as { name: string }[]).map(({ name }) => `${name} has ended, and no message says so`);
}
