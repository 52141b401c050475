// After a restore what came after the backup is known to nobody: the service is not asked for it any more. What the
// platform and Telegram know of it still counts.
import { digestOf } from './auditing.ts';
import type { Role } from '../../../src/core/index.ts';
import { forgetInvoices } from '../promises/invoices.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const REFERENCES = 'select reference from attempts';
const CHARGES = 'select charge_id from purchases';
const MEMBERS = 'select telegram_id as id, account_id as accountId, role from members';

interface Row {
  id: number;
  accountId: number;
  role: Role;
}

export function forgetWhatIsLost(world: World): void {
  const { disk, diary, platform, members, receivers, time } = world;
  look(disk.databasePath(), (file) => {
    const known = new Set(file.prepare(REFERENCES).pluck().all() as string[]);
    for (const reference of platform.asked) if (!known.has(reference)) diary.forgotten.add(reference);
    const booked = new Set(file.prepare(CHARGES).pluck().all() as string[]);
    const { some: kept = [], others = [] } = Object.groupBy(diary.paid, ({ chargeId }) =>
      booked.has(chargeId) ? 'some' : 'others',
    );
    diary.paid = kept;
    diary.unmatched.push(...others.filter(({ refundedAt }) => refundedAt === undefined));
    for (const paid of diary.paid) delete paid.refundedAt;
    // What they were this morning they were today.
    for (const [id, held] of members) diary.staffing.push({ id, ...held, isHeld: true });
    members.clear();
    for (const { id, ...member } of file.prepare(MEMBERS).all() as Row[]) members.set(id, member);
  });
  for (const address of receivers.extra.values()) delete address.removedAt;
  diary.revoked = [];
  diary.shut.clear();
  diary.restoredAt = time.clock.now();
  forgetInvoices(world);
  diary.handedOut.clear();
  diary.wishes = [];
  diary.extractions = [];
  diary.told = [];
}

const opens = (disk: World['disk'], key: string): boolean =>
  look(
    disk.databasePath(),
    (file) =>
      file.prepare('select 1 from api_keys where digest = ? and revoked_at is null').get(digestOf(key)) !==
      undefined,
  );

/** After a restore a shop's programs go on with a key that opens. */
export function chooseKeys({ shops, disk }: World): void {
  for (const shop of shops) shop.apiKey = shop.keys.findLast((key) => opens(disk, key)) ?? shop.apiKey;
}
