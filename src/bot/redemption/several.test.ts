// Several codes for one player as one order: one after another, stopped by hand, by a failure or a doubt, gone on with
// after a restart; whatever is repeated, nothing is redeemed twice and nothing is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

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
const redeemed = () => redemptions().filter(({ error }) => !error);
const used = () => t.app().core.quota(t.actors.owner).daily.used;
const receipts = (person: Person) => person.all().filter(({ text }) => /edeemed · receipt \d+/.test(text));
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
  expect(done.text.match(/✅ 60 UC · \/receipt_\d+/g)).toHaveLength(3);
  expect(done.text).toContain('🧪 Sandbox: for trying');
  expect(labels(done)).toEqual(['Logins', 'For the customer', expect.stringMatching(/^Again for /)]);
  expect(receipts(person)).toEqual([]);
  expect([redemptions().length, used()]).toEqual([3, 3.25]);
  await person.presses(/^Again for /);
  expect((await person.sees(/no code of 60 UC left/)).text).toContain(PLAYER);
});

test('Stop lets the one under way come to its end; the rest is a new confirmation, with the warning', async () => {
  const person = await openShop(['60S', '60S', '60S', '60S']);
  await order(person, 4);
  await person.presses('Stop');
  const stopped = await person.sees(/Stopped: \d of 4 redeemed/);
  expect(stopped.text).toContain('It was stopped by hand.');
  const { length } = redeemed();
  expect(length).toBeLessThan(4);
  expect(stopped.text).toContain(`Not redeemed: 60 UC${4 - length > 1 ? ` × ${4 - length}` : ''}`);
  await person.presses('Continue with the rest');
  const rest = await person.sees(/Redeem this\?/);
  expect(labels(rest)[0]).toBe(length > 0 ? 'Redeem again' : 'Redeem');
  await person.presses(/^Redeem/);
  await t.api.waitFor(() => redeemed().length === 4, 15_000);
});

test('the rest of what was stopped by hand is ordered once, or by whoever is told that it was', async () => {
  const person = await openShop(Array.from({ length: 8 }, () => '60S'));
  await order(person, 4);
  await person.presses('Stop');
  const stopped = await person.sees(/Stopped: \d of 4 redeemed/);
  const goOn = async () => {
    person.looksAway();
    await t.api.press(person.user, stopped, 'Continue with the rest');
    return person.sees(/Redeem this\?/);
  };
  const presses = (asked: { buttons: { text: string }[]; id: number }) =>
    t.api.press(person.user, asked as never, labels(asked)[0] ?? '');
  const [one, other] = [await goOn(), await goOn()];
  expect(one.text).not.toContain('ordered already');
  await presses(one);
  await t.api.waitFor(() => redeemed().length === 4, 15_000);
  // Asked before that was ordered, it is asked once more.
  await presses(other);
  const warned = await person.sees(/was ordered already\. Ordered again, they get it twice/);
  expect([warned.id, labels(warned)[0], redeemed().length]).toEqual([other.id, 'Redeem again', 4]);
  expect((await goOn()).text).toContain('was ordered already');
});

test('what goes on for several players goes on for each alone, too', async () => {
  const person = await openShop(['RISK', 'RISK', '60S', '60S', '60S', '60S']);
  person.says(`${PLAYER} 60 x2\n5170925571 60 x2`);
  await person.sees(/Redeem all of this\?/);
  await person.presses('Redeem all');
  await person.sees(/Stopped: 0 of 4 redeemed for 2 players/);
  await person.presses('Continue with the rest');
  await person.presses('One by one');
  await person.sees(/ID 5170925571\n2 codes/);
  await person.presses(/^Redeem( again)?$/);
  await t.api.waitFor(() => redeemed().length === 2, 15_000);
  const orders = () => t.app().core.orders.list(t.actors.owner, {});
  expect(orders().map(({ playerId, run }) => [playerId, run])).toEqual(
    expect.arrayContaining([
      [PLAYER, 1],
      ['5170925571', 2],
    ]),
  );
  expect(orders()).toHaveLength(2);
});

