// A disk that begins to rot: a row that does not open any more is none, and costs nobody else anything.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

let opened: ReturnType<typeof openTestStore>;
beforeEach(() => {
  opened = openTestStore();
  opened.allowDrift();
});
afterEach(() => opened.close());

function rot(table: string, column: string, where: string): void {
  const connection = new Database(opened.store.path);
  connection.exec(`update ${table} set ${column} = zeroblob(40) where ${where}`);
  connection.close();
}

test('a conversation is none: the person begins anew', async () => {
  const { store } = opened;
  await store.write(({ conversations }) => {
    for (const userId of [1, 2]) conversations.save(7, userId, '{}', 1);
  });
  rot('conversations', 'state_secret', 'user_id = 1');
  const find = (userId: number) => store.read(({ conversations }) => conversations.find(7, userId));
  expect([find(1), find(2)]).toEqual([undefined, { state: '{}', touchedAt: 1 }]);
  await store.write(({ conversations }) => conversations.save(7, 1, '{"again":1}', 2));
  expect(find(1)).toEqual({ state: '{"again":1}', touchedAt: 2 });
});

test('a confirmation is none: it can be pressed no more', async () => {
  const { store } = opened;
  const confirmation = { chatId: 7, userId: 7, action: 'redeem', payload: '{}', expiresAt: 9 };
  await store.write(({ confirmations }) =>
    ['a', 'b'].forEach((id) => confirmations.save({ ...confirmation, id })),
  );
  rot('confirmations', 'payload_secret', "id = 'a'");
  const find = (id: string) => store.read(({ confirmations }) => confirmations.find(id));
  expect([find('a'), find('b')]).toEqual([
    undefined,
    { ...confirmation, id: 'b', takenBy: null, madeOf: null, messageId: null },
  ]);
});

test('a slice of a job tells how many it added, and not of which codes', async () => {
  const { store } = opened;
  const jobId = await store.write(({ accounts, jobs, jobSlices }) => {
    const accountId = accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
    const id = jobs.open({ accountId, actor: 'host', kind: 'add', subjectId: 1, total: 2, now: 0 });
    for (const position of [0, 1]) {
      jobSlices.save({ jobId: id, position, denomination: 60, content: ['code'] });
      jobSlices.finish(id, position, { added: 1, content: { used: [] } });
    }
    return id;
  });
  rot('job_slices', 'content_secret', 'position = 0');
  expect(store.read(({ jobSlices }) => jobSlices.list(jobId, -1, 9))).toEqual([
    { position: 0, denomination: 60, added: 1, content: undefined },
    { position: 1, denomination: 60, added: 1, content: { used: [] } },
  ]);
});
