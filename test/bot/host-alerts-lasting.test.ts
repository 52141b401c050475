// Host alerts of one life of the real process, over the stand-in for Telegram: the platform refuses us, leaves an order
// in doubt and is gone, no backup can be made, the disk refuses, the token is used elsewhere and then unknown, the
// clock jumps. Each is told once when it has lasted, once when it is over, and nothing else is.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createBotApi, type BotApi } from '../telegram/telegram.ts';
import type { User } from '../telegram/types.ts';
import { pause } from '../../src/waiting.ts';
import type { AheadCommand } from '../harness/ahead.ts';
import { createAccount } from '../harness/host.ts';
import { makeServiceFolder, spawnService, type Service } from '../torture/process.ts';
import { json, startScriptedServer, type Script, type ScriptedServer } from '../scripted-server.ts';
import { ask } from '../torture/client.ts';
import { KILL_AT, type FaultCommand } from '../torture/faults.ts';

const TOKEN = '123456:lasting';
const HOST_ID = 900_001;
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Between two looks; no trouble is told that has not lasted longer. */
const STEP_MS = 4 * MINUTE_MS;
const SAID_WITHIN_MS = 150;

let api: BotApi;
let apiUrl: string;
let host: User;
let service: Service;
let upstream: ScriptedServer;
let account: { apiKey: string };
let place: ReturnType<typeof makeServiceFolder>;
let ahead: Omit<AheadCommand, 'wakes'>;

beforeEach(async () => {
  place = makeServiceFolder();
  ahead = { aheadMs: 0 };
  upstream = await startScriptedServer();
  upstream.answerWith(well);
  api = createBotApi({ token: TOKEN, flood: 'none' });
  ({ url: apiUrl } = await api.listen());
  service = await spawnService({
    folder: place.folder,
    preload: [pathOf('../harness/ahead.ts'), pathOf('../torture/faults.ts')],
    env: {
      ...{ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: apiUrl, HOST_IDS: String(HOST_ID) },
      ...{ PLATFORM: 'upstream', UPSTREAM_URL: upstream.url, UPSTREAM_TOKEN: 'crs_token' },
      ...{ BACKUP_FOLDER: backups(), TORTURE_AHEAD: 'yes', [KILL_AT]: '' },
    },
  });
  account = await createAccount(place.folder);
  host = api.createUser({ id: HOST_ID, first_name: 'Host', language_code: 'en' });
  api.send(host, host, '/start');
  await api.waitFor(() => api.messages(host).some(({ byBot }) => byBot), 30_000, 'an answer');
});
afterEach(async () => {
  await service.kill();
  await Promise.all([api.close(), upstream.close()]);
  place.remove();
});

const backups = () => join(place.folder, 'backups');
/** It takes orders, and knows none of the codes. */
const well: Script = (response, heard) => {
  const [status, errorCode] = ANSWERS[heard.url ?? ''] ?? [200];
  json(status, { type: 'ActivationError', errorCode, errorMessage: 'No.' })(response, heard);
};
const ANSWERS: Record<string, [number, string]> = {
  '/redemption-time': [404, 'CODE_NOT_FOUND'],
  '/redeem': [503, 'INVALID_CODE'],
};

const fail = (fails: boolean) => service.command({ fails } satisfies FaultCommand);
const move = (by: Partial<AheadCommand>) => {
  ahead = { aheadMs: ahead.aheadMs + (by.aheadMs ?? 0), jumpMs: (ahead.jumpMs ?? 0) + (by.jumpMs ?? 0) };
  return service.command({ ...ahead, wakes: true });
};
const redeem = (codeOverride: string) =>
  ask(service.url, account, 'POST', '/redeem', {
    body: { gameId: 'game_id_1', playerId: '5124780131', codeOverride },
  });
const poll = () => fetch(`${apiUrl}/bot${TOKEN}/getUpdates`);

