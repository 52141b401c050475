// Doubts as a host looks through them: the next to be asked about, and no more than can be looked through.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { openTrader } from '../../../test/harness/traded-store.ts';

const LOOKED_THROUGH = 2_000;
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  const trader = await openTrader(
    () => t.store,
    () => t.clock.now(),
  );
  await trader.doubt(await trader.begin({ code: '60SDIRECT00000001' }));
});
afterEach(() => t.close());

/** More of the same, each of a code of its own. */
function multiply(count: number): void {
  const own = { id: 'null', code_hash: 'randomblob(32)' } as const;
  t.inspect((file) => {
    const columns = file
      .prepare("select name from pragma_table_info('redemptions') order by cid")
      .pluck()
      .all() as (keyof typeof own)[];
    file.exec(`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into redemptions (${columns.join(', ')})
      select ${columns.map((name) => own[name] ?? name).join(', ')} from redemptions, numbers where id = 1`);
  });
}
const look = (accountId: number) => {
  const { rows, isPart } = t.store.read(({ doubts }) => doubts.listOf(accountId));
  return [rows.length, isPart];
};

test('where there are more than can be looked through, that is told', () => {
  expect([look(1), look(2)]).toEqual([
    [1, false],
    [0, false],
  ]);
  multiply(LOOKED_THROUGH - 2);
  expect(look(1)).toEqual([LOOKED_THROUGH - 1, false]);
  multiply(2);
  expect(look(1)[1]).toBe(true);
});
