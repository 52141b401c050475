// Searches through more than is looked at, and names that are not what they look like.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

/** Written beside the running app: redemptions of long ago. */
async function insertPast(
  each: readonly { playerId: string; playerName: string; code: string }[],
): Promise<void> {
  const store = t.beside();
  await store.write((tables) => {
    for (const [now, { playerId, playerName, code }] of each.entries()) {
      const id = tables.redemptions.begin({
        ...{ accountId: t.accountId, actor: 'apiKey:1', gameId: 'game_id_1', mode: 'direct', playerId },
        ...{ denomination: null, codeId: null, usageId: null, now },
        code: { text: code, ...store.seals.seal('game_id_1', code) },
      });
      const receipt = { openid: 'o', playerName, region: null, productName: null, amount: null };
      endRedeemed(tables, id, { ...receipt, warning: true, credentials: null }, now);
    }
  });
  await store.close();
}

test('where not all was looked through it says so, and how the rest is found', async () => {
  const somebody = () => ({ playerId: '5188888888', playerName: 'Somebody', code: makeCode() });
  await insertPast(Array.from({ length: 201 }, somebody));
  const support = personOf(t.api, t.people.support);
  support.says('/find somebody');
  const { text } = await support.sees('Found 200 ');
  expect(text.split('\n\n')[0]).toBe(
    'Found 200 redemptions, page 1 of 20. Times are UTC.\nLooked for: \u2068somebody\u2069\nI looked back to 1 Jan 1970. There may be older ones: a whole player ID, a code or a day finds them.',
  );
  // The codes of all of them begin alike.
  support.says('/find 60S000');
  await support.sees('Too many codes begin or end like this. Send more characters of the code.');
});

test('hostile names of players are one isolated line each, whatever the language', async () => {
  const names = [
    '<b>bold</b>&amp;',
    '\u202egnp.exe',
    '\u200b\u200b',
    'a\n/receipt_999\nb',
    'x'.repeat(4_000),
  ];
  names.push('{ $id }');
  await insertPast(
    names.map((playerName, n) => ({ playerId: '<u>5', playerName, code: `<i>${n}</i>"&=1+1` })),
  );
  const admin = personOf(t.api, t.people.admin);
  admin.says('/settings ru');
  await admin.sees('Теперь');
  for (const [person, word] of [
    [personOf(t.api, t.people.owner), 'History'],
    [admin, 'История'],
  ] as const) {
    person.says('/history');
    const { text } = await person.sees(word);
    const ids = [...text.matchAll(/\/receipt_(\d+)/g)].map((match) => Number(match[1]));
    expect(ids.filter((id) => id !== 999)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(text.split('\n')).toHaveLength(6 + 4);
    expect(text).toContain('<b>bold</b>&amp;');
  }
});
