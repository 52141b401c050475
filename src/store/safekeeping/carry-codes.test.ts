// Batches over a restore: one that an earlier restore gave another number is there once, with its codes.
import { expect, test } from 'vitest';

import { openPasts } from '../../../test/harness/pasts.ts';
import { numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';

test('a batch that another restore gave another number is known by its codes, and is there once', async () => {
  const pasts = openPasts();
  const trader = await openTrader(pasts.store, pasts.now);
  const monday = await pasts.backUp();
  pasts.wait();
  await trader.addCodes(numberedCodes('T', 1));
  const tuesday = await pasts.backUp();
  await pasts.goBack(monday, 'dead disk');
  // As after a restore by an earlier version: other batches have the numbers that those of tuesday had.
  pasts.giveAgain('batches', 1);
  pasts.wait();
  await trader.addCodes(numberedCodes('W', 2));
  const wednesday = await pasts.backUp();
  const batches = () => pasts.query('select added from batches order by added');
  expect(pasts.query('select id from batches')).toEqual([1]);
  await pasts.goBack(tuesday);
  expect(batches()).toEqual([1, 2]);
  // What was number 1 in the backup is another number by now.
  expect(pasts.query('select added from batches where id = 1')).toEqual([1]);
  await pasts.goBack(wednesday);
  expect(batches()).toEqual([1, 2]);
  const held = `select count(*) from codes group by batch_id order by 1`;
  expect(pasts.query(held)).toEqual([1, 2]);
  await pasts.close();
});
