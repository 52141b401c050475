// Handing out an account's redemptions, a slice at a time, so that however many there are nobody else waits.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { type AccountActor, type InTransaction, requirePermission } from '../context.ts';
import { getCurrentActor } from '../members.ts';
import { readTimeZone, startOfDay } from '../zones.ts';
import { firstOfDays } from './counted-days.ts';
import { toActorLabel, type ActorLabel, toRedemption, type Redemption } from './receipts.ts';
import { tailOf } from './search.ts';

/** The longest export, in days. */
export const MOST_EXPORT_DAYS = 366;
/** Rows of one file, from either door. */
export const MOST_EXPORTED = 100_000;
const AT_ONCE = 100;

/** A redemption without what only a full export holds. */
export interface ExportedRedemption extends Omit<Redemption, 'accountId'> {
  /** The last characters of the code; the code itself is there in a full export only, and so are credentials. */
  codeTail?: string;
  actorLabel: ActorLabel;
}

export type ExportRedemptions = (
  actor: AccountActor,
  range: ExportRange,
) => AsyncIterable<ExportedRedemption[]>;

/** Writes down that somebody orders codes and credentials, before any is handed out. Throws CoreError FORBIDDEN. */
export type OrderFullExport = (
  actor: AccountActor,
  days: number,
  inTransaction?: InTransaction<undefined>,
) => Promise<void>;

/** `at`: the day and moment that it ends with, now without it. */
export interface ExportRange {
  days: number;
  full: boolean;
  at?: number;
}

/**
 * Today and the days before it in the time zone of the account, oldest first. Codes and credentials only in a full
 * export, which the table grants apart. Throws CoreError FORBIDDEN, INVALID_INPUT before the first slice.
 */
export function createExport({ store, clock }: { store: Store; clock: Clock }): ExportRedemptions {
  return (actor, { days, full, at }) => {
    requirePermission(actor, 'exportReceipts');
    if (full) requirePermission(actor, 'exportCredentials');
    const now = at ?? clock.now();
    const timeZone = readTimeZone(store, actor.accountId);
    const from = startOfDay(timeZone, firstOfDays(timeZone, now, days, MOST_EXPORT_DAYS));
    return slices(store, actor.accountId, { from, until: now + 1, full });
  };
}

export function createOrderFullExport({ store, clock }: { store: Store; clock: Clock }): OrderFullExport {
  return (actor, days, inTransaction) =>
    store.write((tables) => {
      requirePermission(getCurrentActor(tables, actor), 'exportCredentials');
      record(tables, actor, 'credentialsExported', { after: { days } }, clock.now());
      inTransaction?.(tables, undefined);
    });
}

async function* slices(
  store: Store,
  accountId: number,
  { from, until, full }: { from: number; until: number; full: boolean },
): AsyncGenerator<ExportedRedemption[]> {
  let cursor = { createdAt: from, id: 0 };
  const actorLabels = new Map<string, ActorLabel>();
  for (;;) {
    const rows = store.read((tables) => {
      const found = tables.history.listFrom(accountId, cursor, until, AT_ONCE);
      for (const { actor } of found)
        if (!actorLabels.has(actor)) actorLabels.set(actor, toActorLabel(tables, accountId, actor));
      return found;
    });
    if (rows.length > 0)
      yield rows.map((row) => ({
        ...toExported(toRedemption(row), full),
        actorLabel: actorLabels.get(row.actor)!,
      }));
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    cursor = last;
    await nextTurn();
  }
}

/** Without what only a full export holds, unless it is one. */
export function toExported(redemption: Redemption, full: boolean): Omit<ExportedRedemption, 'actorLabel'> {
  const { accountId: _account, code, credentials, ...rest } = redemption;
  return {
    ...rest,
    ...(code !== undefined && { codeTail: tailOf(code) }),
    ...(full && code !== undefined && { code }),
    ...(full && credentials !== undefined && { credentials }),
  };
}
