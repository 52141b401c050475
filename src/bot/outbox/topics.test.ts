// Words that cannot be said at once in a topic of a forum are said in that topic later, not to everybody in the general
// one.
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';

let t: Stage;
afterEach(() => t.stop());

test('what Telegram did not take comes into its topic', async () => {
  t = await openStage({ api: { flood: 'none' } });
  const { owner } = t.people;
  const forum = t.api.createGroup({ title: 'Shop', members: [owner], type: 'supergroup', hearsAll: true });
  t.api.faults.next('sendMessage', FAULTS.restart);
  t.api.send(owner, forum, '/quota', { topic: 5 });
  await t.api.waitFor(() => t.api.messages(forum).find(({ byBot }) => byBot));
  const calls = t.api.calls('sendMessage').filter(({ payload }) => payload['chat_id'] === forum.id);
  expect(calls.map(({ payload }) => payload['message_thread_id'])).toEqual([5]);
});
