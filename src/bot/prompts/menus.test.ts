// Command menus: who has which commands, in whose words; when a chat's own menu follows, and that nobody waits for it.
import { afterEach, expect, test } from 'vitest';

import { personOf, type Person } from '../../../test/harness/bot.ts';
import { openStage, type Stage, type StageOptions } from '../../../test/world/play/stage.ts';
import { ROLES } from '../../core/index.ts';
import type { Language } from '../texts.ts';

let t: Stage;
afterEach(() => t.stop());

const STRANGERS = 'start help cancel paysupport terms';
const HOSTS = 'accounts payments grant refund health';
const SUPPORT = 'settings receipt history find stock quota';

async function begin(options: StageOptions = {}): Promise<Person> {
  t = await openStage(options);
  return personOf(t.api, t.people.owner);
}
const menuOf = (user = t.people.owner) =>
  t.api
    .menu(user)
    .map(({ command }) => command)
    .sort()
    .join(' ');
const sorted = (...names: string[]) => names.join(' ').split(' ').sort().join(' ');
const calls = () => t.api.calls('setMyCommands').length;
async function says(person: Person, words: string): Promise<void> {
  person.says(words);
  await t.quiet();
  // Nobody waits for a menu: it comes beside the answer.
  await t.pass(1_000);
}

/** What is kept of the menu that was set last. */
async function keep(menu?: string): Promise<string | undefined> {
  const store = t.beside();
  const { id: telegramId } = t.people.owner;
  if (menu !== undefined)
    await store.write(({ preferences }) =>
      preferences.save({ telegramId, language: null, mutedNotices: '', menu }),
    );
  const found = store.read(({ preferences }) => preferences.find(telegramId))?.menu;
  await store.close();
  return found;
}

test('each has the commands that they may use, and a group those that answer there', async () => {
  await begin();
  for (const user of [...ROLES.map((role) => t.people[role]), t.host, t.stranger])
    await says(personOf(t.api, user), '/start');
  expect(menuOf(t.stranger)).toBe(sorted(STRANGERS));
  expect(menuOf(t.host)).toBe(sorted(STRANGERS, HOSTS));
  expect(menuOf(t.people.support)).toBe(sorted(STRANGERS, SUPPORT));
  expect(menuOf(t.people.operator)).toBe(sorted(STRANGERS, SUPPORT, 'redeem orders add_codes batches'));
  expect(menuOf(t.people.admin).split(' ')).toContain('invite');
  expect(menuOf().split(' ')).toContain('api_key');
  const group = t.api.createGroup({ title: 'Shop', members: [t.people.owner] });
  expect(t.api.menu(t.people.owner, group).map(({ command }) => command)).toEqual([
    ...['start', 'stock', 'quota', 'help'],
  ]);
});

test('who has said nothing yet has the menu of strangers, in the language of their Telegram', async () => {
  await begin();
  const helpIn = (language_code: Language) => {
    const user = t.api.createUser({ first_name: 'New', language_code });
    return t.api.menu(user).find(({ command }) => command === 'help')?.description;
  };
  expect([helpIn('en'), helpIn('ru')]).toEqual(['Commands', 'Команды']);
});

test('it is set once, follows the language, and whatever a deployment changed at the next word', async () => {
  const owner = await begin();
  const before = calls();
  await says(owner, '/help');
  expect([calls(), await keep()]).toEqual([before, undefined]);
  await says(owner, '/start');
  await says(owner, '/start');
  expect(calls()).toBe(before + 1);
  const current = await keep();
  await keep('en:owner::of-an-earlier-version');
  await says(owner, '/help');
  await says(owner, '/help');
  expect([calls(), await keep()]).toEqual([before + 2, current]);
  await says(owner, '/settings ru');
  expect(t.api.menu(owner.user)).toContainEqual({ command: 'members', description: 'Кто в аккаунте' });
  await t.restart();
  await says(owner, '/help');
  expect(owner.last().text).toContain('Каждый день');
});

test('neither a word in a group nor a tap brings a menu', async () => {
  const owner = await begin();
  const group = t.api.createGroup({ title: 'Shop', members: [owner.user] });
  await says(owner, '/start');
  await says(owner, '/settings');
  await keep('en:owner::of-an-earlier-version');
  const before = calls();
  await says(owner.inChat(group), '/stock');
  await owner.presses('Notices');
  await t.quiet();
  await t.pass(1_000);
  expect(calls()).toBe(before);
});

test('Telegram takes none: the bot answers, it is logged, and the next word tries again', async () => {
  const warned: string[] = [];
  const note = () => undefined;
  const log = { info: note, error: note, warn: (_: object, words: string) => void warned.push(words) };
  const refusal = { kind: 'error', code: 400, description: 'Bad Request: BOT_COMMAND_INVALID' } as const;
  const owner = await begin({ log, prepare: (api) => api.faults.next('setMyCommands', refusal, 2) });
  await says(owner, '/start');
  expect(owner.last().text).toContain('you are the owner');
  expect(warned).toEqual(['the default command menus could not be set', 'a command menu could not be set']);
  await says(owner, '/start');
  expect(menuOf().split(' ')).toContain('members');
});
