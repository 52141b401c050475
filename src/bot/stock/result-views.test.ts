// What became of orders about codes: what is said, which buttons follow, and the files with their captions.
import { GrammyError, type Api, type InputFile } from 'grammy';
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, soon, formatButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { Outgoing, Sending } from '../outgoing.ts';
import { ADDED, createStockViews, EXTRACTED, UNDONE } from './result-views.ts';

interface World {
  /** '': of no account any more. */
  role?: string;
  batch?: object;
  stockKeys?: object[];
  extraction?: object;
  stock?: [number, number][];
  fate?: { held: number; inDoubt: number };
}

function show(
  name: string,
  of: object,
  { role = 'owner', batch, fate, stockKeys, extraction, stock = [] }: World,
) {
  const asked: unknown[] = [];
  const noted: string[] = [];
  const core = {
    games: TEST_GAMES,
    members: {
      findActor: () => (role === '' ? undefined : { kind: 'member', accountId: 1, telegramId: 5, role }),
    },
    codes: { countAvailable: () => new Map(stock) },
    batches: {
      find: () => batch,
      findFate: () => Promise.resolve(fate),
      findTakenBack: (_actor: object, _id: number, how: object) => (
        asked.push(how),
        Promise.resolve(stockKeys)
      ),
    },
    extractionHistory: {
      noteSent: (id: number) => soon(() => void noted.push(`sent ${id}`)),
      noteUnsent: (id: number) => soon(() => void noted.push(`unsent ${id}`)),
      findExtraction: (_actor: object, _id: number, how: object) => (
        asked.push(how),
        Promise.resolve(extraction)
      ),
    },
  };
  const views = createStockViews(fake({ core, texts: KEYS_FOR_WORDS }), () => undefined);
  const shown = Promise.resolve(views[name]?.({ of, telegramId: 5, language: 'en' }));
  return shown.then((result) => ({ result: result as (Outgoing & Sending) | undefined, asked, noted }));
}

/** Words and buttons. */
const wordsOf = (shown: Outgoing | undefined) =>
  shown && [shown.html, ...formatButtons(shown.keyboard ?? {})];

const OF = { batchId: 6, undoId: 'u', deleteId: 'd' };
const BATCH = { gameId: 'game_id_1', added: 2 };
const UNDO = 'button-undo -> undo-batch:u';
const STOCK = 'button-stock -> go:stock';
const MORE = 'button-add-more -> go:add_codes';
const REDEEM = 'button-redeem -> go:redeem';
const STOCK_KEY = (amount: number) => `codes-stock-key {"denomination":"${amount}","currency":"UC"}`;

test.each<[what: string, of: object, world: World, words: unknown]>([
  [
    'in full',
    OF,
    { batch: BATCH },
    [
      'add-added {"batch":"6","added":2,"stock":""}',
      [UNDO, 'button-delete-pasted -> delete-pasted:d'],
      [STOCK, MORE],
      [REDEEM],
    ],
  ],
  [
    'without what it was pasted in',
    { ...OF, deleteId: undefined },
    { batch: { ...BATCH, added: 1 } },
    ['add-added {"batch":"6","added":1,"stock":""}', [UNDO], [STOCK, MORE], [REDEEM]],
  ],
  [
    'of nothing',
    OF,
    { batch: { ...BATCH, added: 0 } },
    ['add-added {"batch":"6","added":0,"stock":""}', [STOCK, MORE], [REDEEM]],
  ],
  [
    'to whoever may do less by now',
    OF,
    { batch: { ...BATCH, added: 0 }, role: 'support' },
    ['add-added {"batch":"6","added":0,"stock":""}', [STOCK]],
  ],
  ['taken back meanwhile', OF, { batch: { ...BATCH, undoneAt: 1 } }, undefined],
  ['that is gone', OF, {}, undefined],
])('a batch %s', async (_what, of, world, words) => {
  expect(wordsOf((await show(ADDED, of, world)).result)).toEqual(words);
});

