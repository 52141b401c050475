// The bot fetches what people say: whatever comes in place of updates costs a pause, and none of them.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FAULTS, type Fault } from '../../../test/telegram/faults.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { createLogger } from '../../log.ts';

let t: Stage;
let lines: { level: string; msg: string; pauseMs?: number }[];
beforeEach(async () => {
  lines = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  t = await openStage({ log: createLogger({ level: 'warn', destination: { write } }) });
});
afterEach(() => t.stop());

const says = () => t.api.send(t.people.owner, t.people.owner, '/help');
const countAnswers = () => t.api.messages(t.people.owner).filter(({ byBot }) => byBot).length;
const pauses = () => lines.flatMap(({ pauseMs }) => pauseMs ?? []);

/** Somebody has written, and these come before the service is given that; after how long it is. */
async function meets(...faults: Fault[]): Promise<number> {
  const before = countAnswers();
  let began = 0;
  await t.restart(() => {
    for (const fault of faults) t.api.faults.next('getUpdates', fault);
    says();
    began = Date.now();
  });
  for (let seconds = 0; seconds < 300 && countAnswers() === before; seconds += 1) await t.pass(1_000);
  expect(countAnswers()).toBe(before + 1);
  return Math.round((Date.now() - began) / 1_000);
}

test('pages, halves of answers and broken lines cost pauses that grow, and no update', async () => {
  const { badGateway, halfOfJson, cut, restart } = FAULTS;
  expect(await meets(badGateway, halfOfJson, cut, restart, { kind: 'flood', retryAfter: 90 })).toBe(106);
  expect(pauses()).toEqual([1_000, 2_000, 4_000, 8_000, 90_000]);
  // What is answered costs none, and they grow from the beginning.
  t.api.faults.next('getUpdates', restart);
  says();
  await t.pass(20_000);
  expect(pauses().slice(5)).toEqual([1_000]);
});

test('somebody else who fetches the updates is given way to for five seconds each time', async () => {
  const conflict = {
    kind: 'error',
    code: 409,
    description: 'Conflict: terminated by other getUpdates request',
  } as const;
  expect(await meets(conflict, conflict, conflict)).toBe(16);
  expect(pauses()).toEqual([]);
});

test('an outage costs nothing that was said meanwhile', async () => {
  const before = countAnswers();
  t.api.down = true;
  says();
  await t.pass(10_000);
  t.api.down = false;
  await t.pass(40_000);
  expect(countAnswers()).toBe(before + 1);
});

test('what could not be kept is not forgotten by Telegram either, and comes again', async () => {
  const alter = (sql: string) => {
    const file = new Database(t.app().databasePath);
    file.exec(sql);
    file.close();
  };
  await t.until(() => t.api.unconfirmed().length === 0);
  const before = countAnswers();
  alter('alter table inbox rename to away');
  says();
  await t.pass(30_000);
  expect([countAnswers(), t.api.unconfirmed().length]).toEqual([before, 1]);
  alter('alter table away rename to inbox');
  await t.pass(30_000);
  expect(countAnswers()).toBe(before + 1);
});

test('a token that is revoked is told once in the log and at /readyz, and asked with until it is back', async () => {
  const status = async () => ((await (await t.ask('/readyz')).json()) as { telegram: string }).telegram;
  const before = countAnswers();
  t.api.revoked = true;
  await t.pass(120_000);
  expect(await status()).toBe('revoked');
  says();
  t.api.revoked = false;
  await t.pass(31_000);
  expect([countAnswers(), await status()]).toEqual([before + 1, 'reachable']);
  const told = lines.filter(({ msg }) => !msg.includes('hosts are told'));
  expect(told).toEqual([expect.objectContaining({ level: 'error' })]);
});

test('ids that begin anywhere after a quiet week are followed', async () => {
  says();
  await t.quiet();
  // A week is quiet only after what was said before it is confirmed.
  await t.until(() => t.api.unconfirmed().length === 0);
  const before = countAnswers();
  t.api.countFrom(7);
  says();
  says();
  await t.pass(10_000);
  expect([countAnswers(), t.api.unconfirmed()]).toEqual([before + 2, []]);
});
