// A list of receipts begins with the newest, on every page of it.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** What stands below a list says what its marks mean. */
const LEGEND = /✅.*⚠️.*❌.*❔.*⏳/u;
const LISTED = /· \/receipt_(\d+)$/gm;

export function aListBeginsWithTheNewest({ said, disk }: World): string[] {
  const pages = said.today
    .filter(({ text }) => LEGEND.test(text))
    .map(({ chatId, text }) => ({ chatId, ids: [...text.matchAll(LISTED)].map(([, id]) => Number(id)) }))
    .filter(({ ids }) => ids.length > 1);
  if (pages.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const begunAt = file.prepare('select created_at from redemptions where id = ?').pluck();
    return pages.flatMap(({ chatId, ids }) => {
      // A restore may have lost some of them since.
      const times = ids.flatMap((id) => (begunAt.get(id) as number | undefined) ?? []);
      const falls = (list: readonly number[]) =>
        list.every((each, index) => index === 0 || each <= (list[index - 1] ?? 0));
      return falls(times) || falls(ids) ? [] : [`${chatId} was shown ${ids.join(', ')} in this order`];
    });
  });
}
