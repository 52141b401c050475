// What the host sees and does about redemptions in doubt: counted and dated in /health, on the card of the account,
// asked about.
import { afterEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { accountOf, askHostMenu, createHostMenus, NOW, range } from '../../../test/harness/host-menus.ts';
import { createDoubtCards } from './doubts.ts';

let t: Stage | undefined;
afterEach(() => t?.stop());

test('/health counts and dates doubts, and Ask now asks once a minute', async () => {
  t = await openStage({ api: { flood: 'none' }, platformTimeoutMs: 200 });
  const host = personOf(t.api, t.host);
  host.says('/health');
  expect((await host.sees('In doubt: 0')).buttons.map(({ text }) => text)).toEqual([
    'Pause · sandbox-1',
    'Look again',
  ]);

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

const doubtOf = (id: number, denomination?: number) => ({
  ...{ id, createdAt: NOW, playerId: '5170925570', gameId: 'game_id_1', denomination },
});
const BACK = ['button-back -> host:account:7'];

test.each([
  [0, []],
  [10, []],
  [12, ['host-more {"count":"2"}']],
])('of %i doubts ten are shown, with a button each', async (count, more) => {
  const doubts = range(1, count).map((id) => doubtOf(id, id === 1 ? 60 : undefined));
  const { deps } = createHostMenus({
    accounts: { find: () => accountOf(7) },
    doubts: { listOf: () => ({ doubts, isPart: false }) },
  });
  const [, [, html, ...rows] = []] = await askHostMenu(createDoubtCards(deps), 'host:doubts:7');
  const lineOf = (id: number) =>
    `host-doubt {"id":"${id}","when":"22 Nov 2026, 12:00 UTC","player":"5170925570","game":"game_id_1",` +
    `"denomination":"${id === 1 ? ' · 60' : ''}"}`;
  expect(html?.split('\n')).toEqual(
    count === 0
      ? ['host-doubts-none {"account":"Shop 7"}']
      : [`host-doubts {"account":"Shop 7","count":"${count}"}`, ...range(1, 10).map(lineOf), ...more],
  );
  const [first, second] = [range(1, 5), range(6, 5)].map((ids) =>
    ids.map((id) => `${id} -> host:doubt:${id}`),
  );
  expect(rows).toEqual(count === 0 ? [BACK] : [['host-button-ask-now -> host:ask:7'], first, second, BACK]);
});

test.each(['host:doubts:7', 'host:doubt:7', 'host:decide:yes:7'])('%s of what is not there', async (data) => {
  const { deps } = createHostMenus({ doubts: { find: () => undefined } });
  const words = data === 'host:doubts:7' ? 'host-no-account' : 'host-doubt-over';
  expect(await askHostMenu(createDoubtCards(deps), data)).toEqual([['alert', words]]);
});

const SENT = {
  kind: 'order',
  state: 'unknown',
  errorCode: null,
  httpStatus: 200,
  begunAt: NOW,
  answer: null,
};

test.each([
  ['while it is being sent it is not decided', undefined, 'host-doubt-sending', []],
  ['while it may be carried out it is at most redeemed', NOW + 1, 'host-doubt-early', ['yes']],
  ['then it is either', NOW, undefined, ['yes', 'no']],
])('%s', async (_what, quietAt, words, offered) => {
  const attempts = range(1, 8).map((n) => ({
    ...SENT,
    n,
    upstream: 'east',
    ...(n === 8 && { answer: '{"x":1}' }),
  }));
  const detail = {
    ...doubtOf(1),
    accountId: 7,
    accountName: 'Shop',
    isHeld: true,
    attempts,
    tellers: [],
    quietAt,
  };
  const { deps } = createHostMenus({ doubts: { find: () => detail } });
  const [, [, html = '', ...rows] = []] = await askHostMenu(createDoubtCards(deps), 'host:doubt:1');
  const lines = html.split('\n').map((line) => line.split(' ')[0]);
  const sent = [...range(1, 6).map(() => 'host-attempt'), 'host-attempt-answer'];
  expect(lines).toEqual([
    ...['host-doubt-title', 'host-doubt', '', 'host-doubt-earlier', ...sent, '', 'host-doubt-no-tellers'],
    ...(words === undefined ? [] : [words]),
  ]);
  const buttons = rows.flat().flatMap((row) => /-> host:decide:(yes|no):1$/.exec(String(row))?.[1] ?? []);
  expect(buttons).toEqual(offered);
});
