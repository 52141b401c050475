import { Bot, HttpError, type GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FAULTS } from './faults.ts';
import { createBotApi, type BotApi } from './telegram.ts';
import type { User } from './types.ts';

const token = '42:test-token';
let api: BotApi;
let url: string;
let user: User;
let bot: Bot;

beforeEach(async () => {
  api = createBotApi({ token });
  ({ url } = await api.listen());
  user = api.createUser({ first_name: 'Owner' });
  api.send(user, user, '/start');
  bot = new Bot(token, { client: { apiRoot: url } });
});
afterEach(() => api.close());

const say = (text = 'hello') => bot.api.sendMessage(user.id, text);
const failure = (act: Promise<unknown>) => act.then(String, (error: unknown) => error);
const said = () => api.messages(user).flatMap((one) => (one.byBot ? [one.text] : []));

/** The answer as it arrives. */
async function raw(method: string, path = `bot${token}/${method}`) {
  const answer = await fetch(`${url}/${path}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

test('faults come as ordered, then calls pass again', async () => {
  api.faults.next('sendMessage', { kind: 'flood', retryAfter: 7 });
  api.faults.next('sendMessage', FAULTS.restart);
  api.faults.next('sendMessage', FAULTS.cut);
  const flooded = (await failure(say())) as GrammyError;
  expect([flooded.error_code, flooded.parameters.retry_after]).toEqual([429, 7]);
  expect((await failure(say())) as GrammyError).toMatchObject({ error_code: 500 });
  expect(await failure(say())).toBeInstanceOf(HttpError);
  expect(said()).toEqual([]);
  await say();
  expect(said()).toEqual(['hello']);
});

test('the third call of whatever kind meets the fault, polls are not counted', async () => {
  const order = api.faults.at(3, '*', FAULTS.unauthorized);
  await say('one');
  await bot.api.getUpdates();
  await bot.api.sendChatAction(user.id, 'typing');
  expect(order.met()).toBe(0);
  expect(await failure(say('two'))).toMatchObject({ error_code: 401 });
  await say('three');
  expect([said(), order.met()]).toEqual([['one', 'three'], 1]);
});

test('a condition chooses the calls, until it is cancelled', async () => {
  const other = api.createUser({ first_name: 'Other' });
  api.send(other, other, '/start');
  const order = api.faults.next(
    ({ method, params }) => method === 'sendMessage' && params.integer('chat_id') === other.id,
    FAULTS.deactivated,
    Infinity,
  );
  for (const _ of [1, 2]) {
    await say();
    expect(await failure(bot.api.sendMessage(other.id, 'hello'))).toMatchObject({
      error_code: 403,
      description: 'Forbidden: user is deactivated',
    });
  }
  order.cancel();
  await bot.api.sendMessage(other.id, 'hello');
  expect(order.met()).toBe(2);
});

test.each([FAULTS.cutAfter, FAULTS.gatewayTimeoutAfter, FAULTS.halfOfJson])(
  'an answer that is lost leaves the message sent: %j',
  async (fault) => {
    api.faults.next('sendMessage', fault);
    await expect(say()).rejects.toBeInstanceOf(HttpError);
    expect(said()).toEqual(['hello']);
  },
);

test('a proxy answers with a page, a broken line with half of the JSON', async () => {
  api.faults.next('getMe', FAULTS.badGateway);
  api.faults.next('getMe', FAULTS.halfOfJson);
  const page = await raw('getMe');
  expect(page).toMatchObject({ status: 502, type: 'text/html' });
  expect(page.text).toContain('<h1>502 Bad Gateway</h1>');
  const [half, whole] = [await raw('getMe'), await raw('getMe')];
  expect([half.status, half.text]).toEqual([200, whole.text.slice(0, whole.text.length / 2)]);
});

test('a call that hangs is answered never, and ends with the client', async () => {
  const order = api.faults.next('getMe', FAULTS.hang);
  const ending = new AbortController();
  const hanging = failure(fetch(`${url}/bot${token}/getMe`, { signal: ending.signal }));
  await expect.poll(() => order.met()).toBe(1);
  ending.abort();
  expect(await hanging).toMatchObject({ name: 'AbortError' });
  expect(await bot.api.getMe()).toMatchObject({ id: 42 });
});

test.each([401, 403, 404])('the link of a file fails with %i as long as it was ordered', async (code) => {
  api.send(user, user, { document: { name: 'codes.txt', bytes: Buffer.from('codes') } });
  const { fileId } = api.messages(user).at(-1)!.document!;
  const { file_path } = await bot.api.getFile(fileId);
  const fetched = () => raw('', `file/bot${token}/${file_path}`);
  const order = api.faults.next('file', { kind: 'error', code, description: 'no' }, Infinity);
  expect([(await fetched()).status, (await fetched()).status]).toEqual([code, code]);
  order.cancel();
  expect((await fetched()).text).toBe('codes');
});

test('a token that is revoked while a poll waits ends it with a 401, and every call until it holds again', async () => {
  const poll = failure(bot.api.getUpdates({ timeout: 20, offset: 1_001 }));
  await expect.poll(() => api.unconfirmed()).toEqual([]);
  api.revoked = true;
  expect(await poll).toMatchObject({ error_code: 401, description: 'Unauthorized' });
  expect(await failure(bot.api.getUpdates())).toMatchObject({ error_code: 401 });
  expect(await raw('', `file/bot${token}/documents/file_1.txt`)).toMatchObject({
    status: 401,
    text: expect.stringContaining('Unauthorized') as string,
  });
  api.revoked = false;
  await say();
  expect(said()).toEqual(['hello']);
});

test('while Telegram is down nothing gets through, and nothing that people write is lost', async () => {
  api.down = true;
  await expect(bot.api.getMe()).rejects.toBeInstanceOf(HttpError);
  api.send(user, user, 'meanwhile');
  api.down = false;
  expect((await bot.api.getUpdates()).at(-1)).toMatchObject({ message: { text: 'meanwhile' } });
});
