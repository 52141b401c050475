// The message that shows how a redemption goes on: through doubts, restarts, deleted messages and floods, to its end.
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock } from '../../../test/harness/forward-clock.ts';
import { holdRedemptions } from '../../../test/harness/held-redemptions.ts';

const GONE = 'Bad Request: message to edit not found';
const PLAYER = '5170925570';

let t: Stage;
afterEach(() => t.stop());

async function start(options: StageOptions = {}): Promise<Person> {
  t = await openStage(options);
  const person = personOf(t.api, t.people.operator);
  person.looksAway();
  return person;
}

/** Presses Redeem for a code that makes the platform behave as its beginning says. */
async function redeem(person: Person, prefix: string, playerId = PLAYER) {
  person.says(`/redeem ${playerId} ${makeCode(prefix)}`);
  await person.presses('Game 1');
  const confirmation = await person.sees(/Redeem this\?/);
  await person.presses('Redeem');
  return confirmation;
}

/** Somebody whose redemption goes on until it is let go. */
async function startHeld() {
  const { through, letGo } = holdRedemptions();
  return { person: await start({ through }), letGo };
}

/** Edits of a message since it asked for the last confirmation. */
const editsOf = (messageId: number) => {
  const edits = t.api.calls('editMessageText').filter((call) => call.payload['message_id'] === messageId);
  return edits.slice(edits.findLastIndex((call) => /Redeem this\?/.test(String(call.payload['text']))) + 1);
};

test('some of the seconds are shown in the one message, and the chat is free meanwhile', async () => {
  const { person, letGo } = await startHeld();
  const { id } = await redeem(person, '60S');
  person.says('/redeem');
  await person.sees(/Which game/);
  await person.sees(/Redeeming .* 2 s/);
  letGo();
  const receipt = await person.sees(/Redeemed · receipt/);
  expect(receipt.id).toBe(id);
  // At 2 s and at the end; on a busy machine the end comes after 5 s, which are shown, too.
  expect(editsOf(id).length).toBeGreaterThanOrEqual(2);
  expect(editsOf(id).length).toBeLessThanOrEqual(3);
});

test('a doubt is told as one; when nothing was redeemed it says that the code is good and nothing was charged', async () => {
  const clock = createForwardClock();
  const person = await start({ platformTimeoutMs: 300, clock });
  const { id } = await redeem(person, 'LOST');
  const doubt = await person.sees(/Not certain yet/);
  expect(doubt.text).toMatch(/held.*I find out by myself/);
  expect(doubt.buttons.filter(({ text }) => text !== 'For the customer')).toEqual([]);
  // Longer than the sandbox may still begin.
  clock.advance(5_000);
  const failure = await person.sees(/Not redeemed/, 20_000);
  expect([doubt.id, failure.id]).toEqual([id, id]);
  expect(failure.text).toMatch(/still good/);
  expect(failure.text).toMatch(/Nothing was charged/);
  await person.presses('Try again');
  expect((await person.sees(/Redeem this\?/)).text).toContain('LOST');
});

test('a doubt that is settled out of sight is told below what came since, once, and its old message goes', async () => {
  const clock = createForwardClock();
  const person = await start({ platformTimeoutMs: 300, clock });
  const { id } = await redeem(person, 'LOST');
  await person.sees(/Not certain yet/);
  person.says('/quota');
  const since = await person.sees(/quota/i);
  clock.advance(5_000);
  const failure = await person.sees(/Not redeemed/, 20_000);
  expect(failure.id).toBeGreaterThan(since.id);
  await t.api.waitFor(() => person.all().every((message) => message.id !== id), 5_000);
  await personOf(t.api, t.people.owner).sees(/was in doubt and is settled now/);
  expect(person.all().filter(({ text }) => /Not redeemed|in doubt/.test(text))).toEqual([failure]);
});

test('what was under way when the process ended is told after the restart', async () => {
  const person = await start({ platformTimeoutMs: 300 });
  await redeem(person, 'TIMEOUT');
  await t.restart();
  await person.sees(/Redeemed · receipt/, 20_000);
  expect(t.app().core.receipts.list(t.actors.owner, {})).toHaveLength(1);
});

test('where the message was deleted the receipt comes as a new one', async () => {
  const { person, letGo } = await startHeld();
  const { id } = await redeem(person, '60S');
  await person.sees(/Redeeming/);
  t.api.faults.next('editMessageText', { kind: 'error', code: 400, description: GONE }, 1_000);
  letGo();
  const receipt = await person.sees(/Redeemed · receipt/);
  expect(receipt.id).toBeGreaterThan(id);
  expect(person.all().filter((message) => /Redeemed · receipt/.test(message.text))).toHaveLength(1);
});

test('floods and broken lines delay the receipt and lose nothing', async () => {
  const person = await start();
  t.api.faults.next('editMessageText', { kind: 'flood', retryAfter: 1 }, 2);
  t.api.faults.next('editMessageText', { kind: 'cut' });
  await redeem(person, '60S');
  await person.sees(/Redeemed · receipt/, 20_000);
});

test('who was removed meanwhile is shown neither code nor credentials', async () => {
  const { person, letGo } = await startHeld();
  await redeem(person, 'SECRET');
  await person.sees(/Redeeming/);
  await t.app().core.members.remove(t.actors.owner, t.people.operator.id);
  letGo();
  const told = await person.sees(/no longer a member/);
  expect(told.buttons).toEqual([]);
  expect(person.all().filter((message) => /SECRET|Password/.test(message.text))).toEqual([]);
});

test('a person who has blocked the bot is not told for ever', async () => {
  const { person, letGo } = await startHeld();
  await redeem(person, '60S');
  await person.sees(/Redeeming/);
  t.api.block(person.user);
  letGo();
  await t.api.waitFor(
    () =>
      t
        .app()
        .core.receipts.list(t.actors.owner, {})
        .some((entry) => !entry.error),
    10_000,
  );
  const calls = () => t.api.calls('editMessageText').length;
  await t.api.waitFor(() => t.api.calls('editMessageText').at(-1)?.error?.code === 403, 10_000);
  const before = calls();
  await t.pass(2_500);
  expect(calls()).toBeLessThanOrEqual(before + 1);
});

test('names with markup, direction marks or 4,000 characters harm no message', async () => {
  const person = await start();
  for (let player = 10_000; player < 10_024; player += 1) {
    person.looksAway();
    await redeem(person, '60S', String(player));
    await person.sees(/Redeemed · receipt/);
  }
  const refused = t.api
    .calls()
    .filter((call) => call.error && /parse|entit|long/i.test(call.error.description));
  expect(refused).toEqual([]);
}, 60_000);
