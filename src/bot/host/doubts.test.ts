// What the host sees and does about redemptions in doubt: counted and dated in /health, on the card of the account,
// asked about.
import { afterEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../../test/harness/bot-app.ts';
import { personOf } from '../../../test/harness/bot.ts';

let t: TestBot;
afterEach(() => t.stop());

test('/health counts and dates doubts, and Ask now asks once a minute', async () => {
  t = await startTestBot({ api: { flood: 'none' }, platformTimeoutMs: 200 });
  const host = personOf(t.api, t.host);
  host.says('/health');
  expect((await host.sees('In doubt: 0')).buttons.map(({ text }) => text)).toEqual(['Look again']);

  const order = { gameId: 'game_id_1', playerId: '5170925570', code: 'LOST1234567890AB' };
  const answer = await t.app().core.redeem(t.actors.owner, order);
  if (answer.status !== 'answered') throw new Error(answer.status);
  expect(answer.redemption.state).toBe('in_doubt');
  host.says('/health');
  await host.sees(/In doubt: 1, the oldest since \d+ \w+ \d{4}, /);
  host.says('/accounts 1');
  await host.presses('In doubt: 1');
  await host.sees(/In doubt: 1, account [\s\S]*5170925570/);
  await host.presses('Ask now');
  await host.sees(/being asked/);
  expect((await host.presses('Ask now'))?.text).toContain('asked a moment ago');
});
