// Several codes as one order while they are under way: counted along, stopped by hand, in doubt, pressed twice, delivered
// again, over restarts; nothing is redeemed twice and nothing is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { holdRedemptions } from '../../../test/harness/held-redemptions.ts';

const PLAYER = '5170925570';
const GAME = 'game_id_1';

let t: Stage;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'several-'));
});
afterEach(async () => {
  await t.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A shop whose codes of 60 behave as their beginnings say, in this order; each takes a moment. */
async function openShop(prefixes: string[], options: StageOptions = {}): Promise<Person> {
  const platform = {
    kind: 'sandbox',
    path: join(folder, 'sandbox.db'),
    latencyMs: 120,
    upstreams: 1,
  } as const;
  t = await openStage({ platform, ...options });
  const codes = prefixes.map((prefix) => makeCode(prefix));
  await t.app().core.codes.add(t.actors.owner, GAME, [{ denomination: 60, codes }]);
  const person = personOf(t.api, t.people.operator);
  person.looksAway();
  return person;
}

async function order(person: Person, count: number) {
  person.says(`${PLAYER} 60 x${count}`);
  const asked = await person.sees(/Redeem this\?/);
  await person.presses('Redeem');
  return asked;
}

const redemptions = () => t.app().core.receipts.list(t.actors.owner, {});
const redeemed = () => redemptions().filter(({ state }) => state === 'redeemed');
const used = () => t.app().core.quota(t.actors.owner).daily.used;
const labels = (message: { buttons: { text: string }[] }) => message.buttons.map(({ text }) => text);

test('the message counts along and tells of each, and two taps and every update again are one order', async () => {
  const person = await openShop(['60S', '60S', '60S']);
  const asked = await order(person, 3);
  await t.api.press(person.user, asked, 'Redeem');
  for (const update of t.api.updates()) t.api.redeliver(update.update_id);
  const counting = await person.sees(/Redeeming for .*: \d of 3/);
  expect([counting.id, labels(counting)]).toEqual([asked.id, ['Stop']]);
  const done = await person.sees(/All 3 redeemed/);
  expect(done.id).toBe(asked.id);
  expect(person.all().filter(({ text }) => /edeemed · receipt \d+/.test(text))).toEqual([]);
  expect([redemptions().length, used()]).toEqual([3, 3.25]);
});

test('Stop lets the one under way come to its end, and says so; the rest is a new confirmation, with the warning', async () => {
  const { through, isHeld, letGo } = holdRedemptions();
  const person = await openShop(['60S', '60S', '60S', '60S'], { through });
  await order(person, 4);
  await t.until(isHeld);
  await person.presses('Stop');
  const stopping = await person.sees(/Stopping for .*: 0 of 4\. The one under way is carried through/);
  expect(stopping.buttons).toEqual([]);
  letGo();
  const stopped = await person.sees(/Stopped: 1 of 4 redeemed/);
  expect(stopped.text).toMatch(/It was stopped by hand\.\nNot redeemed: 60 UC × 3$/);
  await person.presses('Continue with the rest');
  expect(labels(await person.sees(/Redeem this\?/))[0]).toBe('Redeem again');
  await person.presses('Redeem again');
  await person.sees(/All 3 redeemed/);
  expect(redeemed()).toHaveLength(4);
});

test('of several players, whatever is pressed twice or delivered again is redeemed once, also over a restart', async () => {
  const person = await openShop(['60S', '60S', '60S', '60S']);
  person.says(`${PLAYER} 60 x2\n5170925571 60`);
  const asked = await person.sees(/Redeem all of this\?/);
  await person.presses('Redeem all');
  await t.api.press(person.user, asked, 'Redeem all');
  await t.api.press(person.user, asked, 'One by one');
  await t.api.waitFor(() => redemptions().length > 0);
  await t.restart();
  for (const update of t.api.updates()) t.api.redeliver(update.update_id);
  await person.sees(/All 3 redeemed for 2 players/, 20_000);
  expect(
    redeemed()
      .map(({ playerId }) => playerId)
      .sort(),
  ).toEqual([PLAYER, PLAYER, '5170925571']);
});

test('a doubt is waited for in a line, and the order comes anew below when it is settled; stopped meanwhile, nothing more begins', async () => {
  const person = await openShop(['60S', 'LOST', '60S'], { platformTimeoutMs: 600 });
  const { id } = await order(person, 3);
  const waits = (message: { id: number; text: string }) =>
    message.id === id && /do not know yet/.test(message.text);
  const waiting = await person.sees(waits);
  expect(waiting.text).toMatch(/✅ 60 UC · \/receipt_\d+\n❔ 60 UC · \/receipt_\d+\n▫️ 60 UC\n/u);
  await t.api.press(person.user, waiting, 'Stop');
  const stopped = await person.sees(/Stopped: 1 of 3 redeemed/, 20_000);
  expect(stopped.text).toMatch(/stopped by hand[\s\S]*Not redeemed: 60 UC × 2$/);
  expect(redemptions()).toHaveLength(2);
  expect(person.all().filter(({ text }) => /Not certain yet/.test(text))).toEqual([]);
});

test('a restart at any step: it goes on by itself, once each', async () => {
  const person = await openShop(['60S', '60S', '60S']);
  await order(person, 3);
  for (let count = 0; count < 3; count += 1) {
    await t.api.waitFor(() => redemptions().length > count);
    await t.restart();
    for (const update of t.api.updates().slice(-3)) t.api.redeliver(update.update_id);
  }
  await person.sees(/All 3 redeemed/, 20_000);
  expect([redemptions().length, redeemed().length, used()]).toEqual([3, 3, 3.25]);
});
