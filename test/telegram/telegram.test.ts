import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Bot, InlineKeyboard, InputFile } from 'grammy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createPerson } from '../harness/bot.ts';
import { createManualClock } from '../../src/clock.ts';
import { createBotApi, type BotApi } from './telegram.ts';
import { cutLikeClients } from './people.ts';
import type { User } from './types.ts';

const token = '42:test-token';
const clock = createManualClock(1_750_000_000_000);
let api: BotApi;
let url: string;
let user: User;
let bots: Bot[];

beforeEach(async () => {
  api = createBotApi({ token, clock });
  ({ url } = await api.listen());
  user = api.createUser({ first_name: 'Owner', language_code: 'en' });
  bots = [];
});
afterEach(async () => {
  askedLongAgo();
  await Promise.all(bots.map((bot) => bot.stop()));
  await api.close();
});

/** Who asks with the same offset again at once gets little, and late. */
function askedLongAgo(): void {
  clock.advance(3_000);
}

function newBot(): Bot {
  const bot = new Bot(token, { client: { apiRoot: url } });
  bots.push(bot);
  return bot;
}

function poll(bot: Bot): void {
  void bot.start({ timeout: 5 });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
async function updatesFrom(offset?: number): Promise<any[]> {
  askedLongAgo();
  const answer = await fetch(
    `${url}/bot${token}/getUpdates?${offset === undefined ? '' : `offset=${offset}`}`,
  );
  return ((await answer.json()) as { result: unknown[] }).result;
}

describe('a conversation', () => {
  test('a person writes, taps and sees what the bot does with it', async () => {
    const bot = newBot();
    bot.command('start', (ctx) =>
      ctx.reply(`<b>Hi</b> ${ctx.match}`, {
        parse_mode: 'HTML',
        reply_markup: new InlineKeyboard().text('Go', 'go').copyText('Copy', 'secret'),
      }),
    );
    bot.callbackQuery('go', async (ctx) => {
      await ctx.answerCallbackQuery({ text: 'gone', show_alert: true });
      await ctx.editMessageText('done');
    });
    poll(bot);
    const owner = createPerson(api, { first_name: 'Owner' });
    owner.says({ start: 'join_1' });
    expect((await owner.sees('Hi')).html).toBe('<b>Hi</b> join_1');
    expect(await owner.copies('Copy')).toBe('secret');
    expect(await owner.presses('Go')).toEqual({ text: 'gone', alert: true, url: undefined });
    expect(await owner.sees('done')).toMatchObject({ edits: 1, buttons: [] });
    owner.doesNotSee('Hi');
    expect(() => owner.doesNotSee(/^done$/)).toThrow('Owner sees');
    await expect(owner.sees('never', 10)).rejects.toThrow(
      'Owner did not see "never"; on the screen:\n  #2 done',
    );
  });

  test('what somebody saw stays as it was when the message is edited or deleted', async () => {
    const bot = newBot();
    const owner = createPerson(api, { first_name: 'Owner' });
    owner.says('/start');
    const { message_id: id } = await bot.api.sendMessage(owner.user.id, 'one');
    const first = owner.last();
    expect(owner.last()).toEqual(first);
    await bot.api.editMessageText(owner.user.id, id, '<b>two</b>', { parse_mode: 'HTML' });
    const second = owner.last();
    expect([first.html, second.html]).toEqual(['one', '<b>two</b>']);
    await bot.api.deleteMessage(owner.user.id, id);
    const third = api.messages(owner.user).at(-1);
    expect([first.deleted, second.deleted, third?.deleted]).toEqual([false, false, true]);
  });

  test('a file goes to the bot and another comes back, byte by byte', async () => {
    const bot = newBot();
    bot.on('message:document', async (ctx) => {
      const { file_path } = await ctx.getFile();
      const bytes = await (await fetch(`${url}/file/bot${token}/${file_path}`)).arrayBuffer();
      await ctx.replyWithDocument(new InputFile(new Uint8Array(bytes).reverse(), 'back.bin'));
    });
    poll(bot);
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
    const owner = createPerson(api, { first_name: 'Owner' });
    owner.sendsFile('there.bin', bytes);
    const { document } = await owner.sees((message) => message.document !== undefined);
    expect([document!.name, new Uint8Array(document!.bytes)]).toEqual(['back.bin', bytes.toReversed()]);
  });

  test('a file of more than 20 MB is not handed out', async () => {
    const document = { name: 'large.txt', bytes: Buffer.alloc(20 * 1024 * 1024 + 1) };
    const { message } = api.send(user, user, { document });
    await expect(newBot().api.getFile(message.document!.fileId)).rejects.toThrow('file is too big');
  });

  test('in a group the bot hears commands, its name and answers to it, and nothing else', async () => {
    const group = api.createGroup({ title: 'Shop', members: [user] });
    const { message_id } = await newBot().api.sendMessage(group.id, 'question');
    const heard = [
      'talk',
      '/stock',
      '/stock@other_bot',
      '/stock@redemption_test_bot',
      '@redemption_test_bot hi',
    ].map((text) => api.send(user, group, text).updateId !== undefined);
    expect(heard).toEqual([false, true, false, true, true]);
    expect(api.send(user, group, { text: 'answer', replyTo: message_id }).updateId).toBeDefined();
  });

  test('a long paste comes in pieces near 4,096 characters that make up the whole', () => {
    const codes = Array.from({ length: 600 }, (_, at) => `60S${String(at).padStart(14, '0')}`).join('\n');
    const pieces = cutLikeClients(codes);
    expect(pieces.length).toBe(3);
    expect(pieces.every((piece) => piece.length <= 4096)).toBe(true);
    expect(pieces[0]!.length).toBe(4096);
    expect(pieces.join('').replaceAll('\n', '')).toBe(codes.replaceAll('\n', ''));
    // The first cut falls inside a code.
    expect(pieces[0]!.split('\n').at(-1)!.length).toBeLessThan(17);
    const ids = api.sendLong(user, user, codes).map((one) => one.updateId!);
    expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
  });
});

describe('taps', () => {
  test('a tap is answered once, and not after its time', async () => {
    api.send(user, user, '/start');
    const bot = newBot();
    await bot.api.sendMessage(user.id, 'text', { reply_markup: new InlineKeyboard().text('Go', 'go') });
    const message = api.messages(user).at(-1)!;
    const ids = async () => (await updatesFrom()).flatMap((one) => one.callback_query?.id ?? []);
    const first = api.press(user, message, 'Go');
    await bot.api.answerCallbackQuery((await ids())[0]);
    expect(await first).toEqual({ text: undefined, alert: false, url: undefined });
    await expect(bot.api.answerCallbackQuery((await ids())[0])).rejects.toThrow('query is too old');
    void api.press(user, message, 0);
    clock.advance(15_001);
    await expect(bot.api.answerCallbackQuery((await ids())[1])).rejects.toThrow('query is too old');
    await expect(bot.api.answerCallbackQuery('123')).rejects.toThrow('query ID is invalid');
  });

  test('nobody taps a button that is not there, or in a chat of others', async () => {
    api.send(user, user, '/start');
    await newBot().api.sendMessage(user.id, 'text', { reply_markup: new InlineKeyboard().text('Go', 'go') });
    const message = api.messages(user).at(-1)!;
    expect(() => api.press(user, message, 'Stop')).toThrow('there is no button Stop, only: Go');
    expect(() => api.press(api.createUser({ first_name: 'Stranger' }), message, 'Go')).toThrow(
      'not in this chat',
    );
  });
});

describe('payments', () => {
  const invoice = { title: 'Pack', description: 'of 1000', payload: 'p1', currency: 'XTR' };
  const prices = [{ label: 'Pack', amount: 770 }];

  async function sendInvoice(bot: Bot, more: object = {}) {
    if (api.messages(user).length === 0) api.send(user, user, '/start');
    const { title, description, payload, currency } = invoice;
    await bot.api.sendInvoice(user.id, title, description, payload, currency, prices, more);
    return api.messages(user).at(-1)!;
  }

  test('the bot is asked, then the payment arrives with a charge of its own each time', async () => {
    const bot = newBot();
    const paid: string[] = [];
    bot.on('pre_checkout_query', (ctx) =>
      ctx.answerPreCheckoutQuery(ctx.preCheckoutQuery.total_amount === 770, 'price changed'),
    );
    bot.on(
      'message:successful_payment',
      (ctx) => void paid.push(ctx.message.successful_payment.telegram_payment_charge_id),
    );
    const message = await sendInvoice(bot);
    expect(message.buttons).toEqual([{ text: 'Pay ⭐️770', pay: true }]);
    poll(bot);
    const [first, second] = [await api.pay(user, message), await api.pay(user, message)];
    expect(await api.pay(user, message, { total_amount: 1 })).toEqual({ ok: false, error: 'price changed' });
    await api.waitFor(() => paid.length === 2);
    expect(new Set(paid)).toEqual(new Set([first, second].map((one) => 'chargeId' in one && one.chargeId)));
    expect(new Set(paid).size).toBe(2);
  });

  test('Stars go back once; the second time says so; others cannot be sent back', async () => {
    const bot = newBot();
    bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true));
    const refunded: string[] = [];
    bot.on(
      'message:refunded_payment',
      (ctx) => void refunded.push(ctx.message.refunded_payment.telegram_payment_charge_id),
    );
    const message = await sendInvoice(bot);
    poll(bot);
    const result = await api.pay(user, message);
    const chargeId = 'chargeId' in result ? result.chargeId : '';
    await bot.api.refundStarPayment(user.id, chargeId);
    await expect(bot.api.refundStarPayment(user.id, chargeId)).rejects.toThrow('CHARGE_ALREADY_REFUNDED');
    await expect(bot.api.refundStarPayment(user.id, 'other')).rejects.toThrow('CHARGE_NOT_FOUND');
    await api.waitFor(() => refunded.length === 1);
    expect(refunded).toEqual([chargeId]);
  });

  test('an answer after ten seconds is refused and nothing is paid', async () => {
    const bot = newBot();
    const result = api.pay(user, await sendInvoice(bot));
    const query = (await updatesFrom()).at(-1).pre_checkout_query;
    clock.advance(10_001);
    await expect(bot.api.answerPreCheckoutQuery(query.id, true)).rejects.toThrow('query is too old');
    expect(await result).toEqual({ ok: false, error: 'BOT_PRECHECKOUT_TIMEOUT' });
    expect((await updatesFrom()).some((one) => one.message?.successful_payment)).toBe(false);
  });

  test('a forwarded invoice opens the bot where it says so, and is paid by anyone where it does not', async () => {
    const bot = newBot();
    bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true));
    const stranger = api.createUser({ first_name: 'Stranger' });
    const leading = api.forwarded(await sendInvoice(bot, { start_parameter: 'buy_1' }));
    const bare = api.forwarded(await sendInvoice(bot));
    poll(bot);
    expect(await api.pay(stranger, leading)).toEqual({ ok: false, opened: true });
    expect(api.messages(stranger).at(-1)!.text).toBe('/start buy_1');
    expect(await api.pay(stranger, bare)).toMatchObject({ ok: true });
  });

  test.each([
    [{ provider_token: 'x' }, 'PAYMENT_PROVIDER_INVALID'],
    [{ currency: 'USD' }, 'PAYMENT_PROVIDER_INVALID'],
    [{ prices: [...prices, ...prices] }, 'STARS_INVOICE_INVALID'],
    [{ payload: 'я'.repeat(65) }, 'INVOICE_PAYLOAD_INVALID'],
    [{ title: 'x'.repeat(33) }, 'INVOICE_TITLE_INVALID'],
    [{ description: '' }, 'INVOICE_DESCRIPTION_INVALID'],
    [{ start_parameter: 'a b' }, 'START_PARAM_INVALID'],
  ])('an invoice with %j is refused', async (more, complaint) => {
    api.send(user, user, '/start');
    const answer = await fetch(`${url}/bot${token}/sendInvoice`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: user.id, ...invoice, prices, ...more }),
    });
    expect(await answer.json()).toMatchObject({ description: `Bad Request: ${complaint}` });
  });
});

