// Words under a picture are an answer as any others are: screenshots are forwarded with what matters below them.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

const picture = (caption: string) => ({ photo: new Uint8Array([1]), caption });

test('to the question for a player', async () => {
  const operator = personOf(t.api, t.people.operator);
  operator.says('/redeem');
  await operator.presses('Game 1');
  await operator.sees(/player/i);
  operator.looksAway();
  operator.says(picture('5170925570'));
  expect((await operator.sees(/ID 5170925570/)).buttons.length).toBeGreaterThan(0);
});

test('to the question what to look for', async () => {
  const support = personOf(t.api, t.people.support);
  support.says('/find');
  await support.sees('What shall I look for');
  support.looksAway();
  support.says(picture('5170925570'));
  await support.sees(/5170925570/);
});

test('while codes are collected, and a picture without any is told to be none', async () => {
  const admin = personOf(t.api, t.people.admin);
  admin.says('/add_codes 60');
  await admin.sees('Paste the codes now');
  admin.says(picture(`${makeCode()}\n${makeCode()}`));
  await admin.sees('60 UC: 2 new');
  admin.says(picture('the receipt'));
  await admin.sees('I cannot read codes from pictures');
});
