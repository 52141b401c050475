// An export as CSV: none of its receipts is lost or cut, and its times are those of the zone.
import { expect, test } from 'vitest';

import { receiptOf } from '../../../test/harness/receipt-of.ts';
import type { ExportedRedemption } from '../../core/index.ts';
import { createCsvDocument } from './export-csv.ts';
import { makeDocument } from './export-document.ts';

test('a document has room for so many receipts, none of them lost or cut', async () => {
  const playerName = 'x'.repeat(60);
  const all = Array.from({ length: 70 }, (_, id) => receiptOf({ id, playerName, createdAt: id }));
  async function* slices() {
    for (let from = 0; from < all.length; from += 7) {
      await Promise.resolve();
      yield all.slice(from, from + 7) as ExportedRedemption[];
    }
  }
  for (const most of [69, 70]) {
    const made = await makeDocument(slices(), createCsvDocument({ full: false, timeZone: 'UTC' }), most);
    const [head, ...lines] = made.document.toString().split('\r\n').slice(0, -1);
    expect(head).toMatch(/^\ufeffreceiptId,createdAt,/);
    expect([made.count, made.isMore]).toEqual([most, most === 69]);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(all.slice(0, most).map(({ id }) => id));
  }
});

test('its times are those of the zone, on both sides of a change of its clocks', async () => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  const receipt = { id: 1, createdAt: change - 1, settledAt: change };
  const textIn = async (timeZone: string) => {
    async function* slices() {
      yield await Promise.resolve([receipt] as ExportedRedemption[]);
    }
    const { document } = await makeDocument(slices(), createCsvDocument({ full: false, timeZone }));
    return document.toString().split('\r\n')[1];
  };
  expect(await textIn('Europe/Berlin')).toMatch(
    /^1,2026-03-29T01:59:59\.999\+01:00,2026-03-29T03:00:00\.000\+02:00,/,
  );
  expect(await textIn('-04:30')).toMatch(/^1,2026-03-28T20:29:59\.999-04:30,/);
  expect(await textIn('UTC')).toMatch(/^1,2026-03-29T00:59:59\.999Z,/);
});
