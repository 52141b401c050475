// The host desk: where codes are sent, with what was redeemed there in a day and what that has cost.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestConsole, TEST_HOST } from '../../../test/harness/console.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { openSeveral, type SeveralUpstreams } from '../../../test/harness/several.ts';

const GAME = 'game_id_1';

let t: SeveralUpstreams;
beforeAll(async () => {
  t = await openSeveral({ east: { cost: '0.30', currency: 'USD' }, west: {} });
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
});
afterAll(() => t.close());

test('each upstream stands with its figures of a day, and what was redeemed has cost', async () => {
  for (const playerId of ['5170925570', '5170925571'])
    await t.core.redeem(t.actor, { gameId: GAME, playerId, denomination: 60 });
  const host = await openTestConsole(t).enter({ kind: 'host', by: TEST_HOST });
  const { html } = await host.get('/host');
  const [, rows = ''] = /<h2 id="upstreams">[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(html) ?? [];
  const shown = [...rows.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').trim(),
    ),
  );
  expect(shown).toEqual([
    ['east scripted', 'serves', '2 of 2', expect.stringMatching(/\d/), '0.60 USD', '0'],
    ['west scripted', 'serves', '0 of 0', '—', '—', '0'],
  ]);
});
