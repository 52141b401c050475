// Operators are shown what they redeemed themselves: no list and no receipt of anybody else's.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** In a list, and whole. */
const SHOWN = [/\/receipt_(\d+)/g, /(?:receipt|чек) №? ?(\d+)\n[^]*(?:<tg-spoiler>|topup\.)/g];

const OPERATORS = "select telegram_id from members where role = 'operator'";

export function operatorsAreShownTheirOwnReceipts({ said, members, diary, disk }: World): string[] {
  const now = look(disk.databasePath(), (file) => file.prepare(OPERATORS).pluck().all() as number[]);
  // This morning, in the evening, and all the time between.
  const isOperator = (id: number) =>
    members.get(id)?.role === 'operator' &&
    now.includes(id) &&
    !diary.staffing.some((order) => order.id === id);
  const shown = said.today.filter(({ chatId }) => isOperator(chatId));
  if (shown.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const actorOf = file.prepare('select actor from redemptions where id = ?').pluck();
    return shown.flatMap(({ chatId, text }) =>
      SHOWN.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(([, id]) => {
        const actor = actorOf.get(Number(id)) as string | undefined;
        return actor === undefined || actor === `member:${chatId}`
          ? []
          : [`operator ${chatId} was shown receipt ${id} of ${actor}`];
      }),
    );
  });
}
