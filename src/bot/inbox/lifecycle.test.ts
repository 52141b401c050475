// From the start of the bot to its stop: Telegram is tried again until it is reached, and nothing begins before.
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';

import { FAULTS, type Fault } from '../../../test/telegram/faults.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { createLogger } from '../../log.ts';

let t: Stage;
let lines: string[];
let called: [method: string, at: number][];

/** A service that was stopped; `meanwhile`, and it is started. What it calls from then on is noted. */
async function start(meanwhile: () => void, webhook = false): Promise<void> {
  [lines, called] = [[], []];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  t = await openStage({ log, api: { flood: 'none' } });
  const note = ({ method }: { method: string }) => called.push([method, Date.now()]) < 0;
  const changed = webhook ? { webhook: { url: 'https://shop.example/hook', secret: 'secret' } } : {};
  await t.restart(() => {
    t.api.faults.next(note, FAULTS.hang);
    lines = [];
    meanwhile();
  }, changed);
}
afterEach(() => t.stop());

const meets = (fault: Fault, times = 1) => t.api.faults.next('getMe', fault, times);
const askedAt = () => called.flatMap(([method, at]) => (method === 'getMe' ? [at] : []));
const pauses = () => askedAt().map((at, index) => Math.round((at - (askedAt()[index - 1] ?? at)) / 100) / 10);
const status = async () => ((await (await t.ask('/readyz')).json()) as { telegram: string }).telegram;
const answers = async () => {
  t.api.send(t.people.owner, t.people.owner, '/help');
  await t.quiet();
  return t.api.messages(t.people.owner).at(-1)?.text ?? '';
};

test('it is tried again after pauses that double, up to half a minute, and nothing begins before', async () => {
  await start(() => meets({ kind: 'error', code: 400, description: 'Bad Request' }, 7));
  await t.pass(90_000);
  expect(pauses()).toEqual([0, 1, 2, 4, 8, 16, 30]);
  expect(new Set(called.map(([method]) => method))).toEqual(new Set(['getMe']));
  await t.pass(31_000);
  expect(lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(7);
  const inTurn = [...new Set(called.map(([method]) => method))];
  expect(inTurn).toEqual(['getMe', 'deleteWebhook', 'setMyCommands', 'getStarTransactions']);
  expect(await answers()).toContain('/help');
});

test('a token that Telegram does not know is tried again, and told once', async () => {
  await start(() => meets(FAULTS.unauthorized, 3));
  await t.pass(20_000);
  expect(pauses()).toEqual([0, 1, 2, 4]);
  expect(lines.filter((line) => !line.includes('hosts are told'))).toEqual([
    expect.stringContaining('does not know this TELEGRAM_BOT_TOKEN'),
  ]);
});

test('with a webhook it does not fetch', async () => {
  let polls: { met(): number } | undefined;
  await start(() => void (polls = t.api.faults.next('getUpdates', FAULTS.restart, Infinity)), true);
  await t.pass(60_000);
  expect([polls?.met(), called.map(([method]) => method)]).toEqual([
    0,
    expect.arrayContaining(['setWebhook']),
  ]);
});

test('a disk that fails at the start is known of the bot, and tried again from where it failed', async () => {
  const alter = (sql: string) => {
    const file = new Database(t.app().databasePath);
    file.exec(sql);
    file.close();
  };
  await start(() => meets({ kind: 'error', code: 400, description: 'Bad Request' }));
  alter('alter table inbox rename to away');
  await t.pass(2_500);
  expect([await status(), lines.join('')]).toEqual(['failed', expect.stringContaining('could not start')]);
  alter('alter table away rename to inbox');
  await t.pass(10_000);
  expect(await status()).toBe('reachable');
  // Who it is was known; nothing starts twice.
  expect([askedAt().length, called.filter(([method]) => method === 'deleteWebhook').length]).toEqual([2, 1]);
  expect(await answers()).toContain('/help');
});

test('Telegram failing right after it was reached does not leave the process without its bot', async () => {
  await start(() => t.api.faults.next('deleteWebhook', { kind: 'error', code: 500 }, 6));
  await t.pass(90_000);
  expect(await answers()).toContain('/help');
});

test('a stop before Telegram was reached is no error, and the next start answers', async () => {
  await start(() => void (t.api.down = true));
  await t.restart(() => void (t.api.down = false));
  expect(await answers()).toContain('/help');
  expect(lines.filter((line) => (JSON.parse(line) as { level: string }).level === 'error')).toEqual([]);
});

test('what arrived while the bot was away, or in the middle of a stop, is answered once after the restart', async () => {
  await start(() => undefined);
  const { owner } = t.people;
  const before = t.api.messages(owner).length;
  const sent = Array.from({ length: 20 }, () => t.api.send(owner, owner, '/help'));
  await t.restart();
  await t.quiet();
  for (const { updateId } of sent) t.api.redeliver(updateId!);
  t.api.send(owner, owner, '/cancel');
  await t.quiet();
  const answered = t.api.messages(owner).slice(before);
  expect(answered.filter(({ text }) => text.startsWith('No command is needed'))).toHaveLength(20);
});

test('words that hang at the stop are given up after two seconds, and said by the next start', async () => {
  await start(() => undefined);
  t.api.faults.next('sendMessage', FAULTS.hang);
  t.api.send(t.people.owner, t.people.owner, '/help');
  await t.pass(1_000);
  const before = Date.now();
  let took = 0;
  await t.restart(() => void (took = Date.now() - before));
  expect(Math.floor(took / 1_000)).toBe(2);
  await t.quiet();
  expect(t.api.messages(t.people.owner).at(-1)?.text).toContain('/help');
});
