// Entering the console: a link is used once, within five minutes, and a session ends with its time, its person's word,
// or their role.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestCore, type TestCore } from '../../../test/harness/core.ts';

const MINUTE_MS = 60_000;
const HOST = { kind: 'host', by: 77 } as const;

let t: TestCore;
let a: TestAccount;
beforeAll(async () => void (t = await openTestCore()));
afterAll(() => t.close());
beforeEach(async () => void (a = await openTestAccount(t.store)));

const access = () => t.core.consoleAccess;
const link = (role: keyof TestAccount['members']) =>
  access().link(a.members[role], a.members[role].telegramId);
const press = (token: string, once = 'a', browser = 'Firefox on Linux') =>
  access().enter({ token, once, browser });
async function enter(role: keyof TestAccount['members']): Promise<string> {
  const answer = await press(await link(role));
  if (answer.status !== 'entered') throw new Error(`not entered: ${answer.status}`);
  return answer.token;
}

describe('a link', () => {
  test('is looked at as often as previews like, and lets one press in', async () => {
    const token = await link('operator');
    for (let look = 0; look < 3; look += 1)
      expect(access().findLink(token)).toEqual({ status: 'open', telegramId: a.members.operator.telegramId });
    const [first, second] = await Promise.all([press(token, 'a'), press(token, 'b', 'Chrome on Windows')]);
    expect(first.status).toBe('entered');
    expect(second).toEqual({ status: 'used', usedAt: t.clock.now(), browser: 'Firefox on Linux' });
    expect(access().findLink(token)).toEqual(second);
  });

  test('pressed twice on one page is one session', async () => {
    const token = await link('operator');
    const [first, second] = await Promise.all([press(token), press(token)]);
    expect([first.status, second]).toEqual(['entered', first]);
    expect(access().list(a.members.operator.telegramId)).toHaveLength(1);
  });

  test('is over after five minutes, for the same page, too; whatever the calendar says', async () => {
    const [used, unused] = [await link('owner'), await link('owner')];
    await press(used);
    t.clock.set(t.clock.now() - 60 * MINUTE_MS);
    t.clock.advance(5 * MINUTE_MS);
    expect((await press(used)).status).toBe('used');
    expect(await press(unused)).toEqual({ status: 'expired' });
    expect(access().findLink(unused)).toEqual({ status: 'expired' });
    t.clock.set(t.clock.now() + 60 * MINUTE_MS);
  });

  test('is for whoever asks, or for anybody by the command line', async () => {
    const { owner, support } = a.members;
    await expect(access().link(owner, support.telegramId)).rejects.toThrow(/for whoever asks/);
    await expect(access().link(HOST, support.telegramId)).rejects.toThrow(/for whoever asks/);
    const token = await access().link({ kind: 'host', by: 'cli' }, support.telegramId);
    expect(access().findLink(token)).toEqual({ status: 'open', telegramId: support.telegramId });
    await t.core.members.remove(owner, support.telegramId);
    await expect(access().link(support, support.telegramId)).rejects.toThrow(/not a member/);
  });
});

describe('a session', () => {
  test('is known by its token alone, and is fresh for five minutes', async () => {
    const token = await enter('admin');
    expect(await access().find(token)).toMatchObject({
      telegramId: a.members.admin.telegramId,
      isFresh: true,
    });
    expect(await access().find(`${token}x`)).toBeUndefined();
    t.clock.advance(5 * MINUTE_MS);
    expect(await access().find(token)).toMatchObject({ isFresh: false });
  });

  test('ends after 30 minutes without use, and after 12 hours in use', async () => {
    const [idle, used] = [await enter('admin'), await enter('admin')];
    for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
      expect(await access().find(used)).toBeDefined();
      t.clock.advance(20 * MINUTE_MS);
    }
    expect([await access().find(used), await access().find(idle)]).toEqual([undefined, undefined]);
    expect(access().list(a.members.admin.telegramId)).toEqual([]);
  });

  test('is ended by its person, and by nobody else', async () => {
    const token = await enter('admin');
    const { id } = access().list(a.members.admin.telegramId)[0]!;
    expect(await access().end(a.members.owner, id)).toBe(false);
    expect(await access().find(token)).toBeDefined();
    expect(await access().end(a.members.admin, id)).toBe(true);
    expect([await access().find(token), await access().end(a.members.admin, id)]).toEqual([undefined, false]);
  });

  test.each<[how: string, end: (account: TestAccount) => Promise<unknown>]>([
    [
      'a changed role',
      ({ members }) => t.core.members.changeRole(members.owner, members.operator.telegramId, 'support'),
    ],
    ['a removal', ({ members }) => t.core.members.remove(members.owner, members.operator.telegramId)],
    ['handing over', ({ members }) => t.core.members.handOver(members.owner, members.operator.telegramId)],
    ['closing the account', ({ accountId }) => t.core.accounts.suspend(HOST, accountId, 'close')],
  ])('ends with %s, and the links that are open, too', async (_how, end) => {
    const [token, open, other] = [await enter('operator'), await link('operator'), await enter('support')];
    await end(a);
    expect([await access().find(token), access().findLink(open)]).toEqual([undefined, { status: 'unknown' }]);
    if (_how !== 'closing the account') expect(await access().find(other)).toBeDefined();
  });

  test('tells its person which browser came in', async () => {
    const heard = t.store.read(({ tasks }) => tasks.listQueues()).includes('notices');
    await enter('operator');
    expect([heard, t.store.read(({ tasks }) => tasks.listQueues()).includes('notices')]).toContain(true);
  });
});
