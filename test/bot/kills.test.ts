// The bot in the real process, killed between any two steps: no step that was answered is lost, no effect is doubled.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createBotApi, type BotApi } from '../telegram/telegram.ts';
import type { SeenMessage, User } from '../telegram/types.ts';
import { mintCodes } from '../../src/platform/sandbox/codes.ts';
import { checkBooks, grantDays } from '../harness/host.ts';
import { makeServiceFolder, spawnService, type Service } from '../torture/process.ts';
import { readBooks } from '../torture/books.ts';

const TOKEN = '123456:kills';
let api: BotApi;
let owner: User;
let service: Service;
let place: ReturnType<typeof makeServiceFolder>;
let env: Record<string, string>;

beforeEach(async () => {
  place = makeServiceFolder();
  api = createBotApi({ token: TOKEN, flood: 'none' });
  const { url } = await api.listen();
  env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: url, OPEN_SIGNUP: 'true', LOG_LEVEL: 'info' };
  service = await spawnService({ folder: place.folder, env });
  owner = api.createUser({ first_name: 'Owner', language_code: 'en' });
  api.send(owner, owner, '/start');
  await seen(/you are the owner/);
  await grantDays(place.folder, 1, 30);
});
afterEach(async () => {
  await service.kill();
  await api.close();
  place.remove();
});

async function killAndStart(): Promise<void> {
  await service.kill('SIGKILL');
  service = await spawnService({ folder: place.folder, env });
}

const isStopped = () => own().some(({ text }) => /Stopped: \d of 3/.test(text));

const own = () => api.messages(owner).filter((message) => message.byBot && !message.deleted);
const seen = (pattern: RegExp): Promise<SeenMessage> =>
  api.waitFor(() => own().findLast((message) => pattern.test(message.text)), 20_000, String(pattern));

async function press(label: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof label === 'string' ? text === label : label.test(text));
  const message = await api.waitFor(
    () => own().findLast((each) => each.buttons.some(({ text }) => fits(text))),
    20_000,
    `a button ${String(label)}`,
  );
  await api.press(owner, message, message.buttons.find(({ text }) => fits(text))?.text ?? '');
}

test('a paste of 600 codes cut by Telegram is added once and undone, with a kill after every piece of work', async () => {
  const codes = mintCodes({ count: 600, denomination: 60, randomBytes });
  api.send(owner, owner, '/add_codes 60');
  await seen(/[Pp]aste/);
  const text = [...codes, ...codes.slice(0, 20), 'ABCD-EFGH-IJKL-1'].join('\n');
  const pieces = api.sendLong(owner, owner, text);
  expect(pieces.length).toBeGreaterThan(2);
  await killAndStart();
  await expect.poll(() => api.unconfirmed().length).toBe(0);
  await press('Add 600 codes');
  await killAndStart();
  // Undo stands below a running import, too, and would end it: here all of it has been added.
  await seen(/600 codes added/);
  await press('Undo');
  await killAndStart();
  await seen(/is undone/);
  api.send(owner, owner, '/stock');
  await seen(/60 UC: 0 available/);
  const states = [...readBooks(place.folder).codes.values()];
  expect(states.filter((state) => state === 'undone')).toHaveLength(600);
  expect(await checkBooks(place.folder)).toMatchObject({ drift: 0 });
}, 120_000);

test('a redemption in the chat with a kill between any two steps is one order, one usage, one receipt', async () => {
  api.send(owner, owner, `/add_codes 60 ${mintCodes({ count: 3, denomination: 60, randomBytes }).join(' ')}`);
  await press('Add 3 codes');
  await seen(/codes added/);
  api.send(owner, owner, '/redeem');
  await press('Game 1');
  await killAndStart();
  await seen(/player/i);
  api.send(owner, owner, '5170925571');
  await killAndStart();
  await press(/^60 UC/);
  await killAndStart();
  await seen(/Redeem this\?/);
  await press('Redeem');
  for (const { update_id: updateId } of api.updates()) api.redeliver(updateId);
  await killAndStart();
  await seen(/Redeemed · receipt \d+/);
  const { orders, redemptions } = readBooks(place.folder);
  expect(orders).toHaveLength(1);
  expect(redemptions.map(({ state, charged }) => ({ state, charged }))).toEqual([
    { state: 'redeemed', charged: true },
  ]);
  expect(await checkBooks(place.folder)).toMatchObject({ drift: 0 });
}, 120_000);

const ENDED = /All 3 redeemed|Stopped: \d of 3/;

test('three codes for one player with a kill after each are one order: three usages, three receipts, one message', async () => {
  api.send(owner, owner, `/add_codes 60 ${mintCodes({ count: 5, denomination: 60, randomBytes }).join(' ')}`);
  await press('Add 5 codes');
  await seen(/codes added/);
  api.send(owner, owner, '5170925571 60 x3');
  await killAndStart();
  const asked = await seen(/Redeem this\?/);
  await press('Redeem');
  const { length } = readBooks(place.folder).redemptions;
  for (let count = length; count < 3; count += 1) {
    const hasBegun = () => readBooks(place.folder).redemptions.length > count;
    // What a kill left in doubt ends the order: the rest is a confirmation of its own.
    await expect.poll(() => isStopped() || hasBegun()).toBe(true);
    if (isStopped()) break;
    await killAndStart();
    for (const { update_id: updateId } of api.updates()) api.redeliver(updateId);
  }
  const ended = await seen(ENDED);
  // Where a kill left a doubt the end comes below, and rings; it is told once.
  expect(ended.id).toBeGreaterThanOrEqual(asked.id);
  expect(own().filter(({ text }) => ENDED.test(text))).toHaveLength(1);
  const begun = Number(/Stopped/.test(ended.text) ? (ended.text.match(/receipt_/g)?.length ?? 0) : 3);
  const left = 3 - begun;
  if (left > 0) expect(ended.text).toContain(`Not begun: 60 UC${left > 1 ? ` × ${left}` : ''}`);
  // One that a kill kept from being sent has failed, and the order has gone on with another.
  const count = (...states: string[]) =>
    readBooks(place.folder).redemptions.filter(({ state }) => states.includes(state)).length;
  await expect.poll(() => count('pending', 'in_doubt')).toBe(0);
  if (/All 3/.test(ended.text)) expect(count('redeemed')).toBe(3);
  else expect(count('redeemed', 'failed')).toBe(begun);
  const { orders, redemptions } = readBooks(place.folder);
  expect(orders).toHaveLength(redemptions.filter(({ state }) => state === 'redeemed').length);
  expect(await checkBooks(place.folder)).toMatchObject({ drift: 0 });
}, 120_000);

test('a payment delivered three times, with a kill in between, is credited once', async () => {
  api.send(owner, owner, '/buy_activations 1');
  const invoice = await api.waitFor(() => own().find((message) => message.invoice), 20_000, 'an invoice');
  const paid = await api.pay(owner, invoice);
  if (!paid.ok) throw new Error('the payment was refused');
  await killAndStart();
  api.redeliver(paid.updateId ?? 0);
  await killAndStart();
  for (let times = 0; times < 2; times += 1) api.redeliver(paid.updateId ?? 0);
  api.send(owner, owner, '/quota');
  await seen(/Purchased activations left: 1,?000/);
  // Beside the days that the account began with.
  expect(await checkBooks(place.folder)).toMatchObject({ drift: 0, counts: { purchases: 2 } });
}, 120_000);
