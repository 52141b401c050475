// Redemptions over a restore that gives their codes and charges other numbers.
import { expect, test } from 'vitest';

import { openPasts } from '../../../test/harness/pasts.ts';
import { numberedCodes, openTrader } from '../../../test/harness/traded-store.ts';

test('one that ended since the backup has the code and the charge that it had there, whatever their numbers are now', async () => {
  const pasts = openPasts();
  const trader = await openTrader(pasts.store, pasts.now);
  const monday = await pasts.backUp();
  pasts.wait();
  await trader.addCodes(numberedCodes('T', 1));
  await trader.redeem(await trader.begin());
  const tuesday = await pasts.backUp();
  await pasts.goBack(monday, 'dead disk');
  // As after a restore by an earlier version: what began on wednesday has the numbers of tuesday.
  for (const table of ['batches', 'codes', 'charges', 'jobs']) pasts.giveAgain(table, 1);
  pasts.wait();
  await trader.addCodes(numberedCodes('W', 1));
  const begun = await trader.begin();
  await trader.doubt(begun);
  const wednesday = await pasts.backUp();
  const row = () =>
    pasts.query(`select state || ' ' || code_id || ' ' || charge_id from redemptions where id = ${begun.id}`);
  expect(row()).toEqual(['in_doubt 1 1']);
  await pasts.goBack(tuesday);
  const [codeId, chargeId] = ['code_id', 'charge_id'].map(
    (column) => pasts.query(`select ${column} from redemptions where id = ${begun.id}`)[0] as number,
  );
  expect([codeId, chargeId]).not.toContain(1);
  await trader.redeem({ ...begun, codeId: codeId!, chargeId: chargeId! });
  await pasts.goBack(wednesday);
  expect(row()).toEqual(['redeemed 1 1']);
  expect(pasts.query('select state from codes where id = 1')).toEqual(['redeemed']);
  await pasts.close();
});
