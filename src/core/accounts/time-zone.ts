// The time zone in which the people of an account read times, and say days.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { AccountActor, InTransaction } from '../context.ts';
import { CoreError } from '../errors.ts';
import { getCurrentActor } from '../members.ts';
import { record } from '../audit-log.ts';
import { requirePermission } from '../permissions.ts';
import { parseTimeZone, readTimeZone } from '../zones.ts';

/** The verbs about time zones. */
export function createTimeZones({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** What `readTimeZone` tells. */
    timeZoneOf: (accountId: number): string => readTimeZone(store, accountId),
    /** Takes what `parseTimeZone` understands; what was set. Safe to repeat. Throws CoreError FORBIDDEN, INVALID_INPUT. */
    async setTimeZone(
      actor: AccountActor,
      text: string,
      inTransaction?: InTransaction<string>,
    ): Promise<string> {
      const zone = parseTimeZone(text);
      if (zone === undefined) throw new CoreError('INVALID_INPUT', 'There is no such time zone.');
      await store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'setTimeZone');
        const before = tables.accounts.find(actor.accountId)?.timeZone ?? '';
        tables.accounts.setTimeZone(actor.accountId, zone);
        const set = { before: { zone: before }, after: { zone } };
        if (before !== zone) record(tables, actor, 'timeZoneSet', set, clock.now());
        inTransaction?.(tables, zone);
      });
      return zone;
    },
  };
}
