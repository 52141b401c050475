// The time zone of whoever reads moments in the chat, and the forms that they have (../moments.ts).
import type { Core, MemberActor } from '../core/index.ts';

export {
  describeOffset,
  formatDate,
  formatDay,
  formatMoment,
  formatShort,
  formatShortDate,
  formatTime,
} from '../moments.ts';

/** The time zone in which somebody reads: of their account; UTC for who has none. */
export function zoneOf(
  { core }: { core: Pick<Core, 'accounts'> },
  actor: Pick<MemberActor, 'accountId'> | undefined,
): string {
  return actor ? core.accounts.timeZoneOf(actor.accountId) : 'UTC';
}
