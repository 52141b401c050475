// What people chose: one row a person, saved over whole, listed by number.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

test('a choice is saved over whole, found by its person, and all are listed by their numbers', async () => {
  const t = openTestStore();
  try {
    const [ann, ben] = [
      { telegramId: 9, language: 'ru', mutedNotices: 'stockLow', menu: 'owner:ru' },
      { telegramId: 8, language: null, mutedNotices: '', menu: '' },
    ];
    await t.store.write(({ preferences }) => [ann, ben].forEach((choice) => preferences.save(choice)));
    const list = () => t.store.read(({ preferences }) => preferences.list());
    expect(list()).toEqual([ben, ann]);
    const changed = { ...ann, language: 'en', mutedNotices: 'quota', menu: 'owner:en' };
    await t.store.write(({ preferences }) => preferences.save(changed));
    expect(list()).toEqual([ben, changed]);
    expect(t.store.read(({ preferences }) => [9, 8, 7].map((id) => preferences.find(id)))).toEqual([
      changed,
      ben,
      undefined,
    ]);
  } finally {
    await t.close();
  }
});
