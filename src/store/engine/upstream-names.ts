// The upstreams that a database was used with, by the names that the ledger of attempts has for ever: what each was, so
// that what is not proven of it is asked of nobody else under its name.
import type { Database as Connection } from 'better-sqlite3';

import { hasTable } from './connection.ts';
import { readMeta, writeMeta } from './meta.ts';
import { StoreRefusal } from './refusal.ts';

/** By name: profile, address and games, as one line (platform/identity.ts). */
export type UpstreamIdentities = ReadonlyMap<string, string>;

const keyOf = (name: string) => `upstream ${name}`;

/** Throws StoreRefusal where attempts that are not proven were sent to one that is missing now, or is another. */
export function assertSameUpstreams(connection: Connection, path: string, now: UpstreamIdentities): void {
  for (const [name, count] of countUnproven(connection)) {
    const [was, is] = [readUpstreamIdentity(connection, name), now.get(name)];
    if (is === undefined) throw new StoreRefusal(formatMissing(path, name, count));
    if (was !== undefined && was !== is)
      throw new StoreRefusal(formatChanged(path, { name, was, is }, count));
  }
}

/** What the name stands for in this database; undefined where nothing was served with it. */
export const readUpstreamIdentity = (connection: Connection, name: string): string | undefined =>
  readMeta(connection, keyOf(name));

/** From now on these names stand for these. */
export function markUpstreams(connection: Connection, upstreams: UpstreamIdentities): void {
  for (const [name, identity] of upstreams) writeMeta(connection, keyOf(name), identity);
}

/**
 * Attempts of which it is not known whether they spent their code, by the name of their upstream: those of open
 * redemptions.
 */
function countUnproven(connection: Connection): Map<string, number> {
  if (!hasTable(connection, 'attempts')) return new Map();
  const rows = connection.prepare<[], { upstream: string; count: number }>(UNPROVEN).all();
  return new Map(rows.map(({ upstream, count }) => [upstream, count]));
}

const UNPROVEN = `
  select upstream, count(*) as count from (
    select id from redemptions where state = 'pending' union all select id from redemptions where state = 'in_doubt'
  ) open join attempts on redemption_id = open.id
  where attempts.state in ('open', 'unknown') group by upstream order by upstream`;

const formatAttempts = (count: number) => (count === 1 ? 'One attempt is' : `${count} attempts are`);

const formatMissing = (path: string, name: string, count: number) =>
  `${formatAttempts(count)} not proven that ${path} has sent to the upstream ${name}, which the settings do not name: nobody else can tell what became of them. Put it back with "tier": 0: nothing more is sent there. Nothing was changed.`;

const formatChanged = (
  path: string,
  { name, was, is }: { name: string; was: string; is: string },
  count: number,
) =>
  `${formatAttempts(count)} not proven that ${path} has sent to the upstream ${name}, and that was ${was}; the settings have ${is}. Put it back as it was, with "tier": 0, and the other beside it under another name. Where it is the same service: \`redemption platform adopt --name ${name}\`. Nothing was changed.`;
