// Money where a chat has no words for it: what breaks while it is asked about or booked, and when the list of Stars is
// compared, and from where.
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { createCalendar } from '../../../test/world/play/calendar.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';

/** The next look at whether it is time, and what it takes. */
const LOOK_MS = 60_000;
let t: Stage;
let owner: Person;
/** How many calls for the list were looked at. */
let read: number;
let calendar: ReturnType<typeof createCalendar>;
afterEach(() => t.stop());

async function begin(flood: 'none' | 'faq' = 'none'): Promise<void> {
  read = 0;
  calendar = createCalendar();
  const { clock } = calendar;
  t = await openStage({ clock, api: { flood, clock } });
  owner = personOf(t.api, t.people.owner);
}

async function order() {
  owner.says('/buy_activations 1');
  return owner.sees((message) => message.invoice !== undefined);
}

const purchased = () => t.app().core.quota(t.actors.owner).purchased;

/** The disk does not give this table while `work` goes on. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  const file = new Database(t.app().databasePath);
  file.pragma('legacy_alter_table = on');
  file.exec(`alter table ${table} rename to hidden`);
  await work();
  file.exec(`alter table hidden rename to ${table}`);
  file.close();
}

test('what cannot be checked is not paid', async () => {
  await begin();
  const invoice = await order();
  await without('purchase_orders', async () => {
    expect(await t.api.pay(owner.user, invoice)).toMatchObject({ error: /Nothing was paid.*try again/ });
  });
  expect(await t.api.pay(owner.user, invoice)).toMatchObject({ ok: true });
});

test('a payment that broke while it was booked is shown to no host as one of nobody, and is booked from the list', async () => {
  await begin();
  const invoice = await order();
  const file = new Database(t.app().databasePath);
  file.exec("create trigger broken before insert on purchases begin select raise(abort, 'no disk'); end");
  expect(await t.api.pay(owner.user, invoice)).toMatchObject({ ok: true });
  await owner.sees('Something went wrong on my side');
  file.exec('drop trigger broken');
  file.close();
  await t.restart();
  await owner.sees('Purchased activations now: 1000');
  personOf(t.api, t.host).doesNotSee('belongs to no order');
});

test('a checkout is answered while the chat waits for something else', async () => {
  await begin('faq');
  const invoice = await order();
  owner.looksAway();
  t.api.faults.next('sendMessage', { kind: 'flood', retryAfter: 2 });
  owner.says('/help');
  await t.api.waitFor(() => t.api.faults.ordered() === 0);
  expect(await t.api.pay(owner.user, invoice)).toMatchObject({ ok: true });
  owner.doesNotSee('Every day');
  await owner.sees('Every day');
});

/** From where the list was read since this was asked last. */
function offsets(): unknown[] {
  const calls = t.api.calls('getStarTransactions').slice(read);
  read += calls.length;
  return [...new Set(calls.map(({ payload }) => Number(payload.offset)))];
}

test('the list is compared at the start, daily, and ten minutes after a failure', async () => {
  await begin();
  await t.pass(LOOK_MS);
  offsets();
  for (const [minutes, looksMs, asked, fault] of [
    [24 * 60 - 3, LOOK_MS, []],
    [3, LOOK_MS, [0]],
    [24 * 60 - 3, LOOK_MS, []],
    [3, 200_000, [0], FAULTS.gatewayTimeoutAfter],
    [4, LOOK_MS, []],
    [3, LOOK_MS, [0]],
  ] as const) {
    if (fault) t.api.faults.next('getStarTransactions', fault, Infinity);
    calendar.doings.minutes(undefined, String(minutes));
    await t.pass(looksMs);
    t.api.faults.clear();
    expect([minutes, offsets()]).toEqual([minutes, asked]);
  }
});

test('from a page before where it was compared, whole once a week and where the clock was wrong by more', async () => {
  await begin();
  const pay = async (count: number) => {
    owner.looksAway();
    const invoice = await order();
    await Promise.all(Array.from({ length: count }, () => t.api.pay(owner.user, invoice)));
    await t.quiet();
  };
  await pay(130);
  const compare = async (days: number) => {
    await t.restart(() => calendar.doings.days(undefined, String(days)));
    await t.pass(LOOK_MS);
    return offsets();
  };
  offsets();
  expect(await compare(0)).toEqual([0, 100]);
  expect(await compare(6)).toEqual([30, 130]);
  expect(await compare(1)).toEqual([0, 100]);
  expect(await compare(0)).toEqual([30, 130]);
  expect(await compare(-8)).toEqual([0, 100]);
  t.api.faults.next('getStarTransactions', FAULTS.gatewayTimeoutAfter, Infinity);
  expect(await compare(7)).toEqual([0]);
  t.api.faults.clear();
  expect(await compare(0)).toEqual([0, 100]);
  await pay(75);
  // Where it could not be booked, no place is kept.
  await without('purchases', async () => expect(await compare(0)).toEqual([30, 130]));
  expect(await compare(0)).toEqual([30, 130]);
  expect(await compare(0)).toEqual([105, 205]);
  expect(purchased()).toBe(205_000);
});
