// The message of an import: its preview, line by line, what its buttons carry, and where there is none.
import { expect, test } from 'vitest';

import { createRecordedContext, formatButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { ImportPreview, ImportProgress } from '../../core/index.ts';
import { LONGEST_MESSAGE } from '../replies.ts';
import { ANSWER, showImport, type PreviewNote } from './preview-message.ts';

const { ctx } = createRecordedContext();
const STATE: ImportProgress = fake({
  gameId: 'game_id_1',
  denomination: undefined,
  messages: 1,
  files: 0,
  state: 'collecting',
  revision: 'r1',
});

interface World {
  state?: Partial<ImportProgress>;
  /** Once the preview is read. */
  after?: string;
  note?: PreviewNote;
  fields?: object;
}

/** The message of import 4, and the confirmations that were kept for it. */
async function show(preview: Partial<ImportPreview>, { state, after, note, fields }: World = {}) {
  const kept: object[] = [];
  let isRead = false;
  const now = { ...STATE, ...state };
  const imports = {
    describe: () => (isRead && after !== undefined ? { ...now, state: after } : now),
    preview: () => ((isRead = true), Promise.resolve({ ...NOTHING, ...preview })),
  };
  const confirmations = {
    save: ({ payload, action }: { payload: string; action: string }) =>
      void kept.push([action, JSON.parse(payload)]),
  };
  const core = { games: TEST_GAMES, imports, members: { findActor: () => undefined } };
  const deps = { core, store: { confirmations }, clock: { now: () => 0 }, ids: { secret: () => 'd' } };
  const shown = await showImport(fake(deps), fields ? createRecordedContext(fields).ctx : ctx, 4, note);
  return { html: shown?.html, rows: formatButtons(shown?.keyboard ?? {}), kept, keyboard: shown?.keyboard };
}

const formatPreview = async (preview: Partial<ImportPreview>, world?: World) =>
  (await show(preview, world)).html ?? '';
const NOTHING: ImportPreview = {
  ...{ headings: [], asked: [], stockKeys: [], notUnderstood: 0, notUnderstoodExamples: [] },
  ...{ leftOut: 0, repeated: 0, isChanged: false, tooMany: false, messages: [7, 9] },
};
const STOCK_KEY = 'codes-stock-key {\\"denomination\\":\\"60\\",\\"currency\\":\\"UC\\"}';
const TITLE = 'add-preview {"game":"game_id_1","stockKey":"none","messages":1,"files":0}';
const stockKeys: ImportPreview['stockKeys'] = fake([{ denomination: 60, fresh: 2, ours: 1, others: 3 }]);
const STOCK_KEY_LINE = `add-preview-stock-key {"stockKey":"${STOCK_KEY}","fresh":2,"ours":1,"others":3}`;
const asking = (text: string | undefined, codes: number, key = 'k') => ({ text, codes, key }) as never;

test.each<[what: string, preview: Partial<ImportPreview>, lines: string[]]>([
  ['nothing', {}, [TITLE, '', 'add-preview-none', '', 'add-preview-nothing']],
  ['a stock key', { stockKeys }, [TITLE, '', STOCK_KEY_LINE, '', 'add-preview-next']],
  [
    'nothing new',
    { stockKeys: [{ ...stockKeys[0]!, fresh: 0 }] },
    [TITLE, '', STOCK_KEY_LINE.replace('"fresh":2', '"fresh":0'), '', 'add-preview-nothing'],
  ],
  [
    'headings',
    {
      stockKeys,
      headings: [
        { text: '60', denomination: 60, codes: 2 },
        { text: 'x', denomination: undefined, codes: 1 },
      ] as never,
    },
    [
      ...[TITLE, '', `add-preview-heading {"text":"60","stockKey":"${STOCK_KEY}","count":2}`],
      ...[
        'add-preview-heading {"text":"x","stockKey":"","count":1}',
        '',
        STOCK_KEY_LINE,
        '',
        'add-preview-next',
      ],
    ],
  ],
  [
    'a question about a heading',
    { asked: [asking('x', 3), asking(undefined, 2)] },
    [
      ...[TITLE, '', 'add-preview-asked {"text":"x","count":3}', 'add-preview-asked-nothing {"count":2}'],
      ...['', 'add-ask {"text":"x","count":3}'],
    ],
  ],
  [
    'a question about what stands under none',
    { stockKeys, asked: [asking(undefined, 2)] },
    [
      TITLE,
      '',
      'add-preview-asked-nothing {"count":2}',
      '',
      STOCK_KEY_LINE,
      '',
      'add-ask-nothing {"count":2}',
    ],
  ],
  [
    'all that is not added',
    {
      stockKeys,
      repeated: 1,
      leftOut: 4,
      notUnderstood: 5,
      notUnderstoodExamples: ['<a>'],
      isChanged: true,
      tooMany: true,
    },
    [
      ...[
        TITLE,
        '',
        STOCK_KEY_LINE,
        'add-preview-repeated {"count":1}',
        'add-preview-left-out {"count":4}',
        '',
      ],
      ...['add-preview-not-understood {"count":5}', 'add-preview-example {"text":"<a>"}', ''],
      ...['add-preview-changed', '', 'add-preview-too-many', '', 'add-preview-next'],
    ],
  ],
])('of %s', async (_what, preview, lines) => {
  expect((await formatPreview(preview)).split('\n')).toEqual(lines);
});

test.each([
  [20, 20, undefined],
  [21, 20, 'add-preview-headings-more {"count":1}'],
])('of %i headings %i are shown', async (count, shown, more) => {
  const headings = Array.from({ length: count }, (_, n) => ({ text: `h${n}`, denomination: 60, codes: 1 }));
  const lines = (await formatPreview({ stockKeys, headings, asked: [asking('x', 3)] })).split('\n').slice(2);
  const asked = 'add-preview-asked {"text":"x","count":3}';
  expect(lines.filter((line) => line.startsWith('add-preview-heading '))).toHaveLength(shown);
  expect(lines.slice(shown, lines.indexOf(''))).toEqual(more === undefined ? [asked] : [more, asked]);
});

test('whatever has no room, what the buttons ask stands above them', async () => {
  const notUnderstoodExamples = Array.from({ length: 300 }, () => 'x'.repeat(60));
  const html = await formatPreview(
    { stockKeys, notUnderstood: 300, notUnderstoodExamples },
    { note: 'add-joined' },
  );
  expect(html.startsWith('add-joined\n\nadd-preview ')).toBe(true);
  expect(html.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(html.endsWith('\n…\n\nadd-preview-next')).toBe(true);
});

test('of a game that is gone there is none', async () => {
  expect(await formatPreview({}, { state: { gameId: 'gone' } })).toBe('add-decided');
});

test('with a denomination that was chosen it says which', async () => {
  expect(await formatPreview({}, { state: { denomination: 60 } })).toContain(`"stockKey":"${STOCK_KEY}"`);
});

const STOP = 'button-cancel -> add:stop:4';

test.each<[what: string, preview: Partial<ImportPreview>, buttons: string[][], kept: unknown[]]>([
  [
    'what is new',
    { stockKeys: [...stockKeys, { ...stockKeys[0]!, fresh: 5 }] },
    [['button-add-codes {"count":"7","n":7} -> add-codes:d', STOP], ['button-supplier -> add:from:4']],
    [['add-codes', { importId: 4, revision: 'r1', count: 7, madeIn: null }]],
  ],
  ['nothing', {}, [['button-paste-more -> add:more:4', STOP]], []],
])('with %s', async (_what, preview, buttons, confirmations) => {
  const { rows, kept } = await show(preview);
  expect([rows, kept]).toEqual([buttons, confirmations]);
});

test('a question has a button for each denomination, three in a row, and one to leave it out', async () => {
  const preview = { stockKeys, asked: [asking('x', 3, 'key')] };
  const { keyboard, kept } = await show(preview);
  const rows = keyboard?.inline_keyboard ?? [];
  const denominations = TEST_GAMES.find('game_id_1')!.denominations;
  const data = rows.map((row) => row.map((button) => 'callback_data' in button && button.callback_data));
  const expected = denominations.map((each) => `add:as:4:key:${each}`);
  expect(data.filter((row) => row.length > 0)).toEqual([
    ...Array.from({ length: Math.ceil(expected.length / 3) }, (_, n) => expected.slice(3 * n, 3 * n + 3)),
    ['add:as:4:key:out', 'add:stop:4'],
  ]);
  for (const each of data.flat().slice(0, -1)) expect(each).toMatch(ANSWER);
  expect(kept).toEqual([]);
  const gone = await show(preview, { state: { gameId: 'gone' } });
  expect(gone.rows).toEqual([['button-leave-out {"count":3} -> add:as:4:key:out', STOP]]);
});

test('where nothing came it asks for a paste', async () => {
  const { html, rows } = await show({}, { state: { messages: 0 } });
  expect(html).toBe('add-paste {"game":"game_id_1","stockKey":"add-stock-key-by-text"}');
  expect(rows).toEqual([['button-done -> add:done:4', STOP]]);
});

test.each<[what: string, world: World]>([
  ['before', { state: { state: 'committed' } }],
  ['while it was read', { after: 'cancelled' }],
])('what was decided %s is not shown', async (_what, world) => {
  expect(await show({ stockKeys }, world)).toEqual({
    html: undefined,
    rows: [],
    kept: [],
    keyboard: undefined,
  });
});

test.each([{ chat: undefined }, { from: undefined }])(
  'a confirmation is for a person in a chat: not with %j',
  async (fields) => {
    await expect(show({ stockKeys }, { fields })).rejects.toThrow(
      'A confirmation is made for a person in a chat.',
    );
  },
);
