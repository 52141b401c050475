// How an order of several codes is carried out: what each redemption is begun with, what ends the order and what only
// waits, and that it goes on from the rows whatever happened before.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { KEYS_FOR_WORDS, soon, wordButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { CoreError } from '../../core/index.ts';
import type { Shown } from '../telegram/progress.ts';
import type { StoredBulkOrder, StoredBulkItem } from '../../store/bot-store.ts';
import { createBulkOrderRunner } from './bulk-order-runner.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const ACTOR = { kind: 'member', accountId: 1, telegramId: 5, role: 'operator' };
type Item = Pick<StoredBulkItem, 'redemptionId' | 'state'> & Partial<StoredBulkItem>;
const OPEN: Item = { redemptionId: null, state: null };
const DONE: Item = { redemptionId: 70, state: 'redeemed' };
const PENDING: Item = { redemptionId: 70, state: 'pending' };

interface World {
  items?: Item[];
  order?: Partial<StoredBulkOrder>;
  actor?: object | undefined;
  /** What begins a redemption, in turn; otherwise it begins and is redeemed. */
  answers?: (() => unknown)[];
  preferred?: string;
  /** Whether the order was over when it was to end. */
  wasOver?: boolean;
  /** What is waited for never ends by itself. */
  isLeft?: boolean;
  /** The rows cannot be read so many times. */
  unread?: number;
}

function createWorld(world: World = {}) {
  const { items = [OPEN], answers = [], preferred, wasOver = false, isLeft = false, unread = 0 } = world;
  const did: unknown[] = [];
  const shown: (() => Shown | undefined)[] = [];
  const [kept, begun, limits]: [unknown[], unknown[], number[]] = [[], [], []];
  const order: StoredBulkOrder = {
    ...{ id: 'order', accountId: 1, telegramId: 5, chatId: 50, messageId: 8, language: null },
    ...{ gameId: 'game_id_1', warnedOf: 3 },
    ...{ state: 'running', stopRequested: false, reason: null },
    items: items.map((item, index) => ({
      ...{ n: index + 1, playerId: '5170925570', playerName: 'Player', denomination: 60 },
      ...item,
    })),
    ...world.order,
  };
  const change = (n: number, item: Item) => {
    (order as { items: unknown }).items = order.items.map((each) =>
      each.n === n ? { ...each, ...item } : each,
    );
  };
  interface Hooks {
    inTransaction(of: object): object;
  }
  const beginRedemption = (by: unknown, { inTransaction, ...asked }: Hooks) =>
    soon(() => {
      begun.push([by, asked]);
      const n = Number(
        (asked as never as { idempotencyKey: { key: string } }).idempotencyKey.key.split(':')[1],
      );
      const answer = answers.shift()?.();
      if (answer !== undefined) return answer;
      kept.push(inTransaction({ redemptionId: 70 + n }));
      did.push(`begun ${n}`);
      change(n, { redemptionId: 70 + n, state: 'pending' });
      return { status: 'begun', redemptionId: 70 + n };
    });
  const redemptionEnded = (id: number) =>
    soon(() => {
      did.push(`waited ${id}`);
      const item = order.items.find(({ redemptionId }) => redemptionId === id);
      if (item && !isLeft) change(item.n, { redemptionId: id, state: 'redeemed' });
    });
  const note = (_facts: object, what: string) => void did.push(what);
  const runner = createBulkOrderRunner(
    {
      texts: KEYS_FOR_WORDS,
      log: { info: note, warn: note, error: note },
      core: {
        games: TEST_GAMES,
        members: {
          findActor: (id: number) => (id === 5 ? ('actor' in world ? world.actor : ACTOR) : undefined),
        },
        beginRedemption,
        redemptionEnded,
      },
      store: {
        inTransaction: (rows: unknown) => rows,
        preferences: { find: (id: number) => (id === 5 && preferred ? { language: preferred } : undefined) },
        orders: {
          find: (id: string) => (id === 'order' ? order : undefined),
          listRunning(limit: number) {
            limits.push(limit);
            if (limits.length <= unread) throw new Error('x');
            return ['order'];
          },
          end: (id: string, { state, reason }: StoredBulkOrder, message: object) =>
            soon(() => {
              did.push(['end', id, state, reason, message]);
              order.state = state;
              return !wasOver;
            }),
        },
      },
    } as never,
    {
      progress: {
        at: (target: object) => ({
          show: (look: never) => (did.push(['shows in', target]), shown.push(look)),
        }),
      },
    } as never,
  );
  /** Lets what was begun come to where it waits for nothing any more. */
  const settle = async () => {
    for (let turn = 0; turn < 40; turn += 1) await soon(() => undefined);
  };
  const run = () => {
    runner.begin('order');
    return settle();
  };
  return { runner, run, settle, did, shown, kept, begun, limits, order };
}

