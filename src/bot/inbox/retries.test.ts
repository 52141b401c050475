// After how long what failed is done again, by what caused it.
import { GrammyError, HttpError } from 'grammy';
import { expect, test } from 'vitest';

import { CoreError } from '../../core/index.ts';
import { whilePassing } from './handle-update.ts';

const overloaded = new CoreError('OVERLOADED', 'x');
const full = Object.assign(new Error('x'), { code: 'SQLITE_FULL' });
const away = new HttpError('x', new Error('y'));
const answer = { ok: false, error_code: 429, description: 'x', parameters: { retry_after: 7 } } as const;
const flood = new GrammyError('x', answer, 'sendMessage', {});

test.each([
  ['too much waits', overloaded, [2_000, 2_000, 2_000, 2_000, 2_000, 2_000]],
  ['the disk fails', full, [2_000, 4_000, 32_000, 60_000, 60_000, 60_000]],
  ['Telegram fails', away, [2_000, 4_000, 32_000, 60_000, 60_000, undefined]],
  ['Telegram names the time', flood, [7_000, 7_000, 32_000, 60_000, 60_000, undefined]],
  ['it is a fault of ours', new Error('x'), Array<undefined>(6).fill(undefined)],
])('where %s', (_, error, pauses) => {
  expect([1, 2, 5, 6, 14, 15].map((failures) => whilePassing(failures, error))).toEqual(pauses);
});
