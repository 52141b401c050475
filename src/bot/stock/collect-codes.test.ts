// What is a piece of an import and what is refused, and how an import begins, goes on and is found.
import type { Message } from 'grammy/types';
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { createRecordedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { makeXlsx } from '../../../test/harness/xlsx.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { MOST_FILE_BYTES } from '../telegram/files.ts';
import { createCollecting, isDone, isListFile } from './collect-codes.ts';

const HOUR_MS = 60 * 60 * 1000;

interface World {
  bytes?: Uint8Array | 'tooBig' | 'unreachable';
  answer?: 'added' | 'closed' | 'full';
  isCut?: boolean;
  open?: object;
}

function createWorld({ bytes = Buffer.from('60S1'), answer = 'added', isCut = false, open }: World = {}) {
  const done: unknown[] = [];
  const note = (...what: unknown[]) => soon(() => void done.push(what));
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(HOUR_MS),
    files: { read: (id: string) => (done.push(['read', id]), Promise.resolve(bytes)) },
    store: { inTransaction: (rows: unknown) => rows },
    statusMessage: {
      show: (_ctx: object, importId: number, newest: number, said?: string) =>
        void done.push(['count', importId, newest, ...(said ? [said] : [])]),
      move: (_ctx: object, importId: number, messageId: number) => note('move', importId, messageId),
      end: (_ctx: object, importId: number) => note('end', importId),
      remove: (_ctx: object, importId: number) => note('remove', importId),
    },
    core: {
      games: TEST_GAMES,
      imports: {
        begin: (_actor: object, target: object) => note('begin', target).then(() => 4),
        preview: () => Promise.resolve({ stockKeys: [{ fresh: 2 }], asked: [{ codes: 3 }, { codes: 1 }] }),
        cancel: (_actor: object, importId: number, rows: (keys: string[]) => object) =>
          note('cancel', importId, rows(['update:71', 'message:9'])),
        isCut: () => isCut,
        addPiece: (_actor: object, importId: number, piece: object) =>
          note('piece', importId, piece).then(() => answer),
        findOpen: () => open,
      },
    },
  };
  return { collecting: createCollecting(fake(deps)), done };
}

const BUTTONS = ['button-done -> add:done:4', 'button-cancel -> add:stop:4'];
const ASK =
  'add-paste {"game":"game_id_1","stockKey":"codes-stock-key {\\"denomination\\":\\"60\\",\\"currency\\":\\"UC\\"}"}';
const BY_TEXT = 'add-paste {"game":"game_id_1","stockKey":"add-stock-key-by-text"}';
const BEGUN = ['begin', { gameId: 'game_id_1', denomination: 60 }];

test.each<[what: string, order: object, world: World, said: unknown[], done: unknown[]]>([
  ['anew', { denomination: 60 }, {}, [['reply', ASK, BUTTONS]], [BEGUN, ['move', 4, 900]]],
  [
    'without a denomination',
    {},
    {},
    [['reply', BY_TEXT, BUTTONS]],
    [
      ['begin', { gameId: 'game_id_1' }],
      ['move', 4, 900],
    ],
  ],
  ['with a paste', { denomination: 60, bare: true }, {}, [], [BEGUN]],
  [
    'with a paste, under the button that says so',
    { denomination: 60, bare: true, messageId: 8 },
    {},
    [],
    [BEGUN, ['move', 4, 8]],
  ],
  [
    'in a message that is there',
    { denomination: 60, messageId: 8 },
    {},
    [['edit 8', ASK, BUTTONS]],
    [BEGUN, ['move', 4, 8]],
  ],
  [
    'again, after it was left',
    { importId: 4, bare: true, note: 'add-goes-on' },
    {},
    [],
    [['count', 4, 0, 'add-goes-on']],
  ],
  ['again, for more', { importId: 4 }, {}, [['reply', BY_TEXT, BUTTONS]], [['move', 4, 900]]],
])('an import begins %s', async (_what, order, world, said, done) => {
  const { collecting, done: did } = createWorld(world);
  const recorded = createRecordedContext();
  const answer = await collecting.open(recorded.ctx, { gameId: 'game_id_1', ...order });
  expect([answer, recorded.said, did]).toEqual([{ importId: 4 }, said, done]);
});

