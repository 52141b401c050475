// Payments that belong to no order: which of them are shown, to whom, and what is kept so that they can be given back.
import type { User } from 'grammy/types';
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, soon, formatButtons } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { ChargeNote, Confirmation, ActionRows, OutgoingRow } from '../../store/bot-store.ts';
import { showUnmatchedPayments, takePayment, type UnmatchedPayment } from './unmatched-payments.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 20 * 365 * DAY_MS;
const PAYER: User = { id: 70, is_bot: false, first_name: 'Payer', last_name: '<x>' };

const paymentOf = (n: number, changes: Partial<UnmatchedPayment> = {}): UnmatchedPayment => ({
  ...{ chargeId: `charge-${n}`, payload: 'gone', payerId: 70, payer: PAYER, currency: 'XTR', amount: n },
  at: NOW,
  ...changes,
});

function createWorld({ hostIds = [8, 9], notes = [] }: { hostIds?: number[]; notes?: string[] } = {}) {
  const kept: ActionRows[] = [];
  const logged: unknown[] = [];
  const refunds: unknown[] = [];
  let confirmations = 0;
  const findChargeNote = (id: string, kind: ChargeNote['kind']) =>
    notes.includes(`${kind} ${id}`) ? { chargeId: id } : undefined;
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    ids: { secret: () => `confirmation-${(confirmations += 1)}` },
    settings: { hostIds },
    log: { error: (fields: object) => void logged.push(fields) },
    store: {
      saveAction: (rows: ActionRows) => soon(() => void kept.push(rows)),
      findChargeNote,
      findPurchaseOrder: () => undefined,
      preferences: { find: (id: number) => (id === 9 ? { language: 'ru', menu: '' } : undefined) },
      inTransaction: () => undefined,
    },
    core: {
      members: { findActor: () => undefined },
      purchases: {
        find: () => undefined,
        refund: (_actor: unknown, chargeId: string) => soon(() => void refunds.push(chargeId)),
      },
    },
  };
  return { deps: fake(deps) satisfies BotDeps, kept, logged, refunds };
}

const keysOf = (rows: readonly OutgoingRow[] = []) => rows.map(({ key, chatId }) => [key, chatId]);
const contentOf = (row: OutgoingRow | undefined) =>
  JSON.parse(row?.content ?? '{}') as { html: string; keyboard: { inline_keyboard: object[][] } };

test('every host is shown it with a button that gives it back, whoever paid is told, and it is noted: all at once', async () => {
  const { deps, kept, logged } = createWorld();
  await showUnmatchedPayments(deps, [paymentOf(1)]);
  const [{ messages = [], offers = [], chargeNotes } = {}, ...others] = kept;
  expect([others, logged]).toEqual([[], [{ chargeId: 'charge-1', payerId: 70 }]]);
  expect(keysOf(messages)).toEqual([
    ['unmatched:charge-1:8', 8],
    ['unmatched:charge-1:9', 9],
    ['paid:charge-1', 70],
  ]);
  expect(chargeNotes).toEqual([
    { chargeId: 'charge-1', kind: 'unbooked', payerId: 70, currency: 'XTR', amount: 1, at: NOW },
  ]);
  const offered = (id: string, host: number): Confirmation => ({
    ...{ id, chatId: host, userId: host, action: 'host-refund-ask' },
    ...{ payload: '{"chargeId":"charge-1"}', expiresAt: NOW + 3_650 * DAY_MS },
  });
  expect(offers).toEqual([offered('confirmation-1', 8), offered('confirmation-2', 9)]);
  const [english, russian, payer] = messages.map(contentOf);
  expect(english?.html.split('\n')).toEqual([
    'host-unmatched-payments {"count":1}',
    '',
    'host-unmatched-payment {"number":"1","price":"1 ⭐","payer":"Payer <x>","id":"70","when":"27 Dec 1989, 00:00 UTC"}',
    '<code>charge-1</code>',
  ]);
  expect(formatButtons(english!.keyboard)).toEqual([
    ['host-unmatched-payment-refund {"number":"1","price":"1 ⭐"} -> host-refund-ask:confirmation-1'],
  ]);
  expect(russian?.html).toMatch(/^ru:host-unmatched-payments/);
  expect(payer).toEqual({ html: 'paid-unbooked {"price":"1 ⭐","reference":"charge-1"}' });
});

test('ten are shown in one message, numbered, and the eleventh in the next', async () => {
  const { deps, kept } = createWorld({ hostIds: [8] });
  await showUnmatchedPayments(
    deps,
    Array.from({ length: 11 }, (_, index) => paymentOf(index + 1)),
  );
  expect(kept.map(({ chargeNotes, offers }) => [chargeNotes?.length, offers?.length])).toEqual([
    [10, 10],
    [1, 1],
  ]);
  const [ten, last] = kept.map(({ messages }) => contentOf(messages?.[0]));
  expect(ten?.html).toContain('host-unmatched-payment {"number":"10","price":"10 ⭐"');
  expect(last?.html).toContain('host-unmatched-payment {"number":"1","price":"11 ⭐"');
  expect(ten?.keyboard.inline_keyboard.filter((row) => row.length > 0)).toHaveLength(10);
});

test.each([
  [3 * DAY_MS, [8], ['paid-unbooked']],
  [3 * DAY_MS + 1, [8], []],
  [0, [], ['paid-unbooked-alone']],
])('paid %i ms ago, with the hosts %j, whoever paid reads %j', async (ago, hostIds, words) => {
  const { deps, kept } = createWorld({ hostIds });
  await showUnmatchedPayments(deps, [paymentOf(1, { at: NOW - ago })]);
  const told = kept[0]?.messages?.filter(({ chatId }) => chatId === 70).map(contentOf) ?? [];
  expect(told.map(({ html }) => html.split(' ')[0])).toEqual(words);
});

test('the language of whoever paid is that of the update, where it is known', async () => {
  const { deps, kept } = createWorld({ hostIds: [] });
  await showUnmatchedPayments(deps, [paymentOf(1, { language: 'ru' })]);
  expect(contentOf(kept[0]?.messages?.[0]).html).toMatch(/^ru:paid-unbooked-alone/);
});

test('what another way has told of meanwhile is shown once', async () => {
  const { deps, kept } = createWorld({ notes: ['unbooked charge-1'] });
  await showUnmatchedPayments(deps, [paymentOf(1)]);
  expect(kept).toEqual([]);
  await takePayment(deps, paymentOf(1));
  expect(kept).toEqual([]);
});

test('what went back before it was told of is noted and booked as returned, and is no question', async () => {
  const { deps, kept, refunds } = createWorld({ notes: ['refunded charge-1'] });
  await takePayment(deps, paymentOf(1));
  expect(kept.map(({ chargeNotes, messages }) => [chargeNotes?.map(({ kind }) => kind), messages])).toEqual([
    [['unbooked'], undefined],
  ]);
  expect(refunds).toEqual(['charge-1']);
});
