// Which roles somebody may give, which one a word names, and the link that gives it.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Role } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { createInviteFeature, joinLink } from './invite.ts';
import { findGivenRole, rolesToGive } from './roles.ts';

const actorOf = (role: Role) => ({ kind: 'member', accountId: 1, telegramId: 5, role }) as const;

test.each<[role: Role, given: Role[]]>([
  ['owner', ['admin', 'operator', 'support']],
  ['admin', ['operator', 'support']],
  ['operator', []],
  ['support', []],
])('an %s gives %j', (role, given) => expect(rolesToGive(actorOf(role)).sort()).toEqual(given));

test.each([
  ['operator', 'operator'],
  ['OPERATOR', 'operator'],
  ['Оператор', 'operator'],
  ['owner', undefined],
  ['', undefined],
  ['boss', undefined],
])('%j names %s', (word, role) => expect(findGivenRole(createTexts(TEST_GAMES), word)).toBe(role));

async function invite(text: string, role: Role, token = 'tok') {
  const asked: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    core: {
      members: {
        invite: (_actor: object, given: string, order: string) =>
          soon(() => (asked.push([given, order]), { token })),
      },
      accounts: { find: () => ({ name: 'Shop' }) },
    },
  };
  const { ctx, said } = createCommandContext(text, { actor: actorOf(role) });
  await createInviteFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  return { said, asked };
}

const choices = (...roles: string[]) => roles.map((role) => [`Role-${role} -> go:invite ${role}`]);

test.each<[text: string, role: Role, said: SaidWords[]]>([
  ['/invite', 'admin', [['reply', 'invite-choose', ...choices('operator', 'support')]]],
  ['/invite boss', 'admin', [['reply', 'invite-unknown-role', ...choices('operator', 'support')]]],
  ['/invite admin', 'admin', [['reply', 'invite-not-admins', ...choices('operator', 'support')]]],
  ['/invite support', 'operator', [['reply', 'refusal-for-admin']]],
])('%s by an %s invites nobody', async (text, role, said) => {
  const answer = await invite(text, role);
  expect({
    ...answer,
    said: answer.said.map(([how, words, ...rows]) => [how, words, ...rows.sort()]),
  }).toEqual({
    said,
    asked: [],
  });
});

test('a link is shown with a button that copies it, as far as it can be copied', async () => {
  const wordsOf = (link: string) =>
    `invite-link ${JSON.stringify({ account: 'Shop', role: 'role-admin', link })}`;
  const link = 'https://t.me/shop_bot?start=join_tok';
  expect(await invite('/invite Admin', 'owner')).toEqual({
    said: [['reply', wordsOf(link), [`invite-copy -> {"text":"${link}"}`]]],
    asked: [['admin', '77:1']],
  });
  const base = joinLink(createCommandContext('/x').ctx, '');
  const rowsOf = async (length: number) =>
    (await invite('/invite admin', 'owner', 'x'.repeat(length - base.length))).said[0]?.slice(2).length;
  expect([await rowsOf(256), await rowsOf(257)]).toEqual([1, 0]);
});
