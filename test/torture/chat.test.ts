// The small sizes of rows 6 (by webhook) and 7 (by polling); `npm run torture -- <row>` runs the full ones, both ways.
import { describe, expect, test } from 'vitest';

import { payRepeatedly } from './rows/payments.ts';
import { repeatUpdates } from './rows/updates.ts';

/** Even by webhook, odd by polling. */
const WEBHOOK = 20_254;
const POLLING = 20_255;
const LONG = { timeout: 300_000 };

describe.concurrent('while updates come several times and the service is killed', () => {
  test('each effect is there once and none is lost', LONG, async () => {
    const { tried, violations } = await repeatUpdates({ count: 30, seed: WEBHOOK });
    expect(violations).toEqual([]);
    expect(tried.deliveries).toBeGreaterThan(2 * (tried.updates ?? 0));
    expect(tried.kills).toBeGreaterThan(0);
  });

  test('what was paid is what is credited', LONG, async () => {
    const { tried, violations } = await payRepeatedly({ count: 20, seed: POLLING });
    expect(violations).toEqual([]);
    expect(tried.refunds).toBeGreaterThan(0);
    expect(tried.kills).toBeGreaterThan(0);
  });
});
