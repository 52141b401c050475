// Last confirmations: bound to a person, an account, a chat, an action and a time, and used up once.
import { expect, test } from 'vitest';

import { createPressedContext, soon } from '../../../test/harness/bot-words.ts';
import { createManualClock } from '../../clock.ts';
import type { Draft } from '../../store/bot-store.ts';
import { DRAFT_MS, findDraft, keepDraft, wordLasting } from './confirmations.ts';

const KEPT = { id: 'id', chatId: 5, userId: 5, action: 'act', expiresAt: 1_001, takenBy: null };
const PERSON = { chatId: 5, userId: 6 };

async function keep(accountId: number | undefined, withinMs?: number) {
  const kept: Draft[] = [];
  const deps = {
    clock: createManualClock(1_000),
    ids: { secret: (bytes: number) => 'x'.repeat(bytes) },
    keeping: { drafts: { keep: (draft: Draft) => soon(() => void kept.push(draft)) } },
    core: { members: { findActor: (id: number) => (id === 6 && accountId ? { accountId } : undefined) } },
  };
  const order = { action: 'act', payload: { a: 1 }, ...(withinMs !== undefined && { withinMs }) };
  return [await keepDraft(deps as never, PERSON, order), kept];
}

test.each([
  [3, undefined, 15 * 60_000, '{"a":1,"draftedIn":3}'],
  [undefined, 7, 7, '{"a":1,"draftedIn":null}'],
])('of account %s within %s ms', async (accountId, withinMs, lasts, payload) => {
  const draft = { id: 'x'.repeat(12), ...PERSON, action: 'act', payload, expiresAt: 1_000 + lasts };
  expect(await keep(accountId, withinMs)).toEqual([`act:${'x'.repeat(12)}`, [draft]]);
  expect(DRAFT_MS).toBe(15 * 60_000);
});

const find = (draft: object | undefined, payload: object, fields: object = {}) => {
  const kept = draft && { ...KEPT, payload: JSON.stringify(payload), ...draft };
  const asked: string[] = [];
  const deps = {
    clock: createManualClock(1_000),
    keeping: { drafts: { find: (id: string) => (asked.push(id), kept) } },
  };
  const found = findDraft(deps as never, createPressedContext('act:id', fields).ctx, 'act');
  expect(asked).toEqual(['id']);
  return found;
};

test.each<[what: string, draft: object | undefined, payload: object, fields: object, key: string]>([
  ['that is forgotten', undefined, {}, {}, 'draft-unknown'],
  ['of another action', { action: 'other' }, {}, {}, 'draft-unknown'],
  ['of another person', { userId: 6 }, {}, {}, 'draft-not-yours'],
  ['of nobody', {}, {}, { from: undefined }, 'draft-not-yours'],
  ['of another chat', { chatId: 6 }, {}, {}, 'draft-elsewhere'],
  ['of another account', {}, { draftedIn: 2 }, {}, 'draft-other-account'],
  ['of no account', {}, { draftedIn: null }, {}, 'draft-other-account'],
  ['of an account that was left', {}, { draftedIn: 1 }, { actor: undefined }, 'draft-other-account'],
  ['that was pressed before', { takenBy: 76 }, {}, {}, 'draft-taken'],
  ['that was pressed in time, before', { takenBy: 76, expiresAt: 0 }, {}, {}, 'draft-taken'],
  ['that is too old', { expiresAt: 1_000 }, {}, {}, 'draft-expired'],
])('a confirmation %s does nothing', (_what, draft, payload, fields, key) => {
  expect(find(draft, payload, fields)).toEqual({ status: 'refused', id: 'id', key });
});

test.each<[what: string, draft: object, payload: object, fields: object, isDone: boolean]>([
  ['in time', {}, { a: 1, draftedIn: 1 }, {}, false],
  ['of an earlier version', {}, { a: 1 }, {}, false],
  ['of a person without an account', {}, { a: 1, draftedIn: null }, { actor: undefined }, false],
  ['that this update used up, however late', { takenBy: 77, expiresAt: 0 }, { a: 1 }, {}, true],
])('a confirmation %s is carried out', (_what, draft, payload, fields, isDone) => {
  expect(find(draft, payload, fields)).toEqual({ status: 'found', id: 'id', payload: { a: 1 }, isDone });
});

test.each([
  ['draft-expired', 'button-old'],
  ['draft-taken', 'draft-taken'],
])('of a button that lasts %s is said as %s', (key, words) => expect(wordLasting(key)).toBe(words));
