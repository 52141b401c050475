// Nothing is logged as an error that the disk, Telegram or the platform did not cause: an error of ours is a fault that
// somebody met.
import type { World } from '../run/world.ts';

/** What is logged where the disk is full: the service says so, and goes on when it can. */
const OF_THE_DISK = /SQLITE_FULL|database or disk is full|disk I\/O|rolled back by the database/;
/** A call that did not get through, as it is told by name. */
const OF_TELEGRAM = /"(?:HttpError|BotCallError|GrammyError)"/;
/** The hosts are told, too. */
const OF_BACKUPS = /no backup could be made.*ENOSPC/;
/** The hosts are told, too: its order was lost with a database. */
const OF_A_LOST_PAST = /a payment belongs to no order/;
/** Whoever looks after the machine is told. */
const OF_THE_TOKEN = /TELEGRAM_BOT_TOKEN|another process fetches the updates/;

export function nothingUnexpectedIsLogged({ service, diary }: World): string[] {
  const expected = [
    OF_THE_DISK,
    OF_TELEGRAM,
    OF_THE_TOKEN,
    OF_BACKUPS,
    ...(diary.restored ? [OF_A_LOST_PAST] : []),
  ];
  return service.takeErrors().filter((error) => !expected.some((each) => each.test(error)));
}
