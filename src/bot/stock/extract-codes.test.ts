import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { grantOf, ROLES } from '../../core/context.ts';
import type { SeenMessage, User } from '../../../test/telegram/types.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

const GAME = 'game_id_1';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const add = (codes: string[], denomination = 60) =>
  t.app().core.codes.add(t.actors.admin, GAME, [{ denomination, codes }]);
const stock = () => t.app().core.codes.countAvailable(t.actors.admin, GAME).get(60);
const documents = (person: User) =>
  t.api.messages(person).filter((message) => message.document !== undefined && message.from?.is_bot);

function sees(person: User, pattern: RegExp): Promise<SeenMessage> {
  const find = () =>
    t.api.messages(person).findLast((message) => message.from?.is_bot && pattern.test(message.text));
  return t.api.waitFor(find, 8_000, String(pattern));
}

function says(person: User, text: string): void {
  t.api.send(person, person, text);
}

test('codes come as a file after one confirmation, and the same file again', async () => {
  const { admin } = t.people;
  const codes = makeCodes(5);
  await add(codes);
  says(admin, '/extract_codes 60 3');
  const asked = await sees(admin, /Take out 3 codes of 60 UC/);
  expect(asked.text).toContain('In stock: 5');
  await t.api.press(admin, asked, 'Take out 3');
  const sent = await t.api.waitFor(() => documents(admin)[0]);
  expect(sent.document?.bytes.toString()).toBe(`60 UC:\n${codes.slice(2).join('\n')}\n`);
  expect(sent.text).toMatch(/Extraction \d+: 3 codes of 60 UC/);
  expect(stock()).toBe(2);
  await t.api.press(admin, sent, 'Send again');
  const again = await t.api.waitFor(() => documents(admin)[1]);
  expect(again.document?.bytes.equals(sent.document!.bytes)).toBe(true);
  expect(stock()).toBe(2);
  expect((await t.api.press(admin, asked, 'Take out 3'))?.text).toMatch(/already used/);
  expect(stock()).toBe(2);
});

test('asked step by step, across a restart; more than there is becomes what there is', async () => {
  const { owner } = t.people;
  await add(makeCodes(4));
  await add(makeCodes(1), 325);
  says(owner, '/extract_codes');
  const which = await sees(owner, /Which denomination/);
  expect(which.buttons.map((button) => button.text)).toEqual(['60 UC (4)', '325 UC (1)']);
  await t.api.press(owner, which, '60 UC (4)');
  await sees(owner, /How many/);
  await t.restart();
  says(owner, '0');
  await sees(owner, /as a number/);
  says(owner, '9');
  const asked = await sees(owner, /There are only 4 in stock/);
  await t.api.press(owner, asked, 'Take out 4');
  await sees(owner, /Extraction \d+: 4 codes/);
  expect(stock()).toBe(0);
  says(owner, '/extract_codes 60 1');
  await sees(owner, /There are no codes/);
});

const extractions = () => t.app().core.extractionHistory.listRecent(t.actors.admin, 10);

test('ten are one message and two taps, and what is written then is no amount any more', async () => {
  const { admin } = t.people;
  await add(makeCodes(70));
  await add(makeCodes(1), 325);
  says(admin, '/extract_codes');
  await t.api.press(admin, await sees(admin, /Which denomination/), '60 UC (70)');
  const offer = await sees(admin, /How many codes of 60 UC/);
  const labels = ['Take out 1', 'Take out 10', 'Take out 50', 'All 70', 'Cancel'];
  expect(offer.buttons.map(({ text }) => text)).toEqual(labels);
  await t.api.press(admin, offer, 'Take out 10');
  await sees(admin, /Extraction \d+: 10 codes of 60 UC/);
  expect(stock()).toBe(60);
  says(admin, '7');
  await t.api.waitFor(
    () => t.api.messages(admin).findLast(({ from }) => from?.is_bot)?.document === undefined || undefined,
  );
  expect(t.api.messages(admin).filter(({ text }) => /Take out 7 codes/.test(text))).toEqual([]);
});

