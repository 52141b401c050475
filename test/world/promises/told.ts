// Every redemption that somebody ordered in the chat is told there when it has ended, whoever was killed meanwhile.
// Whoever left the account of an order of several codes under way is told that, instead of what became of each.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** What failed and was tried once more by its order is told by the order's end. */
const ENDED = `
  select id, actor, account_id as accountId from redemptions r
  where actor like 'member:%' and settled_at is not null and id > ? and (state <> 'failed'
    or exists (select 1 from order_items i where i.redemption_id = r.id)
    or not exists (select 1 from orders o where o.player_id = r.player_id and o.actor = r.actor))`;
/** Whoever comes back has still left. */
const HAS_LEFT = `
  select not exists (select 1 from members where telegram_id = @telegramId and account_id = @accountId)
    or exists (select 1 from audit_log where what in ('memberLeft', 'memberRemoved') and account_id = @accountId
      and object = @actor and at > @since)`;
const LEFT = /no longer a member of the account of this order|больше не участник аккаунта этого заказа/;

interface Row {
  id: number;
  actor: string;
  accountId: number;
}

export function everyRedemptionIsTold({ disk, diary, said }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const hasLeft = file.prepare(HAS_LEFT).pluck();
    const rows = file.prepare(ENDED).all(diary.judgedRedemption) as Row[];
    return rows.flatMap(({ id, actor, accountId }) => {
      const telegramId = Number(actor.slice('member:'.length));
      if (diary.isAway({ id: telegramId }) || said.hasToldEnd(telegramId, id)) return [];
      const isGone = hasLeft.get({ telegramId, actor, accountId, since: diary.judgedUntil }) === 1;
      if (isGone && said.count(telegramId, LEFT) > 0) return [];
      return [`redemption ${id} of ${actor} has ended, and nobody was told`];
    });
  });
}