test('the stock beside it has what is there, a line each; nothing of a game that is gone', async () => {
  const stock: [number, number][] = [
    [60, 3],
    [325, 0],
    [660, 1],
  ];
  const lineOf = (amount: number, available: number) =>
    `add-stock-line ${JSON.stringify({ stockKey: STOCK_KEY(amount), available })}`;
  const wordsFor = async (gameId: string) =>
    wordsOf((await show(ADDED, OF, { batch: { ...BATCH, gameId }, stock })).result)?.[0];
  const facts = { batch: '6', added: 2, stock: `${lineOf(60, 3)}\n${lineOf(660, 1)}` };
  expect(await wordsFor('game_id_1')).toBe(`add-added ${JSON.stringify(facts)}`);
  expect(await wordsFor('gone')).toBe('add-added {"batch":"6","added":2,"stock":""}');
});

const STOCK_KEYS = [
  { denomination: 60, codes: ['60A', '60B'] },
  { denomination: 325, codes: ['325A'] },
];

test.each<[what: string, world: World, words: unknown]>([
  ['whose batch is gone', { stockKeys: STOCK_KEYS }, ['undo-done {"batch":"6","taken":3,"held":0,"gone":0}']],
  [
    'of nothing that was left',
    { batch: BATCH, stockKeys: [] },
    ['undo-done {"batch":"6","taken":0,"held":0,"gone":2}'],
  ],
  ['done before', { batch: BATCH }, ['undo-done-before {"batch":"6","taken":0,"held":0,"gone":2}']],
])('an undoing %s is no file', async (_what, world, words) => {
  const { result, asked } = await show(UNDONE, { batchId: 6 }, world);
  expect([wordsOf(result), asked]).toEqual([words, [{ atAnyAge: true }]]);
});

const EXTRACTION = { gameId: 'game_id_1', denomination: 60, codes: ['60A', '60B'] };
const captionOf = (key: string, asked: number, facts: { game: string; stockKey: string }) =>
  `${key} ${JSON.stringify({ batch: '9', ...facts, count: 2, asked })}`;

test.each<[what: string, world: World, words: unknown]>([
  [
    'of nothing',
    { extraction: { ...EXTRACTION, codes: [] } },
    [
      `extract-none ${JSON.stringify({ batch: '9', game: 'game_id_1', stockKey: STOCK_KEY(60), count: 0, asked: 3 })}`,
    ],
  ],
  ['that is not there', {}, ['button-old']],
])('an extraction %s is no file', async (_what, world, words) => {
  const { result, asked } = await show(EXTRACTED, { extractionId: 9, asked: 3 }, world);
  expect([wordsOf(result), asked]).toEqual([words, [undefined]]);
});

/** What Telegram gets. */
async function sent({ send, sendBare }: Sending) {
  const calls: unknown[][] = [];
  const sendDocument = (chatId: number, file: InputFile, options: object) =>
    soon(() => void calls.push([chatId, file.filename, file, options]));
  const api: Api = fake({ sendDocument });
  await send(api, 5, new AbortController().signal);
  await sendBare?.(api, 5, new AbortController().signal);
  const read = async (file: InputFile) => Buffer.from((await file.toRaw()) as Uint8Array).toString();
  return Promise.all(
    calls.map(async ([chatId, name, file, options]) => [
      chatId,
      name,
      await read(file as InputFile),
      options,
    ]),
  );
}

test.each<
  [name: string, of: object, world: World, file: string, text: string, caption: string, again: string]
