// An import after Done: what its preview shows and where, what Add and Undo keep with their action, and what each
// refusal says.
import { expect, test } from 'vitest';

import { createRecordedContext, soon, formatButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError } from '../../core/index.ts';
import type { Shown } from '../telegram/progress.ts';
import { createPreviewActions } from './import-preview.ts';

const NOW = 1_000_000;
const TARGET = { chatId: 5, messageId: 8 };

interface World {
  state?: object;
  /** The state once the preview is read. */
  after?: string;
  preview?: object;
  answer?: () => unknown;
}

function createWorld({ state = {}, after = 'collecting', preview = {}, answer }: World = {}) {
  const done: unknown[] = [];
  const looks: (() => Shown)[] = [];
  const works: Promise<void>[] = [];
  let isRead = false;
  let ids = 0;
  const note = (...what: unknown[]) => soon(() => void done.push(what));
  const line = { show: (look: () => Shown) => void looks.push(look) };
  const imports = {
    describe: (_actor: object, importId: number) => ({
      ...{
        gameId: 'game_id_1',
        denomination: 60,
        messages: 1,
        files: 0,
        shownIn: 8,
        revision: 'r1',
        importId,
      },
      ...state,
      state: isRead ? after : 'collecting',
    }),
    preview: (_actor: object, importId: number) =>
      note('preview', importId).then(() => {
        isRead = true;
        const stockKeys = [{ denomination: 60, fresh: 2 }];
        const counts = {
          notUnderstood: 0,
          notUnderstoodExamples: [],
          leftOut: 0,
          repeated: 0,
          tooMany: false,
          messages: [],
        };
        return { stockKeys, asked: [], headings: [], ...counts, ...preview };
      }),
    commit: (actor: object, importId: number, { revision, onProgress, inTransaction }: Committing) =>
      note('commit', actor, importId, revision).then(() => {
        onProgress(1);
        onProgress(9_000);
        done.push(inTransaction({ batchId: 6, jobId: 3, pieceKeys: PIECES }));
        return answer?.();
      }),
    undo: (actor: object, batchId: number, inTransaction: (begun: object) => unknown) =>
      note('undo', actor, batchId).then(() => {
        done.push(inTransaction({ jobId: 3 }));
        return answer?.();
      }),
  };
  const deps = {
    clock: createManualClock(NOW),
    ids: { secret: () => `id-${(ids += 1)}` },
    backgroundTasks: { begin: (_ctx: object, work: () => Promise<void>) => void works.push(work()) },
    progress: {
      open: (target: object) => (done.push(['open', target]), line),
      end: (target: object) => note('end', target),
    },
    statusMessage: {
      end: (_ctx: object, importId: number) => soon(() => note('count over', importId)),
      move: (_ctx: object, importId: number, messageId: number) => note('move', importId, messageId),
    },
    store: {
      inTransaction: (rows: unknown) => rows,
      confirmations: {
        save: ({ payload, ...confirmation }: { payload: string }) =>
          note('keep', confirmation, JSON.parse(payload)),
      },
    },
    core: { games: TEST_GAMES, imports, members: { findActor: () => ({ accountId: 1 }) } },
  };
  const recorded = createRecordedContext();
  return { previewActions: createPreviewActions(fake(deps)), done, looks, works, ...recorded };
}

/** Of three updates; what a question in between has noted is of none. */
const PIECES = ['update:71', 'update:71#00001', 'first:72', 'command:73', 'message:9'];

interface Committing {
  revision: string;
  onProgress(done: number): void;
  inTransaction(begun: object): unknown;
}

