// Batches over a restore: one that an earlier restore gave another number is there once, with its codes.
import { expect, test } from 'vitest';

import { openPasts } from '../../../test/harness/pasts.ts';
import { numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';

test.each([[['batches']], [['batches', 'codes']]])(
  'what another restore gave another number is known by its codes, and is there once: %j',
  async (tables) => {
    const pasts = openPasts();
    const trader = await openTrader(pasts.store, pasts.now);
    const monday = await pasts.backUp();
    pasts.wait();
    await trader.addCodes(numberedCodes('T', 3));
    const tuesday = await pasts.backUp();
    await pasts.goBack(monday, 'dead disk');
    // As after a restore by an earlier version: others have the numbers that those of tuesday had.
    for (const table of tables) pasts.giveAgain(table, 1);
    pasts.wait();
    await trader.addCodes(numberedCodes('W', 2));
    const wednesday = await pasts.backUp();
    const batches = () => pasts.query('select added from batches order by added');
    expect(pasts.query('select id from batches')).toEqual([1]);
    await pasts.goBack(tuesday);
    expect(batches()).toEqual([2, 3]);
    // What was number 1 in the backup is another number by now.
    expect(pasts.query('select added from batches where id = 1')).toEqual([3]);
    await pasts.goBack(wednesday);
    expect(batches()).toEqual([2, 3]);
    expect(pasts.query('select count(*) from codes group by batch_id order by 1')).toEqual([2, 3]);
    await pasts.close();
  },
);

test('an extraction that ended since the backup ended when it did, one that nobody ended with the restore', async () => {
  const pasts = openPasts();
  const trader = await openTrader(pasts.store, pasts.now);
  const { accountId } = trader.actor;
  const begin = () =>
    pasts.write(({ extractions, jobs }) => {
      const what = { accountId, actor: 'apiKey:1', now: pasts.now() };
      const subjectId = extractions.open({ ...what, gameId: 'game_id_1', denomination: 60, wanted: 1 });
      return { subjectId, jobId: jobs.open({ ...what, kind: 'extract', subjectId, total: 1 }) };
    });
  const [ended] = [await begin(), await begin()];
  const backup = await pasts.backUp();
  await pasts.write(({ extractions, jobs }) => {
    extractions.end(ended.subjectId, pasts.now());
    jobs.end(ended.jobId, 'done', pasts.now());
  });
  const endedAt = pasts.now();
  pasts.wait();
  await pasts.goBack(backup);
  expect(pasts.query('select ended_at from extractions order by id')).toEqual([endedAt, pasts.now()]);
  await pasts.close();
});
