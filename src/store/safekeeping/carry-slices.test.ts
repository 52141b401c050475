// What became of bulk work, over a restore that gives its job another number.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { openPasts } from '../../../test/harness/pasts.ts';
import { numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';
import { restore } from './restore.ts';

test('a slice that does not open keeps nobody from going back: it is named', async () => {
  const pasts = openPasts();
  const trader = await openTrader(pasts.store, pasts.now);
  const monday = await pasts.backUp();
  pasts.wait();
  await trader.addCodes(numberedCodes('T', 1));
  const tuesday = await pasts.backUp();
  await pasts.goBack(monday, 'dead disk');
  // As after a restore by an earlier version: other work has the number that the work of tuesday had.
  for (const table of ['jobs', 'batches']) pasts.giveAgain(table, 1);
  pasts.wait();
  await trader.addCodes(numberedCodes('W', 2));
  await pasts.store().close();
  const connection = new Database(pasts.path);
  connection.exec('update job_slices set content_secret = zeroblob(40)');
  connection.close();
  pasts.wait();
  const key = Buffer.alloc(32, 3);
  const restored = restore({ file: tuesday, databasePath: pasts.path, key, now: pasts.now() });
  expect(restored).toMatchObject({ since: 'carried', unreadable: 1, drift: 0 });
  expect(pasts.query('select added from job_slices order by job_id')).toEqual([1, 2]);
  await pasts.close();
});