>([
  [
    UNDONE,
    { batchId: 6 },
    { batch: { ...BATCH, added: 8 }, stockKeys: STOCK_KEYS, fate: { held: 1, inDoubt: 2 } },
    'batch-6-undone.txt',
    `${STOCK_KEY(60)}:\n60A\n60B\n\n${STOCK_KEY(325)}:\n325A\n`,
    'undo-caption {"batch":"6","taken":3,"held":3,"gone":2,"game":"game_id_1"}',
    'undo-again:6',
  ],
  [
    UNDONE,
    { batchId: 6 },
    { batch: { ...BATCH, gameId: 'gone' }, stockKeys: STOCK_KEYS },
    'batch-6-undone.txt',
    '60:\n60A\n60B\n\n325:\n325A\n',
    'undo-caption {"batch":"6","taken":3,"held":0,"gone":-1,"game":"gone"}',
    'undo-again:6',
  ],
  [
    EXTRACTED,
    { extractionId: 9, asked: 2 },
    { extraction: EXTRACTION },
    'codes-9-60.txt',
    `${STOCK_KEY(60)}:\n60A\n60B\n`,
    captionOf('extract-caption', 2, { game: 'game_id_1', stockKey: STOCK_KEY(60) }),
    'extract:again:9',
  ],
  [
    EXTRACTED,
    { extractionId: 9, asked: 3 },
    { extraction: EXTRACTION },
    'codes-9-60.txt',
    `${STOCK_KEY(60)}:\n60A\n60B\n`,
    captionOf('extract-caption-fewer', 3, { game: 'game_id_1', stockKey: STOCK_KEY(60) }),
    'extract:again:9',
  ],
  [
    EXTRACTED,
    { extractionId: 9, asked: 2 },
    { extraction: { ...EXTRACTION, gameId: 'gone' } },
    'codes-9-60.txt',
    '60:\n60A\n60B\n',
    captionOf('extract-caption', 2, { game: 'gone', stockKey: '60' }),
    'extract:again:9',
  ],
])(
  '%s of %j is a file, or what can be said without one',
  async (name, of, world, file, text, caption, again) => {
    const { result, asked } = await show(name, of, world);
    const keyboard = { inline_keyboard: [[{ text: 'button-send-again', callback_data: again }]] };
    const options = { caption, parse_mode: 'HTML', reply_markup: keyboard };
    const calls = await sent(result!);
    expect(JSON.parse(JSON.stringify(calls))).toEqual([
      [5, file, text, options],
      [5, file, text, {}],
    ]);
    expect(result?.otherwise).toEqual({ html: 'file-refused', keyboard });
    expect(asked).toEqual([name === UNDONE ? { atAnyAge: true } : undefined]);
  },
);

const refusal = (code: number) =>
  new GrammyError('', { ok: false, error_code: code, description: '' }, 'sendDocument', {});

test.each<[what: string, answer: Error | undefined, noted: string[]]>([
  ['Telegram takes', undefined, ['sent 9']],
  ['a closed chat refuses', refusal(403), ['unsent 9']],
  ['Telegram refuses the form of', refusal(400), []],
  ['does not get through', new Error('network'), []],
])('a file of codes that %s is noted as what it is', async (_what, answer, expected) => {
  const { result, noted } = await show(EXTRACTED, { extractionId: 9, asked: 2 }, { extraction: EXTRACTION });
  const api: Api = fake({ sendDocument: () => (answer ? Promise.reject(answer) : Promise.resolve()) });
  for (const send of [result?.send, result?.sendBare]) {
    noted.length = 0;
    const sending = send!(api, 5, new AbortController().signal);
    await (answer ? expect(sending).rejects.toBe(answer) : sending);
    expect(noted).toEqual(expected);
  }
});

test.each<[what: string, world: World]>([
  ['of no account any more', { role: '', extraction: EXTRACTION }],
  ['of a role that may not have it', { role: 'operator', extraction: EXTRACTION }],
  ['of another account', {}],
])('a file for somebody who is %s by now is noted as unsent', async (_what, world) => {
  expect((await show(EXTRACTED, { extractionId: 9, asked: 2 }, world)).noted).toEqual(['unsent 9']);
});
