// Several codes of one order are redeemed one after another: nothing begins before the one before it was redeemed. A
// doubt is waited for.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

interface Row {
  order: string;
  id: number;
  state: string;
  createdAt: number;
  settledAt: number | null;
}

const GONE_ON_WITH = `
  select distinct o.name as "order", i.redemption_id as id
  from orders o join order_items i on i.order_id = o.id join order_items before on before.order_id = o.id
  where o.run = 1 and before.redemption_id <= @newest and i.redemption_id > @newest`;

/** Who ordered may have gone on with the rest since the backup. */
export function whatABackupCaughtUnderWayIsNotGoneOnWith({ disk, diary }: World): string[] {
  if (!diary.restored || diary.restored.at <= diary.judgedUntil) return [];
  const newest = diary.restored.redemption;
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(GONE_ON_WITH).all({ newest }) as Pick<Row, 'order' | 'id'>[],
  );
  return rows.map(({ order, id }) => `redemption ${id} of the order ${order} began after a restore`);
}

/** Codes that were given fail, and the others go on: these are left out. */
const BEGUN = `
  select o.name as "order", r.id, r.state, r.created_at as createdAt, r.settled_at as settledAt
  from orders o join order_items i on i.order_id = o.id join redemptions r on r.id = i.redemption_id
  where o.created_at > ? and not exists (select 1 from order_items g where g.order_id = o.id and g.denomination is null)
  order by o.id, i.n`;

export function severalAreRedeemedOneAfterAnother({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(BEGUN).all(diary.judgedUntil) as Row[]);
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before?.order !== row.order) return [];
    const what = `redemption ${row.id} of an order of several began`;
    if ((before.settledAt ?? Infinity) > row.createdAt) return [`${what} while ${before.id} was under way`];
    return before.state === 'redeemed' ? [] : [`${what} after ${before.id} was not redeemed`];
  });
}
