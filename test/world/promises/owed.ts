// What somebody is owed is said in the end: the result of what they ordered once their chat is open again, and every
// notice of a crowd.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** It was pressed before the chat was closed. */
const PRESSED_MS = 2_000;
const MUTED = 'select muted_notices from preferences where telegram_id = ?';
/** What failed and was tried once more by its order is told by the order's end (told.ts). */
const ORDERED = `
  select id from redemptions r where actor = ? and settled_at is not null and created_at between ? and ?
    and (state <> 'failed' or exists (select 1 from order_items i where i.redemption_id = r.id)
      or not exists (select 1 from orders o where o.player_id = r.player_id and o.actor = r.actor))`;

export function whatAClosedChatIsOwedIsSaid({ disk, diary, said, time }: World): string[] {
  // Whoever has left meanwhile is told that instead.
  const opened = diary.closed.filter(
    ({ id, openedAt }) => openedAt < time.clock.now() && !diary.staffing.some((order) => order.id === id),
  );
  return look(disk.databasePath(), (file) =>
    opened.flatMap(({ id, from, openedAt }) =>
      (
        file.prepare(ORDERED).all(`member:${id}`, from - PRESSED_MS, openedAt) as {
          id: number;
        }[]
      )
        .filter((redemption) => !said.hasToldEnd(id, redemption.id))
        .map(
          (redemption) => `redemption ${redemption.id} was ordered by ${id}, who came back and was not told`,
        ),
    ),
  );
}

export function everyNoticeOfACrowdIsSaid(world: World): string[] {
  const { diary, said } = world;
  return diary.crowds.flatMap(({ user, hosts }) => {
    if (diary.isAway(user) || diary.staffing.some(({ id }) => id === user.id)) return [];
    if (isMuted(world, user) || !isAsked(world, user)) return [];
    const words = said.today.filter(({ chatId }) => chatId === user.id).map(({ text }) => text);
    const missing = hosts.filter((host) => !words.some((text) => text.includes(host)));
    return missing.length > 0 ? [`${user.id} was not told of ${missing.length} notices`] : [];
  });
}

/** It is told to owners and admins. */
const isAsked = ({ disk }: World, { id }: { id: number }): boolean =>
  look(
    disk.databasePath(),
    (file) =>
      file.prepare("select 1 from members where telegram_id = ? and role in ('owner', 'admin')").get(id) !==
      undefined,
  );

const isMuted = ({ disk, diary }: World, { id }: { id: number }): boolean =>
  diary.taps.some(({ user, data }) => user.id === id && data.startsWith('settings:notice')) ||
  look(disk.databasePath(), (file) => {
    const muted = file.prepare(MUTED).pluck().get(id) as string | undefined;
    return muted?.includes('webhookOff') === true;
  });
