// Of the evening's audit: pages that begin at a moment, and what is another's by its number.
import type { Audit } from './auditing.ts';

const PAGE = 20;

/** History after a moment: the oldest first, and none is left out. */
export async function historyAfter({ world, shop, read, rows }: Audit): Promise<string[]> {
  // This very millisecond is not told yet.
  const now = world.time.machine.now();
  const kept = rows<{ id: number; at: number }>(
    'select id, created_at as at from redemptions where account_id = ? order by created_at desc, id desc limit ?',
    shop.accountId,
    PAGE,
  ).reverse();
  const [first] = kept;
  if (!first) return [];
  const { json } = await read(`/history?after=${new Date(first.at).toISOString()}`);
  const told = (json as { id: number; createdAt: string }[])
    .filter(({ createdAt }) => Date.parse(createdAt) !== now)
    .map(({ id }) => id);
  const expected = kept.filter(({ at }) => at > first.at && at !== now).map(({ id }) => id);
  return told.join() === expected.join() ? [] : [`told ${told.join()}, and the books say ${expected.join()}`];
}

const EXTRACTED = (whose: string) => `
  select e.id, (select count(*) from codes c where c.extraction_id = e.id) as count from extractions e
  where ${whose} and e.at > ? and e.ended_at is not null order by e.id desc limit 1`;
const DAY_MS = 23 * 60 * 60_000;

/** The codes of an extraction again: to whoever took them out, and to nobody else. */
export async function takenOut({ world, shop, read, rows }: Audit): Promise<string[]> {
  const since = world.time.clock.now() - DAY_MS;
  const find = (whose: string) =>
    rows<{ id: number; count: number }>(EXTRACTED(whose), shop.accountId, since)[0];
  const [own, foreign] = [find('e.account_id = ?'), find('e.account_id <> ?')];
  const wrong: string[] = [];
  if (own) {
    const { status, json } = await read(`/db/extractions/${own.id}`);
    if (status !== 200 || (json as string[]).length !== own.count)
      wrong.push(`extraction ${own.id} of ${own.count} codes is answered ${status}`);
  }
  if (foreign) {
    const { status } = await read(`/db/extractions/${foreign.id}`);
    if (status !== 404) wrong.push(`extraction ${foreign.id} of another account is answered ${status}`);
  }
  return wrong;
}
