// An export in several parts, over the real outbox: what Telegram took is not sent again, whatever fails in between.
import type { Api, InputFile } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, TEST_GAMES, type TestCore } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createBotStore } from '../../store/bot-store.ts';
import { createChatQueues, type ChatQueues } from '../outbox/chat-queue.ts';
import { createChatRateLimit } from '../telegram/rate-limits.ts';
import { createProgress } from '../telegram/progress.ts';
import { BotCallError } from '../telegram/telegram-errors.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { createTexts } from '../texts.ts';
import { createExportView, EXPORT, type ExportResult } from './export-result.ts';

let t: TestCore;
let account: TestAccount;
let queues: ChatQueues | undefined;
let sent: string[];
let receipts: number[];
/** What the next documents meet; undefined: they are taken. */
let faults: ((number: number) => Error | undefined) | undefined;
let tried: number;

beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
  await t.core.accounts.grant(
    { kind: 'host', by: 'cli' },
    { accountId: account.accountId, days: 30, orderId: 'days' },
  );
  [sent, receipts, tried, faults] = [[], [], 0, undefined];
});
afterEach(async () => {
  await queues?.stop();
  await t.close();
});

const store = () => createBotStore(t.store, () => t.clock.now());

function open(): ChatQueues {
  const api: Api = fake({
    async sendDocument(_chatId: number, file: InputFile, options: { caption?: string }) {
      const fault = faults?.((tried += 1));
      if (fault) throw fault;
      sent.push(
        `${file.filename?.replace(/^.*?(-part-\d+)?\.csv$/, 'csv$1')} ${options.caption ?? ''}`.trim(),
      );
      const lines = Buffer.from((await file.toRaw()) as Uint8Array)
        .toString()
        .split('\r\n')
        .slice(1, -1);
      receipts.push(...lines.map((line) => Number(line.split(',')[0])));
    },
    sendMessage: (_chatId: number, text: string) => void sent.push(text),
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const rateLimit = createChatRateLimit(t.clock);
  const progress = createProgress({ api, clock: t.clock, log, rateLimit });
  const views = { [EXPORT]: createExportView({ ...t, texts: createTexts(TEST_GAMES) }, { partBytes: 1 }) };
  const texts = createTexts(TEST_GAMES);
  const deps = {
    core: t.core,
    store: store(),
    api,
    clock: t.clock,
    log,
    rateLimit,
    progress,
    views,
    texts,
  };
  const opened = createChatQueues({ ...deps, handlers: {}, findLanguage: () => 'en', isNewest: () => false });
  opened.start();
  return opened;
}

async function redeem(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await t.core.redeem(account.members.owner, {
      gameId: 'game_id_2',
      playerId: '5170925570',
      code: makeCode(),
    });
}

async function order(): Promise<void> {
  const { telegramId } = account.members.owner;
  const of: ExportResult = { days: 7, full: false, csv: true, at: t.clock.now() };
  const say = (key: string, content: object) =>
    toOutgoingRow(key, telegramId, { telegramId, language: null, ...content } as never);
  await store().outbox.save([say('asked', { view: EXPORT, of }), say('later', { html: 'asked later' })]);
}

const isSaid = () => expect.poll(() => sent.includes('asked later')).toBe(true);

test('goes on with the part that was not taken yet, also in the next process; what was asked later waits', async () => {
  await redeem(240);
  await order();
  t.clock.advance(1);
  await redeem(1);
  faults = (number) => (number === 2 ? new BotCallError('no answer', 'cut') : undefined);
  queues = open();
  await expect.poll(() => tried).toBe(2);
  await queues.stop();
  // The next process knows when it is to be tried again.
  t.clock.advance(2_000);
  queues = open();
  await isSaid();
  expect(sent).toEqual([
    'csv-part-1',
    'csv-part-2',
    expect.stringMatching(/^csv-part-3 .*240/),
    'asked later',
  ]);
  expect(receipts).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
});

test('the days in its name are those of the account, by its own time zone', async () => {
  await t.core.accounts.setTimeZone(account.actors.owner, '+14:00');
  t.clock.set(Date.UTC(2026, 10, 21, 12));
  await redeem(1);
  const { telegramId } = account.members.owner;
  const of: ExportResult = { days: 2, full: false, at: t.clock.now() };
  const view = createExportView({ ...t, texts: createTexts(TEST_GAMES) });
  const words = await view({ of, telegramId, language: 'en' });
  const names: (string | undefined)[] = [];
  const sendDocument = (_chatId: number, file: InputFile) => Promise.resolve(names.push(file.filename));
  if (words && 'send' in words) await words.send(fake({ sendDocument }), 1, new AbortController().signal);
  expect(names).toEqual(['receipts-2026-11-21-to-2026-11-22.xlsx']);
});
