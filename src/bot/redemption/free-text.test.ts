// Messages without a command, over HTTP against the local Bot API: how many messages and taps each order takes, what is
// asked and what that costs, every role, groups, and both languages.
import { afterEach, describe, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock } from '../../../test/harness/forward-clock.ts';

const PLAYER = '5170925570';
const OTHER = '5170925571';

let t: Stage;
afterEach(() => t.stop());

/** A shop with codes of 60 and 325 in stock. */
async function openShop(options: StageOptions = {}, role: keyof Stage['people'] = 'operator') {
  t = await openStage(options);
  const codes = (count: number) => Array.from({ length: count }, () => makeCode());
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [
    { denomination: 60, codes: codes(8) },
    { denomination: 325, codes: codes(2) },
  ]);
  return counting(personOf(t.api, t.people[role]));
}

/** Counts what the person does. */
function counting(person: Person): Person & { messages: number; taps: number } {
  person.looksAway();
  return Object.assign(
    { ...person },
    {
      messages: 0,
      taps: 0,
      says(this: { messages: number }, content: string) {
        this.messages += 1;
        return person.says(content);
      },
      presses(this: { taps: number }, label: string | RegExp) {
        this.taps += 1;
        return person.presses(label);
      },
    },
  );
}

const used = () => t.app().core.quota(t.actors.owner).daily.used;
const available = (denomination = 60) =>
  t.app().core.codes.countAvailable(t.actors.owner, 'game_id_1').get(denomination) ?? 0;
const labels = (person: Person) => person.last().buttons.map((button) => button.text);

