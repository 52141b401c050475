// Who gets statistics is decided by what they are when the figures are brought: they may have been ordered as somebody
// else.
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { CoreError } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { createStatisticsViews, STATISTICS, STATISTICS_FIGURES } from './result-views.ts';

function bring(view: string, actor: object | undefined, error: Error) {
  const core = {
    members: { findActor: () => actor },
    rangeStatistics: () => Promise.reject(error),
  };
  const deps = { core, texts: createTexts(TEST_GAMES), log: { error: () => undefined } };
  const views = createStatisticsViews(fake(deps), {} as never);
  return Promise.resolve(views[view]?.({ of: { days: 7 }, telegramId: 5, language: 'en' }));
}

test.each([STATISTICS, STATISTICS_FIGURES])(
  '%s: the sentence where they may not, a fault as a fault',
  async (view) => {
    const forbidden = new CoreError('FORBIDDEN', 'Not for this role.');
    expect(await bring(view, {}, forbidden)).toEqual({
      html: 'Your role may not do this. Ask the owner of the account.',
    });
    expect(await bring(view, undefined, forbidden)).toEqual({
      html: expect.stringContaining('not a member of an account') as string,
    });
    await expect(bring(view, {}, new Error('disk'))).rejects.toThrow('disk');
  },
);
