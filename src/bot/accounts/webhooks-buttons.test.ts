// The buttons of /webhooks: each changes the message that it stands under, and what is gone or of another account is
// left alone.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { WEBHOOK_EVENTS } from '../../core/index.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import { createWebhooksFeature } from './webhooks.ts';

const URL = 'https://shop.example/hook';
const HOOK = { id: 3, url: URL, events: [WEBHOOK_EVENTS[0]], disabledAt: undefined, failingSince: undefined };

interface World {
  hooks?: object[];
  checked?: object;
  tested?: string;
  added?: object;
  confirmation?: object;
  role?: string;
}

async function handle(event: string, world: World = {}) {
  const { hooks = [HOOK], checked, tested = 'pending', added, confirmation, role = 'owner' } = world;
  const did: unknown[] = [];
  const kept: ActionRows[] = [];
  const confirmations: Confirmation[] = [];
  const note = (what: unknown) => soon(() => void did.push(what));
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'id' },
    store: {
      confirmations: {
        save: (row: Confirmation) => soon(() => void confirmations.push(row)),
        find: () => confirmation,
      },
      inTransaction: (rows: unknown) => rows,
    },
    core: {
      accounts: { timeZoneOf: () => 'UTC' },
      members: { findActor: () => undefined },
      webhooks: {
        list: () => hooks,
        listDeliveries: () => [],
        check: (_actor: object, url: string) => Promise.resolve(checked ?? { url }),
        test: (_actor: object, id: number) => note(['test', id]).then(() => ({ status: tested })),
        enable: (_actor: object, id: number) => note(['on', id]),
        add: (_actor: object, what: object, rows: (answer: object) => ActionRows) =>
          note(['add', what]).then(() => (kept.push(rows(added!)), added)),
        remove: (_actor: object, id: number, rows: () => ActionRows) =>
          note(['remove', id]).then(() => void kept.push(rows())),
      },
    },
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const { ctx, said } = create(event, { actor });
  await createWebhooksFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  return { said, did, kept, confirmations, heads: said.map(([how, words]) => [how, words?.split(/\s/)[0]]) };
}

const TAP = ['tap', undefined];

test.each<[event: string, world: World, heads: unknown[], did: unknown[]]>([
  ['/webhooks', {}, [['reply', 'hook-title']], []],
  ['/webhooks', { hooks: [] }, [['reply', 'hook-none']], []],
  ['/webhooks', { role: 'operator' }, [['reply', 'refusal-for-owner']], []],
  ['hook:list', {}, [TAP, ['edit', 'hook-title']], []],
  ['hook:show:3', {}, [TAP, ['edit', 'hook-card']], []],
  ['hook:show:4', {}, [TAP, ['edit', 'hook-title']], []],
  [
    'hook:test:3',
    {},
    [
      ['tap', 'hook-tested'],
      ['edit', 'hook-card'],
    ],
    [['test', 3]],
  ],
  [
    'hook:test:3',
    { tested: 'tooOften' },
    [
      ['alert', 'hook-test-often'],
      ['edit', 'hook-card'],
    ],
    [['test', 3]],
  ],
  ['hook:on:3', {}, [TAP, ['edit', 'hook-card']], [['on', 3]]],
  ['hook:on:3', { role: 'support' }, [['alert', 'refusal-for-owner']], []],
  ['hook:remove:4', {}, [['alert', 'hook-gone']], []],
  ['/webhooks http://x', { checked: { flaw: 'NOT_HTTPS' } }, [['reply', 'hook-flaw-not_https']], []],
  ['hook:event:0:forgotten', {}, [['alert', 'confirmation-unknown']], []],
])('%s at %j', async (event, world, heads, did) => {
  const answer = await handle(event, world);
  expect([answer.heads, answer.did, answer.confirmations]).toEqual([heads, did, []]);
});

const markOf = (events: readonly string[]) => (event: string, index: number) => [
  `${events.includes(event) ? '✅' : '⬜'} hook-event-${event.replace('.', '-')} -> hook:event:${index}:id`,
];
const CANCEL = 'button-cancel -> no:hook-add:id';
const confirmationOf = (action: string, payload: object, takenBy: number | null = null) => ({
  ...{ id: 'id', chatId: 5, userId: 5, action, expiresAt: 1, takenBy },
  payload: JSON.stringify({ accountId: 1, ...payload }),
});