test('a message shows an import once it has its words', async () => {
  const { collecting, done } = createWorld();
  const { promise, resolve } = Promise.withResolvers();
  const { ctx } = createRecordedContext({ api: { editMessageText: () => promise } });
  const opened = collecting.open(ctx, { gameId: 'game_id_1', denomination: 60, messageId: 8 });
  for (let turn = 0; turn < 5; turn += 1) await soon(() => undefined);
  expect(done).toEqual([BEGUN]);
  resolve(true);
  await opened;
  expect(done).toEqual([BEGUN, ['move', 4, 8]]);
});

const file = (changes: object = {}, beside: object = {}) => ({
  message_id: 30,
  document: { file_id: 'f', file_unique_id: 'u', file_name: 'codes.txt', file_size: 4, ...changes },
  ...beside,
});
const READ = ['read', 'f'];
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const piece = (kind: string, text: string, position = 30) => [
  'piece',
  4,
  { kind, text, key: 'update:77', position, ...(kind === 'file' && { name: 'codes.txt' }) },
];

type Taken = [what: string, message: object, world: World, took: string, done: unknown[]];
const under = (what: string, caption: string, text: string): Taken => [
  what,
  file({}, { caption }),
  {},
  'taken',
  [READ, piece('file', text), ['count', 4, 30]],
];

test.each<Taken>([
  ['a text', { message_id: 30, text: '60S1' }, {}, 'taken', [piece('message', '60S1'), ['count', 4, 30]]],
  ['a file', file(), {}, 'taken', [READ, piece('file', '60S1'), ['count', 4, 30]]],
  [
    'a file as large as is read',
    file({ file_size: MOST_FILE_BYTES }),
    {},
    'taken',
    [READ, piece('file', '60S1'), ['count', 4, 30]],
  ],
  under('a file under a number', ' 60 ', '60:\n60S1'),
  under('a file under words', '60 UC', '60 UC\n60S1'),
  under('a file under a command', '/add_codes@my_bot 60', '60:\n60S1'),
  under('a file under a bare command', '/Add_codes', '\n60S1'),
  ['Done in words', { message_id: 30, text: ' BUTTON-DONE ' }, {}, 'done', []],
  ['what is decided', { message_id: 30, text: 'x' }, { answer: 'closed' }, 'closed', [piece('message', 'x')]],
])('%s is taken', async (_what, message, world, took, done) => {
  const { collecting, done: did } = createWorld(world);
  const { ctx, said } = createRecordedContext({ message });
  expect([await collecting.take(ctx, 4), did, said]).toEqual([took, done, []]);
});

test.each<[what: string, message: object, world: World, words: string, done: unknown[]]>([
  ['a picture', { message_id: 30, photo: [] }, {}, 'add-wrong-photo {"file":"add-this-file"}', []],
  ['a sticker', { message_id: 30 }, {}, 'add-wrong-kind {"file":"add-this-file"}', []],
  ['a picture as a file', file({ file_name: 'a.jpg' }), {}, 'add-wrong-file {"file":"a.jpg"}', []],
  [
    'a file without a name',
    file({ file_name: undefined }),
    {},
    'add-wrong-file {"file":"add-this-file"}',
    [],
  ],
  [
    'what calls itself a sheet',
    file({ file_name: 'a.xlsx' }),
    {},
    'add-wrong-file {"file":"a.xlsx"}',
    [READ],
  ],
  [
    'a file too large to be read',
    file({ file_size: MOST_FILE_BYTES + 1 }),
    {},
    'add-file-too-big {"file":"codes.txt"}',
    [],
  ],
  [
    'a file that proves too large',
    file({ file_size: undefined }),
    { bytes: 'tooBig' },
    'add-file-too-big {"file":"codes.txt"}',
    [READ],
  ],
  [
    'a file that Telegram does not give',
    file(),
    { bytes: 'unreachable' },
    'add-file-unreachable {"file":"codes.txt"}',
    [READ],
  ],
  ['no text', file(), { bytes: Buffer.from('a\0b') }, 'add-wrong-file {"file":"codes.txt"}', [READ]],
  [
    'more than an import holds',
    { message_id: 30, text: 'x' },
    { answer: 'full' },
    'add-full {"file":"add-this-file"}',
    [piece('message', 'x')],
  ],
])(
  '%s is refused with a sentence, and the count comes after it',
  async (_what, message, world, words, done) => {
    const { collecting, done: did } = createWorld(world);
    const { ctx, said } = createRecordedContext({ message });
    expect(await collecting.take(ctx, 4)).toBe('refused');
    expect([said, did]).toEqual([[['reply', words]], [...done, ['count', 4, 900]]]);
  },
);

