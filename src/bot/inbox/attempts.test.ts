// How often an update was begun: what counts, what is given back, and what the disk refuses at first.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createAttempts } from './handle-update.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A disk that refuses so many writes. */
function createWorld({ failures = 0, begun = 1 }: { failures?: number; begun?: number } = {}) {
  const did: unknown[] = [];
  let left = failures;
  const write = async (...what: unknown[]) => {
    await Promise.resolve();
    did.push(what);
    left -= 1;
    if (left >= 0) throw new Error('no disk');
    return true;
  };
  const inbox = {
    begin: (id: number) => (did.push(['begin', id]), Promise.resolve(begun)),
    takeBack: (id: number) => write('back', id),
    finish: (...given: unknown[]) => write('finish', ...given),
    setAside: (...given: unknown[]) => write('aside', ...given),
  };
  const conversations = { change: (...given: unknown[]) => write('change', ...given) };
  const note = (what: string) => () => void did.push(what);
  const log = { warn: note('warned'), error: note('error'), info: note('told') };
  const attempts = createAttempts({ store: { inbox, conversations }, log } as never);
  return { attempts, did };
}

test('an attempt counts once, is given back once, and is over with its update', async () => {
  const { attempts, did } = createWorld({ begun: 3 });
  expect(await attempts.begin(7)).toBe(3);
  expect(await attempts.begin(7)).toBe(3);
  await attempts.takeBack(7);
  await attempts.takeBack(7);
  expect(await attempts.begin(8)).toBe(3);
  await attempts.finish(8, 'done', undefined);
  await attempts.takeBack(8);
  expect(did).toEqual([
    ['begin', 7],
    ['back', 7],
    ['begin', 8],
    ['finish', 8, 'done', undefined],
  ]);
});

test('what was counted by the write that kept it is not counted again, and is given back as any other', async () => {
  const { attempts, did } = createWorld({ begun: 3 });
  await attempts.countBegun([7, 8]);
  expect(await attempts.begin(7)).toBe(1);
  await attempts.finish(7, 'done', undefined);
  await attempts.giveBack();
  await attempts.countBegun([9]);
  expect(did).toEqual([
    ['finish', 7, 'done', undefined],
    ['back', 8],
    ['back', 9],
  ]);
});

test('an update that is over already is not begun', async () => {
  const { attempts, did } = createWorld({ begun: 0 });
  expect(await attempts.begin(7)).toBe(0);
  await attempts.giveBack();
  expect(did).toEqual([['begin', 7]]);
});

test('an attempt that the disk would not take back still counts', async () => {
  const { attempts, did } = createWorld({ failures: 1 });
  await attempts.begin(7);
  await attempts.takeBack(7);
  expect(await attempts.begin(7)).toBe(1);
  await attempts.takeBack(7);
  expect(did).toEqual([['begin', 7], ['back', 7], 'warned', ['back', 7]]);
});

test('an end that the disk refuses is written again every two seconds, until it is there', async () => {
  const { attempts, did } = createWorld({ failures: 2 });
  await attempts.begin(7);
  const ended = attempts.setAside(7, []);
  await vi.advanceTimersByTimeAsync(1_999);
  const aside = ['aside', 7, []];
  expect(did).toEqual([['begin', 7], aside, 'error']);
  await vi.advanceTimersByTimeAsync(1);
  expect(did).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(2_000);
  await ended;
  expect(did.slice(5)).toEqual([aside]);
  await attempts.takeBack(7);
  expect(did).toHaveLength(6);
});

test('where the chat goes on with it, the update is not over', async () => {
  const { attempts, did } = createWorld();
  const change = { chatId: 5, userId: 5, state: '{}' };
  await attempts.begin(7);
  await attempts.keepChange(7, change);
  await attempts.takeBack(7);
  expect(did).toEqual([
    ['begin', 7],
    ['change', change],
    ['back', 7],
  ]);
});

test('a stop gives back what is under way, and whatever begins after it', async () => {
  const { attempts, did } = createWorld();
  await attempts.begin(7);
  await attempts.begin(8);
  await attempts.giveBack();
  expect(did.slice(2)).toEqual([
    ['back', 7],
    ['back', 8],
  ]);
  expect(await attempts.begin(9)).toBe(0);
  expect(did.slice(4)).toEqual([
    ['begin', 9],
    ['back', 9],
  ]);
});

test('at a stop what the disk refuses is not written again, and still counts', async () => {
  const { attempts, did } = createWorld({ failures: 2 });
  await attempts.begin(7);
  const ended = attempts.finish(7, 'failed', undefined);
  await vi.advanceTimersByTimeAsync(0);
  await attempts.giveBack();
  await ended;
  expect(did.filter((each) => Array.isArray(each))).toEqual([
    ['begin', 7],
    ['finish', 7, 'failed', undefined],
    ['back', 7],
    ['finish', 7, 'failed', undefined],
  ]);
});
