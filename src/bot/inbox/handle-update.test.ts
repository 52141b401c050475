// One update over the store, from its beginning to its end: as what it ends, when its chat is free, what counts as an
// attempt, and what a stop or a disk that refuses leaves for the next start. What the inbox makes of it is
// inbox.test.ts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { countMessages } from '../../../test/harness/waiting-messages.ts';
import { CoreError } from '../../core/index.ts';
import { createBotStore, type BotStore, type ConversationChange } from '../../store/bot-store.ts';
import { createUpdateHandler, type UpdateHandlerDeps } from './handle-update.ts';

const ID = 7;
const CHANGE: ConversationChange = { chatId: 5, userId: 5, state: '{"a":1}' };
const FULL = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const FAULT = new Error('a fault of ours');

let opened: TestStore;
let store: BotStore;
let logged: string[];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  opened = openTestStore();
  store = createBotStore(opened.store, () => opened.clock.now());
  logged = [];
  await store.inbox.save([{ updateId: ID, update: '{}' }]);
});
afterEach(() => {
  vi.useRealTimers();
  return opened.close();
});

/** The process: another one is its next life. */
function begin(work: () => void | Promise<void> = () => undefined, more: Partial<UpdateHandlerDeps> = {}) {
  const handled: number[] = [];
  const told: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  let change: ConversationChange | undefined = CHANGE;
  const note = (_: object, message: string) => void logged.push(message);
  const handler = createUpdateHandler({
    store,
    log: { info: note, warn: note, error: note },
    open: ({ update_id: id }) => ({
      async run() {
        handled.push(id);
        begun.resolve();
        await work();
      },
      fail(error) {
        told.push(error);
        change = undefined;
        return Promise.resolve();
      },
      end: () => ({ ended: id, change }),
    }),
    isStopping: () => false,
    renderDeadLetter: () => [{ key: 'set-aside', chatId: 1, content: '{"html":"set aside"}' }],
    ...more,
  });
  const entry = { update: { update_id: ID }, receivedAt: 0, attempts: 0, tries: 0 };
  return {
    handler,
    handle: () => handler.handle(entry),
    handled,
    begun: begun.promise,
    told,
  };
}

const inFile = () =>
  opened.inspect((file) => file.prepare('select state, attempts from inbox where update_id = ?').get(ID));
const kept = () => store.conversations.find(CHANGE.chatId, CHANGE.userId)?.state;
const fails = (error: Error) => () => Promise.reject(error);

/** Refuses the next writes of this kind, as a full disk does. */
function refuse(verb: 'begin' | 'saveAction' | 'takeBack', times: number) {
  const place = verb === 'saveAction' ? store : store.inbox;
  const write: unknown = place[verb as keyof typeof place];
  const tried = vi.fn(write as (...given: unknown[]) => Promise<unknown>);
  const first = Promise.withResolvers<void>();
  for (let time = 0; time < times; time += 1)
    tried.mockImplementationOnce(() => {
      first.resolve();
      return Promise.reject(FULL);
    });
  Object.assign(place, { [verb]: tried });
  return { tried, first: first.promise };
}

test('it is over with what it changed, in one write', async () => {
  const { handle, handled } = begin();
  expect(await handle()).toEqual({ over: true });
  expect([handled, inFile(), kept()]).toEqual([[ID], { state: 'done', attempts: 1 }, CHANGE.state]);
});

test('one that is over already is not handled', async () => {
  await begin().handle();
  const { handle, handled } = begin();
  expect([await handle(), handled]).toEqual([{ over: true }, []]);
});

test('three processes may end in it; the fourth sets it aside, with words', async () => {
  for (let life = 1; life <= 3; life += 1) {
    const { handle, begun } = begin(() => new Promise(() => undefined));
    void handle();
    await begun;
  }
  const { handle, handled } = begin();
  expect([await handle(), handled]).toEqual([{ over: true }, []]);
  expect([inFile(), countMessages(opened.store)]).toEqual([{ state: 'set_aside', attempts: 4 }, 1]);
});

test.each<[what: string, work: () => Promise<never>, end: object, told: unknown[]]>([
  ['of ours fails it, and is told', fails(FAULT), { state: 'done', attempts: 1 }, [FAULT]],
  [
    'of a core that stops leaves it to the next start',
    fails(new CoreError('STOPPING', 'Stops.')),
    { state: 'waiting', attempts: 0 },
    [],
  ],
])('an error %s; nothing is changed', async (_, work, end, words) => {
  const { handle, told } = begin(work);
  expect(await handle()).toEqual({ over: true });
  expect([inFile(), told, kept()]).toEqual([end, words, undefined]);
});

test('what a stop may have cut off is left to the next start, failed or not', async () => {
  for (const work of [() => undefined, fails(FAULT)]) {
    const { handle, told } = begin(work, { isStopping: () => true });
    expect(await handle()).toEqual({ over: true });
    expect([inFile(), told, kept()]).toEqual([{ state: 'waiting', attempts: 0 }, [], undefined]);
  }
});

test('a disk that fails pauses it longer each time and costs no attempt; of a full queue nothing is logged', async () => {
  const failing = begin(fails(FULL));
  expect([await failing.handle(), await failing.handle()]).toEqual([
    { over: false, pauseMs: 2_000 },
    { over: false, pauseMs: 4_000 },
  ]);
  expect([inFile(), logged]).toEqual([
    { state: 'waiting', attempts: 0 },
    ['an update failed: tried again', 'an update failed: tried again'],
  ]);
  refuse('begin', 1);
  expect(await failing.handle()).toEqual({ over: false, pauseMs: 8_000 });
  logged = [];
  expect(await begin(fails(new CoreError('OVERLOADED', 'Busy.'))).handle()).toEqual({
    over: false,
    pauseMs: 2_000,
  });
  expect(logged).toEqual([]);
});

test('a disk that takes no attempt back sets nothing aside: only ends of processes count', async () => {
  refuse('takeBack', 8);
  const { handle, handled } = begin(fails(FULL));
  for (let time = 1; time <= 8; time += 1) expect(await handle()).toMatchObject({ over: false });
  expect([handled.length, inFile()]).toEqual([8, { state: 'waiting', attempts: 1 }]);
});

test('what begins after a stop is not handled, and costs no attempt', async () => {
  const { handler, handle, handled } = begin();
  await handler.giveBack();
  expect([await handle(), handled, inFile()]).toEqual([
    { over: true },
    [],
    { state: 'waiting', attempts: 0 },
  ]);
});

test.each([
  ['takes the last try, is over', 1, 'done'],
  ['refuses that, too, is begun again by the next start', 2, 'waiting'],
])('at a stop an end that the disk refused, and %s', async (_, times, state) => {
  const { tried, first } = refuse('saveAction', times);
  const { handler, handle } = begin();
  const ended = handle();
  await first;
  await vi.advanceTimersByTimeAsync(0);
  await handler.giveBack();
  expect(await ended).toEqual({ over: true });
  expect([tried.mock.calls.length, inFile()]).toEqual([2, { state, attempts: 0 }]);
});

test('an end that no disk takes is told as a fault, and the next of the chat goes on', async () => {
  const { saveAction } = store;
  Object.assign(store, { saveAction: vi.fn(saveAction).mockRejectedValueOnce(FAULT) });
  const { handle, told } = begin();
  expect(await handle()).toEqual({ over: true });
  expect([inFile(), told, kept()]).toEqual([{ state: 'done', attempts: 1 }, [FAULT], undefined]);
});
