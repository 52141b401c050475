// Each payment that Telegram took is credited once, and whoever paid is told. One that Telegram could not tell of is
// found in its list, which is gone through once a day.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const FOUND_WITHIN_MS = 26 * 60 * 60_000;
/** A backup may know that it was booked; the words that waited to be sent are dropped. */
const UNTOLD_MS = 60_000;

export function everyPaymentIsCreditedOnce({ disk, diary, said, telegram, time }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const count = file.prepare('select count(*) from purchases where charge_id = ?').pluck();
    const credited = file.prepare('select refunded_at from purchases where charge_id = ?').pluck();
    return diary.paid.flatMap((paid) => {
      const times = count.get(paid.chargeId) as number;
      const isDue = telegram.isHeard(paid.updateId) || time.clock.now() - paid.at > FOUND_WITHIN_MS;
      if (times > 1 || (times === 0 && isDue))
        return [`the charge ${paid.chargeId} is booked ${times} times`];
      if (paid.refundedAt !== undefined && isDue && times === 1 && credited.get(paid.chargeId) === null)
        return [`the charge ${paid.chargeId} was given back, and is not booked so`];
      const isCutOff = diary.struck.some(
        ({ what, at }) => what === 'a restore' && at >= paid.at && at - paid.at < UNTOLD_MS,
      );
      const isDeaf = isCutOff || diary.isAway(paid.user);
      if (times === 1 && paid.isHeardToday && !isDeaf && said.count(paid.user.id, /Thank you! Paid/) === 0)
        return [`${paid.user.first_name} paid, and was not told`];
      return [];
    });
  });
}

const KNOWN =
  'select 1 from purchases where charge_id = @id union all select 1 from charge_notes where charge_id = @id';

/** What was paid since a backup that was put in place is booked, where that knows the order, or shown to the hosts. */
export function whatALostPastWasPaidIsKnown({ disk, diary, time }: World): string[] {
  if (diary.isCalendarWrongToday) return [];
  const known = look(disk.databasePath(), (file) => {
    const find = file.prepare(KNOWN);
    return new Set(diary.unmatched.filter(({ chargeId: id }) => find.get({ id }) !== undefined));
  });
  const isDue = time.clock.now() - Math.max(diary.restoredAt, diary.wrongLast) > FOUND_WITHIN_MS;
  const unknown = diary.unmatched.filter((paid) => !known.has(paid) && paid.refundedAt === undefined);
  return isDue
    ? unknown.map(({ chargeId }) => `the charge ${chargeId} was paid in a lost past, and no host knows of it`)
    : [];
}

const GIVEN_BACK = 'select charge_id from purchases where refunded_at > ?';

/** What is booked as given back Telegram has given back. */
export function whatIsBookedAsGivenBackIsBack({ disk, diary, telegram }: World): string[] {
  const charges = look(
    disk.databasePath(),
    (file) => file.prepare(GIVEN_BACK).pluck().all(diary.judgedUntil) as string[],
  );
  return charges
    .filter((charge) => giveBack(telegram, charge))
    .map((charge) => `${charge} is booked as given back, and is not`);
}

/** False where Telegram has nothing to give back of it any more. */
function giveBack({ api }: World['telegram'], charge: string): boolean {
  try {
    api.refund(charge);
    return true;
  } catch {
    return false;
  }
}

const REFUSED = /Telegram did not send the Stars back/;

/** Telegram knows each charge that the host gives back, as that of whoever paid it. */
export function starsGoBackToWhoeverPaid({ said }: World): string[] {
  return said.today.flatMap(({ chatId, text }) => (REFUSED.test(text) ? [`${chatId} read: ${text}`] : []));
}
