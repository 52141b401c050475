// The document of an export: its name, what stands under it, what it has no room for, and that it can be deleted.
import { GrammyError, type Api, type InputFile } from 'grammy';
import { expect, test } from 'vitest';

import { createPressedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Sending } from '../outgoing.ts';
import { createExportView } from './export-result.ts';
import { deleteFile } from './receipt-file.ts';

const AT = Date.UTC(2026, 10, 21, 22);

const receiptOf = (id: number) => ({
  id,
  createdAt: AT,
  state: 'redeemed',
  codeReset: false,
  warning: false,
  actorLabel: { kind: 'host' },
});

interface World {
  of?: object;
  slices?: object[][];
  most?: number;
  timeZone?: string;
}

async function show({ of = {}, slices = [[receiptOf(1)]], most, timeZone = 'UTC' }: World) {
  const core = {
    members: { findActor: () => ({ accountId: 1 }) },
    accounts: { timeZoneOf: () => timeZone },
    games: { find: () => undefined },
    exportRedemptions: async function* () {
      for (const slice of slices) yield await soon(() => slice);
    },
  };
  const view = createExportView(fake({ core, texts: KEYS_FOR_WORDS }), { ...(most && { most }) });
  const result = { days: 7, full: false, at: AT, ...of };
  const sending = (await view({ of: result, telegramId: 5, language: 'en' })) as Sending & { html?: string };
  const calls: unknown[][] = [];
  const api: Api = fake({
    sendDocument: (chatId: number, file: InputFile, options: object) =>
      soon(() => void calls.push([chatId, file.filename, options])),
  });
  await sending.send?.(api, 9, new AbortController().signal);
  await sending.sendBare?.(api, 9, new AbortController().signal);
  return { html: sending.html, calls, otherwise: sending.otherwise };
}

const captionOf = (key: string, count: number, zone = 'UTC') => ({
  ...{ parse_mode: 'HTML', caption: `${key} {"count":${count},"zone":"${zone}"}` },
});

const DELETE = { inline_keyboard: [[{ text: 'button-delete-file', callback_data: 'file:delete' }]] };

test.each<[what: string, World, name: string, options: object, otherwise: string]>([
  ['days', {}, 'receipts-2026-11-15-to-2026-11-21.xlsx', captionOf('export-done', 1), '7'],
  [
    'days with all',
    { of: { full: true } },
    'receipts-2026-11-15-to-2026-11-21-full.xlsx',
    { ...captionOf('export-done-full', 1), reply_markup: DELETE },
    '7 full',
  ],
  [
    'days with all for programs',
    { of: { full: true, csv: true } },
    'receipts-2026-11-15-to-2026-11-21-full.csv',
    {
      ...captionOf('export-done-full', 1),
      caption: 'export-done-full {"count":1,"zone":"UTC"} export-csv-marks',
      reply_markup: DELETE,
    },
    '7 csv full',
  ],
  [
    'a day of another zone',
    { of: { days: 1 }, timeZone: 'Europe/Moscow' },
    'receipts-2026-11-22-to-2026-11-22.xlsx',
    captionOf('export-done', 1, 'UTC+3'),
    '1',
  ],
])('the document of %s', async (_what, world, name, options, asked) => {
  const { calls, otherwise } = await show(world);
  expect([calls, otherwise]).toEqual([
    [
      [9, name, options],
      [9, name, {}],
    ],
    { html: `export-refused {"asked":"${asked}"}` },
  ]);
});

test('what a file has no room for is left out, and that is said', async () => {
  const slices = [[receiptOf(7), receiptOf(8)], [receiptOf(9)]];
  const captions = [2, 3].map(async (most) => {
    const [[, , options] = []] = (await show({ slices, most })).calls;
    return (options as { caption: string }).caption;
  });
  expect(await Promise.all(captions)).toEqual([
    'export-done {"count":2,"zone":"UTC"} export-more',
    'export-done {"count":3,"zone":"UTC"}',
  ]);
});

test('of nothing there is no document', async () => {
  expect((await show({ slices: [] })).html).toBe('export-empty {"days":7}');
});

test.each([
  ['is deleted', () => Promise.resolve(true), ['tap', 'file-deleted']],
  ['that Telegram keeps', () => Promise.reject(refusal()), ['alert', 'file-not-deleted']],
] as const)('a file %s is said so', async (_what, deleteMessage, said) => {
  const pressed = createPressedContext('file:delete', { deleteMessage });
  await deleteFile(pressed.ctx);
  expect(pressed.said).toEqual([said]);
});

const refusal = () =>
  new GrammyError(
    'x',
    { ok: false, error_code: 400, description: "message can't be deleted" },
    'deleteMessage',
    {},
  );
