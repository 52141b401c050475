import { afterEach, beforeEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { ROLES, type Role } from '../../core/context.ts';

let t: Stage;
let people: Record<Role, Person>;
beforeEach(async () => {
  t = await openStage();
  people = Object.fromEntries(ROLES.map((role) => [role, personOf(t.api, t.people[role])])) as typeof people;
});
afterEach(() => t.stop());

const GAME = 'game_id_1';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const add = (role: Role, codes: string[]) =>
  t.app().core.codes.add(t.actors[role], GAME, [{ denomination: 60, codes }]);
const stock = () => t.app().core.codes.countAvailable(t.actors.admin, GAME).get(60);

test('an owner sees whose batches there are and what became of them, and undoes one of another', async () => {
  const { owner } = people;
  const first = await add('operator', makeCodes(5));
  const second = await add('admin', makeCodes(3));
  await t.app().core.codes.extract(t.actors.owner, { gameId: GAME, denomination: 60, amount: 5 });
  owner.says('/batches');
  const list = await owner.sees(/^The last batches\n/);
  const text = list.text.replace(/[\u2066-\u2069]/g, '');
  expect(text).toMatch(
    /Batch \d+ · Game 1\n.* · admin\n3 codes added\n3 taken out\n\nBatch \d+ · Game 1\n.* · operator/,
  );
  expect(list.text).toContain('3 available, 2 taken out');
  await owner.presses(`Undo batch ${first.batchId}`);
  await owner.sees(/Undo batch \d+ \(5 codes\)\? What is still available/);
  await t.restart();
  await owner.presses('Undo');
  await owner.sees(new RegExp(`Batch ${first.batchId} is undone: 3 codes were taken back`));
  expect(stock()).toBe(0);
  owner.says('/batches');
  const after = await owner.sees(/2 taken out, 3 taken back/);
  expect(after.buttons.map(({ text }) => text)).toEqual([`Undo batch ${second.batchId}`]);
});

test('operators see and undo their own alone, support none', async () => {
  const { operator, support } = people;
  const mine = await add('operator', makeCodes(1));
  const other = await add('admin', makeCodes(2));
  operator.says('/batches');
  const list = await operator.sees(/^The last batches\n/);
  expect(list.text).toContain(`Batch ${mine.batchId}`);
  expect(list.text).not.toContain(`Batch ${other.batchId}`);
  const forged = await t.api.press(t.people.operator, list, { data: `batch:undo:${other.batchId}` });
  expect(forged).toMatchObject({ alert: true });
  support.says('/batches');
  await support.sees(/may not do this/);
});

test('the list is paged from the newest on, without a gap where more came meanwhile', async () => {
  const { admin } = people;
  const ids: number[] = [];
  for (let count = 0; count < 12; count += 1) ids.push((await add('admin', makeCodes(1))).batchId);
  const seen = (text: string) => [...text.matchAll(/Batch (\d+)/g)].map(([, id]) => Number(id));
  admin.says('/batches');
  const first = await admin.sees(/^The last batches\n/);
  await add('admin', makeCodes(1));
  await admin.presses('Next ›');
  const second = await admin.sees(
    (message) =>
      (message.edits > 0 && message.text.includes(`Batch ${ids[6]}\n`)) ||
      message.text.includes(`Batch ${ids[6]} `),
  );
  admin.looksAway();
  await admin.presses('Next ›');
  const third = await admin.sees(/^The last batches\n/);
  expect([first, second, third].flatMap(({ text }) => seen(text))).toEqual(ids.toReversed());
  admin.looksAway();
  await admin.presses('‹ Newest');
  expect(seen((await admin.sees(/^The last batches\n/)).text)[0]).toBeGreaterThan(ids[11] ?? 0);
});