const OVER: Record<string, RegExp> = {
  'upstream-refusing': /takes our orders again/,
  'platform-unreachable': /The platform answers again/,
  'doubt-old': /No redemption is in doubt for a quarter/,
  'backup-failing': /A backup was made and proven again/,
  'database-unwritable': /The disk can be written to again/,
  'token-contested': /No other process fetches/,
  'token-revoked': /Telegram knows the token of this bot again/,
  'clock-jumped': /has not jumped for an hour/,
};

/** What hosts were told, in its order: a name, or a name that is over. */
function listTold(): string[] {
  const parts = api
    .messages(host)
    .filter(({ byBot }) => byBot)
    .flatMap(({ text }) => text.split('\n\n'));
  return parts.flatMap((text) => {
    const begun = /What to do: docs\/at-night\.md, ([\w-]+)/.exec(text)?.[1];
    const over = Object.keys(OVER).find((name) => OVER[name]?.test(text));
    return begun ?? (over === undefined ? [] : `${over} is over`);
  });
}

/** A message that is under way when time moves is given up, and sent once more: on a busy machine it takes its time. */
async function waitForMessages(): Promise<void> {
  const file = new Database(join(place.folder, 'redemption.db'), { readonly: true });
  const underWay = file.prepare<[], number>('select count(*) from tasks where locked_at is not null').pluck();
  try {
    for (let looks = 0; looks < 50 && underWay.get() !== 0; looks += 1) await pause(50);
  } finally {
    file.close();
  }
}

/** Time passes, and conditions are read, until all of it is told. */
async function passUntilTold(
  names: readonly string[],
  { meanwhile = (): unknown => undefined, stepMs = STEP_MS } = {},
): Promise<void> {
  for (let looks = 0; looks < 100 && names.some((name) => !listTold().includes(name)); looks += 1) {
    await meanwhile();
    await waitForMessages();
    await move({ aheadMs: stepMs });
    await pause(SAID_WITHIN_MS);
  }
  expect(listTold()).toEqual(expect.arrayContaining([...names]));
}
const overOf = (names: readonly string[]) => names.map((name) => `${name} is over`);

const getContested = () => passUntilTold(['token-contested'], { meanwhile: poll, stepMs: MINUTE_MS });

async function getRefused(): Promise<void> {
  upstream.answerWith(json(401, {}));
  await redeem('60SAAAAAAAAAAAAAA');
}

/** An order is cut, and whoever asks about it is. */
async function loseUpstream(): Promise<void> {
  upstream.answerWith((response) => void response.destroy());
  await redeem('60SAAAAAAAAAAAAAB');
}

async function failDisk(): Promise<void> {
  await fail(true);
  await redeem('60SAAAAAAAAAAAAAD');
  await passUntilTold(['database-unwritable']);
  await fail(false);
}

/** Nobody can be told while it lasts. */
async function revokeToken(): Promise<void> {
  api.revoked = true;
  await expect
    .poll(async () => (await fetch(`${service.url}/metrics`)).text(), { timeout: 20_000 })
    .toContain('host_alert{name="token-revoked"} 1');
  api.revoked = false;
}

test('each trouble is told once when it has lasted, and once when it is over', async () => {
  await move({ jumpMs: -HOUR_MS });
  writeFileSync(backups(), 'no folder');
  await getContested();
  await getRefused();
  await loseUpstream();
  await passUntilTold([
    'clock-jumped',
    'backup-failing',
    'upstream-refusing',
    'doubt-old',
    'platform-unreachable',
  ]);
  await failDisk();
  rmSync(backups());
  upstream.answerWith(well);
  await redeem('60SAAAAAAAAAAAAAC');
  await revokeToken();
  // What is fetched tells that nobody else fetches.
  const meanwhile = () => api.send(host, host, '/health');
  await passUntilTold(overOf(Object.keys(OVER)), { meanwhile });
  const begun = Object.keys(OVER).filter((name) => name !== 'token-revoked');
  expect(listTold().toSorted()).toEqual([...begun, ...overOf(Object.keys(OVER))].toSorted());
}, 90_000);
