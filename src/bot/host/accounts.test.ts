// The list of accounts and the search: what is asked of the core, what is shown, and what every button carries.
import { expect, test } from 'vitest';

import type { SaidWords } from '../../../test/harness/bot-words.ts';
import {
  accountOf,
  askHostMenu,
  createHostMenus,
  DAY_MS,
  NOW,
  range,
} from '../../../test/harness/host-menus.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import { createAccountsList } from './accounts.ts';

const linesOf = (id: number, person = 'Owner @own') =>
  `host-account {"id":"${id}","account":"Shop ${id}","subscription":"host-subscription-none"}\n` +
  `host-account-facts {"person":"${person}","count":2,"purchased":"50"}`;
const button = (id: number) => `${id} · Shop ${id} -> host:account:${id}`;
const NEW = 'host-button-new -> host:new';
const HINT = 'host-accounts-hint';

test.each<[event: string, found: number[], query: object, title: string, hint: boolean, turns: string[]]>([
  ['/accounts', [], { limit: 9 }, 'host-accounts-none', false, []],
  ['/accounts', range(1, 8), { limit: 9 }, 'host-accounts', false, []],
  ['/accounts', range(1, 9), { limit: 9 }, 'host-accounts', true, ['page-next -> host:accounts:after:8']],
  [
    'host:accounts:after:8',
    range(9, 2),
    { after: 8, limit: 9 },
    'host-accounts',
    true,
    ['page-previous -> host:accounts:before:9'],
  ],
  [
    'host:accounts:before:20',
    range(11, 9),
    { before: 20, limit: 9 },
    'host-accounts',
    true,
    ['page-previous -> host:accounts:before:12', 'page-next -> host:accounts:after:19'],
  ],
])('%s, where %j are found', async (event, found, query, title, hint, turns) => {
  const asked: unknown[] = [];
  const list = (_host: object, given: object) => (asked.push(given), found.map((id) => accountOf(id)));
  const { deps } = createHostMenus({ accounts: { list } });
  const said = await askHostMenu(createAccountsList(deps), event);
  const isBack = event.includes('before');
  const shown = isBack ? found.slice(-8) : found.slice(0, 8);
  const html = [title, ...shown.map((id) => linesOf(id)), ...(hint ? [HINT] : [])].join('\n\n');
  const rows = [...shown.map((id) => [button(id)]), ...(turns.length > 0 ? [turns] : []), [NEW]];
  const [how, before]: [string, SaidWords[]] = event.startsWith('/')
    ? ['reply', []]
    : ['edit', [['tap', undefined]]];
  expect(said).toEqual([...before, [how, html, ...rows]]);
  expect(asked).toEqual([query]);
});

test('a page whose accounts are gone is the first one again', async () => {
  const list = (_host: object, { after }: { after?: number }) => (after === undefined ? [accountOf(1)] : []);
  const { deps } = createHostMenus({ accounts: { list } });
  const said = await askHostMenu(createAccountsList(deps), 'host:accounts:after:8');
  expect(said[1]).toEqual(['edit', `host-accounts\n\n${linesOf(1)}`, [button(1)], [NEW]]);
});

/** A search that finds these. */
function searching(ids: number[], isComplete = true) {
  const asked: string[] = [];
  const accounts = {
    search: (_host: object, text: string) => (asked.push(text), Promise.resolve({ ids, isComplete })),
    listByIds: (_host: object, some: number[]) => some.map((id) => accountOf(id, { owner: undefined })),
    find: (id: number) => accountOf(id),
  };
  return { ...createHostMenus({ accounts }), asked };
}

const titleOf = (count: number, page: number, pages: number) =>
  `host-found {"count":${count},"page":"${page}","pages":"${pages}"}`;

test('a search that finds nothing offers a new account; one that finds one shows its card', async () => {
  const none = searching([]);
  expect(await askHostMenu(createAccountsList(none.deps), `/accounts ${'x'.repeat(300)}`)).toEqual([
    ['reply', `host-found-none {"text":"${'x'.repeat(200)}"}`, [NEW]],
  ]);
  expect(none.asked).toEqual(['x'.repeat(200)]);
  const [[how, html] = []] = await askHostMenu(createAccountsList(searching([7]).deps), '/accounts Shop');
  expect([how, html?.split(' ')[0]]).toEqual(['reply', 'host-card']);
});

test('what a search found is kept for a day, and turned a page at a time', async () => {
  const { deps, kept } = searching(range(1, 17), false);
  const [said] = await askHostMenu(createAccountsList(deps), '/accounts shop');
  const html = [titleOf(17, 1, 3), 'host-found-more', ...range(1, 8).map((id) => linesOf(id, '—'))];
  const rows = range(1, 8).map((id) => [button(id)]);
  expect(said).toEqual(['reply', html.join('\n\n'), ...rows, ['page-next -> host-found:2:confirmation-id']]);
  const payload = { ids: range(1, 17), isComplete: false, madeIn: null };
  const confirmation = {
    id: 'confirmation-id',
    chatId: 5,
    userId: 5,
    action: 'host-found',
    expiresAt: NOW + DAY_MS,
  };
  expect(kept).toEqual([{ ...confirmation, payload: JSON.stringify(payload) }]);
  const find = () => ({
    ...confirmation,
    payload: JSON.stringify({ ...payload, isComplete: true }),
    takenBy: null,
  });
  const later: BotDeps = fake({ ...deps, store: { ...deps.store, confirmations: { find } } });
  const pageAt = async (page: number) =>
    (await askHostMenu(createAccountsList(later), `host-found:${page}:confirmation-id`)).slice(1);
  const previous = (page: number) => `page-previous -> host-found:${page}:confirmation-id`;
  expect(await pageAt(2)).toEqual([
    [
      'edit',
      [titleOf(17, 2, 3), ...range(9, 8).map((id) => linesOf(id, '—'))].join('\n\n'),
      ...range(9, 8).map((id) => [button(id)]),
      [previous(1), 'page-next -> host-found:3:confirmation-id'],
    ],
  ]);
  expect(await pageAt(3)).toEqual([
    ['edit', `${titleOf(17, 3, 3)}\n\n${linesOf(17, '—')}`, [button(17)], [previous(2)]],
  ]);
});

test('pages that are kept no more are an old button', async () => {
  expect(await askHostMenu(createAccountsList(createHostMenus().deps), 'host-found:2:forgotten')).toEqual([
    ['alert', 'confirmation-unknown'],
  ]);
});
