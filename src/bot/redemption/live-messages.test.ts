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

test('floods, broken lines and a message that was deleted delay the receipt, and it comes once', async () => {
  const person = await start();
  t.api.faults.next('editMessageText', { kind: 'flood', retryAfter: 1 }, 2);
  t.api.faults.next('editMessageText', { kind: 'cut' });
  t.api.faults.next('editMessageText', { kind: 'error', code: 400, description: GONE }, 1_000);
  const { id } = await redeem(person, '60S');
  const receipt = await person.sees(/Redeemed · receipt/, 20_000);
  expect(receipt.id).toBeGreaterThan(id);
  await t.quiet();
  expect(person.all().filter(({ text }) => /Redeemed · receipt/.test(text))).toHaveLength(1);
});

test('what is under way for a player is warned of', async () => {
  const { person, letGo } = await startHeld();
  const codes = [makeCode(), makeCode()];
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes }]);
  person.says(`${PLAYER} 60`);
  await person.presses('Redeem');
  await person.sees(/Redeeming/);
  person.says(`${PLAYER} 60`);
  await person.sees(
    /60 UC is being redeemed for this player right now, begun less than a minute ago by .*operator/,
  );
  letGo();
  await person.sees(/Redeemed · receipt/);
});
