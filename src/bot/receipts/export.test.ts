// /export: what is asked for, who gets which, how its documents are named, and what stands under the last of them.
import { GrammyError, type Api, type InputFile } from 'grammy';
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { Confirmation, ActionRows } from '../../store/bot-store.ts';
import type { Sending } from '../outgoing.ts';
import { createExportFeature } from './export.ts';
import { createExportView } from './export-result.ts';
import { deleteFile } from './receipt-file.ts';

const AT = Date.UTC(2026, 10, 21, 22);

async function handle(event: string, role = 'owner') {
  const kept: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(AT),
    ids: { secret: () => 'id' },
    store: {
      saveAction: (rows: ActionRows) => soon(() => void kept.push(...(rows.messages ?? []))),
      confirmations: {
        save: (confirmation: Confirmation) => soon(() => void kept.push(confirmation)),
        find: () => undefined,
      },
    },
    core: { members: { findActor: () => undefined } },
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, {
    actor: { kind: 'member', accountId: 1, telegramId: 5, role },
  });
  await createExportFeature(fake(deps)).handlers.middleware()(ctx, () => Promise.resolve());
  return { said, kept };
}

const daysOf = (full: string) => [
  [`stats-days {"days":1} -> export:1${full}`, `stats-days {"days":7} -> export:7${full}`],
  [`stats-days {"days":30} -> export:30${full}`, `stats-days {"days":90} -> export:90${full}`],
];
const WRONG: SaidWords[] = [['reply', 'export-wrong {"most":"366"}']];
const CONFIRM: SaidWords = [
  ...(['reply', 'export-confirm {"days":7}'] as const),
  ['button-make-file -> export-full:id', 'button-cancel -> no:export-full:id'],
];

test.each<[event: string, role: string, said: SaidWords[]]>([
  ['/export', 'owner', [['reply', 'export-ask', ...daysOf('')]]],
  ['/export csv', 'owner', [['reply', 'export-ask', ...daysOf(':csv')]]],
  ['/export full csv', 'owner', [['reply', 'export-ask-full', ...daysOf(':csv:full')]]],
  ['/export FULL', 'owner', [['reply', 'export-ask-full', ...daysOf(':full')]]],
  ['/export 7 full', 'admin', [['reply', 'export-full-refused {"days":"7"}']]],
  ['/export 7', 'support', [['reply', 'refusal-for-admin']]],
  ['export:0', 'owner', [['alert', 'button-old']]],
  ['export:999', 'owner', [['alert', 'button-old']]],
])('%s by an %s orders nothing', async (event, role, said) => {
  expect(await handle(event, role)).toEqual({ said, kept: [] });
});

test.each(['/export 0', '/export many', '/export 7 8', '/export -1', '/export 9999', '/export 00007'])(
  '%s is not understood',
  async (event) => {
    const { said, kept } = await handle(event);
    expect([said.map(([, words]) => words?.split(' ')[0]), kept]).toEqual([
      [WRONG[0]?.[1]?.split(' ')[0]],
      [],
    ]);
  },
);

test.each<[event: string, order: object, said: SaidWords[]]>([
  ['/export 7', { days: 7, full: false }, []],
  ['/export 1', { days: 1, full: false }, []],
  ['/export csv 1', { days: 1, full: false, csv: true }, []],
  ['export:90', { days: 90, full: false }, [['tap', undefined]]],
  ['export:90:csv', { days: 90, full: false, csv: true }, [['tap', undefined]]],
])('%s orders receipts: %j', async (event, order, said) => {
  const content = { telegramId: 5, language: 'en', view: 'export', of: { ...order, at: AT } };
  expect(await handle(event)).toEqual({
    said,
    kept: [{ key: 'asked:77:export', chatId: 5, content: JSON.stringify(content) }],
  });
});

test.each([
  ['/export 7 full', false],
  ['/export full 7', false],
  ['export:7:full', false],
  ['export:7:csv:full', true],
])('%s is asked once more, as CSV: %s', async (event, csv) => {
  const { said, kept } = await handle(event);
  expect(said.at(-1)).toEqual(CONFIRM);
  expect(kept).toMatchObject([
    { id: 'id', action: 'export-full', payload: `{"days":7,"csv":${csv},"madeIn":null}` },
  ]);
});

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
