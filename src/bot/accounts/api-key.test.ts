import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';

let t: Stage;
let owner: Person;
beforeEach(async () => {
  t = await openStage();
  owner = personOf(t.api, t.people.owner);
});
afterEach(() => t.stop());

const live = () =>
  t
    .app()
    .core.apiKeys.list(t.actors.owner)
    .filter(({ revoked }) => !revoked);

test('a key is issued once for two presses, shown behind a spoiler alone, works, and is revoked', async () => {
  const before = live().length;
  owner.says('/api_key');
  await owner.presses('New key');
  await owner.sees('Make a new API key?');
  const question = owner.last();
  await Promise.all([
    t.api.press(owner.user, question, 'Make the key'),
    t.api.press(owner.user, question, 'Make the key'),
  ]);
  const shown = await owner.sees('Your new API key');
  const key = await owner.copies('Copy the key');
  expect(shown.text).toContain(key);
  expect(shown.visible).not.toContain(key);
  expect(live()).toHaveLength(before + 1);
  expect(t.app().core.apiKeys.authenticate(key)?.actor.accountId).toBe(t.accountId);
  owner.says(`/api_key revoke ${key.slice(0, 12)}`);
  await owner.sees('Revoke the key');
  await owner.presses('Revoke');
  await owner.sees('nobody can use it any more');
  expect(t.app().core.apiKeys.authenticate(key)).toBeUndefined();
});

test('a key is named by what is written under the question, and by nothing that is written after it was made', async () => {
  owner.says('/api_key new');
  await owner.sees('What is it for?');
  const unnamed = owner.last();
  owner.says('Bot of the shop');
  await owner.sees(/Make a new API key for .*Bot of the shop/);
  expect(await t.api.press(owner.user, unnamed, 'Make the key')).toMatchObject({ alert: true });
  await owner.presses('Make the key');
  await owner.sees('Your new API key');
  expect(live().map(({ name }) => name)).toContain('Bot of the shop');
  owner.says('/api_key');
  await owner.sees(/Bot of the shop.*never used/);
  await owner.presses('Revoke Bot of the shop');
  await owner.sees(/Revoke the key .*Bot of the shop/);
  await owner.presses('Revoke');
  await owner.presses('All keys');
  await owner.sees('API keys');
  owner.looksAway();
  owner.says('/api_key new');
  await owner.sees('What is it for?');
  await owner.presses('Make the key');
  await owner.sees('Your new API key');
  const before = live();
  owner.looksAway();
  owner.says('hello');
  await owner.sees(/Send a player ID/);
  expect(live()).toEqual(before);
});

test('a key that could not be sent at first comes after the outage, and is still one', async () => {
  const before = live().length;
  owner.says('/api_key new');
  await owner.sees('Make a new API key?');
  t.api.faults.next('sendMessage', { kind: 'error', code: 500 }, 1);
  await owner.presses('Make the key');
  await owner.sees('Your new API key');
  await t.restart();
  expect(live()).toHaveLength(before + 1);
  expect(owner.all().filter((message) => message.text.startsWith('Your new API key'))).toHaveLength(1);
});

test('nobody but the owner manages keys, whatever button they press', async () => {
  owner.says('/api_key new');
  await owner.sees('Make a new API key?');
  const before = live().length;
  for (const role of ['admin', 'operator', 'support'] as const) {
    const person = personOf(t.api, t.people[role]);
    person.says('/api_key new');
    await person.sees('Your role may not do this');
  }
  expect(live()).toHaveLength(before);
});

test('a key issued by a crashed update is shown again, not issued again', async () => {
  const { apiKeys } = t.app().core;
  const first = await apiKeys.issueOrdered(t.actors.owner, 'order');
  const again = await apiKeys.issueOrdered(t.actors.owner, 'order');
  expect(again).toEqual(first);
  expect(await apiKeys.issueOrdered(t.actors.owner, 'other')).not.toMatchObject({ id: first.id });
  await apiKeys.revoke(t.actors.owner, first.id);
  expect(await apiKeys.issueOrdered(t.actors.owner, 'order')).toMatchObject({ status: 'alreadyRevoked' });
});

test('eight keys are shown at a time, and the pages lead to each other', async () => {
  for (let n = live().length; n < 17; n += 1) await t.app().core.apiKeys.issue(t.actors.owner);
  const prefixes = live().map(({ prefix }) => prefix);
  owner.says('/api_key');
  const pages = [await owner.sees(/API keys/)];
  const turn = async (label: string) => {
    owner.looksAway();
    await owner.presses(label);
    return owner.sees(/API keys/);
  };
  pages.push(await turn('Next ›'), await turn('Next ›'));
  expect(
    pages.map(({ buttons }) => buttons.map(({ text }) => text).filter((text) => /[‹›]/.test(text))),
  ).toEqual([['Next ›'], ['‹ Previous', 'Next ›'], ['‹ Previous']]);
  const shown = pages.map(({ text }) => prefixes.filter((prefix) => text.includes(prefix)));
  expect(shown.map(({ length }) => length)).toEqual([8, 8, 1]);
  expect(new Set(shown.flat()).size).toBe(17);
  expect((await turn('‹ Previous')).text).toBe(pages[1]?.text);
});