test('the first failure ends it: what is left is said and untouched', async () => {
  const person = await openShop(['60S', 'RISK', '60S', '60S']);
  await order(person, 3);
  const stopped = await person.sees(/Stopped: 1 of 3 redeemed/);
  expect(stopped.text).toMatch(/✅ 60 UC · \/receipt_\d+\n❌ 60 UC · \/receipt_\d+\n▫️ 60 UC\n/u);
  expect(stopped.text).toMatch(/risk control refused[\s\S]*Not redeemed: 60 UC × 2$/);
  await person.sees(/Not redeemed · receipt/);
  expect(redemptions()).toHaveLength(2);
});

test('what stopped goes on as the same order, and all of it is told in one message', async () => {
  const person = await openShop(['60S', 'RISK', '60S', '60S', '60S']);
  await order(person, 3);
  await person.sees(/Stopped: 1 of 3 redeemed/);
  await t.app().core.codes.extract(t.actors.owner, { gameId: GAME, denomination: 60, amount: 1 });
  await person.presses('Continue with the rest');
  const asked = await person.sees(/Redeem this\?/);
  expect(asked.text).toContain('2 codes: 60 UC × 2 from stock');
  await person.presses('Redeem again');
  const done = await person.sees(/All 3 redeemed/);
  expect(done.id).toBe(asked.id);
  expect(t.app().core.orders.list(t.actors.owner, {})).toMatchObject([{ state: 'done', run: 2 }]);
});

test('of several players the failure of one ends what is for him, and nobody else’s', async () => {
  const person = await openShop(['RISK', '60S', '60S', '60S']);
  person.says(`${PLAYER} 60 x2\n5170925571 60`);
  await person.sees(/Redeem all of this\?/);
  await person.presses('Redeem all');
  const stopped = await person.sees(/Stopped: 1 of 3 redeemed for 2 players/);
  expect(stopped.text).toMatch(
    /❌ 60 UC · \/receipt_\d+\n▫️ 60 UC\n\n.+, ID 5170925571\n✅ 60 UC · \/receipt_\d+\n/u,
  );
  expect(redeemed().map(({ playerId }) => playerId)).toEqual(['5170925571']);
  await person.presses('Continue with the rest');
  expect((await person.sees(/Redeem this\?/)).text).toMatch(/ID 5170925570\n2 codes: 60 UC × 2 from stock/);
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
  await person.sees(/Not redeemed · receipt/, 20_000);
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

test('rights are asked before each: whoever lost theirs in the middle begins no more', async () => {
  const person = await openShop(['60S', '60S', '60S']);
  await order(person, 3);
  await t.api.waitFor(() => redemptions().length === 1);
  await t.app().core.members.changeRole(t.actors.owner, person.user.id, 'support');
  const stopped = await person.sees(/Stopped: \d of 3 redeemed/);
  expect(stopped.text).toContain('Whoever ordered it may not redeem any more.');
  expect(stopped.buttons).toEqual([]);
  expect(redemptions().length).toBeLessThan(3);
});

test('whoever was removed in the middle is told nothing of the account, and nothing more is begun', async () => {
  const person = await openShop(['60S', '60S', '60S']);
  const asked = await order(person, 3);
  await t.api.waitFor(() => redemptions().length === 1);
  await t.app().core.members.remove(t.actors.owner, person.user.id);
  const told = await person.sees(
    (message) => message.id === asked.id && /no longer a member/.test(message.text),
  );
  expect(told.buttons).toEqual([]);
  expect(redemptions().length).toBeLessThan(3);
});

test('somebody else cannot stop it or go on with it', async () => {
  const person = await openShop(['60S', '60S', '60S']);
  await order(person, 2);
  const counting = await person.sees(/Redeeming for/);
  const data = counting.buttons[0]?.callback_data ?? '';
  const admin = personOf(t.api, t.people.admin);
  const answer = await t.api.press(admin.user, admin.last(), { data });
  expect(answer?.text).toMatch(/somebody else/);
  await person.sees(/All 2 redeemed/);
});
