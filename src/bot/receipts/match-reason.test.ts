// What was looked for, as it was understood; and that there is none of it.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { MatchReason } from '../../core/index.ts';
import { createTexts, type Variables } from '../texts.ts';
import { describeMatchReason, nearKeyboard, sayNothing } from './find.ts';

const texts = createTexts(TEST_GAMES);
const DAY = { year: 2026, month: 11, day: 21 };
const NEXT = { ...DAY, day: 22 };

test.each<[MatchReason, string]>([
  [{ words: [] }, ''],
  [{ words: ['ann'] }, 'ann'],
  [{ words: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'a b c d e f'],
  [{ words: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'a b c d e f …'],
  [{ days: [DAY, DAY], words: [] }, '21 Nov 2026'],
  [{ days: [DAY, NEXT], words: [] }, '21 Nov 2026 – 22 Nov 2026'],
  [{ state: 'failed', words: [] }, 'failed'],
  [{ state: 'in_doubt', words: [] }, 'in doubt'],
  [{ days: [DAY, DAY], state: 'failed', words: ['ann'] }, '21 Nov 2026 · failed · ann'],
])('%j', (by, said) => expect(plain(describeMatchReason(speaking('en'), by))).toBe(said));

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const speaking = (language: 'en' | 'ru') => ({
  language,
  label: (key: string, values?: Variables) => texts.label(language, key, values),
  say: (key: string, values?: Variables) => texts.say(language, key, values),
});

test.each<[MatchReason, en: string, ru: string]>([
  [{ words: [] }, 'Nothing found.', 'Ничего не нашлось.'],
  [{ words: ['Ann Lee'] }, 'Nothing found for Ann Lee.', 'Ничего не нашлось: Ann Lee.'],
  [{ state: 'failed', words: [] }, 'Nothing failed.', 'Ошибок не было.'],
  [
    { state: 'failed', days: [DAY, DAY], words: [] },
    'Nothing failed on 21 Nov.',
    'Ошибок 21 ноября не было.',
  ],
  [
    { state: 'in_doubt', days: [DAY, NEXT], words: [] },
    'Nothing is in doubt from 21 Nov to 22 Nov.',
    'Активаций под вопросом 21 ноября – 22 ноября не было.',
  ],
  [{ days: [DAY, DAY], words: [] }, 'Nothing was redeemed on 21 Nov.', 'Активаций 21 ноября не было.'],
  [
    { words: ['BkgP'] },
    'Nothing found for BkgP. 4 characters are too few of a code: I need 6 of its beginning or end.',
    'Ничего не нашлось: BkgP. 4 символов кода мало: нужно 6 его начала или конца.',
  ],
  [
    { words: ['557'] },
    'Nothing found for 557. 3 digits are too few: I need 4 of a player ID, 6 of a code.',
    'Ничего не нашлось: 557. 3 цифр мало: нужно 4 из ID игрока или 6 из кода.',
  ],
  [{ words: ['5571'] }, 'Nothing found for 5571.', 'Ничего не нашлось: 5571.'],
  [
    { words: ['BkgP'], state: 'failed' },
    'Nothing found for failed · BkgP.',
    'Ничего не нашлось: ошибки · BkgP.',
  ],
])('that there is nothing of %j', (by, en, ru) => {
  expect([
    plain(sayNothing(speaking('en'), by, false)),
    plain(sayNothing(speaking('ru'), by, false)),
  ]).toEqual([en, ru]);
});

test('whoever sees his own alone is told that it is his own', () => {
  const by: MatchReason = { state: 'failed', days: [DAY, DAY], words: [] };
  expect(sayNothing(speaking('en'), by, true)).toBe('Nothing of yours failed on 21 Nov.');
  expect(sayNothing(speaking('ru'), by, true)).toBe('Ошибок у вас 21 ноября не было.');
});

test.each<[MatchReason, buttons: string[] | undefined]>([
  [{ words: ['ann'] }, undefined],
  [{ state: 'in_doubt', words: [] }, undefined],
  [{ days: [DAY, NEXT], words: ['ann'] }, undefined],
  [
    { days: [DAY, DAY], state: 'failed', words: [] },
    ['Failed, any day -> find:near:failed', '21 Nov, all -> day 21'],
  ],
])('what is near %j', (by, buttons) => {
  const keyboard = nearKeyboard(speaking('en'), by, ({ day }) => `day ${day}`);
  const shown = keyboard?.inline_keyboard.flat() as { text: string; callback_data: string }[] | undefined;
  expect(shown?.map(({ text, callback_data }) => `${text} -> ${callback_data}`)).toEqual(buttons);
});