describe('updates', () => {
  test('wait while nobody polls, and come again until they are confirmed', async () => {
    const first = api.send(user, user, 'one').updateId!;
    api.send(user, user, 'two');
    expect((await updatesFrom()).map((one) => one.message.text)).toEqual(['one', 'two']);
    expect((await updatesFrom(first + 1)).map((one) => one.message.text)).toEqual(['two']);
    expect(api.unconfirmed().length).toBe(1);
    expect(await updatesFrom(first + 2)).toEqual([]);
  });

  test('a second instance takes over where the first one stopped', async () => {
    for (const name of ['first', 'second']) {
      api.send(user, user, `before ${name}`);
      const bot = newBot();
      bot.on('message', (ctx) => ctx.reply(`${name} heard ${ctx.message.text}`));
      poll(bot);
      await api.waitFor(() => api.messages(user).some((one) => one.text === `${name} heard before ${name}`));
      await bot.stop();
    }
    expect(api.messages(user).map((one) => one.text)).toEqual([
      'before first',
      'first heard before first',
      'before second',
      'second heard before second',
    ]);
  });

  test('two that poll at once: the earlier is told of the conflict', async () => {
    const earlier = fetch(`${url}/bot${token}/getUpdates?timeout=20`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const later = fetch(`${url}/bot${token}/getUpdates?timeout=20`);
    expect((await earlier).status).toBe(409);
    api.send(user, user, 'hello');
    expect(((await (await later).json()) as { result: unknown[] }).result.length).toBe(1);
  });

  test('one that is delivered again keeps its id, even after it was confirmed', async () => {
    const id = api.send(user, user, 'one').updateId!;
    expect(await updatesFrom(id + 1)).toEqual([]);
    api.redeliver(id);
    expect((await updatesFrom(id + 1)).map((one) => [one.update_id, one.message.text])).toEqual([
      [id, 'one'],
    ]);
    expect(await updatesFrom(id + 1)).toEqual([]);
  });

  test('kinds that the bot did not ask for are not kept', async () => {
    await fetch(`${url}/bot${token}/getUpdates?allowed_updates=["callback_query"]`);
    expect(api.send(user, user, 'one').updateId).toBeUndefined();
    expect(await updatesFrom()).toEqual([]);
  });

  test('a webhook gets each with its secret until it answers 200, and polling is refused meanwhile', async () => {
    const seen: [unknown, string][] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        seen.push([request.headers['x-telegram-bot-api-secret-token'], JSON.parse(body).message.text]);
        response.writeHead(seen.length === 1 ? 500 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bot = newBot();
    api.send(user, user, 'one');
    await bot.api.setWebhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      secret_token: 's',
    });
    await expect(bot.api.getUpdates()).rejects.toThrow("can't use getUpdates method while webhook is active");
    api.send(user, user, 'two');
    while (api.unconfirmed().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual([
      ['s', 'one'],
      ['s', 'one'],
      ['s', 'two'],
    ]);
    await bot.api.deleteWebhook();
    expect((await bot.api.getWebhookInfo()).url).toBe('');
    server.close();
  });
});

test('every call is logged with what it asked for and what it got', async () => {
  api.send(user, user, '/start');
  const bot = newBot();
  await bot.api.sendMessage(user.id, 'hello');
  await bot.api.sendMessage(999, 'hello').catch(() => undefined);
  expect(api.calls('sendMessage')).toMatchObject([
    { payload: { chat_id: user.id, text: 'hello' }, result: { message_id: 2 } },
    { payload: { chat_id: 999 }, error: { code: 400, description: 'Bad Request: chat not found' } },
  ]);
});

test('a person who looks away sees only what comes or changes afterwards', async () => {
  const owner = createPerson(api, { first_name: 'Owner' });
  owner.says('/start');
  const bot = newBot();
  const { message_id } = await bot.api.sendMessage(owner.user.id, 'total 1');
  owner.looksAway();
  owner.doesNotSee('total');
  await bot.api.editMessageText(owner.user.id, message_id, 'total 2');
  expect((await owner.sees('total')).text).toBe('total 2');
});
