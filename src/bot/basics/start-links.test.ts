// Deep links of /start: which are followed, and what each says to a member and to a stranger.
import { expect, test } from 'vitest';

import {
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { createStartLinks } from './start-links.ts';

const MEMBER = { kind: 'member', accountId: 1, telegramId: 5, role: 'support' };

interface World {
  actor?: object | undefined;
  answer?: object;
  inviter?: number;
}

async function follow(payload: string, world: World = {}) {
  const { answer, inviter } = world;
  const kept: OutgoingRow[] = [];
  const asked: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    settings: { starsPerUsd: 77, hostIds: [] },
    store: {
      preferences: { find: () => undefined },
      outbox: { save: (rows: OutgoingRow[]) => soon(() => void kept.push(...rows)) },
    },
    core: {
      members: {
        join: (person: object, token: string) => (asked.push([person, token]), Promise.resolve(answer)),
        findInviter: (token: string, id: number) => (asked.push([token, id]), inviter),
      },
      receipts: { find: (_actor: object, id: number) => void asked.push(['receipt', id]) },
      accounts: { find: () => ({ name: 'Shop' }), isSubscriptionActive: () => true },
      purchases: {
        quote: (_actor: object, { thousands }: { thousands?: number }) =>
          thousands === undefined
            ? { status: 'notSold' }
            : { status: 'sold', kind: 'activations', priceUsdCents: thousands * 1_000 },
      },
    },
  };
  const actor = 'actor' in world ? world.actor : MEMBER;
  const { ctx, said } = createRecordedContext({ actor });
  const links = createStartLinks(fake(deps), () => soon(() => void said.push(['home', undefined])));
  const isFollowed = await links.follow(ctx, payload);
  return { isFollowed, said, kept, asked, actor: ctx.actor };
}

const PERSON = { telegramId: 5, name: 'Person', username: undefined };
const HOME: SaidWords = ['home', undefined];

test.each([
  '',
  'other',
  'join_',
  'join_a b',
  `join_${'x'.repeat(60)}`,
  'buy_',
  'buy_1000',
  'buy_x',
  'receipt_',
  'receipt_x',
  'subscribe_1',
])('%j is no link of ours', async (payload) => {
  const { isFollowed, said, asked } = await follow(payload);
  expect([isFollowed, said, asked]).toEqual([false, [], []]);
});

test.each<[status: string, words: string]>([
  ['joined', 'start-joined'],
  ['alreadyMemberHere', 'start-already-here'],
])('who has %s is somebody from there on', async (status, words) => {
  const joined = { ...MEMBER, accountId: 2 };
  const answer = { status, actor: joined, accountName: 'Shop' };
  const { isFollowed, said, asked, actor, kept } = await follow('join_token', { actor: undefined, answer });
  expect([isFollowed, actor]).toEqual([true, joined]);
  expect(said).toEqual([['reply', `${words} {"account":"Shop","role":"role-support"}`], HOME]);
  expect(asked).toEqual([
    [PERSON, 'token'],
    ['token', 5],
  ]);
  expect(kept).toEqual([]);
});

test('whoever invited is told, once an invitation', async () => {
  const answer = { status: 'joined', actor: MEMBER, accountName: 'Shop' };
  const { kept } = await follow('join_token', { answer, inviter: 9 });
  const html = 'members-someone-joined {"person":"Person","role":"role-support"}';
  expect(kept).toEqual([
    { key: 'joined:3c469e9d6c5875d37a43f353', chatId: 9, content: JSON.stringify({ html }) },
  ]);
});

const MEMBERS = ['start-button-members -> go:members'];

test.each<[answer: object, said: SaidWords[]]>([
  [
    { status: 'memberElsewhere', mustFirst: 'leave', accountName: 'Other' },
    [['reply', 'start-leave-first {"account":"Other"}', MEMBERS]],
  ],
  [
    { status: 'memberElsewhere', mustFirst: 'handOver', accountName: 'Other' },
    [['reply', 'start-hand-over-first {"account":"Other"}', MEMBERS]],
  ],
  [{ status: 'expiredOrUsed' }, [['reply', 'start-invitation-over']]],
])('an invitation that answers %j', async (answer, said) => {
  expect(await follow('join_token', { answer })).toMatchObject({ isFollowed: true, said, kept: [] });
});

const OWNER = { ...MEMBER, role: 'owner' };

test.each<[payload: string, actor: object | undefined, said: string[]]>([
  ['buy_3', undefined, ['home']],
  ['buy_3', MEMBER, ['refusal-for-admin']],
  ['buy_3', OWNER, ['buy-choose']],
  ['subscribe', undefined, ['home']],
  ['subscribe', MEMBER, ['refusal-for-admin']],
  ['subscribe', OWNER, ['subscribe-first-not-sold']],
  ['receipt_7', undefined, ['home']],
  ['receipt_7', MEMBER, ['receipt-unknown']],
])('%s by %j', async (payload, actor, words) => {
  const { isFollowed, said, asked } = await follow(payload, { actor });
  expect(isFollowed).toBe(true);
  expect(said.map(([how, html]) => (how === 'home' ? how : html?.split(' ')[0]))).toEqual(words);
  expect(asked).toEqual(payload === 'receipt_7' && actor ? [['receipt', 7]] : []);
});

test('a link to a pack offers that pack; one that is not sold offers them all', async () => {
  const buttons = async (payload: string) =>
    (await follow(payload, { actor: OWNER })).said[0]?.slice(2).length;
  expect([await buttons('buy_3'), await buttons('buy_0')]).toEqual([1, 4]);
});
