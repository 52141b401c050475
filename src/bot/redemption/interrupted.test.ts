// What the end of the process kept from beginning is carried out later, and nobody is told; a fault of ours is told.
import { afterEach, expect, test, vi } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { CoreError } from '../../core/index.ts';

let t: Stage;
afterEach(() => t.stop());

test('an order that the end of the process kept from beginning waits for the next start', async () => {
  t = await openStage();
  const { core } = t.app();
  await core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
  const person = personOf(t.api, t.people.operator);
  person.says('/redeem 5170925570 60');
  await person.sees(/Redeem this\?/);
  const begin = vi
    .spyOn(core, 'beginRedemption')
    .mockRejectedValue(new CoreError('STOPPING', 'The service is stopping.'));
  await person.presses('Redeem');
  await t.until(() => begin.mock.calls.length === 1);
  await t.restart();
  const receipt = await person.sees(/Redeemed · receipt/);
  expect(person.all().filter(({ id }) => id > receipt.id)).toEqual([]);
});

test('a fault in the middle of being asked is told, and what was asked can be answered again', async () => {
  t = await openStage();
  const person = personOf(t.api, t.people.operator);
  const lookUp = vi.spyOn(t.app().core, 'findCharacter').mockRejectedValue(new Error('no disk'));
  person.says('/redeem');
  await person.presses('Game 1');
  person.says('5170925570');
  await person.sees(/^Something went wrong on my side/);
  lookUp.mockRestore();
  person.says('5170925570');
  await person.sees(/ID 5170925570/);
});
