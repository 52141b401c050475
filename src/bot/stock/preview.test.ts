// The preview of an import, line by line, and what its buttons carry.
import { expect, test } from 'vitest';

import { createRecordedContext, wordButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { ImportPreview, ImportState } from '../../core/index.ts';
import { LONGEST_MESSAGE } from '../replies.ts';
import { ANSWER, countFresh, previewKeyboard, wordPreview } from './preview.ts';

const deps = { core: { games: TEST_GAMES } } as never;
const { ctx } = createRecordedContext();
const STATE = {
  gameId: 'game_id_1',
  denomination: undefined,
  messages: 1,
  files: 0,
} as unknown as ImportState;
const NOTHING: ImportPreview = {
  ...{ headings: [], asked: [], lots: [], notUnderstood: 0, notUnderstoodExamples: [] },
  ...{ leftOut: 0, repeated: 0, isChanged: false, tooMany: false },
};
const LOT = 'codes-lot {\\"denomination\\":\\"60\\",\\"currency\\":\\"UC\\"}';
const TITLE = 'add-preview {"game":"game_id_1","lot":"add-lot-by-text","messages":1,"files":0}';
const lots = [{ denomination: 60, fresh: 2, known: 1 }] as unknown as ImportPreview['lots'];
const LOT_LINE = `add-preview-lot {"lot":"${LOT}","fresh":2,"known":1}`;
const asking = (text: string | undefined, codes: number, key = 'k') => ({ text, codes, key }) as never;

test.each<[what: string, preview: Partial<ImportPreview>, lines: string[]]>([
  ['nothing', {}, [TITLE, '', 'add-preview-none', '', 'add-preview-nothing']],
  ['a lot', { lots }, [TITLE, '', LOT_LINE, '', 'add-preview-next']],
  [
    'nothing new',
    { lots: [{ ...lots[0]!, fresh: 0 }] },
    [TITLE, '', LOT_LINE.replace('"fresh":2', '"fresh":0'), '', 'add-preview-nothing'],
  ],
  [
    'headings',
    {
      lots,
      headings: [
        { text: '60', denomination: 60, codes: 2 },
        { text: 'x', denomination: undefined, codes: 1 },
      ] as never,
    },
    [
      ...[TITLE, '', `add-preview-heading {"text":"60","lot":"${LOT}","count":2}`],
      ...['add-preview-heading {"text":"x","lot":"","count":1}', '', LOT_LINE, '', 'add-preview-next'],
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
    { lots, asked: [asking(undefined, 2)] },
    [TITLE, '', 'add-preview-asked-nothing {"count":2}', '', LOT_LINE, '', 'add-ask-nothing {"count":2}'],
  ],
  [
    'all that is not added',
    {
      lots,
      repeated: 1,
      leftOut: 4,
      notUnderstood: 5,
      notUnderstoodExamples: ['<a>'],
      isChanged: true,
      tooMany: true,
    },
    [
      ...[TITLE, '', LOT_LINE, 'add-preview-repeated {"count":1}', 'add-preview-left-out {"count":4}', ''],
      ...['add-preview-not-understood {"count":5}', 'add-preview-example {"text":"<a>"}', ''],
      ...['add-preview-changed', '', 'add-preview-too-many', '', 'add-preview-next'],
    ],
  ],
])('of %s', (_what, preview, lines) => {
  expect(wordPreview(deps, ctx, STATE, { ...NOTHING, ...preview }).split('\n')).toEqual(lines);
});

test.each([
  [20, 20, undefined],
  [21, 20, 'add-preview-headings-more {"count":1}'],
])('of %i headings %i are shown', (count, shown, more) => {
  const headings = Array.from({ length: count }, (_, n) => ({ text: `h${n}`, denomination: 60, codes: 1 }));
  const preview = { ...NOTHING, lots, headings, asked: [asking('x', 3)] } as ImportPreview;
  const lines = wordPreview(deps, ctx, STATE, preview).split('\n').slice(2);
  const asked = 'add-preview-asked {"text":"x","count":3}';
  expect(lines.filter((line) => line.startsWith('add-preview-heading '))).toHaveLength(shown);
  expect(lines.slice(shown, lines.indexOf(''))).toEqual(more === undefined ? [asked] : [more, asked]);
});

test('whatever has no room, what the buttons ask stands above them', () => {
  const notUnderstoodExamples = Array.from({ length: 300 }, () => 'x'.repeat(60));
  const preview = { ...NOTHING, lots, notUnderstood: 300, notUnderstoodExamples };
  const html = wordPreview(deps, ctx, STATE, preview);
  expect(html.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(html.endsWith('\n…\n\nadd-preview-next')).toBe(true);
});

test('of a game that is gone there is none', () => {
  expect(wordPreview(deps, ctx, { ...STATE, gameId: 'gone' }, NOTHING)).toBe('add-decided');
});

const STOP = 'button-cancel -> add:stop:4';

test.each<[what: string, preview: Partial<ImportPreview>, data: string | undefined, buttons: string[][]]>([
  ['what is new', { lots }, 'add-codes:d', [['button-add-codes {"count":"2","n":2} -> add-codes:d', STOP]]],
  ['nothing', {}, undefined, [['button-paste-more -> add:more:4', STOP]]],
])('with %s', (_what, preview, data, buttons) => {
  const keyboard = previewKeyboard(deps, ctx, 4, STATE, { ...NOTHING, ...preview }, data);
  expect(wordButtons(keyboard)).toEqual(buttons);
});

test('a question has a button for each denomination, three in a row, and one to leave it out', () => {
  const preview = { ...NOTHING, lots, asked: [asking('x', 3, 'key')] };
  const rows = previewKeyboard(deps, ctx, 4, STATE, preview, 'add-codes:d').inline_keyboard;
  const denominations = TEST_GAMES.find('game_id_1')!.denominations;
  const data = rows.map((row) => row.map((button) => 'callback_data' in button && button.callback_data));
  const expected = denominations.map((each) => `add:as:4:key:${each}`);
  expect(data.filter((row) => row.length > 0)).toEqual([
    ...Array.from({ length: Math.ceil(expected.length / 3) }, (_, n) => expected.slice(3 * n, 3 * n + 3)),
    ['add:as:4:key:out', 'add:stop:4'],
  ]);
  for (const each of data.flat().slice(0, -1)) expect(each).toMatch(ANSWER);
  const gone = previewKeyboard(deps, ctx, 4, { ...STATE, gameId: 'gone' }, preview, undefined);
  expect(wordButtons(gone)).toEqual([['button-leave-out -> add:as:4:key:out', STOP]]);
});

test('what is new is counted over all lots', () => {
  expect(countFresh([...lots, { ...lots[0]!, fresh: 5 }])).toBe(7);
  expect(countFresh([])).toBe(0);
});
