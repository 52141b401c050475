// The button that is the order, pressed by both thumbs at once; that a name is looked up is shown; in a group nothing is heard.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const PLAYER = '5170925570';

let t: Stage;
let person: Person;
beforeEach(async () => {
  t = await openStage();
  const codes = [makeCode(), makeCode(), makeCode()];
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);
  person = personOf(t.api, t.people.operator);
});
afterEach(() => t.stop());

const available = () => t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(60);

test('two taps at once, delivered again, redeem once', async () => {
  person.says(`${PLAYER} 60`);
  const asked = await person.sees(/Redeem this\?/);
  const taps = await Promise.all([
    t.api.press(person.user, asked, 'Redeem'),
    t.api.press(person.user, asked, 'Redeem'),
  ]);
  expect(taps.map((tap) => tap?.text).sort()).toEqual([expect.stringMatching(/already used/), undefined]);
  for (const update of t.api.updates()) t.api.redeliver(update.update_id);
  expect((await person.sees(/Redeemed · receipt/)).id).toBe(asked.id);
  await t.quiet();
  expect(t.app().core.receipts.list(t.actors.owner, {})).toHaveLength(1);
  expect([available(), t.app().core.quota(t.actors.owner).daily.used]).toEqual([2, 1.25]);
});

test('nothing is redeemed by a screen that is not the last', async () => {
  person.says(PLAYER);
  const card = await person.sees(/What shall I redeem\?/);
  const data = card.buttons.find(({ text }) => text.startsWith('60 UC'))?.callback_data ?? '';
  expect(data).toMatch(/:d60$/);
  await t.api.press(person.user, card, { data: data.replace('d60', 'ok') });
  await t.quiet();
  expect([available(), t.app().core.receipts.list(t.actors.owner, {})]).toEqual([3, []]);
});

test('while a name is looked up the bot types, and nothing is lost where that is refused', async () => {
  person.says(PLAYER);
  await person.sees(/What shall I redeem\?/);
  expect(t.api.calls('sendChatAction').map(({ payload }) => payload['action'])).toEqual(['typing']);
  t.api.faults.next('sendChatAction', { kind: 'error', code: 400, description: 'Bad Request' });
  person.says('5170925571');
  await person.sees(/ID 5170925571\nGame: Game 1/);
});

test('an order in a group is not heard', async () => {
  const group = t.api.createGroup({ title: 'Shop', members: [person.user], hearsAll: true });
  for (const text of [PLAYER, `${PLAYER} 60`, makeCode()]) person.inChat(group).says(text);
  person.says('/quota');
  await person.sees(/Used 0 of 300/);
  expect(t.api.messages(group).filter((message) => message.byBot)).toEqual([]);
  expect([available(), t.app().core.quota(t.actors.owner).daily.used]).toEqual([3, 0]);
});
