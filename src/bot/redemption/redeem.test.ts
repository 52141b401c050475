// Redeeming in the chat, over HTTP against the local Bot API: the three ways, every role, taps twice, restarts, hostile
// names.
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

const PLAYER = '5170925570';

let t: Stage;
afterEach(() => t.stop());

/** A shop with codes of 60 in stock; the person is the operator unless another is named. */
async function openShop(codes = 3, options: StageOptions = {}, role: keyof Stage['people'] = 'operator') {
  t = await openStage(options);
  await addCodes(Array.from({ length: codes }, () => makeCode()));
  const person = personOf(t.api, t.people[role]);
  person.looksAway();
  return person;
}

const addCodes = (codes: string[]) =>
  t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);

const available = () => t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(60);
const redemptions = () => t.app().core.receipts.list(t.actors.owner, {});

async function goToConfirmation(person: Person, playerId = PLAYER): Promise<void> {
  person.says('/redeem');
  await person.presses('Game 1');
  await person.sees(/Send the player ID/);
  person.says(playerId);
  await person.presses(/^60 UC/);
  await person.sees(/Redeem this\?/);
}

describe('from the command to the receipt', () => {
  test('an operator redeems in four taps and one typed ID, and sees what it costs before', async () => {
    const person = await openShop();
    await goToConfirmation(person);
    const confirmation = await person.sees('Cost: 1 activation');
    expect(confirmation.text).toContain(PLAYER);
    expect(confirmation.text).toContain('60 UC');
    await person.presses('Redeem');
    const receipt = await person.sees(/Redeemed · receipt \d+/);
    expect(receipt.id).toBe(confirmation.id);
    expect(receipt.text).toMatch(/\/receipt_\d+$/);
    expect(receipt.text).toMatch(/\d{4}, \d\d:\d\d UTC/);
    expect(receipt.text).toContain('By: \u2068operator\u2069');
    expect(available()).toBe(2);
    expect(await person.copies('Login')).toMatch(/@/);
    for (const secret of [await person.copies('Login'), await person.copies('Password')]) {
      expect(receipt.visible).not.toContain(secret);
      expect(receipt.text).toContain(secret);
    }
  });

  test('with a player and a denomination it goes straight to one confirmation that shows the name', async () => {
    const person = await openShop();
    person.says(`/redeem ${PLAYER} 60`);
    const confirmation = await person.sees(/Redeem this\?/);
    expect(confirmation.text).toMatch(/Player: .+, ID 5170925570/);
    expect(person.all().filter((message) => message.id > confirmation.id)).toEqual([]);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt/);
    expect(t.app().core.quota(t.actors.owner).daily.used).toBe(1.25);
  });

  test.each(['12ab 60', '1234 60', 'somebody'])(
    '/redeem %s names no player: how to write it is told, and nothing looked up',
    async (text) => {
      const person = await openShop();
      person.says(`/redeem ${text}`);
      await person.sees(/\/redeem 5/);
      expect(t.app().core.quota(t.actors.owner).daily.used).toBe(0);
    },
  );

  test('an order written in answer to a question about something else begins anew', async () => {
    const person = await openShop();
    person.says('/redeem');
    await person.sees(/Which game/);
    person.says(`${PLAYER} 60`);
    expect((await person.sees(/Redeem this\?/)).text).toContain('60 UC from stock');
    person.says(`/redeem ${PLAYER} ${makeCode()}`);
    await person.presses('Game 2');
    await person.sees(/Redeem this\?/);
    person.says('/redeem');
    await person.sees(/Which game/);
    person.says('hello, 5198765432 please');
    await person.sees(/Is this the player/);
    person.says('Game 1');
    await person.sees(/^Send a player ID and/);
  });

  test('of a code that several games have the form of, the game is asked; then the confirmation names it all', async () => {
    const person = await openShop(0);
    person.says(`/redeem ${PLAYER} ${makeCode()}`);
    await person.sees(/Which game/);
    await person.presses('Game 1');
    await person.sees(/Redeem this\?/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt/);
  });

  test('a game without a database asks for the code; its session family names what it shows', async () => {
    const person = await openShop();
    person.says('/redeem');
    await person.presses('Game 3');
    person.says(`ID: ${PLAYER}`);
    await person.presses("Yes, that's the one");
    await person.sees(/Send the code/);
    person.says('no code');
    await person.sees(/not a code/);
    person.says(makeCode());
    await person.presses('Redeem');
    const receipt = await person.sees(/Redeemed · receipt/);
    expect(receipt.text).toContain('Player account ID:');
    expect(receipt.text).toContain('Session token:');
    expect(receipt.buttons.map((button) => button.text)).toContain('Account ID');
    expect(receipt.buttons.map((button) => button.text)).not.toContain('Token');
  });

  test('again for the same player takes two taps and no look-up; the player is offered next time', async () => {
    const person = await openShop();
    person.says(`/redeem ${PLAYER} 60`);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt/);
    const { used } = t.app().core.quota(t.actors.owner).daily;
    await person.presses(/^Again for /);
    const warned = await person.sees(/This player got 60 UC less than a minute ago/);
    expect(warned.text).toMatch(/redeemed by .*operator.* \/receipt_\d+/);
    await person.presses('Redeem again');
    await t.api.waitFor(() => available() === 1);
    expect(t.app().core.quota(t.actors.owner).daily.used).toBe(used + 1);
    person.looksAway();
    person.says('/redeem');
    await person.presses('Game 1');
    await person.presses(new RegExp(PLAYER));
    await person.presses(/^60 UC · 1 left/);
    await person.sees(/Redeem this\?/);
    expect(t.app().core.quota(t.actors.owner).daily.used).toBe(used + 1);
  });
});

