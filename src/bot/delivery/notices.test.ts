// Notices reach whom they are for, once, in their language, and nobody who does not want them.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { writeNotice, type Notice } from '../../core/notices/notices.ts';
import { ROLES, type Role } from '../../core/context.ts';
import { createStore, type Store } from '../../store/index.ts';

let t: TestBot;
let beside: Store;
let person: (role: Role) => Person;
beforeEach(async () => {
  t = await startTestBot();
  beside = createStore({ path: t.app().databasePath, exclusive: false });
  person = (role) => personOf(t.api, t.people[role]);
});
afterEach(async () => {
  await beside.close();
  await t.stop();
});

type WithoutAccount = Notice extends infer N ? (N extends unknown ? Omit<N, 'accountId'> : never) : never;
const FOR_HOSTS: Notice['kind'][] = ['platformTrouble', 'backupFailed'];
/** Written as the core writes it, in a transaction beside the running program. */
const write = (notice: WithoutAccount, at = Date.now()) =>
  beside.write((tables) =>
    writeNotice(
      tables,
      { ...notice, accountId: FOR_HOSTS.includes(notice.kind) ? null : t.accountId } as Notice,
      at,
    ),
  );
const stockLow = { kind: 'stockLow', gameId: 'game_id_1', denomination: 60, threshold: 10 } as const;
const seenBy = (text: string) =>
  ROLES.filter((role) =>
    person(role)
      .all()
      .some((message) => message.text.includes(text)),
  );

test('owners and admins are told, each once, also when the bot was away or comes back', async () => {
  await write(stockLow);
  await person('owner').sees('Fewer than 10 codes of 60 UC');
  await t.restart();
  await write({ kind: 'quotaUsed', percent: 80 });
  await write({ kind: 'quotaUsed', percent: 100 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 3 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 1 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 0 });
  await write({ kind: 'webhookOff', host: 'shop.example' });
  for (const text of [
    'webhook at shop.example',
    '80 %',
    'whole daily quota',
    'in 3 days',
    'in 1 day:',
    'subscription ended',
  ]) {
    await person('admin').sees(text);
    await person('owner').sees(text);
    expect(seenBy(text)).toEqual(['owner', 'admin']);
  }
  expect(
    person('owner')
      .all()
      .filter((message) => message.text.includes('Fewer than 10')),
  ).toHaveLength(1);
});

test('old notices are no news, and one that Telegram refuses does not hold back the others', async () => {
  t.api.block(t.people.owner);
  await write({ kind: 'quotaUsed', percent: 80 }, Date.now() - 4 * 24 * 60 * 60 * 1000);
  await write({ kind: 'quotaUsed', percent: 100 });
  await write(stockLow);
  await person('admin').sees('Fewer than 10');
  expect(seenBy('whole daily quota')).toEqual(['admin']);
  expect(seenBy('80 %')).toEqual([]);
  const countUnsent = () => beside.read((tables) => tables.outbox.countWaiting());
  await expect.poll(countUnsent, { timeout: 5_000 }).toBe(0);
});
