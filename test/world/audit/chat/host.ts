// Of the evening's audit in the chat: what the host is told of a payment before it goes back, and of what was paid.
import { says } from '../../people/phone.ts';
import { differ, PATIENCE_MS, toRead, type ChatAudit } from './books.ts';

const PAID = `
  select p.id, p.charge_id as chargeId, p.account_id as accountId, p.kind, p.activations_quarters as quarters, p.subscription_days as days,
    coalesce((select purchased from quotas q where q.account_id = p.account_id), 0) as left, a.subscription_expires_at as until
  from purchases p join accounts a on a.id = p.account_id
  where p.refunded_at is null and p.currency <> 'HOST' order by p.id desc limit 10`;
const DAY_MS = 24 * 60 * 60_000;

interface Row {
  id: number;
  chargeId: string;
  kind: string;
  quarters: number;
  days: number;
  left: number;
  until: number;
}

export async function payments({ world, rows }: ChatAudit): Promise<string[]> {
  const host = world.people.find(({ kind }) => kind === 'host');
  const paid = world.random.pick(rows<Row>(PAID));
  if (!host?.phone || !paid) return [];
  const shown = await host.phone.ask(
    `/refund ${paid.chargeId}`,
    says(/taken back|sent back before|know no payment/),
    PATIENCE_MS,
  );
  if (!shown) return [];
  const { text } = toRead(shown);
  const { kind, quarters, days, left, until } = paid;
  const comes = Math.max(0, Math.ceil((until - world.time.clock.now()) / DAY_MS));
  const [, told, of] = /taken back: (\S+) of (\S+) /.exec(text) ?? [];
  const kept =
    kind === 'activations' ? [Math.min(quarters, left) / 4, quarters / 4] : [Math.min(days, comes), days];
  await host.phone.ask('/cancel', () => true, 4_000);
  return differ(`payment ${paid.id}`, [String(told), String(of)], kept.map(String));
}