const SHOWS = ['shows in', { chatId: 50, messageId: 8 }];
const message = (language: string | null = null) => ({
  key: expect.stringContaining('order') as string,
  chatId: 50,
  content: JSON.stringify({ view: 'bulk-order', of: { id: 'order' }, telegramId: 5, language, messageId: 8 }),
});
const ended = (state: string, reason: string | null) => [['end', 'order', state, reason, message()]];
const round = (n: number) => [SHOWS, `begun ${n}`, SHOWS, `waited ${70 + n}`];

test('one after another, each by the rights of the person, under a key of its own, kept with its step and its live message', async () => {
  const { run, did, begun, kept } = createWorld({ items: [OPEN, OPEN], order: { language: 'tr' } });
  await run();
  const end = ['end', 'order', 'done', null, message('tr')];
  expect(did).toEqual([...round(1), ...round(2), end]);
  const asked = (n: number, own: number[]) => [
    ACTOR,
    {
      ...{ gameId: 'game_id_1', playerId: '5170925570', playerName: 'Player', denomination: 60 },
      idempotencyKey: { scope: 'chat', key: `order:${n}` },
      unlessDuplicate: { warnedOf: 3, own },
    },
  ];
  expect(begun).toEqual([asked(1, []), asked(2, [71])]);
  // The message that tells of what needs a look, known by the order that it is of.
  const content = (id: number) =>
    JSON.stringify({ view: 'redemption', of: { id, order: 'order' }, telegramId: 5, language: 'tr' });
  const step = (n: number) => ({
    orderStep: { id: 'order', n, redemptionId: 70 + n },
    messages: [{ key: `result:order:${n}`, chatId: 50, content: content(70 + n), redemptionId: 70 + n }],
  });
  expect(kept).toEqual([step(1), step(2)]);
});

test('each code is redeemed for its own player, under its own key', async () => {
  const other = { playerId: '5170925571', playerName: 'Other' };
  const { run, begun } = createWorld({ items: [OPEN, { ...OPEN, ...other }] });
  await run();
  expect(begun.map((each) => (each as [unknown, object])[1])).toMatchObject([
    { playerId: '5170925570', playerName: 'Player', idempotencyKey: { key: 'order:1' } },
    { ...other, idempotencyKey: { key: 'order:2' } },
  ]);
});

const failing = (code: string) => () => {
  throw new CoreError(code as never, 'x');
};
const status = (what: string) => () => ({ status: what });

test.each<[what: string, world: World, reason: string, tried: number]>([
  ['nobody who is a member', { actor: undefined }, 'account', 0],
  ['a member of another account', { actor: { ...ACTOR, accountId: 2 } }, 'account', 0],
  ['Stop', { order: { stopRequested: true } }, 'asked', 0],
  ['a used up quota', { answers: [status('quotaExceeded')] }, 'quota', 1],
  ['too many refusals', { answers: [status('tooManyBadRequests')] }, 'refusals', 1],
  ['the same redeemed by another', { answers: [status('recentDuplicate')] }, 'same', 1],
  ['a role that may not', { answers: [failing('FORBIDDEN')] }, 'role', 1],
  ['a key that is no more', { answers: [failing('KEY_REVOKED')] }, 'role', 1],
  ['no subscription', { answers: [failing('SUBSCRIPTION_EXPIRED')] }, 'subscription', 1],
  ['what is not there', { answers: [failing('NOT_FOUND')] }, 'input', 1],
  ['a conflict', { answers: [failing('CONFLICT')] }, 'input', 1],
  ['what cannot be asked', { answers: [failing('INVALID_INPUT')] }, 'input', 1],
  ['a code to be overridden', { answers: [failing('CODE_OVERRIDE_REQUIRED')] }, 'input', 1],
  ['a key used for something else', { answers: [failing('IDEMPOTENCY_KEY_REUSED')] }, 'input', 1],
])('%s ends it, with nothing begun after', async (_what, world, reason, tried) => {
  const { run, did, begun } = createWorld(world);
  await run();
  const shows = reason === 'asked' ? [] : [SHOWS];
  expect([did, begun.length]).toEqual([[...shows, ...ended('stopped', reason)], tried]);
});

