// /quota, word by word: nothing used, a little, all of it; what comes back when; the end of the subscription.
import { expect, test } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { createForwardClock } from '../../../test/harness/forward-clock.ts';
import { drawBar } from './quota.ts';

const HOUR_MS = 60 * 60 * 1000;

test.each([
  [0, '▱▱▱▱▱▱▱▱▱▱▱▱'],
  [0.0001, '▰▱▱▱▱▱▱▱▱▱▱▱'],
  [0.12, '▰▱▱▱▱▱▱▱▱▱▱▱'],
  [0.13, '▰▰▱▱▱▱▱▱▱▱▱▱'],
  [0.5, '▰▰▰▰▰▰▱▱▱▱▱▱'],
  [0.9999, '▰▰▰▰▰▰▰▰▰▰▰▱'],
  [1, '▰▰▰▰▰▰▰▰▰▰▰▰'],
  [1.5, '▰▰▰▰▰▰▰▰▰▰▰▰'],
])('a share of %d is drawn as %s', (share, bar) => {
  expect(drawBar(share)).toBe(bar);
});

async function ask(person: Person): Promise<string[]> {
  person.looksAway();
  person.says('/quota');
  return (await person.sees('Daily quota')).text.split('\n');
}

test('it tells what is used, when the next comes back, what was bought, and until when', async () => {
  const clock = createForwardClock();
  const t = await openStage({ clock, api: { clock, flood: 'none' }, days: 30 });
  try {
    const owner = personOf(t.api, t.people.owner);
    expect(await ask(owner)).toEqual([
      'Daily quota',
      '▱▱▱▱▱▱▱▱▱▱▱▱',
      'Used 0 of 300, left 300',
      'Nothing was used in the last 24 hours.',
      'A redemption costs 1, looking up the name of a player ID 0.25.',
      'Purchased activations left: 0',
      expect.stringMatching(/^Subscription until \d+ \w+ \d{4}, \d\d:\d\d UTC, 30 days left$/),
      '',
      'More activations: /buy_activations',
    ]);
    await t
      .app()
      .core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: t.accountId, purchased: 500 });
    await t
      .app()
      .core.redeem(t.actors.owner, { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
    clock.advance(22 * HOUR_MS + 10_000);
    const operator = personOf(t.api, t.people.operator);
    expect(await ask(operator)).toEqual([
      'Daily quota',
      '▰▱▱▱▱▱▱▱▱▱▱▱',
      'Used 1 of 300, left 299',
      expect.stringMatching(/^The next one comes back in 2 h 0 min, (tomorrow )?at \d\d:\d\d\.$/),
      'A redemption costs 1, looking up the name of a player ID 0.25.',
      'Purchased activations left: 500',
      expect.stringMatching(/, 30 days left$/),
    ]);
    clock.advance(HOUR_MS + 30 * 60_000);
    expect((await ask(operator))[3]).toMatch(/^The next one comes back in (29|30) min, (tomorrow )?at/);
    clock.advance(29 * 24 * HOUR_MS);
    expect((await ask(operator)).at(-1)).toMatch(/, 1 day left$/);
  } finally {
    await t.stop();
  }
});

test('a quarter of an activation has the comma of its language, in Russian and in English', async () => {
  const t = await openStage({ api: { flood: 'none' } });
  try {
    const { core } = t.app();
    const player = { gameId: 'game_id_1', playerId: '5170925570' };
    expect(await core.findCharacter(t.actors.owner, player)).toMatchObject({ status: 'found' });
    const owner = personOf(t.api, t.people.owner);
    const host = personOf(t.api, t.host);
    owner.says('/quota');
    await owner.sees('Used 0.25 of 300, left 299.75');
    for (const person of [owner, host]) {
      person.says('/settings ru');
      await person.sees('по-русски');
    }
    owner.says('/quota');
    await owner.sees('Использовано 0,25 из 300, осталось 299,75');
    owner.says('/start');
    await owner.sees('Осталось активаций: 299,75 из 300');
    host.says('/accounts 1');
    await host.sees('Использовано за 24 часа: 0,25 из 300');
  } finally {
    await t.stop();
  }
});