test('what came before the message at hand has its own key, and the count comes after the newest', async () => {
  const { collecting, done } = createWorld();
  const { ctx } = createRecordedContext({ message: { message_id: 40, text: 'later' } });
  const earlier: Message = fake({ message_id: 31, text: 'a' });
  expect(await collecting.take(ctx, 4, { key: 'message:31', message: earlier })).toBe('taken');
  expect(await collecting.take(ctx, 4, { key: 'first:1', message: undefined, text: 'b' })).toBe('taken');
  expect(await collecting.take(ctx, 4, { key: 'none', message: undefined })).toBe('refused');
  expect(done).toEqual([
    ['piece', 4, { kind: 'message', text: 'a', key: 'message:31', position: 31 }],
    ['count', 4, 40],
    ['piece', 4, { kind: 'message', text: 'b', key: 'first:1', position: 0 }],
    ['count', 4, 40],
  ]);
});

test.each([
  [0, true],
  [-1, false],
])('an import that is open and was begun at %i is a recent one: %s', async (at, isRecent) => {
  const open = { id: 4, gameId: 'game_id_1', denomination: 60 };
  const { ctx } = createRecordedContext();
  const found = await createWorld({ open: { ...open, at } }).collecting.findOpen(ctx);
  expect(found).toEqual({ ...open, codes: 6, isRecent });
  expect(await createWorld().collecting.findOpen(ctx)).toBeUndefined();
});

test('what is dropped is cancelled, and its message goes', async () => {
  const { collecting, done } = createWorld();
  await collecting.drop(createRecordedContext().ctx, 4);
  expect(done).toEqual([
    ['end', 4],
    ['cancel', 4, { ended: [71], messages: [] }],
    ['remove', 4],
  ]);
});

test.each([
  ['5170925571 60', false, true],
  ['5170925571 60', true, false],
  ['60 UC', false, false],
  ['60S000000000001', false, false],
  [undefined, false, false],
])('%j, behind what was cut: %s, is an order: %s', (text, isCut, isOrder) => {
  const { ctx } = createRecordedContext({ message: { message_id: 30, text } });
  expect(createWorld({ isCut }).collecting.isOrder(ctx, 4)).toBe(isOrder);
});

test.each([
  ['button-done', true],
  [' RU:Button-Done\n', true],
  ['button-done now', false],
  [undefined, false],
])('%j says Done: %s', (text, isSaid) => {
  expect(isDone({ texts: KEYS_FOR_WORDS }, fake({ text }))).toBe(isSaid);
});

test.each([
  [{ file_name: 'codes.TXT' }, true],
  [{ file_name: 'codes.csv' }, true],
  [{ file_name: 'codes.txt.exe', mime_type: 'text/plain' }, false],
  [{ file_name: 'txt', mime_type: 'text/csv' }, false],
  [{ mime_type: 'text/plain' }, true],
  [{ mime_type: 'text/csv' }, true],
  [{ file_name: 'codes.XLSX' }, true],
  [{ file_name: 'codes.xlsm' }, true],
  [{ file_name: 'codes.xls' }, false],
  [{ mime_type: SHEET }, true],
  [{ mime_type: 'application/pdf' }, false],
  [{}, false],
])('%j is a list: %s', (document, isList) => expect(isListFile(document as never)).toBe(isList));

test.each([{ file_name: 'a.xlsx' }, { file_name: undefined, mime_type: SHEET }])(
  'of a sheet, %j, the codes are taken with what stands beside them',
  async (document) => {
    const rows = [
      ['Code', 'UC'],
      ['60S000000000001', '325'],
    ];
    const { collecting, done } = createWorld({ bytes: makeXlsx([{ name: 'A', rows }]) });
    const { ctx, said } = createRecordedContext({ message: file(document) });
    expect([await collecting.take(ctx, 4), said]).toEqual(['taken', []]);
    expect(done[1]).toMatchObject(['piece', 4, { kind: 'file', text: 'Code\tUC\n60S000000000001\t325' }]);
  },
);
