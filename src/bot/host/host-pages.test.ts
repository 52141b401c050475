// What the pages of the host lead to.
import { expect, test } from 'vitest';

import { personOf } from '../../../test/harness/bot.ts';
import { openStage } from '../../../test/world/play/stage.ts';
import { cutPage } from './host-menus.ts';

test('a page whose accounts are gone meanwhile becomes the first', async () => {
  const t = await openStage();
  try {
    const host = personOf(t.api, t.host);
    host.says('/health');
    const { id } = await host.sees('Running for');
    host.says('/accounts');
    const { text } = await host.sees('Members: 4');
    t.api.deliver({
      update_id: 700_001,
      callback_query: {
        id: 'tap',
        from: host.user,
        chat_instance: '1',
        message: { message_id: id, date: 1, chat: { id: host.user.id, type: 'private', first_name: 'x' } },
        data: 'host:accounts:after:999999',
      },
    });
    const edited = () => host.all().find((message) => message.id === id)?.text;
    await t.quiet();
    expect(edited()).toBe(text);
  } finally {
    await t.stop();
  }
});

test.each([
  ['the only page', [1, 2], { isBackwards: false, isFirst: true }, [[1, 2], false, false]],
  ['the first of several', [1, 2, 3, 4], { isBackwards: false, isFirst: true }, [[1, 2, 3], false, true]],
  ['one in the middle', [4, 5, 6, 7], { isBackwards: false, isFirst: false }, [[4, 5, 6], true, true]],
  ['the last', [7], { isBackwards: false, isFirst: false }, [[7], true, false]],
  ['back in the middle', [3, 4, 5, 6], { isBackwards: true, isFirst: false }, [[4, 5, 6], true, true]],
  ['back at the first', [1, 2, 3], { isBackwards: true, isFirst: false }, [[1, 2, 3], false, true]],
] as const)(
  '%s shows its rows and leads where there are others',
  (_which, found, from, [shown, back, on]) => {
    expect(cutPage<number>(found, 3, from)).toEqual({ shown, hasPrevious: back, hasNext: on });
  },
);