describe('what does not work out', () => {
  test('an unknown player, a player who cannot be looked up, and an empty stock each say what to do', async () => {
    const person = await openShop(0);
    person.says('/redeem');
    await person.presses('Game 1');
    person.says('404123456');
    await person.sees(/no player with this ID/);
    person.says('503123456');
    await person.sees(/does not tell me the name/);
    expect(t.app().core.quota(t.actors.owner).daily.used).toBe(0.25);
    await person.presses('Another ID');
    person.says(PLAYER);
    const empty = await person.sees(/no codes/);
    expect(empty.buttons.map((button) => button.text)).toEqual([
      'Send a code instead',
      'Game 2 instead',
      'Game 3 instead',
      'Another ID',
      'Cancel',
    ]);
    await person.presses('Cancel');
    await person.sees(/Nothing was done/);
    expect(empty.buttons.some((button) => /^60 UC/.test(button.text))).toBe(false);
  });

  test.each([
    ['USED', /used before/, /cannot be used any more/, '1 activation was charged', 'Another code'],
    ['INVALID', /not valid/, /not accepted/, '1 activation was charged', 'Another code'],
    ['LOGIN', /could not log in/, /still good/, 'Nothing was charged', 'Try again'],
    ['RISK', /protection/, /still good/, '1 activation was charged', 'Try again'],
  ])('%s: the reason, the code, the usage and the next step', async (prefix, reason, fate, usage, button) => {
    const person = await openShop(0);
    person.says(`/redeem ${PLAYER} ${makeCode(prefix)}`);
    await person.presses('Game 1');
    await person.presses('Redeem');
    const failure = await person.sees(/Not redeemed/);
    expect(failure.text).toMatch(reason);
    expect(failure.text).toMatch(fate);
    expect(failure.text).toContain(usage);
    expect(failure.text).toContain('Next:');
    expect(failure.text).toMatch(/Player: .+, ID 5170925570/);
    await person.presses(button);
    await person.sees(button === 'Try again' ? /Redeem this\?/ : /Send the code/);
  });

  test('a missing full receipt is told with its meaning', async () => {
    const person = await openShop(0);
    person.says(`/redeem ${PLAYER} ${makeCode('NOORDER')}`);
    await person.presses('Game 1');
    await person.presses('Redeem');
    const receipt = await person.sees(/Redeemed · receipt/);
    expect(receipt.text).toMatch(/⚠️.*the password can be reset/);
  });

  test('without a subscription the way to get one is shown; it has not ended where there never was one', async () => {
    const person = await openShop(1, { days: 0 }, 'owner');
    person.says(`/redeem ${PLAYER} 60`);
    await person.sees(/There is no subscription yet/);
    person.says('/redeem');
    await person.presses('Game 1');
    person.says(PLAYER);
    const told = await person.sees((message) =>
      message.buttons.some((each) => /Get a subscription/.test(each.text)),
    );
    expect(told.text).toMatch(/There is no subscription yet/);
  });

  test('a subscription that ends while the confirmation waits: Redeem says so, and takes nothing', async () => {
    const person = await openShop(1, {}, 'owner');
    await goToConfirmation(person);
    const file = new Database(t.app().databasePath);
    file.exec(`update accounts set subscription_expires_at = ${Date.now() - 1_000}`);
    file.close();
    await person.presses('Redeem');
    const told = await person.sees(/subscription has ended/);
    expect(told.buttons.map(({ text }) => text)).toEqual([expect.stringMatching(/subscription/i)]);
    expect([available(), redemptions()]).toEqual([1, []]);
  });

  test('support and strangers are refused in one sentence, by command and by button', async () => {
    const person = await openShop();
    await goToConfirmation(person);
    const button = person.last().buttons.find((each) => each.text === 'Redeem')!;
    for (const user of [t.people.support, t.stranger]) {
      const other = personOf(t.api, user);
      other.looksAway();
      other.says('/redeem');
      const refusal = await other.sees(/may not do this|not a member/);
      const answer = await t.api.press(user, refusal, { data: button.callback_data! });
      expect(answer?.text).toMatch(/may not do this|not a member/);
    }
    expect(redemptions()).toEqual([]);
  });
});

