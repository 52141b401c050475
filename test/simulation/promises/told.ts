// Every redemption that somebody ordered in the chat is told there when it has ended, whoever was killed meanwhile.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const ENDED =
  "select id, actor from redemptions where actor like 'member:%' and settled_at is not null and id > ? and created_at > ?";

export function everyRedemptionIsTold({ disk, diary, said }: World): string[] {
  const ended = look(
    disk.databasePath(),
    (file) =>
      file.prepare(ENDED).all(diary.judgedRedemption, diary.restoredAt) as { id: number; actor: string }[],
  );
  return ended.flatMap(({ id, actor }) => {
    const telegramId = Number(actor.slice('member:'.length));
    if (diary.isAway({ id: telegramId }) || said.hasToldEnd(telegramId, id)) return [];
    return [`redemption ${id} of ${actor} has ended, and nobody was told`];
  });
}
