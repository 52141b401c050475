// Work of an update that could not begin, that goes on after its handler or inside a conversation: it begins again, and
// nobody is told before it is in vain.
import { HttpError } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { CoreError } from '../../core/index.ts';

let t: Stage;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await t.stop();
});

const FILE = expect.stringMatching(/\.txt$/) as string;
const overloaded = () => new CoreError('OVERLOADED', 'Try again.');
const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
const away = () => new HttpError('Network request failed!', new Error('fetch failed'));

/** Fails so often, and then does what it does. */
function fails(work: { mockRejectedValueOnce(error: Error): unknown }, fail: () => Error, times: number) {
  for (let time = 0; time < times; time += 1) work.mockRejectedValueOnce(fail());
}

/** The owner takes codes out, which fails; what their chat says since. */
async function extract(fail: () => Error, times: number) {
  const { owner } = t.people;
  await t.app().core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
  const work = vi.spyOn(t.app().core.codes, 'extract');
  fails(work, fail, times);
  t.api.send(owner, owner, '/extract_codes 60 1');
  await t.quiet();
  await t.api.press(owner, t.api.messages(owner).at(-1)!, 'Take out 1');
  const isOfIt = (text: string) => !text.includes('Add more with');
  const last = () =>
    t.api.messages(owner).findLast(({ byBot, deleted, text }) => byBot && !deleted && isOfIt(text));
  return { work, said: () => last()?.document?.name ?? last()?.text };
}

test.each([
  ['a full queue', overloaded, 15],
  ['a full disk', full, 4],
  ['Telegram', away, 4],
])('what %s caused is done again until it can, and nobody is told', async (_, fail, failures) => {
  const { work, said } = await extract(fail, failures);
  await t.pass(32_000);
  expect([work.mock.calls.length, said()]).toEqual([failures + 1, FILE]);
  expect(t.errors).toEqual([]);
});

test('what Telegram does not take for ten minutes has failed, and is told', async () => {
  const { work, said } = await extract(away, 15);
  await t.pass(11 * 60_000);
  expect([work.mock.calls.length, said()]).toEqual([15, expect.stringContaining('went wrong on my side')]);
  expect(t.errors.join('')).toContain('work of an update failed');
});

test('a stop waits four seconds for it, and the next start does it', async () => {
  const { work, said } = await extract(full, 5);
  await t.pass(32_000);
  const before = Date.now();
  let took = 0;
  await t.restart(() => void (took = Date.now() - before));
  expect([work.mock.calls.length, Math.round(took / 1_000)]).toEqual([5, 4]);
  await t.quiet();
  expect([said(), t.errors]).toEqual([FILE, []]);
});

test('what answers a question is done again, too', async () => {
  const { operator } = t.people;
  fails(vi.spyOn(t.app().core.search, 'find'), overloaded, 3);
  t.api.send(operator, operator, '/find');
  await t.quiet();
  t.api.send(operator, operator, '5170925570');
  await t.pass(20_000);
  expect(t.api.messages(operator).at(-1)!.text).toContain('Nothing found');
});
