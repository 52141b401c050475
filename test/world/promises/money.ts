// Each payment that Telegram took is credited once, and whoever paid is told. One that Telegram could not tell of is
// found in its list, which is gone through once a day.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const FOUND_WITHIN_MS = 26 * 60 * 60_000;
const CREDITED = 'select refunded_at as refundedAt from purchases where charge_id = ?';

type Paid = World['diary']['paid'][number];

/** Each charge, with the purchases that are booked of it, and whether they must be there by now. */
function listPaid({ disk, diary, telegram, time }: World) {
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(CREDITED);
    return diary.paid.map((paid: Paid) => ({
      paid,
      booked: find.all(paid.chargeId) as { refundedAt: number | null }[],
      isDue: telegram.isHeard(paid.updateId) || time.clock.now() - paid.at > FOUND_WITHIN_MS,
    }));
  });
}

export const noPaymentIsCreditedTwice = (world: World): string[] =>
  listPaid(world)
    .filter(({ booked }) => booked.length > 1)
    .map(({ paid, booked }) => `the charge ${paid.chargeId} is booked ${booked.length} times`);

export const everyPaymentIsCredited = (world: World): string[] =>
  listPaid(world).flatMap(({ paid: { chargeId, refundedAt, isHeardToday, user }, booked, isDue }) => {
    const [first] = booked;
    if (!first) return isDue ? [`the charge ${chargeId} is not booked`] : [];
    if (refundedAt !== undefined && isDue && first.refundedAt === null)
      return [`the charge ${chargeId} was given back, and is not booked so`];
    const isTold = world.diary.isAway(user) || world.said.count(user.id, /Thank you! Paid/) > 0;
    return isHeardToday && !isTold ? [`${user.first_name} paid, and was not told`] : [];
  });

const KNOWN =
  'select 1 from purchases where charge_id = @id union all select 1 from charge_notes where charge_id = @id';

/** What was paid since a backup that was put in place is booked, where that knows the order, or shown to the hosts. */
export function whatALostPastWasPaidIsKnown({ disk, diary, time, telegram }: World): string[] {
  const { restored } = diary;
  if (!restored || time.clock.now() - restored.at <= FOUND_WITHIN_MS) return [];
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(KNOWN);
    return (
      diary.paid
        .filter(({ at, refundedAt }) => at < restored.at && refundedAt === undefined)
        .filter(({ chargeId: id }) => find.get({ id }) === undefined)
        // A host may have given it back in that past, too.
        .filter(({ chargeId }) => giveBack(telegram, chargeId))
        .map(({ chargeId }) => `the charge ${chargeId} was paid in a lost past, and no host knows of it`)
    );
  });
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
