// Last confirmations: bound to a person, an account, a chat, an action and a time, and used up once.
import { expect, test } from 'vitest';

import { createPressedContext, soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { CONFIRMATION_MS, findConfirmation, createConfirmation, keyOfLasting } from './confirmations.ts';

const KEPT = { id: 'id', chatId: 5, userId: 5, action: 'act', expiresAt: 1_001, takenBy: null };
const PERSON = { chatId: 5, userId: 6 };

async function keep(accountId: number | undefined, withinMs?: number) {
  const kept: Confirmation[] = [];
  const deps = {
    clock: createManualClock(1_000),
    ids: { secret: (bytes: number) => 'x'.repeat(bytes) },
    store: {
      confirmations: { save: (confirmation: Confirmation) => soon(() => void kept.push(confirmation)) },
    },
    core: { members: { findActor: (id: number) => (id === 6 && accountId ? { accountId } : undefined) } },
  };
  const order = { action: 'act', payload: { a: 1 }, ...(withinMs !== undefined && { withinMs }) };
  return [await createConfirmation(fake(deps), fake({ chat: { id: 5 }, from: { id: 6 } }), order), kept];
}

test.each([
  [3, undefined, 15 * 60_000, '{"a":1,"madeIn":3}'],
  [undefined, 7, 7, '{"a":1,"madeIn":null}'],
])('of account %s within %s ms', async (accountId, withinMs, lasts, payload) => {
  const confirmation = { id: 'x'.repeat(12), ...PERSON, action: 'act', payload, expiresAt: 1_000 + lasts };
  expect(await keep(accountId, withinMs)).toEqual([`act:${'x'.repeat(12)}`, [confirmation]]);
  expect(CONFIRMATION_MS).toBe(15 * 60_000);
});

const find = (confirmation: object | undefined, payload: object, fields: object = {}) => {
  const kept = confirmation && { ...KEPT, payload: JSON.stringify(payload), ...confirmation };
  const asked: string[] = [];
  const deps = {
    clock: createManualClock(1_000),
    store: { confirmations: { find: (id: string) => (asked.push(id), kept) } },
  };
  const found = findConfirmation(fake(deps), createPressedContext('act:id', fields).ctx, 'act');
  expect(asked).toEqual(['id']);
  return found;
};

test.each<[what: string, confirmation: object | undefined, payload: object, fields: object, key: string]>([
  ['that is forgotten', undefined, {}, {}, 'confirmation-unknown'],
  ['of another action', { action: 'other' }, {}, {}, 'confirmation-unknown'],
  ['of another person', { userId: 6 }, {}, {}, 'confirmation-not-yours'],
  ['of nobody', {}, {}, { from: undefined }, 'confirmation-not-yours'],
  ['of another chat', { chatId: 6 }, {}, {}, 'confirmation-elsewhere'],
  ['of another account', {}, { madeIn: 2 }, {}, 'confirmation-other-account'],
  ['of no account', {}, { madeIn: null }, {}, 'confirmation-other-account'],
  ['of an account that was left', {}, { madeIn: 1 }, { actor: undefined }, 'confirmation-other-account'],
  ['that was pressed before', { takenBy: 76 }, {}, {}, 'confirmation-taken'],
  ['that was pressed in time, before', { takenBy: 76, expiresAt: 0 }, {}, {}, 'confirmation-taken'],
  ['that was withdrawn', { takenBy: -77 }, {}, {}, 'confirmation-withdrawn'],
  ['that is too old', { expiresAt: 1_000 }, {}, {}, 'confirmation-expired'],
])('a confirmation %s does nothing', (_what, confirmation, payload, fields, key) => {
  expect(find(confirmation, payload, fields)).toEqual({ status: 'refused', id: 'id', key });
});

test.each<[what: string, confirmation: object, payload: object, fields: object, isDone: boolean]>([
  ['in time', {}, { a: 1, madeIn: 1 }, {}, false],
  ['of an earlier version', {}, { a: 1 }, {}, false],
  ['of a person without an account', {}, { a: 1, madeIn: null }, { actor: undefined }, false],
  ['that this update used up, however late', { takenBy: 77, expiresAt: 0 }, { a: 1 }, {}, true],
])('a confirmation %s is carried out', (_what, confirmation, payload, fields, isDone) => {
  expect(find(confirmation, payload, fields)).toEqual({
    status: 'found',
    id: 'id',
    payload: { a: 1 },
    isDone,
  });
});

test.each([
  ['confirmation-expired', 'button-old'],
  ['confirmation-taken', 'confirmation-taken'],
])('of a button that lasts %s is said as %s', (key, words) => expect(keyOfLasting(key)).toBe(words));