describe('the order is given once', () => {
  test('two taps, the same update again, and another member redeem once', async () => {
    const person = await openShop();
    await goToConfirmation(person);
    const message = person.last();
    const data = message.buttons.find((each) => each.text === 'Redeem')!.callback_data!;
    const admin = personOf(t.api, t.people.admin);
    const foreign = await t.api.press(admin.user, admin.last(), { data });
    expect(foreign?.text).toMatch(/somebody else/);
    const [first, second] = await Promise.all([
      t.api.press(person.user, message, 'Redeem'),
      t.api.press(person.user, message, 'Redeem'),
    ]);
    expect([first?.text, second?.text].sort()).toEqual([expect.stringMatching(/already used/), undefined]);
    for (const update of t.api.updates().filter((each) => each.callback_query)) {
      t.api.redeliver(update.update_id);
    }
    await person.sees(/Redeemed · receipt/);
    expect(redemptions()).toHaveLength(1);
    expect(available()).toBe(2);
  });

  test('cancel withdraws the order: the button of the same message does nothing any more', async () => {
    const person = await openShop();
    await goToConfirmation(person);
    const message = person.last();
    await person.presses('Cancel');
    const answer = await t.api.press(person.user, message, 'Redeem');
    expect(answer?.text).toMatch(/already used/);
    expect(redemptions()).toEqual([]);
  });

  test('a restart between any two steps loses none and doubles none', async () => {
    const person = await openShop();
    person.says('/redeem');
    await person.sees(/Which game/);
    await t.restart();
    await person.presses('Game 1');
    await person.sees(/Send the player ID/);
    await t.restart();
    person.says(PLAYER);
    await person.sees(/What shall I redeem/);
    await t.restart();
    await person.presses(/^60 UC/);
    await person.sees(/Redeem this/);
    await t.restart();
    await person.presses('Redeem');
    await t.restart();
    await person.sees(/Redeemed · receipt/);
    expect(redemptions()).toHaveLength(1);
    expect(t.app().core.quota(t.actors.owner).daily.used).toBe(1.25);
  });
});
