// What is taken back beside other things: a press in the same moment, a restart, a caption, many questions at once. And
// what changes without words, of which nothing is said.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
let operator: Person;
beforeAll(async () => {
  t = await openStage({ api: { flood: 'none' } });
  operator = personOf(t.api, t.people.operator);
  const codes = Array.from({ length: 9 }, () => makeCode());
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);
});
afterAll(() => t.stop());
beforeEach(() => operator.looksAway());

const available = () => t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(60);

let number = 60_000;
/** As Telegram tells of a message that they changed, where it is none of words alone. */
function tellOfChange(changed: { message_id: number; caption?: string; location?: object }): void {
  const { id } = operator.user;
  const chat = { id, type: 'private', first_name: 'operator' } as const;
  const edited = { date: 1_790_000_000, edit_date: 1_790_000_060, from: operator.user, chat, ...changed };
  t.api.deliver({ update_id: (number += 1), edited_message: edited });
}

// One chat, told in order.
describe('what is taken back', { shuffle: false }, () => {
  test('a press that came before the change, or before the cancel, wins, once; one that came after does nothing', async () => {
    for (const [index, takeBack] of ['edit', 'cancel', 'edit', 'cancel'].entries()) {
      operator.looksAway();
      const isPressedFirst = index < 2;
      const before = available();
      const { message } = operator.says(`517092558${index} 60`);
      const card = await operator.sees('Redeem this?');
      const press = () => t.api.press(operator.user, card, 'Redeem');
      const takeItBack = () =>
        takeBack === 'edit' ? t.api.edit(operator.user, message, '5170925570 60') : operator.says('cancel');
      const pressed = isPressedFirst ? press() : undefined;
      takeItBack();
      const answer = await (pressed ?? press());
      if (isPressedFirst) await operator.sees('Redeemed');
      else
        expect([answer?.alert, answer?.text]).toEqual([true, expect.stringContaining('You took this back')]);
      await operator.sees(isPressedFirst ? /changed later|nothing to cancel/ : /I took back what I asked/);
      expect([isPressedFirst, available()]).toEqual([isPressedFirst, isPressedFirst ? before! - 1 : before]);
    }
  });

  test('a caption that is changed takes back what it led to, also after a restart', async () => {
    const { message } = operator.says({ photo: new Uint8Array([1]), caption: '5170925571 60' });
    const card = await operator.sees('Redeem');
    await t.restart();
    tellOfChange({ message_id: message.id, caption: '5170925572 60' });
    await operator.sees('You changed that message');
    expect(operator.all().find(({ id }) => id === card.id)?.text).toBe('Cancelled. Nothing was done.');
  });

  test('a live location moves without words, and takes nothing back', async () => {
    const { message } = operator.says('5170925573 60');
    const { id } = await operator.sees('Redeem this?');
    tellOfChange({ message_id: message.id, location: { latitude: 1, longitude: 1 } });
    operator.says('/quota');
    await operator.sees('Daily quota');
    operator.doesNotSee(/changed/);
    expect(operator.all().find((each) => each.id === id)?.text).toContain('Redeem this?');
  });

  test('of many questions the last twenty say that they are taken back, the others when they are pressed', async () => {
    const cards: Awaited<ReturnType<Person['sees']>>[] = [];
    for (let n = 0; n < 23; n += 1) {
      operator.looksAway();
      operator.says(`51709256${10 + n} 60`);
      cards.push(await operator.sees('Redeem this?'));
    }
    await t.restart();
    operator.says('отмена');
    await operator.sees('I took back the 20 questions');
    const texts = cards.map(({ id }) => operator.all().find((each) => each.id === id)?.text ?? '');
    expect(texts.filter((text) => text.startsWith('Cancelled'))).toHaveLength(20);
    const before = available();
    expect(await t.api.press(operator.user, cards[0]!, 'Redeem')).toMatchObject({ alert: true });
    expect(available()).toBe(before);
  });
});
