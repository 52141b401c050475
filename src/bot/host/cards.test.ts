// The card of an account, and what it has in doubt.
import { expect, test } from 'vitest';

import { soon } from '../../../test/harness/bot-words.ts';
import { accountOf, askHostMenu, createHostMenus, NOW, range } from '../../../test/harness/host-menus.ts';
import { createAccountCards } from './cards.ts';

const CARD_BUTTONS = [
  'host-button-grant-days -> host:grant:days:7',
  'host-button-grant-activations -> host:grant:activations:7',
];
const LIST = 'host-button-accounts -> go:accounts';
const doubtOf = (id: number, denomination?: number) => ({
  ...{ id, createdAt: NOW, playerId: '5170925570', gameId: 'game_id_1', denomination },
});

test.each<[what: string, people: number, doubts: number, isPart: boolean, owner: boolean]>([
  ['nobody in it', 0, 0, false, false],
  ['as many people as are named', 15, 1, false, true],
  ['more people than are named', 17, 3, true, false],
])('the card of an account with %s', async (_what, people, doubts, isPart, owner) => {
  const list = range(1, people).map((n) => ({
    ...{ telegramId: n, name: `P${n}`, username: undefined, role: owner && n === 1 ? 'owner' : 'support' },
  }));
  const { deps } = createHostMenus({
    accounts: { find: () => accountOf(7, { subscriptionExpiresAt: NOW }) },
    members: { listOf: () => list },
    doubts: { listOf: () => ({ doubts: range(1, doubts).map((id) => doubtOf(id)), isPart }) },
  });
  const [, [how, html, ...rows] = []] = await askHostMenu(createAccountCards(deps), 'host:account:7');
  const count = `${doubts}${isPart ? '+' : ''}`;
  const named = list.slice(0, 15).map(({ name, telegramId, role }) => {
    return `host-card-person {"person":"${name} (${telegramId})","role":"role-${role}"}`;
  });
  const subscription = 'host-subscription-ended {\\"day\\":\\"22 Nov 2026\\"}';
  expect([how, html?.split('\n')]).toEqual([
    'edit',
    [
      `host-card {"id":"7","account":"Shop 7","opened":"22 Nov 2026","subscription":"${subscription}"}`,
      'host-card-use {"used":"1.25","limit":"300","purchased":"1000","bought":"2000"}',
      ...(doubts > 0 ? [`host-card-doubts {"count":"${count}"}`] : []),
      '',
      ...(people === 0 ? ['host-card-nobody'] : [`host-card-people {"count":${people}}`, ...named]),
      ...(people > 15 ? [`host-more {"count":"${people - 15}"}`] : []),
    ],
  ]);
  const payments = ['host-button-payments -> host:payments:7:first'];
  if (doubts > 0) payments.push(`host-button-doubts {"count":"${count}"} -> host:doubts:7`);
  expect(rows).toEqual([
    ...[CARD_BUTTONS, payments, SUSPENSIONS, ...(owner ? [] : [['host-button-owner -> host:owner:7']])],
    [LIST],
  ]);
});

const SUSPENSIONS = ['host-button-pause -> host:pause:7', 'host-button-close -> host:close:7'];

test.each(['host:account:7', 'host:owner:7'])('%s of no account', async (data) => {
  const words = data === 'host:owner:7' ? 'host-has-owner' : 'host-no-account';
  expect(await askHostMenu(createAccountCards(createHostMenus().deps), data)).toEqual([['alert', words]]);
});

test('the link to own an account is the same for the same update', async () => {
  const asked: unknown[] = [];
  const link = 'https://t.me/shop_bot?start=join_tok';
  const inviteOwner = (_host: object, id: number, order: string) =>
    soon(() => (asked.push([id, order]), { token: 'tok' }));
  const { deps } = createHostMenus({ accounts: { find: () => accountOf(7) }, members: { inviteOwner } });
  expect(await askHostMenu(createAccountCards(deps), 'host:owner:7')).toEqual([
    ['tap', undefined],
    [
      'reply',
      `host-owner-link ${JSON.stringify({ account: 'Shop 7', link })}`,
      [`invite-copy -> ${JSON.stringify({ text: link })}`],
    ],
  ]);
  expect(asked).toEqual([[7, '77']]);
});
