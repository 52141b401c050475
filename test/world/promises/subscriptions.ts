// Days that were paid for are kept: a subscription ends no earlier than it was said to, unless money went back or a
// host took some away.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

interface Row {
  id: number;
  until: number | null;
  refunds: number;
}

const ENDS = `
  select a.id, a.subscription_expires_at as until,
    (select count(*) from purchases p where p.account_id = a.id and (p.refunded_at is not null or p.subscription_days < 0)) as refunds
  from accounts a`;

export function paidDaysAreKept({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(ENDS).all()) as Row[];
  return rows.flatMap(({ id, until, refunds }) => {
    const known = diary.subscribed.get(id) ?? { until: 0, refunds };
    diary.subscribed.set(id, { until: until ?? 0, refunds });
    return refunds > known.refunds || (until ?? 0) >= known.until
      ? []
      : [
          `the subscription of account ${id} ends ${(known.until - (until ?? 0)) / 3_600_000} hours earlier than it did`,
        ];
  });
}
