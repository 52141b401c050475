// What pressing a last button does where its order is used up, or expires, while it is done; and what people are called
// in what hosts are told. What else a button does, the chats of each module tell.
import Database from 'better-sqlite3';
import type { User } from 'grammy/types';
import { afterEach, expect, test, vi } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { formatHandle, formatPerson, toPerson } from '../actor.ts';

let t: Stage | undefined;
afterEach(() => {
  vi.restoreAllMocks();
  return t?.stop().then(() => (t = undefined));
});

test.each([
  ['expires', 'expires_at = 1', [expect.stringContaining('older than 15 minutes, so nothing was done')]],
  ['is used up by another press', 'taken_by = 76', []],
])(
  'what %s before it could be done is not done, and told where nothing else comes',
  async (_, change, told) => {
    t = await openStage({ api: { flood: 'none' } });
    const stage = t;
    const { owner } = stage.people;
    const { codes } = stage.app().core;
    await codes.add(stage.actors.owner, 'game_id_1', [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
    stage.api.send(owner, owner, '/extract_codes 60 1');
    await stage.quiet();
    const { beginExtraction } = codes;
    vi.spyOn(codes, 'beginExtraction').mockImplementation((...given) => {
      const file = new Database(stage.app().databasePath);
      file.exec(`update confirmations set ${change}`);
      file.close();
      return beginExtraction(...given);
    });
    const pressed = stage.api.messages(owner).at(-1)!;
    const tap = await stage.api.press(owner, pressed, 'Take out 1');
    await stage.quiet();
    const since = stage.api.messages(owner).filter(({ id }) => id > pressed.id);
    expect([tap?.text, since.map(({ text }) => text)]).toEqual([undefined, told]);
    expect(codes.countAvailable(stage.actors.owner, 'game_id_1').get(60)).toBe(2);
  },
);

test.each<[user: User, name: string, shown: string]>([
  [{ id: 1, is_bot: false, first_name: 'A', last_name: 'B', username: 'u' }, 'A B', 'A B @u (1)'],
  [{ id: 1, is_bot: false, first_name: 'A' }, 'A', 'A (1)'],
  [{ id: 1, is_bot: false, first_name: '', last_name: 'B' }, 'B', 'B (1)'],
])('%j is %s', (user, name, shown) => {
  expect(toPerson(user).name).toBe(name);
  expect(formatPerson(toPerson(user)).replace(/[\u2068\u2069]/g, '')).toBe(shown);
  expect(formatHandle(user.username)).toBe(user.username === undefined ? '' : ' @u');
});