describe('taps counted', () => {
  test('by ID and denomination: one message, one tap', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60`);
    const asked = await person.sees(/Redeem this\?/);
    expect(asked.text).toMatch(/Player: .+, ID 5170925570\nCode: 60 UC from stock\nCost: 1 activation$/);
    await person.presses('Redeem');
    const receipt = await person.sees(/Redeemed · receipt \d+/);
    expect(receipt.id).toBe(asked.id);
    expect([person.messages, person.taps, used()]).toEqual([1, 1, 1.25]);
  });

  test('by ID alone: one message, two taps; the name, the game and the stock are shown', async () => {
    const person = await openShop();
    person.says(`id ${PLAYER}`);
    const card = await person.sees(/What shall I redeem\?/);
    expect(card.text).toMatch(/^.+, ID 5170925570\nGame: Game 1\n/);
    expect(labels(person).slice(0, 3)).toEqual(['60 UC · 8 left', '325 UC · 2 left', 'Send a code instead']);
    await person.presses(/^325 UC/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    expect([person.messages, person.taps, used(), available(325)]).toEqual([1, 2, 1.25, 1]);
  });

  test('the same again: two taps, and a warning; in a second message one tap', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60`);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    await person.presses(/^Again for /);
    await person.sees(/⚠️ This player got 60 UC less than a minute ago, redeemed by .*operator/);
    await person.presses('Redeem again');
    await t.api.waitFor(() => available() === 6);
    expect([person.messages, person.taps]).toEqual([1, 3]);
    person.looksAway();
    person.says(`${PLAYER} 60uc`);
    await person.sees(/⚠️/);
    expect(labels(person)).toEqual(['Redeem again', 'Cancel']);
  });

  test('three codes for one player: one message, one tap, one message back', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 325+60 x2`);
    const asked = await person.sees(/Redeem this\?/);
    expect(asked.text).toMatch(/3 codes: 325 UC, 60 UC × 2 from stock\nCost: 3 activations$/);
    await person.presses('Redeem');
    const done = await person.sees(/All 3 redeemed for /, 20_000);
    expect(done.id).toBe(asked.id);
    expect([person.messages, person.taps, used()]).toEqual([1, 1, 3.25]);
    expect([available(), available(325)]).toEqual([6, 1]);
  });

  test('two players: one message, one tap, one message back, each with what is theirs', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60 x2\n${OTHER} 325`);
    const asked = await person.sees(/Redeem all of this\?/);
    expect(asked.text).toMatch(/2 players, 3 codes from stock:\n/);
    expect(asked.text).toMatch(
      /, ID 5170925570: 60 UC × 2\n.+, ID 5170925571: 325 UC\n\nCost: 3 activations$/,
    );
    await person.presses('Redeem all');
    const done = await person.sees(/All 3 redeemed for 2 players/, 20_000);
    expect(done.id).toBe(asked.id);
    expect([person.messages, person.taps, used()]).toEqual([1, 1, 3.5]);
    const { receipts } = t.app().core;
    const redeemed = receipts.list(t.actors.owner, {}).map(({ id }) => receipts.find(t.actors.owner, id));
    expect(redeemed.map((each) => [each?.playerId, each?.denomination]).sort()).toEqual([
      [PLAYER, 60],
      [PLAYER, 60],
      [OTHER, 325],
    ]);
  });

  test('a player by name: one message, one tap, and no name is paid for', async () => {
    const person = await openShop();
    await t.app().core.redeem(t.actors.owner, { gameId: 'game_id_1', playerId: OTHER, denomination: 60 });
    const before = used();
    person.says('luckyraven83 325');
    const asked = await person.sees(/Redeem this\?/);
    expect(asked.text).toMatch(/ID 5170925571\nCode: 325 UC/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    expect([person.messages, person.taps, used() - before]).toEqual([1, 1, 1]);
  });

  test("from a customer's sentence: one message, one tap", async () => {
    const person = await openShop();
    person.says(`Hello! Please 60 UC to ${PLAYER}, I have paid`);
    await person.sees(/Redeem this\?/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    expect([person.messages, person.taps]).toEqual([1, 1]);
  });

  test('an amount that no denomination has: one message, one tap, and it is made of those that there are', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 385`);
    const asked = await person.sees(/Redeem this\?/);
    expect(asked.text).toMatch(/^There is no 385 UC. 325 \+ 60\?\n\nRedeem this/);
    await person.presses('Redeem');
    await person.sees(/All 2 redeemed for /, 20_000);
    expect([person.messages, person.taps, used()]).toEqual([1, 1, 2.25]);
  });

  test("from a customer's complaint: one message, two taps, and nothing is charged before the first", async () => {
    const person = await openShop();
    person.says(`Hello! I paid 60 UC for ${PLAYER}, where is it`);
    const question = await person.sees(/Is this the player\?/);
    expect(question.text).toMatch(/that costs 0\.25/);
    expect(labels(person)).toEqual([`Player ${PLAYER} · 60 UC`, 'Cancel']);
    expect(used()).toBe(0);
    await person.presses(/^Player/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    expect([person.messages, person.taps]).toEqual([1, 2]);
  });
});

describe('what is asked', () => {
  test('several lines are one card, or one each where it is asked for; players without a denomination are asked about', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60\n${OTHER} 325`);
    const all = await person.sees(/Redeem all of this\?/);
    expect(labels(person)).toEqual(['Redeem all', 'Cancel', 'One by one']);
    await person.presses('One by one');
    await person.sees((message) => /Redeem this/.test(message.text) && message.text.includes(OTHER));
    expect(person.all().filter(({ text }) => /Redeem this\?/.test(text))).toHaveLength(2);
    expect(person.all().find(({ id }) => id === all.id)?.buttons).toEqual([]);
    const again = await t.api.press(person.user, all, 'Redeem all');
    expect(again?.text).toMatch(/already used/);
    person.looksAway();
    person.says(`${PLAYER}\n${OTHER}`);
    await person.sees(/Which player is it\?/);
    await person.presses(`Player ${OTHER}`);
    await person.sees((message) => /What shall I redeem/.test(message.text) && message.text.includes(OTHER));
    await person.presses(`Player ${PLAYER}`);
    await person.sees((message) => /What shall I redeem/.test(message.text) && message.text.includes(PLAYER));
  });

  test('a long number is a player or a code; one code alone is for the stock or to be redeemed, and for which game', async () => {
    const person = await openShop();
    person.says('123456789012345');
    await person.sees(/Is this a player ID or a code\?/);
    expect(labels(person)).toEqual(['Player 123456789012345', 'These are codes', 'Cancel']);
    await person.presses('These are codes');
    await person.sees(/What shall I do with the code/);
    expect(used()).toBe(0);
    person.looksAway();
    person.says(makeCode());
    await person.sees(/What shall I do with the code/);
    expect(labels(person)).toEqual([
      ...['60 UC', '325 UC', '660 UC', '1800 UC', '3850 UC', '8100 UC'],
      'Redeem now · Game 1',
      'Redeem now · Game 2',
      'Redeem now · Game 3',
      'Cancel',
    ]);
    await person.presses('Redeem now · Game 2');
    person.says(PLAYER);
    await person.sees(/Redeem this\?\nGame: Game 2/);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
  });

  test('several codes beside a player: each has a button, or all are for the stock', async () => {
    const person = await openShop();
    const [first, second] = [makeCode(), makeCode()];
    person.says(`${PLAYER}\n${first}\n${second}`);
    await person.sees(/Each has a button of its own/);
    expect(labels(person)).toEqual([
      `Player ${PLAYER} · …${first.slice(-4)}`,
      `Player ${PLAYER} · …${second.slice(-4)}`,
      'These are codes',
      'Cancel',
    ]);
    expect(used()).toBe(0);
    await person.presses(`Player ${PLAYER} · …${second.slice(-4)}`);
    await person.presses('Game 1');
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    expect(t.app().core.receipts.list(t.actors.owner, {})).toMatchObject([{ code: second }]);
    person.looksAway();
    person.says(`${OTHER}\n${first}\n${makeCode()}`);
    await person.presses('These are codes');
    await person.sees((message) => message.buttons.some(({ text }) => /^\d+ UC$/.test(text)));
  });

  test('a denomination alone: for a player, or to add codes of', async () => {
    const person = await openShop();
    person.says('325 юс');
    await person.sees(/325 UC: redeem it for a player/);
    expect(labels(person)).toEqual(['Redeem it for a player', 'Add codes of 325 UC', 'Cancel']);
    await person.presses('Redeem it for a player');
    person.says(PLAYER);
    await person.sees(/Redeem this\?[^]*325 UC/);
    person.says('660');
    await person.presses('Add codes of 660 UC');
    await person.sees(/660 UC/);
    person.says(makeCode());
    await person.presses('Add 1 code');
    await person.sees(/660 UC: 1/);
  });

  test('the same again is a message and a tap; whoever redeemed nothing yet is told what can be sent', async () => {
    const person = await openShop();
    person.says('same again');
    await person.sees(/^Send a player ID and/);
    person.says(`${PLAYER} 60`);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    person.looksAway();
    person.says('same again, please');
    const asked = await person.sees(/⚠️ This player got 60 UC/);
    expect(asked.text).toContain(`ID ${PLAYER}`);
    expect(used()).toBe(1.25);
    await person.presses('Redeem again');
    await t.api.waitFor(() => available() === 6);
    const colleague = personOf(t.api, t.people.admin);
    colleague.looksAway();
    colleague.says('again');
    await colleague.sees(/^Send a player ID and/);
  });

  test('players without a button are named, and how several are written is said', async () => {
    const person = await openShop();
    const players = Array.from({ length: 7 }, (_, each) => String(Number(PLAYER) + each));
    person.says(`hello, for all of them:\n${players.join('\n')}`);
    const asked = await person.sees(/Which player is it\?/);
    expect(labels(person)).toHaveLength(6);
    expect(asked.text).toContain(players.slice(5).join(', '));
    expect(asked.text).toMatch(/write a line for each: 5124780131 60/);
  });

  test('one code alone, meant for the stock, begins an import with it', async () => {
    const person = await openShop({}, 'admin');
    person.says(makeCode());
    await person.presses('660 UC');
    await person.presses('Add 1 code');
    await person.sees(/1 code added\.\nIn stock now:[^]*660 UC: 1/);
  });

  test('one tap changes the game, and the next message has it', async () => {
    const person = await openShop();
    person.says(PLAYER);
    await person.presses('Game 3 instead');
    const card = await person.sees(/Game: Game 3\n/);
    expect(card.text).toMatch(/has no stock here/);
    await person.presses('Send a code instead');
    person.says(makeCode());
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    person.looksAway();
    person.says(OTHER);
    await person.sees(/Game: Game 3\n/);
    person.says(`${OTHER} 60`);
    await person.sees(/Redeem this\?\nGame: Game 1/);
  });

  test('what the stock does not have is said, and the rest is offered', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 325 x3`);
    await person.sees(/There are only 2 codes of 325 UC left/);
    person.says(`${PLAYER} 660`);
    await person.sees(/no code of 660 UC left/);
    person.says(`${PLAYER} 60 x11`);
    await person.sees(/at most 10 at once/);
  });
});

describe('who may what', () => {
  test('for support it is a search; a stranger is told to be invited; groups hear nothing', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60`);
    await person.presses('Redeem');
    await person.sees(/Redeemed · receipt \d+/);
    const support = personOf(t.api, t.people.support);
    support.looksAway();
    support.says(PLAYER);
    const found = await support.sees(/\/receipt_\d+/);
    expect(found.text).not.toMatch(/Redeem this/);
    const stranger = personOf(t.api, t.stranger);
    stranger.looksAway();
    stranger.says(PLAYER);
    await stranger.sees(/not a member/);
    const group = t.api.createGroup({ title: 'Shop', members: [person.user], hearsAll: true });
    personOf(t.api, person.user).inChat(group).says(PLAYER);
    person.says('/quota');
    await person.sees(/used|left|free/i);
    expect(t.api.messages(group).filter((message) => message.byBot)).toEqual([]);
    expect(used()).toBe(1.25);
  });

  test('an account that never had a subscription is told so', async () => {
    const person = await openShop({ days: 0 }, 'owner');
    person.says(`${PLAYER} 60`);
    await person.sees(/There is no subscription yet/);
  });

  test('two cards for the same player: the second is warned of at its press', async () => {
    const person = await openShop();
    person.says(`${PLAYER} 60`);
    const first = await person.sees(/Redeem this\?/);
    person.looksAway();
    person.says(`${PLAYER} 60`);
    const second = await person.sees(/Redeem this\?/);
    await t.api.press(person.user, first, 'Redeem');
    await t.api.press(person.user, second, 'Redeem');
    await person.sees((message) => message.id === second.id && message.text.includes('⚠️'));
    await person.sees(/Redeemed · receipt \d+/);
    expect(t.app().core.receipts.list(t.actors.owner, {})).toHaveLength(1);
    await person.presses('Redeem again');
    await t.api.waitFor(() => t.app().core.receipts.list(t.actors.owner, {}).length === 2);
  });

  test('a confirmation that is too old is asked once more in its own message', async () => {
    const clock = createForwardClock();
    const person = await openShop({ clock });
    person.says(`${PLAYER} 60 x2`);
    const asked = await person.sees(/Redeem this\?/);
    clock.advance(16 * 60 * 1000);
    const answer = await t.api.press(person.user, asked, 'Redeem');
    expect(answer?.text).toMatch(/I ask once more/);
    await t.api.waitFor(() => t.api.calls('editMessageText').length > 0);
    await person.presses('Redeem');
    const done = await person.sees(/All 2 redeemed/);
    expect(done.id).toBe(asked.id);
  });

  test('an order form as the answer to /redeem, or behind it, is one', async () => {
    const person = await openShop();
    person.says('/redeem');
    await person.presses('Game 1');
    person.says(`${PLAYER} 60 x2`);
    await person.sees(/2 codes: 60 UC × 2 from stock/);
    person.looksAway();
    person.says(`/redeem ${OTHER} 325+60`);
    await person.sees(/2 codes: 325 UC, 60 UC from stock/);
  });

  test('a message for a conversation belongs to the conversation', async () => {
    const person = await openShop();
    person.says('/receipt');
    await person.sees(/number/i);
    person.says('12345');
    await person.sees(/12345/);
    person.doesNotSee(/What shall I redeem/);
  });
});

test('in Russian the same is understood and said', async () => {
  const person = await openShop();
  person.says('/settings ru');
  await person.sees('Язык: Русский');
  person.says(`айди ${PLAYER} 60 юс х2`);
  const asked = await person.sees(/Активировать\?/);
  expect(asked.text).toMatch(/2 кода: 60 UC × 2 со склада\nСпишется: 2 активации$/);
  await person.presses('Активировать');
  await person.sees(/Активировано 2 из 2/);
  person.looksAway();
  person.says(`Здравствуйте, мой айди ${PLAYER}, нужно 60 юс`);
  await person.sees(/⚠️ Этот игрок уже получил 60 UC меньше минуты назад \(выполнил: .*operator/);
  expect(labels(person)).toEqual(['Ещё раз', 'Отмена']);
});
