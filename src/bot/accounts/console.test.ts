// /console: a button with a link for whoever asks, the end of a session by the button of its notice, and neither where
// there is no console.
import { expect, test } from 'vitest';

import { createCommandContext, createPressedContext, soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createConsoleFeature } from './console.ts';

async function handle(
  event: string,
  { consoleUrl = 'https://shop.example/console', isEnded = true, fields = {} },
) {
  const did: unknown[] = [];
  const consoleAccess = {
    link: (actor: { kind: string }, telegramId: number) =>
      soon(() => (did.push([actor.kind, telegramId]), 'token')),
    end: (actor: { kind: string }, id: number) => soon(() => (did.push([actor.kind, 'ends', id]), isEnded)),
  };
  const deps = { core: { consoleAccess }, settings: { consoleUrl } };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role: 'support' };
  const { ctx, said } = create(event, { actor, from: { id: 5 }, ...fields });
  await createConsoleFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  return { did, said };
}

test('a member and a host get a link of their own, once a button, once a text that this machine can open', async () => {
  const link = 'https://shop.example/console/enter/token';
  const member = await handle('/console', {});
  expect(member).toEqual({
    did: [['member', 5]],
    said: [['reply', 'console-link', [`console-button-open -> ${link}`]]],
  });
  const host = await handle('/console', { fields: { actor: undefined, isHost: true } });
  expect(host.did).toEqual([['host', 5]]);
  const here = await handle('/console', { consoleUrl: 'http://127.0.0.1:3000/console' });
  expect(here.said).toEqual([
    ['reply', 'console-link-here {"link":"http://127.0.0.1:3000/console/enter/token"}'],
  ]);
});

test('a stranger gets none', async () => {
  const stranger = await handle('/console', { fields: { actor: undefined, isHost: false } });
  expect(stranger).toEqual({ did: [], said: [['reply', 'refusal-stranger']] });
});

test('the button under the notice ends the session, and says so when it had ended', async () => {
  const ended = await handle('console:end:7', {});
  expect(ended.did).toEqual([['member', 'ends', 7]]);
  expect(ended.said.at(-1)).toEqual(['edit', 'console-ended']);
  expect((await handle('console:end:7', { isEnded: false })).said.at(-1)).toEqual([
    'edit',
    'console-ended-before',
  ]);
});

test('without a console there is no such command', () => {
  const { commands } = createConsoleFeature(fake({ settings: {} }));
  expect(commands).toEqual([]);
});
