import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
let owner: Person;
beforeEach(async () => {
  t = await openStage();
  owner = personOf(t.api, t.people.owner);
});
afterEach(() => t.stop());

test('the language changes by button and by word, with the menu, and survives a restart', async () => {
  owner.says('/settings');
  await owner.sees('Language: English, as in your Telegram');
  await owner.presses('Русский');
  await owner.sees('Язык: Русский');
  const menu = () => t.api.menu(owner.user);
  await t.api.waitFor(() => menu().some(({ description }) => description === 'Кто в аккаунте'));
  await t.restart();
  owner.says('/help');
  await owner.sees('Каждый день');
  owner.says('/settings en');
  await owner.sees('I speak English from now on');
});

test('the time zone is asked for, or named behind the command, for everybody in the account', async () => {
  const answer = await t
    .app()
    .core.redeem(t.app().actor, { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
  if (answer.status !== 'answered') throw new Error(answer.status);
  const { id, createdAt } = answer.redemption;
  const support = personOf(t.api, t.people.support);
  const shows = async (zone: string, label: string) => {
    support.looksAway();
    support.says(`/receipt_${id}`);
    const { text } = await support.sees(/Redeemed · receipt/);
    const time = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
    }).format(createdAt);
    expect(text).toContain(`, ${time} ${label}\n`);
  };
  await shows('UTC', 'UTC');
  owner.says('/settings');
  await owner.sees('Time zone: UTC');
  await owner.presses('Time zone');
  await owner.sees('In which time zone');
  owner.says('Москва');
  await owner.sees(/Saved\. .*Moscow, UTC\+3\. It is \d\d:\d\d there now/);
  await shows('Europe/Moscow', 'UTC+3');
  await owner.presses('‹ Back');
  await owner.sees('Time zone: Moscow, UTC+3');
  for (const [command, said] of [
    ['/quota', /\d\d:\d\d UTC\+3/],
    ['/history', /History, .*Times are UTC\+3/],
    ['/find 5170925570', /When: .* UTC\+3/],
  ] as const) {
    owner.looksAway();
    owner.says(command);
    await owner.sees(said);
  }
  for (const [words, said] of [
    ['utc-4:30', /UTC−4:30\. It is/],
    ['new york', /America\/New_York, UTC−[45]/],
    ['Asia/Nowhere', /do not know this time zone/],
    ['UTC+25', /do not know this time zone/],
  ] as const) {
    owner.looksAway();
    owner.says(`/settings ${words}`);
    await owner.sees(said);
  }
  await t.restart();
  support.says('/settings');
  await support.sees(/Time zone: America\/New_York/);
  support.doesNotSee('In which time zone');
  support.looksAway();
  support.says('/settings UTC+3');
  await support.sees('Your role may not do this');
});
