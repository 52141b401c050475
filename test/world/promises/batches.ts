// What people are told of a batch or an extraction is what became of its codes: so many were added, taken back, taken
// out.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const ADDED = /<b>Batch (\d+)<\/b>: (\d+) codes? added/;
const UNDONE = /<b>Batch (\d+)<\/b> is undone: (\d+) codes? (?:was|were) taken back/;
const GONE =
  /<b>Batch (\d+)<\/b> is undone: \d+ codes? (?:was|were) taken back\.(?: (\d+) had left the stock before\.)?(?: (\d+) (?:is|are) being redeemed)?/;
/** What was under way then may have come back since, and have been taken back, too. */
const TAKEN_BACK = "select count(*) from codes where state = 'undone' and batch_id = ?";
const TAKEN_BACK_AT_ONCE = `
  select count(*) from codes c join batches b on b.id = c.batch_id
  where c.state = 'undone' and c.batch_id = ? and c.changed_at <= b.undone_at`;
const BATCH = 'select added from batches where id = ?';
const EXTRACTED = /<b>Extraction (\d+)<\/b>: (\d+) codes? of/;
const LEFT = "select count(*) from codes where state in ('available', 'unverified') and batch_id = ?";

export function whatIsToldOfABatchIsTrue({ disk, said }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const one = (sql: string, id: string) => file.prepare(sql).pluck().get(Number(id)) as number | undefined;
    return said.today.flatMap(({ chatId, text }) => {
      const wrong: string[] = [];
      const hold = (pattern: RegExp, sql: string, what: string) => {
        const [, id = '', told = '0'] = pattern.exec(text) ?? [];
        const kept = id === '' ? undefined : one(sql, id);
        if (kept !== undefined && kept !== Number(told))
          wrong.push(`${chatId} read that ${told} ${what} ${id}, and there are ${kept}`);
        return id === '' ? undefined : id;
      };
      hold(ADDED, 'select added from batches where id = ?', 'codes were added in batch');
      const [, undone, gone = '0', held = '0'] = GONE.exec(text) ?? [];
      const told = Number(UNDONE.exec(text)?.[2]);
      const added = undone === undefined ? undefined : one(BATCH, undone);
      if (undone !== undefined && added !== undefined) {
        const [least = 0, most = 0] = [one(TAKEN_BACK_AT_ONCE, undone), one(TAKEN_BACK, undone)];
        if (told < least || told > most || told + Number(gone) + Number(held) !== added)
          wrong.push(
            `${chatId} read that of batch ${undone} ${told} were taken back, ${gone} gone and ${held} held, and it is ${least} to ${most} of ${added}`,
          );
      }
      const left = undone === undefined ? 0 : one(LEFT, undone);
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
