// Pictures of a customer, sent as an album with an order under the first: one answer, not one a picture.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';

const REST = 'Send a player ID and an amount, like';
let t: Stage;
let operator: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  operator = personOf(t.api, t.people.operator);
  operator.looksAway();
});
afterEach(() => t.stop());

/** The pictures of an album, with these words under them; and a message behind them, whose answer comes last. */
async function sendAlbum(album: string, ...captions: (string | undefined)[]): Promise<string[]> {
  operator.looksAway();
  const before = operator.all().length;
  for (const caption of captions) {
    const picture = { photo: Buffer.from('x'), ...(caption !== undefined && { caption }) };
    t.api.send(operator.user, operator.chat, picture, { album });
  }
  operator.says('/terms');
  await operator.sees('Terms');
  return operator
    .all()
    .slice(before, -1)
    .map(({ text }) => text);
}

test('an order under the first picture is answered by its card alone', async () => {
  const said = await sendAlbum('1', '5170925570 60', undefined, undefined);
  expect(said).toEqual([expect.stringContaining('ID 5170925570')]);
});

test('an album without words is answered once, and so is the next one', async () => {
  expect(await sendAlbum('1', undefined, undefined)).toEqual([expect.stringContaining(REST)]);
  expect(await sendAlbum('2', undefined, undefined)).toEqual([expect.stringContaining(REST)]);
});

test('words under a later picture are read', async () => {
  const said = await sendAlbum('1', undefined, '5170925570 60', undefined);
  expect(said).toEqual([expect.stringContaining(REST), expect.stringContaining('ID 5170925570')]);
});