test('two amounts at the same moment, the same twice, an old one and one that comes again are one extraction', async () => {
  const { admin } = t.people;
  await add(makeCodes(70));
  says(admin, '/extract_codes 60');
  const offer = await sees(admin, /How many codes of 60 UC/);
  const labels = ['Take out 10', 'Take out 1', 'Take out 10', 'All 70'];
  const answers = await Promise.all(labels.map((label) => t.api.press(admin, offer, label)));
  await sees(admin, /Extraction \d+: 10 codes of 60 UC/);
  const taken = extractions();
  expect(taken).toMatchObject([{ count: 10, denomination: 60 }]);
  expect(answers.filter((answer) => answer?.alert === true).length).toBeLessThan(labels.length);
  const taps = t.api.updates().filter((update) => update.callback_query !== undefined);
  for (const { update_id: id } of taps) t.api.redeliver(id);
  await t.restart();
  for (const { update_id: id } of taps) t.api.redeliver(id);
  for (const label of ['Take out 50', 'Take out 10'])
    expect((await t.api.press(admin, offer, label))?.text).toMatch(/already used/);
  expect(extractions()).toEqual(taken);
  expect(stock()).toBe(60);
});

test('a file that its orderer’s closed chat refused is told to the owner, who has it by a button', async () => {
  const { admin, owner } = t.people;
  const [code = ''] = makeCodes(1);
  await add([code]);
  says(admin, '/extract_codes 60 1');
  const asked = await sees(admin, /Take out 1 code/);
  const pressed = t.api.press(admin, asked, 'Take out 1').catch(() => undefined);
  t.api.block(admin);
  await pressed;
  const told = await sees(owner, /Extraction \d+ \(1 code of 60 UC, .*\) reached nobody/);
  expect(documents(admin)).toEqual([]);
  await t.api.press(owner, told, 'Send again');
  const sent = await t.api.waitFor(() => documents(owner)[0]);
  expect(sent.document?.bytes.toString()).toBe(`60 UC:\n${code}\n`);
  says(owner, '/extract_codes');
  expect((await sees(owner, /The last extractions/)).text).toMatch(/Extraction \d+[^]*1 code of 60 UC/);
});

test('cancelled, forged, another person’s or another account’s: nothing leaves', async () => {
  const { admin, owner, operator } = t.people;
  await add(makeCodes(3));
  says(admin, '/extract_codes 60 2');
  const asked = await sees(admin, /Take out 2 codes/);
  const data = asked.buttons[0]?.callback_data ?? '';
  const elsewhere = await sees(owner, /Every day/);
  expect(await t.api.press(owner, elsewhere, { data })).toMatchObject({ alert: true });
  expect(await t.api.press(operator, await sees(operator, /Every day/), { data })).toMatchObject({
    alert: true,
  });
  await t.api.press(admin, asked, 'Cancel');
  expect(await t.api.press(admin, asked, 'Take out 2')).toMatchObject({ alert: true });
  const forged = { data: 'extract:again:999' };
  expect(await t.api.press(admin, await sees(admin, /Every day/), forged)).toMatchObject({ alert: true });
  expect(stock()).toBe(3);
  expect(documents(admin)).toEqual([]);
});

test('who may extract is what the table says; a denomination that does not exist is asked for again', async () => {
  await add(makeCodes(1));
  for (const role of ROLES) {
    const may = grantOf(t.actors[role], 'extractCodes') !== 'no';
    says(t.people[role], '/extract_codes 61 1');
    await sees(t.people[role], may ? /no codes of 61 in stock/ : /may not do this/);
  }
});

test('the stock is shown with what was spent today; in a group numbers alone', async () => {
  const { operator, support } = t.people;
  await add(makeCodes(2));
  await add(makeCodes(1), 325);
  await t.app().core.redeem(t.actors.admin, { gameId: GAME, playerId: '5170925570', denomination: 60 });
  says(operator, '/stock');
  const shown = await sees(operator, /spent today/);
  expect(shown.text).toContain('60 UC: 1 available, 1 spent today');
  expect(shown.text).toContain('325 UC: 1 available, 0 spent today');
  expect(shown.text).toContain('None yet: 660 · 1800');
  await t.api.press(operator, shown, 'Add codes');
  await sees(operator, /Which denomination/);
  says(support, '/stock');
  expect((await sees(support, /spent today/)).buttons).toEqual([]);
  const group = t.api.createGroup({ title: 'Shop', members: [operator] });
  t.api.send(operator, group, '/stock');
  const inGroup = await t.api.waitFor(() => t.api.messages(group).find((message) => message.from?.is_bot));
  expect(inGroup.text).toContain('60 UC: 1 available');
  expect(inGroup.buttons).toEqual([]);
});
