// An operator reads receipts of what they redeemed themselves, and of nothing else.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const RECEIPT = /(?:receipt|чек) №? ?(\d+)\n[^]*(?:<tg-spoiler>|topup\.)/;

export function operatorsReadWhatTheyRedeemedAlone({ said, members, diary, disk }: World): string[] {
  if (diary.lostAt > diary.judgedUntil) return [];
  const changed = new Set(diary.staffing.map(({ id }) => id));
  return look(disk.databasePath(), (file) => {
    const find = file.prepare('select actor from redemptions where id = ?').pluck();
    return said.today.flatMap(({ chatId, text }) => {
      if (members.get(chatId)?.role !== 'operator' || changed.has(chatId)) return [];
      const [, id] = RECEIPT.exec(text) ?? [];
      const actor = id === undefined ? undefined : (find.get(Number(id)) as string | undefined);
      return actor === undefined || actor === `member:${chatId}`
        ? []
        : [`the operator ${chatId} read the receipt ${id} of ${actor}`];
    });
  });
}
