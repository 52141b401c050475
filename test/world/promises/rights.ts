// Whatever was done was done by somebody who was in that account, in a role that may.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { listHeld } from './held.ts';

const DONE = [
  ['redemptions', 'judgedRedemption', ['owner', 'admin', 'operator']],
  ['batches', 'judgedBatch', ['owner', 'admin', 'operator']],
  ['extractions', 'judgedExtraction', ['owner', 'admin']],
] as const;

export function nobodyDoesWhatTheyMayNot(world: World): string[] {
  const { disk, members, diary } = world;
  return look(disk.databasePath(), (file) => {
    return DONE.flatMap(([table, judged, roles]) => {
      const sql = `select distinct account_id as accountId, actor from ${table} where id > ? and actor like 'member:%'`;
      const rows = file.prepare(sql).all(diary[judged]);
      return (rows as { accountId: number; actor: string }[]).flatMap(({ accountId, actor }) => {
        const id = Number(actor.slice('member:'.length));
        const may = listHeld(world, id).some(
          ({ role, accountId: held }) =>
            role !== undefined && (roles as readonly string[]).includes(role) && held === accountId,
        );
        return may
          ? []
          : [
              `${actor} (${members.get(id)?.role ?? 'a stranger'}) did what they may not (${table}) in account ${accountId}`,
            ];
      });
    });
  });
}

/** Whoever redeemed in the chat pressed a button under that player's ID. */
export function everyRedemptionWasOrderedByItsActor({ disk, diary }: World): string[] {
  const sql =
    "select id, actor, player_id as playerId from redemptions where actor like 'member:%' and id > ?";
  const rows = look(disk.databasePath(), (file) => file.prepare(sql).all(diary.judgedRedemption)) as {
    id: number;
    actor: string;
    playerId: string;
  }[];
  return rows.flatMap(({ id, actor, playerId }) => {
    const isOrdered = diary.taps.some(
      ({ user, asked }) => actor === `member:${user.id}` && asked.includes(playerId),
    );
    return isOrdered ? [] : [`redemption ${id} for ${playerId} is not what ${actor} ordered`];
  });
}
