// Receipts where a chat does not tell it: what is written down of them, one that does not open, a secret as a file.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { firstMessage } from '../../../test/harness/waiting-messages.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { parseReceiptId } from './receipt.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage();
});
afterEach(() => t.stop());

async function redeem(gameId = 'game_id_2') {
  const order = { gameId, playerId: '5170925570', code: makeCode() };
  const answer = await t.app().core.redeem(t.actors.owner, order);
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

test('what is made for the customer is told of the receipt: once, whatever languages it is read in', async () => {
  const { id } = await redeem();
  const support = personOf(t.api, t.people.support);
  support.says(`/receipt_${id}`);
  await support.presses('For the customer');
  await support.sees(/top-up is done/);
  await support.presses('Русский');
  await support.sees(/Пополнение/);
  const story = t.app().core.receiptStories.find(t.actors.owner, id)?.events ?? [];
  expect(story.filter(({ kind }) => kind === 'act')).toMatchObject([
    { what: 'customerReceiptMade', actorLabel: { telegramId: t.people.support.id } },
  ]);
});

test.each([
  ['/receipt', 'Send the number', '1'],
  ['/find', 'What shall I look for', 'nobody'],
])(
  'what %s asked for is never met by silence, also where it cannot be read',
  async (command, asks, given) => {
    const support = personOf(t.api, t.people.support);
    support.says(command);
    await support.sees(asks);
    const fault = () => {
      throw new Error('It does not open.');
    };
    const { receipts, search } = t.app().core;
    const broken = [vi.spyOn(receipts, 'find'), vi.spyOn(search, 'find')];
    for (const each of broken) each.mockImplementation(fault);
    try {
      support.says(given);
      await support.sees('Something went wrong on my side');
    } finally {
      for (const each of broken) each.mockRestore();
    }
  },
);

test('what waits to be said of a receipt holds neither its code nor its login', async () => {
  const { id, code, credentials } = await redeem();
  const support = personOf(t.api, t.people.support);
  const refused = t.api.faults.next('sendMessage', FAULTS.badGateway, 1);
  support.says(`/receipt_${id}`);
  await t.until(() => refused.met() > 0);
  const store = t.beside();
  const { payload = '' } = firstMessage(store, support.user.id) ?? {};
  await store.close();
  expect(payload).toContain('receipt-shown');
  expect([code, credentials?.password].filter((secret) => payload.includes(secret ?? ''))).toEqual([]);
  await support.sees(/Redeemed · receipt/);
});

test('a token that no message has room for comes as a file, where its button is pressed', async () => {
  const { id, credentials } = await redeem('game_id_3');
  const owner = personOf(t.api, t.people.owner);
  owner.says(`/receipt_${id}`);
  const receipt = await owner.sees(/Redeemed · receipt/);
  // Those of the sandbox have room: as if this one had not.
  await t.api.press(owner.user, receipt, { data: `receipt:file:${id}` });
  const { document } = await owner.sees(({ document: file }) => file?.name === `receipt-${id}.txt`);
  expect(document?.bytes.toString()).toBe(credentials?.password);
  await owner.presses('Delete the file');
  expect(owner.all().some((each) => each.document)).toBe(false);
});

test.each([
  ['1234', 1234],
  [' #12 ', 12],
  ['№ 5', 5],
  ['/receipt_5', 5],
  ['Receipt 5', 5],
  ['123456789012345', 123_456_789_012_345],
  ['1234567890123456', undefined],
  ['12a', undefined],
  ['', undefined],
])('%j names the receipt %s', (text, id) => expect(parseReceiptId(text)).toBe(id));