const GOES_ON = 'an order of several codes was interrupted, it goes on soon';
const stopPressed = () => {
  throw Object.assign(new Error('x'), { name: 'OrderStopped' });
};
const broken = () => {
  throw new Error('x');
};

test.each<[what: string, answer: () => unknown, said: unknown[]]>([
  ['Stop in the same moment', stopPressed, [SHOWS]],
  ['a stop of the core', failing('STOPPING'), [SHOWS]],
  ['too much to write', failing('OVERLOADED'), [SHOWS, GOES_ON]],
  ['what is no answer of the core', broken, [SHOWS, GOES_ON]],
])('%s ends nothing: the order goes on by itself a second later', async (_what, answer, said) => {
  const { run, settle, runner, did, limits } = createWorld({ answers: [answer] });
  await run();
  expect(did).toEqual(said);
  runner.start();
  await vi.advanceTimersByTimeAsync(999);
  expect(limits).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await settle();
  expect([limits, did.slice(said.length)]).toEqual([[200], [...round(1), ...ended('done', null)]]);
  await runner.stop();
});

test('what an earlier process left under way is waited for once, and what it became is seen', async () => {
  const left = createWorld({ items: [PENDING, OPEN], isLeft: true });
  await left.run();
  expect(left.did).toEqual([SHOWS, 'waited 70', SHOWS]);
  const settled = createWorld({ items: [PENDING, OPEN] });
  await settled.run();
  expect(settled.did).toEqual([SHOWS, 'waited 70', ...round(2), ...ended('done', null)]);
});

test.each(['done', 'stopped'] as const)('what is %s is left alone', async (state) => {
  const { run, did, begun } = createWorld({ order: { state } });
  await run();
  expect([did, begun]).toEqual([[], []]);
});

test('an order that is not there is left alone', async () => {
  const { runner, run, did } = createWorld({ order: { state: 'done' } });
  runner.begin('another');
  await run();
  expect(did).toEqual([]);
});

test('where it was over already, nothing is begun', async () => {
  const { run, did } = createWorld({ items: [DONE], wasOver: true });
  await run();
  expect(did).toEqual([['end', 'order', 'done', null, message()]]);
});

test('begun twice at once it runs once, and can be begun anew when it is over', async () => {
  const { runner, run, did, order } = createWorld();
  runner.begin('order');
  await run();
  expect(did).toEqual([...round(1), ...ended('done', null)]);
  order.state = 'running';
  await run();
  expect(did.slice(round(1).length + 1)).toEqual(ended('done', null));
});

test('after the stop nothing begins, what runs ends after its step, and its failure is not told', async () => {
  const { runner, run, did } = createWorld({ items: [OPEN, OPEN] });
  runner.begin('order');
  await runner.stop();
  await run();
  expect(did).toEqual([SHOWS, 'begun 1']);
  const failing = createWorld({ answers: [broken] });
  failing.runner.begin('order');
  await failing.runner.stop();
  await failing.run();
  expect(failing.did).toEqual([SHOWS]);
});

test.each<[language: string | null, preferred: string | undefined, words: string]>([
  ['tr', 'ru', 'tr:'],
  [null, 'ru', 'ru:'],
  [null, undefined, ''],
])('ordered in %s by somebody who prefers %s, it is told so', async (language, preferred, words) => {
  const world: World = { items: [DONE, OPEN], order: { language }, answers: [failing('STOPPING')] };
  const { run, shown, order } = createWorld({ ...world, ...(preferred && { preferred }) });
  await run();
  const said = shown[0]?.();
  const facts = '{"name":"Player","player":"5170925570","players":1,"done":1,"all":2}';
  expect(said?.html.split('\n')[0]).toBe(`${words}bulk-order-running ${facts}`);
  expect(wordButtons(said?.keyboard ?? {})).toEqual([[`${words}button-stop -> bulk-order-stop:order`]]);
  order.state = 'done';
  expect(shown[0]?.()).toBeUndefined();
});

test('rows that cannot be read are told, and looked at again', async () => {
  const { runner, did, limits } = createWorld({ order: { state: 'done' }, unread: 1 });
  runner.start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect([did, limits]).toEqual([['orders could not be looked at, it is tried again'], [200, 200]]);
  await runner.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(limits).toEqual([200, 200]);
});
