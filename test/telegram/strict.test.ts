import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createManualClock } from '../../src/clock.ts';
import { createBotApi, type BotApi } from './telegram.ts';
import type { User } from './types.ts';

const token = '42:test-token';
const clock = createManualClock(1_750_000_000_000);
let api: BotApi;
let url: string;
let user: User;

beforeEach(async () => {
  api = createBotApi({ token, clock, floodClock: clock });
  ({ url } = await api.listen());
  user = api.createUser({ first_name: 'Owner', language_code: 'en' });
  api.send(user, user, '/start');
});
afterEach(() => api.close());

/** `ok`, or the refusal's code and description. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever was answered
async function call(method: string, payload: object = {}): Promise<any> {
  const answer = await fetch(`${url}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  const body = (await answer.json()) as {
    ok: boolean;
    result: unknown;
    error_code: number;
    description: string;
  };
  expect(answer.status).toBe(body.ok ? 200 : body.error_code);
  return body.ok ? body.result : `${body.error_code} ${body.description}`;
}

const say = (more: object) => call('sendMessage', { chat_id: user.id, text: 'hello', ...more });
const keyboard = (...buttons: object[]) => ({ reply_markup: { inline_keyboard: [buttons] } });

describe('the door', () => {
  test('a wrong token is unauthorised, for files too', async () => {
    const answer = await fetch(`${url}/bot42:other/getMe`);
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: 'Unauthorized' },
    ]);
    expect((await fetch(`${url}/file/bot42:other/documents/file_1`)).status).toBe(404);
  });

  test('an unknown method is an error that names it', async () => {
    expect(await call('sendVenue')).toBe('404 Not Found: method sendVenue is not known to this stand-in');
  });

  test('names of methods are read in any case, and parameters from a query, a form or JSON', async () => {
    expect(await call('GETME')).toMatchObject({ id: 42, is_bot: true });
    const query = await fetch(`${url}/bot${token}/sendMessage?chat_id=${user.id}&text=by+query`);
    expect(query.status).toBe(200);
    const form = new URLSearchParams({
      chat_id: String(user.id),
      text: 'by form',
      reply_markup: JSON.stringify(keyboard({ text: 'a', callback_data: 'a' }).reply_markup),
    });
    await fetch(`${url}/bot${token}/sendMessage`, { method: 'POST', body: form });
    const last = api.messages(user).at(-1)!;
    expect([last.text, last.buttons]).toEqual(['by form', [{ text: 'a', callback_data: 'a' }]]);
  });

  test('unknown parameters are ignored', async () => {
    expect(await say({ no_such_parameter: 1, protect_content: true })).toMatchObject({ text: 'hello' });
    expect(api.messages(user).at(-1)).toMatchObject({ protectContent: true });
  });
});

describe('messages', () => {
  test('4,096 characters pass after parsing, one more does not', async () => {
    expect(await say({ text: `<b>${'x'.repeat(4096)}</b>`, parse_mode: 'HTML' })).toMatchObject({
      text: 'x'.repeat(4096),
    });
    expect(await say({ text: 'x'.repeat(4097) })).toBe('400 Bad Request: message is too long');
    // Characters are code points, whatever they are to JavaScript.
    expect(await say({ text: '🙂'.repeat(4096) })).toMatchObject({ message_id: expect.any(Number) });
    expect(await say({ text: '🙂'.repeat(4097) })).toBe('400 Bad Request: message is too long');
  });

  test('an empty message is refused, also one of invisible characters', async () => {
    expect(await say({ text: '' })).toBe('400 Bad Request: message text is empty');
    expect(await say({ text: ' \u200b\n' })).toBe('400 Bad Request: text must be non-empty');
  });

  test('a caption ends at 1,024', async () => {
    const form = (length: number) => {
      const body = new FormData();
      body.set('chat_id', String(user.id));
      body.set('document', new Blob(['abc']), 'a "b".txt');
      body.set('caption', 'x'.repeat(length));
      return fetch(`${url}/bot${token}/sendDocument`, { method: 'POST', body });
    };
    expect((await form(1024)).status).toBe(200);
    expect(await (await form(1025)).json()).toMatchObject({
      description: 'Bad Request: message caption is too long',
    });
    expect(api.messages(user).at(-1)!.document!.bytes.toString()).toBe('abc');
  });

  test('a picture must be one, of sensible size', async () => {
    const png = (width: number, height: number) => {
      const bytes = Buffer.alloc(24);
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      return bytes;
    };
    const send = async (bytes: Buffer) => {
      const body = new FormData();
      body.set('chat_id', String(user.id));
      body.set('photo', new Blob([new Uint8Array(bytes)]), 'a.png');
      const answer = await fetch(`${url}/bot${token}/sendPhoto`, { method: 'POST', body });
      return ((await answer.json()) as { description?: string }).description;
    };
    expect(await send(png(800, 600))).toBeUndefined();
    expect(await send(png(9000, 2000))).toBe('Bad Request: PHOTO_INVALID_DIMENSIONS');
    expect(await send(Buffer.from('text'))).toBe('Bad Request: IMAGE_PROCESS_FAILED');
  });

  test('only chats that know the bot are written to', async () => {
    const quiet = api.createUser({ first_name: 'Stranger' });
    const group = api.createGroup({ title: 'Shop', members: [user] });
    expect(await say({ chat_id: 999 })).toBe('400 Bad Request: chat not found');
    expect(await say({ chat_id: quiet.id })).toBe(
      "403 Forbidden: bot can't initiate conversation with a user",
    );
    api.block(user);
    expect(await say({})).toBe('403 Forbidden: bot was blocked by the user');
    api.send(user, user, 'back again');
    expect(await say({})).toMatchObject({ text: 'hello' });
    api.remove(group);
    expect(await say({ chat_id: group.id })).toBe('403 Forbidden: bot was kicked from the supergroup chat');
  });

  test('an edit must change something, and something of the bot that is still there', async () => {
    const { message_id } = await say(keyboard({ text: 'a', callback_data: '1' }));
    const edit = (more: object) =>
      call('editMessageText', { chat_id: user.id, message_id, text: 'hello', ...more });
    expect(await edit(keyboard({ text: 'a', callback_data: '1' }))).toMatch(
      /^400 Bad Request: message is not modified/,
    );
    expect(await edit({})).toMatchObject({ text: 'hello' });
    expect(api.messages(user).at(-1)).toMatchObject({ edits: 1, buttons: [] });
    expect(await edit({ message_id: 77 })).toBe('400 Bad Request: message to edit not found');
    expect(await edit({ message_id: 1 })).toBe("400 Bad Request: message can't be edited");
    expect(await call('deleteMessage', { chat_id: user.id, message_id })).toBe(true);
    expect(await edit({ text: 'x' })).toBe('400 Bad Request: message to edit not found');
    expect(await call('deleteMessage', { chat_id: user.id, message_id })).toBe(
      '400 Bad Request: message to delete not found',
    );
  });
});

describe('keyboards', () => {
  test.each([
    [{ text: 'a', callback_data: 'я'.repeat(32) }, undefined],
    [{ text: 'a', callback_data: 'я'.repeat(32) + 'x' }, 'BUTTON_DATA_INVALID'],
    [{ text: 'a', callback_data: '' }, 'BUTTON_DATA_INVALID'],
    [{ text: 'a', copy_text: { text: 'x'.repeat(256) } }, undefined],
    [{ text: 'a', copy_text: { text: 'x'.repeat(257) } }, 'BUTTON_COPY_TEXT_INVALID'],
    [{ text: '  ', callback_data: 'a' }, 'text must be non-empty'],
    [{ text: 'a' }, 'Text buttons are unallowed in the inline keyboard'],
    [{ text: 'a', callback_data: 'a', url: 'https://example.com' }, 'exactly one action'],
    [{ text: 'a', url: 'nonsense' }, 'BUTTON_URL_INVALID'],
    [{ text: 'a', pay: true }, 'BUTTON_TYPE_INVALID'],
    [{ text: 'a', callback_data: 'a', style: 'danger' }, undefined],
    [{ text: 'a', callback_data: 'a', style: 'red' }, 'invalid button style'],
  ])('%j', async (button, complaint) => {
    const answer = await say(keyboard(button));
    if (complaint === undefined) expect(answer).toMatchObject({ text: 'hello' });
    else expect(answer).toContain(complaint);
  });

  test('a hundred buttons pass, one more does not', async () => {
    const rows = (count: number) => ({
      reply_markup: {
        inline_keyboard: Array.from({ length: count }, (_, at) => [
          { text: `${at}`, callback_data: `${at}` },
        ]),
      },
    });
    expect(await say(rows(100))).toMatchObject({ text: 'hello' });
    expect(await say(rows(101))).toBe('400 Bad Request: REPLY_MARKUP_TOO_LONG');
  });
});

describe('command menus', () => {
  const set = (command: string, description = 'words', more = {}) =>
    call('setMyCommands', { commands: [{ command, description }], ...more });

  test('names, descriptions and number are held to', async () => {
    expect(await set('Stock')).toBe('400 Bad Request: BOT_COMMAND_INVALID');
    expect(await set('x'.repeat(33))).toBe('400 Bad Request: BOT_COMMAND_INVALID');
    expect(await set('stock', '')).toBe('400 Bad Request: BOT_COMMAND_DESCRIPTION_INVALID');
    expect(await set('stock', 'x'.repeat(257))).toBe('400 Bad Request: BOT_COMMAND_DESCRIPTION_INVALID');
    const commands = Array.from({ length: 101 }, (_, at) => ({ command: `c${at}`, description: 'd' }));
    expect(await call('setMyCommands', { commands })).toBe('400 Bad Request: BOT_COMMANDS_TOO_MUCH');
    expect(await set('stock', 'd', { scope: { type: 'chat', chat_id: 999 } })).toBe(
      '400 Bad Request: chat not found',
    );
  });

  test('a person sees the narrowest menu, in their language first', async () => {
    await set('everywhere');
    expect(api.menu(user)[0]!.command).toBe('everywhere');
    await set('private', 'd', { scope: { type: 'all_private_chats' } });
    await set('english', 'd', { scope: { type: 'all_private_chats' }, language_code: 'en' });
    expect(api.menu(user)[0]!.command).toBe('english');
    const scope = { type: 'chat', chat_id: user.id };
    await set('own', 'd', { scope });
    expect(api.menu(user)[0]!.command).toBe('own');
    expect(await call('getMyCommands', { scope })).toEqual([{ command: 'own', description: 'd' }]);
    await call('deleteMyCommands', { scope });
    expect(api.menu(user)[0]!.command).toBe('english');
  });
});