test('an address is asked about with every event, and each is pressed on and off', async () => {
  const asked = await handle(`/webhooks ${URL}`);
  const all = [...WEBHOOK_EVENTS.map(markOf(WEBHOOK_EVENTS)), ['hook-button-add -> hook-add:id', CANCEL]];
  expect(asked.said).toEqual([['reply', `hook-ask-events {"url":"${URL}"}`, ...all]]);
  expect(JSON.parse(asked.confirmations[0]?.payload ?? '{}')).toMatchObject({
    accountId: 1,
    url: URL,
    events: WEBHOOK_EVENTS,
  });
  const press = async (index: number, events: readonly string[]) => {
    const { confirmations, said } = await handle(`hook:event:${index}:id`, {
      confirmation: confirmationOf('hook-add', { url: URL, events }),
    });
    expect(said[1]?.[0]).toBe('edit');
    return [(JSON.parse(confirmations[0]?.payload ?? '{}') as { events: string[] }).events, said[1]?.at(-1)];
  };
  const [first, ...others] = WEBHOOK_EVENTS;
  expect(await press(0, WEBHOOK_EVENTS)).toEqual([others, ['hook-button-add -> hook-add:id', CANCEL]]);
  expect(await press(0, others)).toEqual([WEBHOOK_EVENTS, ['hook-button-add -> hook-add:id', CANCEL]]);
  // Told of nothing it is no address to be added.
  expect(await press(0, [first])).toEqual([[], [CANCEL]]);
});

const WHAT = { url: URL, events: [...WEBHOOK_EVENTS] };

test('an address is added once; its secret is told apart', async () => {
  const added = { status: 'added', secret: 's', webhook: HOOK };
  const { said, did, kept } = await handle('hook-add:id', {
    confirmation: confirmationOf('hook-add', WHAT),
    added,
  });
  expect([said, did, kept[0]?.confirmation]).toEqual([[TAP], [['add', WHAT]], { id: 'id', updateId: 77 }]);
  const keyboardOf = (button: object) => ({ inline_keyboard: [[button]] });
  expect(kept[0]?.messages?.map(({ key, content }) => [key, JSON.parse(content) as object])).toEqual([
    [
      'result:id:secret',
      {
        html: 'hook-secret {"secret":"s"}',
        keyboard: keyboardOf({ text: 'hook-button-copy', copy_text: { text: 's' } }),
      },
    ],
    [
      'result:id',
      {
        html: `hook-added {"url":"${URL}"}`,
        keyboard: keyboardOf({ text: 'hook-button-test', callback_data: 'hook:test:3' }),
        messageId: 8,
      },
    ],
  ]);
});

test.each<[what: string, world: World, said: SaidWords[], did: unknown[]]>([
  [
    'of another account',
    { confirmation: confirmationOf('hook-add', { ...WHAT, accountId: 2 }) },
    [['edit', 'confirmation-elsewhere']],
    [],
  ],
  ['that this update added', { confirmation: confirmationOf('hook-add', WHAT, 77) }, [], []],
  [
    'that is refused',
    { confirmation: confirmationOf('hook-add', WHAT), added: { status: 'refused', flaw: 'PRIVATE' } },
    [['edit', 'hook-flaw-private']],
    [['add', WHAT]],
  ],
  [
    'too many',
    { confirmation: confirmationOf('hook-add', WHAT), added: { status: 'tooMany' } },
    [['edit', 'hook-toomany']],
    [['add', WHAT]],
  ],
])('no address %s is added', async (_what, world, said, did) => {
  const answer = await handle('hook-add:id', world);
  expect([answer.said, answer.did, answer.kept.flatMap(({ messages }) => messages)]).toEqual([
    [TAP, ...said],
    did,
    [],
  ]);
});

test('removing is asked once more, and done once', async () => {
  const asked = await handle('hook:remove:3');
  const confirm = [['hook-button-remove -> hook-remove:id'], ['button-cancel -> no:hook-remove:id']];
  expect(asked.said).toEqual([TAP, ['reply', `hook-ask-remove {"url":"${URL}"}`, ...confirm]]);
  const payload = { id: 3, url: URL };
  const done = await handle('hook-remove:id', { confirmation: confirmationOf('hook-remove', payload) });
  expect([done.said, done.did]).toEqual([[TAP], [['remove', 3]]]);
  expect(done.kept[0]?.messages?.map(({ content }) => JSON.parse(content) as object)).toEqual([
    { html: `hook-removed {"url":"${URL}"}`, messageId: 8 },
  ]);
  const refused = async (world: World) => {
    const { said, did } = await handle('hook-remove:id', world);
    return [said.slice(1), did];
  };
  expect(await refused({ confirmation: confirmationOf('hook-remove', payload, 77) })).toEqual([[], []]);
  expect(
    await refused({ confirmation: confirmationOf('hook-remove', { ...payload, accountId: 2 }) }),
  ).toEqual([[['edit', 'confirmation-elsewhere']], []]);
  expect(await refused({ confirmation: confirmationOf('hook-remove', payload), hooks: [] })).toEqual([
    [['edit', 'hook-gone']],
    [],
  ]);
});
