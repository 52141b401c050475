// What becomes of an order by what its codes come to, over the real core: the next, the same once more, or the end; who
// is asked about a bad code; and whose right ends it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { expectStory, openOrderStory, PLAYER, type OrderStory } from '../../../test/harness/order-story.ts';
import { makeOf } from '../../../test/harness/order-world.ts';
import type { Nature } from '../../../test/world/core/orders/model.ts';
import type { CharacterOutcome, CodeOutcome } from '../../platform/port.ts';
import type { AccountActor, OrderRequest } from '../index.ts';

let s: OrderStory;
beforeEach(async () => {
  s = await openOrderStory();
});
afterEach(() => s.close());

const HOST = { kind: 'host', by: 'cli' } as const;
const OTHER = '5999999999';
const given = (...natures: Nature[]): Partial<OrderRequest> => ({
  items: natures.map((nature) => ({ code: makeOf(nature) })),
});
const three: Nature[] = ['INVALID', 'INVALID', 'INVALID'];

/** Codes of the stock in their order, what is wanted of them, how it ends, and how many were sent. */
test.each<[Nature[], Partial<OrderRequest>, string, number]>([
  [['GOOD', 'GOOD', 'GOOD'], {}, 'done', 2],
  [['USED', 'GOOD', 'INVALID', 'GOOD'], {}, 'done', 4],
  [[...three, 'GOOD', 'GOOD'], {}, 'done', 5],
  [[...three, 'INVALID', 'GOOD', 'GOOD'], {}, 'stopped INVALID_CODE, 60 x2', 4],
  [[...three, 'USED', 'GOOD', 'GOOD'], {}, 'stopped CODE_USED, 60 x2', 4],
  [['USED', 'GOOD', 'GOOD'], { onBadCode: 'stop' }, 'stopped CODE_USED, 60 x2', 1],
  [['GOOD', 'INVALID', 'GOOD'], { onBadCode: 'stop' }, 'stopped INVALID_CODE, 60 x1', 2],
  [['GOOD', 'RISK', 'GOOD'], {}, 'stopped RISK_CONTROL, 60 x1', 2],
  [['NOBODY', 'GOOD', 'GOOD'], {}, 'stopped DOUBT, 60 x2', 1],
  [['USED'], {}, 'waits stock', 1],
  [[], given('GOOD', 'INVALID', 'GOOD'), 'stopped ITEMS_FAILED, given 2', 3],
  [[], given('USED', 'NOBODY', 'GOOD'), 'stopped ITEMS_FAILED, given 1, given 2', 3],
  [
    ['RISK'],
    { items: [...(given('INVALID').items ?? []), { denomination: 60, count: 1 }] },
    'stopped RISK_CONTROL, 60 x1, given 1',
    2,
  ],
])('of %j, %j: %s', async (codes, asked, told, sent) => {
  await s.add(codes);
  await s.place({ items: [{ denomination: 60, count: 2 }], ...asked });
  expect([s.tell(), s.world.platform.orders.length]).toEqual([told, sent]);
});

test('ten bad codes of an order are replaced, and no more; a resumed one begins to count anew', async () => {
  await s.add([
    ...three,
    'GOOD',
    ...three,
    'GOOD',
    ...three,
    'GOOD',
    'INVALID',
    'INVALID',
    'INVALID',
    'GOOD',
    'GOOD',
  ]);
  await s.place(5);
  expect(s.tell()).toBe('stopped INVALID_CODE, 60 x2');
  await s.resume();
  expect([s.tell(), s.find().run, s.world.platform.orders.length]).toEqual(['done', 2, 17]);
});

test('a code of a place has one reference until it was sent under it, and another after', async () => {
  await s.add(['RISK']);
  s.answers('down', 'down');
  await s.place(1);
  await s.after(5_000);
  await s.after(15_000);
  expect(s.tell()).toBe('stopped RISK_CONTROL, 60 x1');
  await s.resume();
  const references = s.world.platform.orders.map(({ reference }) => reference);
  const [first] = references;
  expect(references.map((each) => each === first)).toEqual([true, true, true, false]);
});

