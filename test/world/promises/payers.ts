// A payment is booked for the account that its payer was in: an invoice of somebody else's is not paid.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { listHeld } from './held.ts';

const PAID =
  "select account_id as accountId, paid_by as paidBy, charge_id as chargeId from purchases where at > ? and paid_by like 'member:%'";

export function everybodyPaysForTheirOwn(world: World): string[] {
  const { disk, diary } = world;
  const rows = look(disk.databasePath(), (file) => file.prepare(PAID).all(diary.judgedUntil)) as {
    accountId: number;
    paidBy: string;
    chargeId: string;
  }[];
  return rows.flatMap(({ accountId, paidBy, chargeId }) => {
    const id = Number(paidBy.slice('member:'.length));
    const isOwn = listHeld(world, id).some((each) => each.accountId === accountId);
    return isOwn
      ? []
      : [`the charge ${chargeId} of ${id} is booked for account ${accountId}, which is not theirs`];
  });
}
