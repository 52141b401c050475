// Asking the platform about one code: whatever it does, there is an answer in time.
import { expect, test } from 'vitest';

import { createScriptedPlatform } from '../../../test/harness/platform.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import { askAboutCode } from './verify.ts';

const LATE = {
  status: 'unreachable',
  message: 'The platform did not tell in time whether the code is unspent.',
};

test.each<[what: string, findCode: () => CodeOutcome | Promise<CodeOutcome>, told: object]>([
  ['told', () => ({ status: 'notRedeemed' }), { status: 'notRedeemed' }],
  ['not told in time', () => new Promise(() => undefined), LATE],
  ['not told for an error', () => Promise.reject(new Error('down')), LATE],
])('%s', async (_what, findCode, told) => {
  const platform = createScriptedPlatform(() => 0);
  platform.script.findCode = findCode;
  const { signal } = new AbortController();
  expect(await askAboutCode(platform, 'game_id_1', '60S0000000000001', 20, signal)).toEqual(told);
});
