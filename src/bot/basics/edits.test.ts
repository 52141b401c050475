// Messages that were changed later, /help in a group, and a menu that a deployment has outdated.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import type { ChatRef } from '../../../test/telegram/types.ts';

let t: Stage;
let owner: Person;
beforeAll(async () => {
  t = await openStage();
  owner = personOf(t.api, t.people.owner);
});
afterAll(() => t.stop());

let number = 50_000;
/** As Telegram tells of a message that somebody changed. */
function edit(chat: ChatRef, changed: object): void {
  const { user } = owner;
  const message = {
    message_id: 2,
    date: 1_790_000_000,
    edit_date: 1_790_000_060,
    chat,
    from: user,
    ...changed,
  };
  t.api.deliver({ update_id: (number += 1), edited_message: message });
}

const asPrivate = (): ChatRef => ({ id: owner.user.id, type: 'private', first_name: 'owner' }) as never;
const sentences = () => owner.all().filter(({ text }) => text.includes('what is changed later')).length;

test('whoever corrects a message is told to send it anew, also in the middle of a paste', async () => {
  owner.says('/add_codes 60');
  await owner.sees('Paste the codes now');
  edit(asPrivate(), { text: '60S0000000000001' });
  await owner.sees('I do not read what is changed later');
  owner.says('60S0000000000002');
  await owner.sees('60 UC: 1 new');
  // A live location moves without words.
  edit(asPrivate(), { location: { latitude: 1, longitude: 1 } });
  owner.says('/cancel');
  await owner.sees('what you pasted is dropped: 1 message');
  expect(sentences()).toBe(1);
});

test('in a group an edit is not answered, and /help lists what works there', async () => {
  const group = t.api.createGroup({ title: 'Shop', members: [owner.user], type: 'group' });
  const here = owner.inChat(group);
  edit({ ...group, type: 'group', title: 'Shop' } as never, { text: '/help' });
  here.says('/help');
  const { text } = await here.sees('What I can do in a group');
  expect(here.all()).toHaveLength(1);
  expect([...text.matchAll(/^\/(\w+) —/gm)].map((match) => match[1])).toEqual([
    'start',
    'stock',
    'quota',
    'help',
    'receipt_1234',
  ]);
  expect(text).toContain('in our private chat');
});

test('a menu of an earlier version is set anew at the next word, and not again', async () => {
  const menus = () => t.api.menu(owner.user).map(({ command }) => command);
  const find = (): { menu: string } | undefined => {
    const store = t.beside();
    const kept = store.read(({ preferences }) => preferences.find(owner.user.id));
    void store.close();
    return kept;
  };
  owner.says('/start');
  await t.api.waitFor(() => menus().includes('members'));
  await t.quiet();
  expect(find()?.menu).toMatch(/^en:owner::./);
  const current = find()?.menu;
  const store = t.beside();
  await store.write(({ preferences }) =>
    preferences.save({ telegramId: owner.user.id, language: null, mutedNotices: '', menu: 'en:owner:' }),
  );
  await store.close();
  owner.looksAway();
  owner.says('/help');
  await owner.sees('Every day');
  await t.pass(5_000);
  expect(find()?.menu).toBe(current);
});
