// What a person at a terminal is answered.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { linesOf, nameTheBot, useHostFolder } from '../../test/harness/host-folder.ts';
import { systemClock } from '../clock.ts';
import { createInvitations } from '../core/accounts/invitations.ts';
import { randomIds } from '../ids.ts';

const { run, open } = useHostFolder();

const { isTTY } = process.stdout;
beforeEach(() => void (process.stdout.isTTY = true));
afterEach(() => void (process.stdout.isTTY = isTTY));

test('answers are tables, --json is JSON, and a mistake comes after what was said before it', async () => {
  for (const name of ['One', 'Two']) await run(['account', 'create', '--name', name]);
  const { out, err } = await run(['account', 'list']);
  expect([out.split('\n').map((line) => line.split(/ {2,}/)[1]), err]).toEqual([
    ['NAME', 'One', 'Two', undefined],
    '',
  ]);
  expect(linesOf((await run(['account', 'list', '--json'])).out)).toMatchObject([
    { name: 'One' },
    { name: 'Two' },
  ]);
  expect(linesOf((await run(['--json', 'account', 'show', '1'])).out)).toMatchObject([{ name: 'One' }]);
  expect((await run(['account', 'show', '1'])).out).toMatch(/^NAME +One$/m);
  expect(await run(['account', 'show', '7'])).toMatchObject({ out: '', err: 'There is no account 7.\n' });
});

test('create says how the owner comes in: a link that makes one where the bot is known, else where one is made', async () => {
  const create = async (env: Record<string, string> = {}) =>
    (await run(['account', 'create', '--name', 'Shop'], env)).out;
  expect(await create()).toMatch(
    /^OWNER +nobody yet: a bot invites the owner, once TELEGRAM_BOT_TOKEN is set$/m,
  );
  const silent = { TELEGRAM_BOT_TOKEN: '1:hush', TELEGRAM_API_ROOT: 'http://127.0.0.1:1' };
  expect(await create(silent)).toMatch(
    /^OWNER +nobody yet: \/accounts in the bot gives a link for the owner$/m,
  );
  const telegram = await nameTheBot();
  const out = await create({ TELEGRAM_BOT_TOKEN: '200:hush', TELEGRAM_API_ROOT: telegram.root });
  telegram.close();
  const [, token = ''] = /t\.me\/shop_bot\?start=join_(\S+)$/m.exec(out) ?? [];
  const store = open();
  const { join } = createInvitations({ store, clock: systemClock, ids: randomIds });
  expect(await join({ telegramId: 5, name: 'Ann' }, token)).toMatchObject({
    status: 'joined',
    actor: { accountId: 3, role: 'owner' },
  });
  await store.close();
});
