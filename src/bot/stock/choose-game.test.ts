// While a question about codes stands, other things come: the rest of a paste, a second tap, a button of the question
// before.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { withGames } from '../../../test/world/play/chat-file.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage({ ...withGames('two-games'), api: { flood: 'none' } });
  admin = personOf(t.api, t.people.admin);
});
afterEach(() => t.stop());

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const lines = (...parts: string[]) => parts.join('\n');

test('a paste that comes in pieces is kept whole while the game is asked for', async () => {
  admin.says(lines('60', ...makeCodes(2)));
  await admin.sees('Which game?');
  admin.says(lines('325 UC'));
  admin.says(lines(...makeCodes(3)));
  await admin.sees('Please press one of the games.');
  await admin.presses('Game 1');
  await admin.sees('Read: 3 messages.');
  await admin.presses('Add 5 codes');
  await admin.sees('5 codes added');
  const stock = t.app().core.codes.countAvailable(t.actors.admin, 'game_id_1');
  expect([stock.get(60), stock.get(325)]).toEqual([2, 3]);
});

test('so is one behind the command, and one in answer to the question', async () => {
  admin.says(lines('/add_codes 60', ...makeCodes(2)));
  await admin.sees('Which game?');
  admin.says(lines(...makeCodes(3)));
  await admin.sees('Please press one of the games.');
  await admin.presses('Game 1');
  await admin.sees('60 UC: 5 new');
  await admin.presses('Cancel');

  admin.looksAway();
  admin.says('/add_codes 60');
  await admin.sees('Which game?');
  admin.says(lines(...makeCodes(4)));
  await admin.sees('Please press one of the games.');
  await admin.presses('Game 1');
  await admin.sees('60 UC: 4 new');
});

test('a game that is pressed twice is chosen once', async () => {
  admin.says('/add_codes');
  const question = await admin.sees('Which game?');
  await t.api.press(admin.user, question, 'Game 1');
  await t.api.press(admin.user, question, 'Game 1');
  await admin.presses('60 UC');
  await admin.sees('Paste the codes now');
  admin.doesNotSee('cannot be right');
});

test('a denomination that is pressed twice is no number of codes', async () => {
  const { core } = t.app();
  await core.codes.add(t.actors.owner, 'game_id_1', [
    { denomination: 60, codes: makeCodes(3) },
    { denomination: 325, codes: [makeCode('325S')] },
  ]);
  admin.says('/extract_codes');
  await admin.presses('Game 1');
  const question = await admin.sees((one) => one.buttons.some(({ text }) => text.startsWith('60 UC')));
  const label = question.buttons.find(({ text }) => text.startsWith('60 UC'))?.text ?? '';
  await t.api.press(admin.user, question, label);
  await t.api.press(admin.user, question, label);
  await admin.sees('How many');
  admin.says('2');
  const isAsked = (one: { buttons: readonly { text: string }[] }) =>
    one.buttons.some(({ text }) => text === 'Take out 2');
  await admin.sees(isAsked);
  expect(admin.all().filter(isAsked)).toHaveLength(1);
});
