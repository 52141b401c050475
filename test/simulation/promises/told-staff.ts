// Whoever is given another role, or is removed, is told so.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const TOLD =
  /changed your role|over to you: you are its owner|is the owner now|removed you from|теперь|удал|роль/i;
const ROLE_AT = 'select role, role_at as at from members where telegram_id = ?';

export function whoeverIsGivenARoleIsTold({ diary, members, disk, said }: World): string[] {
  if (diary.restoredAt > diary.judgedUntil) return [];
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(ROLE_AT);
    return diary.staffing.flatMap(({ id, role, accountId }) => {
      const before = members.get(id)?.role;
      const now = find.get(id) as { role: string; at: number } | undefined;
      const isDone = accountId === undefined && role !== undefined && now?.role === role && before !== role;
      if (!isDone || diary.isAway({ id }) || now.at <= diary.judgedUntil) return [];
      return said.today.some(({ chatId, text }) => chatId === id && TOLD.test(text))
        ? []
        : [`${id} is ${role} now, and was not told`];
    });
  });
}
