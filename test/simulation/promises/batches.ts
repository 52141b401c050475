// What people are told of a batch or an extraction is what became of its codes: so many were added, taken back, taken out.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const ADDED = /<b>Batch (\d+)<\/b>: (\d+) codes? added/;
const UNDONE = /<b>Batch (\d+)<\/b> is undone: (\d+) codes? (?:was|were) taken back/;
const GONE =
  /<b>Batch (\d+)<\/b> is undone: \d+ codes? (?:was|were) taken back\.(?: (\d+) had left the stock before)?/;
const EXTRACTED = /<b>Extraction (\d+)<\/b>: (\d+) codes? of/;
const LEFT = "select count(*) from codes where state in ('available', 'unverified') and batch_id = ?";

export function whatIsToldOfABatchIsTrue({ disk, said, diary }: World): string[] {
  // What a lost database knew of them, nobody knows.
  if (diary.lostAt > diary.judgedUntil) return [];
  return look(disk.databasePath(), (file) => {
    const one = (sql: string, id: string) => file.prepare(sql).pluck().get(Number(id)) as number | undefined;
    return said.today.flatMap(({ chatId, text, at }) => {
      // Of two pasts that are joined each code is what it was in one of them.
      if (diary.isPastLost && at <= diary.restoredAt) return [];
      const wrong: string[] = [];
      const hold = (pattern: RegExp, sql: string, what: string) => {
        const [, id = '', told = '0'] = pattern.exec(text) ?? [];
        const kept = id === '' ? undefined : one(sql, id);
        if (kept !== undefined && kept !== Number(told))
          wrong.push(`${chatId} read that ${told} ${what} ${id}, and there are ${kept}`);
        return id === '' ? undefined : id;
      };
      hold(ADDED, 'select added from batches where id = ?', 'codes were added in batch');
      const undone = hold(
        UNDONE,
        "select count(*) from codes where state = 'undone' and batch_id = ?",
        'codes were taken back of batch',
      );
      hold(
        GONE,
        "select added - (select count(*) from codes where state = 'undone' and batch_id = b.id) from batches b where b.id = ?",
        'codes had left before of batch',
      );
      const left = undone && one(LEFT, undone);
      if (left)
        wrong.push(`${chatId} read that batch ${undone} is undone, and ${left} of its codes stand in stock`);
      hold(
        EXTRACTED,
        'select count(*) from codes where extraction_id = ?',
        'codes were taken out in extraction',
      );
      return wrong;
    });
  });
}
