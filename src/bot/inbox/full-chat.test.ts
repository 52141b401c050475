// Whoever writes faster than they are answered is told so, once, where they write and in their language.
import { expect, test } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';

test('what comes after a hundred is not read, and told of', async () => {
  const t = await openStage({ api: { flood: 'none' } });
  try {
    const { owner, admin } = t.people;
    const newcomer = t.api.createUser({ first_name: 'Newcomer', language_code: 'ru' });
    t.api.send(admin, admin, '/settings ru');
    const group = t.api.createGroup({ title: 'Shop', members: [owner, admin], type: 'group' });
    await t.quiet();
    await t.restart(() => {
      for (let n = 0; n < 130; n += 1) {
        t.api.send(owner, group, '/quota@redemption_test_bot');
        t.api.send(newcomer, newcomer, '/help');
        t.api.send(admin, admin, '/help');
      }
    });
    await t.pass(300_000);
    const told = (chat: typeof owner | typeof group) =>
      t.api.messages(chat).flatMap(({ text }) => /You write faster.*|Вы пишете быстрее.*/.exec(text) ?? []);
    expect([told(group), told(newcomer), told(admin), told(owner)]).toEqual([
      [expect.stringContaining('100 of your messages wait already')],
      [expect.stringContaining('уже ждут 100 ваших сообщений')],
      [expect.stringContaining('уже ждут 100 ваших сообщений')],
      [],
    ]);
  } finally {
    await t.stop();
  }
});
