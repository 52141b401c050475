// Files of codes on their way to whoever ordered them: what Telegram does not take, who may have it no more by then, and
// many taps on one order.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock, type ForwardClock } from '../../../test/harness/forward-clock.ts';
import { FAULTS, type FaultyCall } from '../../../test/telegram/faults.ts';

const DAY_MS = 24 * 60 * 60_000;
const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
const REACHED_NOBODY = /Extraction 1 \(2 codes of 60 UC, .*\) reached nobody/;
let t: Stage;
let clock: ForwardClock;
let admin: Person;
let owner: Person;
let codes: string[];
beforeEach(async () => {
  clock = createForwardClock();
  t = await openStage({ clock, api: { clock, flood: 'none' } });
  [admin, owner] = [personOf(t.api, t.people.admin), personOf(t.api, t.people.owner)];
  codes = Array.from({ length: 70 }, () => makeCode());
  await t.app().core.codes.add(t.actors.admin, STOCK_KEY.gameId, [{ denomination: 60, codes }]);
});
afterEach(() => t.stop());

const extractions = () => t.app().core.extractionHistory.listRecent(t.actors.admin, 10);
const stock = () => t.app().core.codes.countAvailable(t.actors.admin, STOCK_KEY.gameId).get(60);
/** The codes of each file that came to them. */
const filesOf = (person: Person) =>
  person
    .all()
    .flatMap(({ document, text }) =>
      document ? [[text, ...Buffer.from(document.bytes).toString().trim().split('\n').slice(1)]] : [],
    );

/** Two codes are ordered, and sending them meets this so often. */
async function takeTwo(fault: (typeof FAULTS)[keyof typeof FAULTS], times: number) {
  admin.says('/extract_codes 60 2');
  await admin.sees('Take out 2 codes');
  const order = t.api.faults.next('sendDocument', fault, times);
  await admin.presses('Take out 2');
  return order;
}

test('a file that Telegram refuses with its words comes without them', async () => {
  await takeTwo(FAULTS.refused, 1);
  await t.quiet();
  expect(filesOf(admin)).toEqual([['', ...codes.slice(-2)]]);
  admin.doesNotSee('did not take the file');
  owner.doesNotSee('reached nobody');
});

test('one that it refuses altogether is said not to have been taken, and comes by the button', async () => {
  await takeTwo(FAULTS.refused, 2);
  await admin.sees('Telegram did not take the file. Press “Send again” in a moment.');
  await admin.presses('Send again');
  await admin.sees(({ document }) => document !== undefined);
  expect(filesOf(admin)).toEqual([['Extraction 1: 2 codes of 60 UC (Game 1)', ...codes.slice(-2)]]);
  t.api.faults.next('sendDocument', FAULTS.blocked, 1);
  await admin.presses('Send again');
  await t.quiet();
  // They have had it.
  owner.doesNotSee('reached nobody');
});

test('one that the closed chat of its orderer refuses is told to the owner, who has it by a button', async () => {
  await takeTwo(FAULTS.blocked, 1);
  await owner.sees(REACHED_NOBODY);
  expect(filesOf(admin)).toEqual([]);
  await owner.presses('Send again');
  await owner.sees(({ document }) => document !== undefined);
  expect(filesOf(owner)).toEqual([['Extraction 1: 2 codes of 60 UC (Game 1)', ...codes.slice(-2)]]);
});

test.each([
  ['is no member', 'delete from members where telegram_id = ?', 'You are not a member of an account yet'],
  [
    'may not have it',
    "update members set role = 'operator' where telegram_id = ?",
    'Your role may not do this',
  ],
  [
    'is of another account',
    'update members set account_id = 2 where telegram_id = ?',
    'This button is too old',
  ],
])('one whose orderer %s by then is told to the owner', async (_what, change, said) => {
  await t.app().core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Other', days: 30 });
  const order = await takeTwo(FAULTS.badGateway, 2);
  await t.until(() => order.met() === 1);
  const file = new Database(t.app().databasePath);
  file.prepare(change).run(admin.user.id);
  file.close();
  await owner.sees(REACHED_NOBODY);
  await admin.sees(said);
  expect(filesOf(admin)).toEqual([]);
});

test('what was taken back comes however long Telegram was away, and again for a day only', async () => {
  admin.says('/batches');
  await admin.presses('Undo batch 1');
  const away = t.api.faults.next('sendDocument', FAULTS.badGateway, 2);
  await admin.presses('Undo');
  await t.until(() => away.met() === 1);
  clock.advance(2 * DAY_MS);
  await admin.sees(({ document }) => document?.name === 'batch-1-undone.txt');
  expect((await admin.presses('Send again'))?.text).toMatch(/for a day only/);
  expect(filesOf(admin).flat()).toHaveLength(71);
});

test('what is taken back before it could be told is not told as added', async () => {
  admin.says(`/add_codes 60 ${makeCode()}`);
  await admin.sees('1 new');
  const ofAdmin = ({ method, params }: FaultyCall) =>
    method === 'editMessageText' && params.integer('chat_id') === admin.user.id;
  const away = t.api.faults.next(ofAdmin, FAULTS.badGateway, 4);
  await admin.presses('Add 1 code');
  await t.until(() => away.met() > 0);
  owner.says('/batches');
  await owner.presses('Undo batch 2');
  await owner.presses('Undo');
  await owner.sees('Batch 2 is undone: 1 code was taken back.');
  await t.quiet();
  admin.doesNotSee('added.');
});

test('many taps on one order, forged ones, and taps that come again, are one extraction', async () => {
  admin.says('/extract_codes 60');
  const offer = structuredClone(await admin.sees('How many codes of 60 UC'));
  const press = (label: string) => t.api.press(admin.user, offer, label);
  const [, ten] = offer.buttons;
  for (const choice of ['2', '010', ''])
    await t.api.press(admin.user, offer, { data: `${ten?.callback_data?.slice(0, -2)}${choice}` });
  expect(extractions()).toEqual([]);
  await Promise.all(['Take out 10', 'Take out 1', 'Take out 10', 'All 70'].map(press));
  await admin.sees(/Extraction 1: 10 codes of 60 UC/);
  const taken = extractions();
  expect(taken).toMatchObject([{ count: 10, denomination: 60 }]);
  const taps = t.api.updates().filter((update) => update.callback_query !== undefined);
  for (const { update_id: id } of taps) t.api.redeliver(id);
  await t.restart();
  for (const { update_id: id } of taps) t.api.redeliver(id);
  for (const label of ['Take out 50', 'Take out 10'])
    expect((await press(label))?.text).toMatch(/already used/);
  expect(extractions()).toEqual(taken);
  expect(stock()).toBe(60);
});

test('ten thousand are the most at once', async () => {
  const { codes } = t.app().core;
  const many = Array.from({ length: 10_001 }, () => makeCode());
  await codes.add(t.actors.admin, STOCK_KEY.gameId, [{ denomination: 325, codes: many }]);
  admin.says('/extract_codes 325 20000');
  const { buttons } = await admin.sees('You asked for 20,000, but 10,000 is the most at once.');
  expect(buttons.map(({ text }) => text)).toEqual(['Take out 10000', 'Cancel']);
  admin.says('/extract_codes 325');
  await admin.sees(
    ({ buttons }) => buttons.some(({ text }) => text === 'Take out 10000') && buttons.length === 5,
  );
});

test('what was asked stands over a restart', async () => {
  admin.says('/extract_codes 60');
  await admin.sees('How many codes of 60 UC');
  await t.restart();
  admin.says('0');
  await admin.sees('as a number');
  admin.says('71');
  await admin.sees('There are only 70 in stock');
});