describe('a code that is said to be used', () => {
  const redeemed = {
    status: 'redeemed',
    redeemedAt: 0,
    toldAt: 1,
    expiresAt: 1,
    channelName: '',
    amount: 60,
  } as const;
  const theirs = { ...redeemed, productName: '60', openid: `open-${OTHER}` };
  const ours = { ...theirs, openid: `open-${PLAYER}` };
  const found = (playerId: string): CharacterOutcome => ({
    status: 'found',
    openid: `open-${playerId}`,
    name: '',
  });
  const unreachable = { status: 'unreachable', message: '' } as const;

  test.each<[string, CodeOutcome, CharacterOutcome, string, number]>([
    ['another player has, by name', { ...theirs, playerId: OTHER }, unreachable, 'done', 0],
    ['this player has, by name', { ...theirs, playerId: PLAYER }, found(PLAYER), 'DOUBT', 0],
    ['another has, by openid', theirs, found(PLAYER), 'done', 1],
    ['this player has, by openid', ours, found(PLAYER), 'DOUBT', 1],
    ['somebody has, and the player is not told', theirs, unreachable, 'DOUBT', 1],
    ['somebody has, and the player is not there', theirs, { status: 'notFound' }, 'DOUBT', 1],
    ['somebody has, and names are not offered', theirs, { status: 'notOffered' }, 'DOUBT', 1],
    ['nobody has', { status: 'notRedeemed' }, found(PLAYER), 'DOUBT', 0],
    ['somebody is getting', { status: 'underWay' }, found(PLAYER), 'DOUBT', 0],
    ['nobody tells of', unreachable, found(PLAYER), 'DOUBT', 0],
  ])('and %s', async (_, code, player, end, players) => {
    let asked = 0;
    Object.assign(s.world.platform.script, {
      findCode: () => code,
      findCharacter: () => ((asked += 1), player),
    });
    await s.add(['NOBODY', 'GOOD']);
    await s.place(1);
    expect([s.tell(), asked]).toEqual([end === 'done' ? 'done' : `stopped ${end}, 60 x1`, players]);
  });

  test('is of no interest where nothing more begins', async () => {
    const { script } = s.world.platform;
    let asked = 0;
    script.findCode = () => ((asked += 1), unreachable);
    script.redeem = async () => {
      await s.core().orders.cancel(s.actor(), s.id());
      return { status: 'refused', errorCode: 'CODE_USED', message: '', asked: true };
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    const { redeem } = script;
    script.redeem = (order, signal) => promise.then(() => redeem(order, signal));
    await s.add(2);
    const placing = s.place(2);
    setImmediate(resolve);
    await placing;
    await s.world.rest();
    expect([s.tell(), asked]).toEqual(['cancelled, 60 x2', 0]);
  });
});

/** The answers about the first code that is sent. */
function loses({ world: { platform } }: OrderStory): void {
  let first: string | undefined;
  platform.script.redeem = (order) =>
    order.code === (first ??= order.code)
      ? { status: 'unknown', errorCode: 'UNKNOWN', message: '' }
      : platform.redeemNow(order);
}

const DOUBTS: Record<string, string> = {
  'that turns out redeemed is a receipt': `add HIDES GOOD; place 2 -> waits doubt; 1min -> done`,
  'that turns out not redeemed is begun once more': `
    add SWALLOWS GOOD; place 2 -> waits doubt; 1min -> done`,
  'whose every answer is lost lets those behind it pass': `
    add 2; loses; place 1 -> waits doubt; 1min -> waits doubt; 1min -> done`,
  'that another got stops it': `add STOLEN GOOD; place 2 -> waits doubt; 1min -> stopped DOUBT, 60 x2`,
  'of a given code that another got stops it, too': `
    give STOLEN GOOD -> waits doubt; 1min -> stopped DOUBT, given 1, given 2`,
  'is waited for by a cancelled one, which begins nothing more': `
    add SWALLOWS GOOD; place 2 -> waits doubt; cancel -> waits doubt;
    1min -> cancelled, 60 x2; cancel -> cancelled, 60 x2`,
  'that another got ends a cancelled one as cancelled': `
    add STOLEN GOOD; place 2 -> waits doubt; cancel -> waits doubt; 1min -> cancelled, 60 x2`,
  'that makes a cancelled one whole makes it done': `
    add HIDES; place 1 -> waits doubt; cancel -> waits doubt; 1min -> done`,
};

test.each(Object.entries(DOUBTS))('a doubt %s', (_, story) => expectStory(s, story, { loses }));

describe('what stopped one gives back', () => {
  test('is the next one’s at once, of another denomination, too', async () => {
    await s.add(['RISK']);
    await s.add(1, 325);
    const { redeem } = s.world.platform.script;
    const { promise, resolve } = Promise.withResolvers<void>();
    s.world.platform.script.redeem = async (order, signal) => {
      await promise;
      return redeem?.(order, signal) ?? s.world.platform.redeemNow(order);
    };
    const one = (denomination: number) => ({ denomination, count: 1 });
    const placing = [
      s.place({ items: [one(60), one(325)], onShortage: 'refuse' }),
      s.place({ items: [one(325)] }),
    ];
    setImmediate(resolve);
    const [first = '', next = ''] = await Promise.all(placing);
    await s.world.rest();
    expect([s.tell(first), s.tell(next)]).toEqual(['stopped RISK_CONTROL, 60 x1, 325 x1', 'done']);
  });

  test('a code that came back while it waits for the platform is still promised to it', async () => {
    await s.add(1);
    await expectStory(s, 'down; place 1 -> waits platform');
    expect(s.available()).toBe(0);
  });
});

test('one that nobody takes is tried again like one that fails; a restart goes on with it at once', async () => {
  await s.add(1);
  const { upstreams } = s.core();
  const [{ name } = { name: '' }] = upstreams.list(HOST);
  await upstreams.pause(HOST, name, 'No balance.');
  await s.place(1);
  expect(s.tell()).toBe('waits platform');
  await upstreams.resume(HOST, name);
  await s.after(4_999);
  expect(s.tell()).toBe('waits platform');
  await s.world.goOn();
  await s.world.rest();
  expect(s.tell()).toBe('done');
});

describe('one that waits for stock stops at once', () => {
  async function join(telegramId: number, role: 'owner' | 'operator') {
    const { accountId } = s.world;
    const member = { telegramId, accountId, role, name: role, username: null, now: 0 };
    await s.world.store().write(({ members }) => members.insert(member));
    return { kind: 'member', accountId, telegramId, role } as const;
  }

  test.each<[string, string, (owner: AccountActor, key: number) => Promise<unknown>]>([
    ['whose person is removed', 'FORBIDDEN', (owner) => s.core().members.remove(owner, 8)],
    [
      'whose person may redeem no more',
      'FORBIDDEN',
      (owner) => s.core().members.changeRole(owner, 8, 'support'),
    ],
    ['whose key is revoked', 'KEY_REVOKED', (_, key) => s.core().apiKeys.forHost.revoke(HOST, key)],
  ])('%s, and no other', async (what, reason, end) => {
    const [owner, operator] = [await join(7, 'owner'), await join(8, 'operator')];
    const { accountId } = s.world;
    const { id } = await s.core().apiKeys.forHost.issue(HOST, { accountId });
    const others = await s.place(1, owner);
    await s.place(1, what.includes('key') ? { kind: 'apiKey', accountId, apiKeyId: id } : operator);
    await end(owner, id);
    await s.after(0);
    expect([s.tell(), s.tell(others)]).toEqual([`stopped ${reason}, 60 x1`, 'waits stock']);
    // Somebody else’s right goes on with it.
    await s.add(2);
    await s.resume(undefined, owner);
    expect(s.tell()).toBe('done');
  });

  test('in an account that is closed', async () => {
    await join(7, 'owner');
    await s.place(1, await join(8, 'operator'));
    await s.core().accounts.suspend(HOST, s.world.accountId, 'close');
    await s.after(0);
    expect(s.find()).toMatchObject({ state: 'stopped', reason: 'FORBIDDEN' });
  });
});
