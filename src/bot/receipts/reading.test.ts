// /receipt and its buttons: who is shown what, and what whoever presses a button of another is told.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { createReceiptsFeature } from './receipt.ts';

const RECEIPT = {
  ...{ id: 7, gameId: 'game_id_1', playerId: '5170925570', state: 'pending', mode: 'direct', createdAt: 0 },
  credentials: { password: 'secret' },
};

interface World {
  found?: object | undefined;
  actor?: object | undefined;
  isPrivate?: boolean;
}

async function handle(event: string, world: World = {}) {
  const did: unknown[] = [];
  const found = 'found' in world ? world.found : RECEIPT;
  const save = ({ messages = [] }: ActionRows) =>
    void did.push(...messages.map(({ content }) => JSON.parse(content) as object));
  const deps = {
    texts: KEYS_FOR_WORDS,
    store: {
      saveAction: (rows: ActionRows) => soon(() => save(rows)),
      inTransaction: (rows: () => ActionRows) => () => save(rows()),
    },
    core: {
      games: { find: () => undefined },
      accounts: { timeZoneOf: () => 'UTC' },
      health: { isSandbox: false },
      receipts: { find: (_actor: object, id: number) => (did.push(['found', id]), found) },
      receiptStories: {
        note: (_actor: object, what: string, { receipt }: { receipt: number }, inTransaction: () => void) =>
          soon(() => (did.push([what, receipt]), inTransaction())),
      },
      receiptDetails: () => ({ actorLabel: { kind: 'host' }, charged: false, code: 'held' }),
    },
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const actor =
    'actor' in world ? world.actor : { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => soon(() => void did.push(['enter', name, given])),
  };
  const { ctx, said } = create(event, { actor, conversation, isPrivate: world.isPrivate ?? true });
  await createReceiptsFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  const heads = said.map(([how, words, ...rows]) => [how, words?.split('\n')[0], ...rows]);
  return { said: heads, did };
}

const SHOWN = ['reply', 'receipt-title-pending {"id":"7"}', ['button-for-customer -> receipt:customer:7']];
const UNKNOWN = (id: string) => ['reply', `receipt-unknown {"id":"${id}"}`];
const FOUND = ['found', 7];
const ALERT = [['alert', 'receipt-unknown {"id":"7"}']];
const CREDENTIALS = [['button-copy-password -> {"text":"secret"}']];
const WHOLE = [...SHOWN.slice(0, 2), ...CREDENTIALS, SHOWN[2]];
const shows = (view: string) => ({ telegramId: 5, language: 'en', view, of: { id: 7 } });
const TAP = ['tap', undefined];

test.each<[event: string, world: World, said: unknown[], did: unknown[]]>([
  ['/receipt', {}, [], [['enter', 'receipt', {}]]],
  ['/receipt 7', {}, [WHOLE], [FOUND]],
  ['/receipt_7', {}, [WHOLE], [FOUND]],
  ['/receipt_7', { found: { ...RECEIPT, credentials: undefined } }, [SHOWN], [FOUND]],
  ['/receipt seven', {}, [['reply', 'receipt-ask-number']], []],
  ['/receipt 7', { found: undefined }, [UNKNOWN('7')], [FOUND]],
  [
    '/receipt_1234567890123456',
    { found: undefined },
    [UNKNOWN('123456789012345')],
    [['found', 123_456_789_012_345]],
  ],
  [
    '/receipt_7',
    { isPrivate: false },
    [[...SHOWN.slice(0, 2), ['button-receipt-private -> https://t.me/shop_bot?start=receipt_7']]],
    [FOUND],
  ],
  ['/receipt_7', { actor: undefined }, [['reply', 'refusal-stranger']], []],
  ['/receipt 7', { actor: undefined }, [['reply', 'refusal-stranger']], []],
  ['receipt:file:7', {}, [TAP], [FOUND, ['credentialsShown', 7], shows('receipt-file')]],
  ['receipt:file:7', { found: undefined }, ALERT, [FOUND]],
  ['receipt:file:7', { found: { ...RECEIPT, credentials: undefined } }, ALERT, [FOUND]],
  ['receipt:file:7', { isPrivate: false }, ALERT, [FOUND]],
  ['receipt:file:7', { actor: undefined }, [['alert', 'refusal-stranger']], []],
  ['receipt:customer:7', {}, [TAP], [FOUND, ['customerReceiptMade', 7], shows('receipt-for-customer')]],
  ['receipt:customer:7', { found: undefined }, ALERT, [FOUND]],
  ['receipt:customer:7', { isPrivate: false }, ALERT, []],
  ['receipt:customer:7', { actor: undefined }, [['alert', 'refusal-stranger']], []],
])('%s at %j', async (event, world, said, did) => {
  expect(await handle(event, world)).toEqual({ said, did });
});
