// What the bot keeps, where two keep something of the same person at once.
import { expect, test } from 'vitest';

import { openTestStore } from '../../test/harness/store.ts';
import { createKeeping } from './keeping.ts';

test('a language, muted notices and a menu that are chosen in one moment are all kept', async () => {
  const t = openTestStore();
  try {
    const { preferences } = createKeeping(t.store, () => 1);
    await preferences.save({ telegramId: 7, language: 'ru', mutedNotices: 'stockLow', menu: 'ru:owner:' });
    await Promise.all([
      preferences.save({ telegramId: 7, mutedNotices: 'quotaUsed' }),
      preferences.save({ telegramId: 7, menu: 'en:owner:' }),
      preferences.save({ telegramId: 7, language: null }),
    ]);
    const kept = { telegramId: 7, language: null, mutedNotices: 'quotaUsed', menu: 'en:owner:' };
    expect(preferences.find(7)).toEqual(kept);
  } finally {
    await t.close();
  }
});
