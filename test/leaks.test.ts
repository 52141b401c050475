// Row 14 of the scorecard: canary codes, passwords, tokens and keys through every path; then logs, error answers, the
// database with its log, and a backup are searched for them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { crawl } from './harness/console-crawl.ts';
import { createAccount, linkOwner } from './harness/host.ts';
import { startReceiver, type Receiver } from './harness/receiver.ts';
import { runCliHere } from './harness/run-here.ts';
import { makeServiceFolder, spawnService, type Service } from './torture/process.ts';

const { folder, remove } = makeServiceFolder();
let service: Service | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  await service?.kill();
  await receiver?.close();
  remove();
});

const ORIGIN = 'http://127.0.0.1:3000';
const PLAYER = '5170925570';
const behaviours = [
  '60S',
  'USED',
  'INVALID',
  'RISK',
  'LOGIN',
  'NOACCOUNT',
  'NOORDER',
  'GARBLED',
  'TIMEOUT',
  'LOST',
  'DOWN',
];
let made = 0;
const canary = (prefix: string) => `${prefix}CANARY${String((made += 1)).padStart(6, '0')}`;

test('no code, password, token or key is logged, told in an error, or in the clear in a file of the service', async () => {
  service = await spawnService({
    folder,
    env: {
      ...{ LOG_LEVEL: 'trace', METRICS_TOKEN: 'canary-metrics-token', WEBHOOKS_ALLOW_PRIVATE: 'true' },
      CONSOLE_URL: `${ORIGIN}/console`,
    },
  });
  const { apiKey, accountId } = await createAccount(folder);
  const badKey = `crs_${'canaryBadKey'.repeat(4).slice(0, 43)}`;
  const secrets = new Set([apiKey, badKey, 'canary-metrics-token']);
  const errors: string[] = [];

  const ask = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service?.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // An answer to the owner of the code may name it; one that is no redemption's must not.
    if (response.status >= 400 && !text.includes('"ActivationError"')) errors.push(text);
    return { status: response.status, text };
  };

  receiver = await startReceiver();
  // The second fails, so that the sender has something to say of it.
  const failing = `${receiver.url}/canary-token-of-an-address`;
  receiver.answer = (request, response) => response.writeHead(request.url === '/hook' ? 200 : 500).end();
  for (const url of [receiver.url, failing]) {
    const { text } = await ask('/webhooks', { url, events: ['redemption.settled'] });
    secrets.add((JSON.parse(text) as { secret: string }).secret.slice('whsec_'.length));
  }
  secrets.add('canary-token-of-an-address');

  for (const behaviour of behaviours) {
    const [direct, stored] = [canary(behaviour), canary(behaviour)];
    secrets.add(direct).add(stored);
    await ask('/redeem', { gameId: 'game_id_1', playerId: PLAYER, codeOverride: direct });
    await ask('/db', [{ denomination: 60, codes: [stored, direct, `${stored} broken!`] }]);
    const { text } = await ask('/redeem', { gameId: 'game_id_1', playerId: PLAYER, denomination: 60 });
    for (const field of ['email', 'password']) {
      const told = (JSON.parse(text) as Record<string, unknown>)[field];
      if (typeof told === 'string') secrets.add(told);
    }
    const keyed = canary(behaviour);
    secrets.add(`canary-order-${keyed}`).add(keyed);
    const order = { gameId: 'game_id_1', playerId: PLAYER, codeOverride: keyed };
    await ask('/redeem', order, { 'idempotency-key': `canary-order-${keyed}` });
    await ask(`/redemption-time?gameId=game_id_1&code=${direct}`);
    await ask('/redeem', { gameId: 'game_id_1', playerId: PLAYER, codeOverride: direct, denomination: 60 });
    await ask('/redeem', `{"codeOverride":"${direct}",`);
    await ask(`/history/${direct}`);
    await ask(`/nothing/${direct}?code=${direct}`);
    await ask('/db', [{ denomination: direct, codes: [direct] }]);
    await ask('/db/extract', { denomination: 60, amount: direct });
  }
  await ask('/quota', undefined, { authorization: `Bearer ${badKey}` });
  await ask('/metrics', undefined, { authorization: 'Bearer canary-metrics-token' });
  expect(secrets.size).toBeGreaterThanOrEqual(2 * behaviours.length + 5);
  await expect.poll(() => receiver?.received.length).toBeGreaterThan(behaviours.length);
  const told = receiver.received.map(({ body }) => body).join('\n');
  expect(told).toContain('canary-order-');

  const link = await linkOwner(folder, accountId, 77);
  const owner = await enterConsole(`${service.url}/console`, link);
  secrets.add(link).add(owner.token);
  const [asked] = [...secrets].filter((secret) => secret.startsWith('60SCANARY'));
  const from = [
    '',
    `/search?q=${asked}`,
    `/receipts?code=${asked}`,
    `/receipts.csv?code=${asked}`,
    '/log.csv',
  ];
  const pages = await crawl(owner, { from, most: 15 });
  expect(pages.filter(({ path }) => /^\/receipts\/\d/.test(path)).length).toBeGreaterThan(behaviours.length);

  await runCliHere(folder, 'backup', join(folder, 'canary.backup'));
  expect((await runCliHere(folder, 'check')).lines.at(-1)).toMatchObject({ drift: 0 });
  const files = readdirSync(folder).filter((file) => /^redemption|backup$/.test(file));
  expect(files).toEqual(expect.arrayContaining(['redemption.db', 'redemption.db-wal', 'canary.backup']));
  const places = [
    ['the log', service.log() + service.stderr()],
    ['an error answer', errors.join('\n')],
    // Its own key is what a program knows a redemption by.
    ['a webhook', told.replaceAll(/"idempotencyKey":"[^"]*"/g, '')],
    // Bad codes were asked for; the page of an address names it to its owner, and a box says what was typed into it.
    ...pages
      .filter(({ path }) => !path.endsWith('/bad.csv'))
      .map(({ path, html }) => {
        const typed = path.includes(asked ?? '') ? asked : undefined;
        return [`/console${path}`, html.replaceAll(typed ?? 'canary-token-of-an-address', '')] as const;
      }),
    ...files.map((file) => [file, readFileSync(join(folder, file), 'latin1')] as const),
  ] as const;
  const found = [...secrets].flatMap((secret) =>
    places.filter(([, text]) => text.includes(secret)).map(([place]) => `${secret} in ${place}`),
  );
  expect(found).toEqual([]);
  // The search itself can find: what may stand in the clear does.
  expect(service.log()).toContain('/redemption-time');
  // What the sandbox redeems is fiction, and the log says so where it starts.
  expect(service.log()).toMatch(/"level":"warn".*sandbox.*PLATFORM=upstream/);
  expect(places.at(-1)?.[1]).toBeDefined();
}, 120_000);

/** The browser of an owner who has just entered. */
async function enterConsole(url: string, link: string) {
  const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
  const entry = { method: 'POST', headers, body: 'once=a', redirect: 'manual' } as const;
  const entered = await fetch(`${url}/enter/${link}`, entry);
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
  return {
    token: cookie.slice(cookie.indexOf('=') + 1),
    async get(path: string) {
      const answer = await fetch(url + path, { headers: { cookie }, redirect: 'manual' });
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    },
  };
}
