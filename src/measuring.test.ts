// What is measured beside the core, over a real store and real folders.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../test/harness/store.ts';
import { loadConfig } from './config.ts';
import { createMeasured } from './measuring.ts';

let t: TestStore;
let folder: string;
beforeEach(() => {
  t = openTestStore();
  folder = mkdtempSync(join(tmpdir(), 'measuring-'));
});
afterEach(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () =>
  loadConfig({ DATABASE_PATH: join(folder, 'redemption.db'), BACKUP_FOLDER: join(folder, 'backups') });

test('what waits in the bot, and since when the first of it', async () => {
  const bot = { telegramStatus: () => 'reachable' as const, lastAnswerAt: () => 1 };
  const { queues, telegram } = createMeasured(settings(), { store: t.store, bot, clock: t.clock });
  const nothing = { waiting: 0, since: undefined };
  expect(queues?.()).toEqual({
    inbox: nothing,
    announce: nothing,
    answer: nothing,
    result: nothing,
    notice: nothing,
  });
  await t.store.write(({ inbox, tasks }) => {
    inbox.save(7, '{}', 1_000);
    inbox.save(8, '{}', 2_000);
    for (const [queue, now] of [
      ['chat:2', 5_000],
      ['chat:1', 4_000],
    ] as const)
      tasks.add({ task: 'result', queue, payload: '{}', now });
  });
  expect(queues?.()).toEqual({
    inbox: { waiting: 2, since: 1_000 },
    ...{ announce: nothing, answer: nothing, notice: nothing },
    result: { waiting: 2, since: 4_000 },
  });
  await t.store.write(({ inbox }) => void inbox.finish(7, 'done'));
  expect(queues?.().inbox).toEqual({ waiting: 1, since: 2_000 });
  expect(telegram).toBe(bot);
});

test('writes that wait, room on the disk, the last backup; nothing of a bot that is not there', async () => {
  const measured = createMeasured(settings(), { store: t.store, bot: undefined, clock: t.clock });
  const write = t.store.write(() => undefined);
  expect(measured.countWritesWaiting?.()).toBe(1);
  await write;
  expect(measured.countWritesWaiting?.()).toBe(0);
  expect(Object.keys((await measured.freeBytes?.()) ?? {})).toEqual(['database']);

  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'backups', 'redemption-2026-01-13T08-00-00Z.db'), '');
  const room = await measured.freeBytes?.();
  expect([Object.keys(room ?? {}), (room?.['backups'] ?? 0) > 0]).toEqual([['database', 'backups'], true]);
  expect(measured.lastBackupAt?.()).toBe(Date.UTC(2026, 0, 13, 8));
  expect([measured.telegram, measured.queues]).toEqual([undefined, undefined]);
});
