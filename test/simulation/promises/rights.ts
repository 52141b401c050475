// Whatever was done was done by somebody who was in that account, in a role that may.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const DONE = {
  redemptions: ['owner', 'admin', 'operator'],
  batches: ['owner', 'admin', 'operator'],
  extractions: ['owner', 'admin'],
};

export function nobodyDoesWhatTheyMayNot({ disk, members }: World): string[] {
  return look(disk.databasePath(), (file) =>
    Object.entries(DONE).flatMap(([table, roles]) => {
      const sql = `select distinct account_id as accountId, actor from ${table} where actor like 'member:%'`;
      return (file.prepare(sql).all() as { accountId: number; actor: string }[]).flatMap(
        ({ accountId, actor }) => {
          const member = members.get(Number(actor.slice('member:'.length)));
          const may = member?.accountId === accountId && roles.includes(member.role);
          return may
            ? []
            : [`${actor} (${member?.role ?? 'a stranger'}) is in ${table} of account ${accountId}`];
        },
      );
    }),
  );
}

/** Whoever redeemed in the chat pressed a button under that player's ID. */
export function everyRedemptionWasOrderedByItsActor({ disk, diary }: World): string[] {
  const sql =
    "select id, actor, player_id as playerId from redemptions where actor like 'member:%' and id > ? and created_at > ?";
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(sql).all(diary.judgedRedemption, diary.restoredAt),
  ) as {
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