const ACTOR = { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' };
const PERSON = { chatId: 5, userId: 5 };
const CANCEL = 'button-cancel -> add:stop:4';
/** The last row of a preview that can be added. */
const ADDS = ['button-supplier -> add:from:4'];
const confirmation = { id: 'id-1', ...PERSON, action: 'add-codes', expiresAt: NOW + 15 * 60 * 1000 };
const ONE = { preview: { stockKeys: [{ denomination: 60, fresh: 1 }] } };
const KEEP_ONE = ['keep', confirmation, { importId: 4, revision: 'r1', count: 1, madeIn: 1 }];
const MORE = ['button-paste-more -> add:more:4', CANCEL];
const KEEP = ['keep', confirmation, { importId: 4, revision: 'r1', count: 2, madeIn: 1 }];
const READ = [
  ['count over', 4],
  ['preview', 4],
];
const END = ['end', TARGET];
const SEVENTH = { chatId: 5, messageId: 7 };
/** The message that was said is the one that shows the import. */
const MOVE = ['move', 4, 900];
const ASKED = { asked: [{ key: 'k', text: undefined, codes: 2 }] };
const LEAVE_OUT = ['button-leave-out {"count":2} -> add:as:4:k:out', CANCEL];

test.each<
  [what: string, world: World, edits: number | undefined, how: string, last: string[], done: unknown[]]
>([
  ['as a new message', {}, undefined, 'reply', ADDS, [...READ, KEEP, END, MOVE]],
  ['in the message that is told', {}, 7, 'edit 7', ADDS, [...READ, KEEP, ['end', SEVENTH], ['move', 4, 7]]],
  [
    'where nothing was shown',
    { state: { shownIn: undefined } },
    undefined,
    'reply',
    ADDS,
    [...READ, KEEP, MOVE],
  ],
  ['of one code', ONE, undefined, 'reply', ADDS, [...READ, KEEP_ONE, END, MOVE]],
  ['with nothing to add', { preview: { stockKeys: [] } }, undefined, 'reply', MORE, [...READ, END, MOVE]],
  ['with a question first', { preview: ASKED }, undefined, 'reply', LEAVE_OUT, [...READ, END, MOVE]],
])('a preview is shown %s', async (_what, world, edits, how, last, done) => {
  const { previewActions, works, said, looks, ctx, done: did } = createWorld(world);
  expect(
    previewActions.review(ctx, 4, edits === undefined ? undefined : { chatId: 5, messageId: edits }),
  ).toBe(true);
  await works[0];
  expect([said.length, said[0]?.[0], said[0]?.at(-1)]).toEqual([1, how, last]);
  expect(said[0]?.[1]).toMatch(/^add-preview \{"game":"game_id_1",.*"messages":1,"files":0\}/);
  expect([did, looks]).toEqual([done, []]);
});

test.each<[state: object, shows: boolean]>([
  [{ messages: 9 }, false],
  [{ messages: 10 }, true],
  [{ files: 1 }, true],
  [{ files: 1, shownIn: undefined }, false],
])('of %j it is shown that it is read: %s', async (state, shows) => {
  const { previewActions, works, looks, ctx, done } = createWorld({ state });
  previewActions.review(ctx, 4);
  await works[0];
  expect(looks.map((look) => look())).toEqual(shows ? [{ html: 'add-reading' }] : []);
  expect(done.filter((each) => JSON.stringify(each).includes('open'))).toEqual(
    shows ? [['open', TARGET]] : [],
  );
});

test('what was decided meanwhile is not shown', async () => {
  const { previewActions, works, said, ctx, done } = createWorld({ after: 'committed' });
  previewActions.review(ctx, 4);
  await works[0];
  expect([said, done]).toEqual([[], [...READ, END]]);
});

test('one import is read once at a time, another beside it, and again when it is over', async () => {
  const { previewActions, works, ctx } = createWorld();
  expect([4, 4, 5].map((importId) => previewActions.review(ctx, importId))).toEqual([true, false, true]);
  await Promise.all(works);
  expect(previewActions.review(ctx, 4)).toBe(true);
  await Promise.all(works);
});

/** An action that was pressed; `result` is shown as what it was asked for. */
const pressed = (payload: object) =>
  ({
    ...{ id: 'action', payload, target: TARGET, isDone: false, confirmation: { id: 'action', updateId: 77 } },
    guard: (work: () => Promise<void>) => work(),
    result: (...what: unknown[]) => what,
  }) as never;

const offer = (id: string, action: string, payload: object, withinMs: number) => ({
  ...{ id, ...PERSON, action, payload: JSON.stringify(payload), expiresAt: NOW + withinMs },
});
const HOUR_MS = 60 * 60 * 1000;
const CONFIRMATION = { id: 'action', updateId: 77 };
const added = (count: number) => ({
  confirmation: CONFIRMATION,
  messages: [[{ view: 'added', of: { batchId: 6, undoId: 'id-1', deleteId: 'id-2' } }, { jobId: 3 }]],
  offers: [
    offer('id-1', 'undo-batch', { batchId: 6, added: count }, HOUR_MS),
    offer('id-2', 'delete-pasted', { batchId: 6, undoId: 'id-1' }, 48 * HOUR_MS),
  ],
  ended: [71, 72, 73],
});
const COMMIT = (count: number) => [
  ['count over', 4],
  ['open', TARGET],
  ['commit', ACTOR, 4, 'r1'],
  added(count),
];
const fails = (code: string) => () => {
  throw new CoreError(code as never, 'x');
};
const AGAIN = ['button-preview-again -> add:done:4', CANCEL];
const ADDED = () => ({ batchId: 6 });

test.each<[what: string, count: number, answer: () => unknown, said: unknown[], ends: boolean]>([
  ['are added', 2, ADDED, [], false],
  ['were cancelled', 2, () => undefined, [['edit 8', 'add-cancelled']], true],
  ['changed', 2, fails('CONFLICT'), [['edit 8', 'add-changed', AGAIN]], true],
  ['many, are refused', 3_000, fails('FORBIDDEN'), [['edit 8', 'refusal-role']], true],
])('codes %s', async (_what, count, answer, words, ends) => {
  const { previewActions, works, said, ctx, done } = createWorld({ answer });
  previewActions.add(ctx, pressed({ importId: 4, revision: 'r1', count }));
  await works[0];
  expect([said, done]).toEqual([words, [...COMMIT(count), ...(ends ? [END] : [])]]);
});

test.each<[count: number, shown: unknown[]]>([
  [2_999, []],
  [
    3_000,
    [
      ['add-adding {"done":0,"count":3000}', []],
      ['add-adding {"done":1,"count":3000}', [['button-undo -> undo-batch:id-1']]],
      ['add-adding {"done":3000,"count":3000}', [['button-undo -> undo-batch:id-1']]],
    ],
  ],
])('of %i codes is shown how far adding is', async (count, shown) => {
  const { previewActions, works, looks, ctx } = createWorld({ answer: ADDED });
  previewActions.add(ctx, pressed({ importId: 4, revision: 'r1', count }));
  await works[0];
  expect(
    looks.map((look) => look()).map(({ html, keyboard }) => [html, formatButtons(keyboard ?? {})]),
  ).toEqual(shown);
});

const UNDONE = [
  ['open', TARGET],
  ['undo', ACTOR, 6],
  {
    confirmation: CONFIRMATION,
    messages: [[{ view: 'undone', of: { batchId: 6 } }, { jobId: 3 }]],
  },
];

test.each<[what: string, count: number, answer: () => unknown, said: unknown[], ends: boolean]>([
  ['is taken back', 2_999, () => ({ status: 'undone' }), [], false],
  [
    'was taken back before',
    2,
    () => ({ status: 'alreadyUndone' }),
    [['edit 8', 'undo-done-before {"batch":"6"}']],
    true,
  ],
  ['is too old', 2, () => ({ status: 'tooLate' }), [['edit 8', 'undo-late {"batch":"6"}']], true],
  ['of many is refused', 3_000, fails('FORBIDDEN'), [['edit 8', 'refusal-role']], true],
])('a batch %s', async (_what, count, answer, words, ends) => {
  const { previewActions, works, said, looks, ctx, done } = createWorld({ answer });
  previewActions.undo(ctx, pressed({ batchId: 6, added: count }));
  await works[0];
  expect([said, done]).toEqual([words, [...UNDONE, ...(ends ? [END] : [])]]);
  expect(looks.map((look) => look())).toEqual(count === 3_000 ? [{ html: 'undo-running' }] : []);
});

test('what a crash interrupted shows nothing over its result', async () => {
  const interrupted = (payload: object) => ({ ...(pressed(payload) as object), isDone: true }) as never;
  const { previewActions, works, looks, ctx } = createWorld({
    answer: () => ({ batchId: 6, status: 'undone' }),
  });
  previewActions.add(ctx, interrupted({ importId: 4, revision: 'r1', count: 3_000 }));
  previewActions.undo(ctx, interrupted({ batchId: 6, added: 3_000 }));
  await Promise.all(works);
  expect(looks).toEqual([]);
});

test('where nothing was shown to go on, a refusal is thrown and the message stands', async () => {
  const { previewActions, works, said, ctx } = createWorld({ answer: fails('FORBIDDEN') });
  previewActions.add(ctx, pressed({ importId: 4, revision: 'r1', count: 2_999 }));
  await expect(works[0]).rejects.toThrow(CoreError);
  previewActions.undo(ctx, pressed({ batchId: 6, added: 2_999 }));
  await expect(works[1]).rejects.toThrow(CoreError);
  expect(said).toEqual([]);
});
