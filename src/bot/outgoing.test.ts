// Words that are kept for later: as rows, with their buttons, and plain.
import { InlineKeyboard } from 'grammy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CoreError } from '../core/index.ts';
import { digestContent, toOutgoing, toOutgoingRow, toPlain } from './outgoing.ts';
import { beginAgain, isOverloaded } from './overload.ts';

test('a row has its job where it waits for one', () => {
  expect(toOutgoingRow('key', 5, { html: 'a' })).toEqual({ key: 'key', chatId: 5, content: '{"html":"a"}' });
  expect(toOutgoingRow('key', 5, { html: 'a' }, 3)).toMatchObject({ jobId: 3 });
  expect(toOutgoing('a')).toEqual({ html: 'a' });
  const keyboard = { inline_keyboard: [[{ text: 'b', callback_data: 'c' }]] };
  expect(toOutgoing('a', new InlineKeyboard().text('b', 'c'))).toEqual({ html: 'a', keyboard });
});

test('plain words are those of the message, whatever they look like', () => {
  expect(toPlain('<b>a</b> &lt;b&gt; &quot;c&quot; &amp;lt; <a href="x">d</a>')).toBe('a <b> "c" &lt; d');
});

test('the same words have the same digest, and no others', () => {
  const digest = digestContent({ html: 'a' });
  expect(digest).toMatch(/^[\w-]{16}$/);
  expect([digestContent({ html: 'a' }), digestContent({ html: 'b' })].map((each) => each === digest)).toEqual(
    [true, false],
  );
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const overloaded = () => new CoreError('OVERLOADED', 'x');

async function begin(failures: number, tries?: number, error: () => Error = overloaded) {
  let begun = 0;
  const work = () => {
    begun += 1;
    if (begun <= failures) throw error();
    return 'done';
  };
  const result = beginAgain(work, ...(tries === undefined ? [] : [tries])).catch(
    (thrown: Error) => thrown.message,
  );
  await vi.advanceTimersByTimeAsync(1_999);
  const early = begun;
  await vi.advanceTimersByTimeAsync(60_000);
  return [early, begun, await result];
}

test('what could not begin begins again every two seconds, as often as it is told', async () => {
  expect(await begin(0)).toEqual([1, 1, 'done']);
  expect(await begin(9)).toEqual([1, 10, 'done']);
  expect(await begin(2, 3)).toEqual([1, 3, 'done']);
  expect(await begin(3, 3)).toEqual([1, 3, 'x']);
  expect(await begin(1, 1)).toEqual([1, 1, 'x']);
});

test('anything else that is thrown is thrown', async () => {
  expect(await begin(1, undefined, () => new Error('no disk'))).toEqual([1, 1, 'no disk']);
  expect(await begin(1, undefined, () => new CoreError('STOPPING', 'y'))).toEqual([1, 1, 'y']);
  expect([overloaded(), new Error('OVERLOADED')].map(isOverloaded)).toEqual([true, false]);
});
