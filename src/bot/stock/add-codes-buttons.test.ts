// /add_codes and its buttons: what each begins, goes on with or leaves, and what whoever presses an old one is told.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { createGames } from '../../core/games.ts';
import { createAddCodesFeature } from './add-codes.ts';

const game = (id: string, currency: string, denominations: number[]) => ({
  ...{ id, currency, denominations, database: true, receipts: 'account' as const },
  codePattern: '^[A-Za-z0-9]{12,32}$',
});
const ONE = [game('game_id_1', 'UC', [60, 325])];
const TWO = [...ONE, game('game_id_2', 'gems', [100])];
const COLLECTING = { state: 'collecting', gameId: 'game_id_1', denomination: 60, messages: 1, files: 0 };

interface World {
  games?: typeof ONE;
  /** The import 4; nothing in it, decided, or of files. */
  import?: object;
  open?: object | undefined;
  isAnswered?: boolean;
  isCancelled?: boolean;
  takenBack?: object;
  confirmation?: object;
  role?: string;
  active?: string[];
}

function createWorld(world: World = {}) {
  const { games = ONE, role = 'owner', active = [], isAnswered = true, isCancelled = true } = world;
  const did: unknown[] = [];
  const note = (...what: unknown[]) => soon(() => void did.push(what));
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    ids: { secret: () => 'id' },
    log: { warn: () => undefined },
    store: {
      confirmations: { find: (id: string) => (id === 'confirmation' ? world.confirmation : undefined) },
      saveAction: ({ messages }: { messages: { key: string }[] }) =>
        note(
          'kept',
          messages.map(({ key }) => key),
        ),
      inTransaction: (rows: () => object) => rows,
    },
    core: {
      games: createGames(games),
      batches: { findTakenBack: () => Promise.resolve(world.takenBack) },
      imports: {
        describe: () => ({ ...COLLECTING, ...world.import }),
        findOpen: () => world.open,
        showIn: (_actor: object, importId: number, messageId: number) => note('show', importId, messageId),
        begin: (_actor: object, target: object) => note('begin', target).then(() => 4),
        addPiece: (_actor: object, importId: number, piece: object) => note('piece', importId, piece),
        answer: (_actor: object, importId: number, said: object) =>
          note('answer', importId, said).then(() => isAnswered),
        cancel: (_actor: object, importId: number, rows?: (keys: string[]) => { messages: object[] }) =>
          note('cancel', importId, ...(isCancelled ? (rows?.([]).messages ?? []) : [])).then(
            () => isCancelled,
          ),
      },
    },
  };
  const tools = {
    files: {},
    backgroundTasks: { begin: () => void did.push(['later']) },
    progress: { end: () => Promise.resolve() },
  };
  const feature = createAddCodesFeature(fake(deps), fake(tools));
  const actor = { kind: 'member', accountId: 1, telegramId: 5, role };
  const conversation = {
    active: () => Object.fromEntries(active.map((name) => [name, 1])),
    enter: (name: string, given: unknown) => note('enter', name, given),
    exit: (name: string) => note('exit', name),
    exitAll: () => note('exit all'),
  };
  const fields = { actor, conversation };
  const run = async ({ ctx, said }: ReturnType<typeof createRecordedContext>) => {
    did.length = 0;
    await feature.handlers.middleware()(ctx, () => Promise.resolve(void said.push(['passed on', undefined])));
    return { said, did: [...did] };
  };
  return {
    feature,
    contextOf: (changes: object = {}) => createRecordedContext({ ...fields, ...changes }),
    handle: (event: string) =>
      run((event.startsWith('/') ? createCommandContext : createPressedContext)(event, fields)),
  };
}

const TAP = ['tap', undefined];
const LATER = ['later'];
const CODE = '60S000000000001';
const LONG = `${CODE} `.repeat(300);
const enters = (given: object) => ['enter', 'add-codes', given];
const begins = (text: string, denomination?: number) => [
  ['begin', denomination === undefined ? { gameId: 'game_id_1' } : { gameId: 'game_id_1', denomination }],
  ['piece', 4, { kind: 'message', text, key: 'update:77', position: 9 }],
];

test.each<[command: string, world: World, did: unknown[]]>([
  ['/add_codes', {}, [enters({ gameId: 'game_id_1', amount: undefined, denomination: undefined })]],
  ['/add_codes 60 UC', {}, [enters({ gameId: 'game_id_1', amount: 60, denomination: 60 })]],
  ['/add_codes 61', {}, [enters({ gameId: 'game_id_1', amount: 61, denomination: undefined })]],
  [`/add_codes 60 ${CODE}`, {}, [...begins(CODE, 60), LATER]],
  [`/add_codes ${CODE}`, {}, [...begins(CODE), LATER]],
  [`/add_codes 61 ${CODE}`, {}, [...begins(`61 ${CODE}`), LATER]],
  ['/add_codes', { games: TWO }, [enters({ amount: undefined, rest: undefined })]],
  [`/add_codes 60 ${CODE}`, { games: TWO }, [enters({ amount: 60, rest: CODE })]],
  ['/add_codes', { active: ['redeem'] }, [['exit all'], enters({ gameId: 'game_id_1' })]],
])('%s at %j begins', async (command, world, did) => {
  expect(await createWorld(world).handle(command)).toEqual({ said: [], did });
});

test('a command as long as a client lets a message be is gone on with, one a letter shorter is read at once', async () => {
  const { handle } = createWorld();
  const words = '/add_codes 60 ';
  const cut = `${words}${LONG.slice(0, 4_000 - words.length - 1)}0`;
  const [, , ...then] = (await handle(cut)).did;
  expect(then).toEqual([enters({ gameId: 'game_id_1', denomination: 60, importId: 4, isBegun: true })]);
  const [, , ...shorter] = (await handle(cut.slice(0, -1))).did;
  expect(shorter).toEqual([LATER]);
});

test('without a game that keeps codes there is nothing to add to', async () => {
  const games = [{ ...ONE[0]!, database: false }];
  expect(await createWorld({ games }).handle('/add_codes')).toEqual({
    said: [['reply', 'codes-no-game']],
    did: [],
  });
});

const DECIDED = { import: { state: 'committed' } };
/** In the message that was pressed. */
const SHOWN_HERE = ['show', 4, 8];
const ALERT = (words: string) => [['alert', words]];

test.each<[data: string, world: World, said: unknown[], did: unknown[]]>([
  ['add:more:4', { role: 'support' }, ALERT('refusal-for-operator'), []],
  ['add:more:4', {}, [TAP], [enters({ gameId: 'game_id_1', denomination: 60, importId: 4 })]],
  ['add:more:4', DECIDED, ALERT('add-decided'), []],
  ['add:done:4', {}, [TAP], [LATER]],
  ['add:done:4', { open: { id: 4 } }, [TAP], [['exit', 'add-codes'], LATER]],
  ['add:done:4', { open: { id: 5 } }, [TAP], [LATER]],
  ['add:done:4', { import: { messages: 0, files: 1 } }, [TAP], [LATER]],
  ['add:done:4', { import: { files: 1 } }, [TAP], [LATER]],
  ['add:done:4', { import: { messages: 0 } }, ALERT('add-nothing-yet'), []],
  ['add:done:4', DECIDED, ALERT('add-decided'), []],
  ['add:done:4', { role: 'support' }, ALERT('refusal-for-operator'), []],
  ['add:stop:4', {}, [TAP, ['edit', 'add-cancelled']], [['cancel', 4], SHOWN_HERE]],
  [
    'add:stop:4',
    { open: { id: 4 } },
    [TAP, ['edit', 'add-cancelled']],
    [['exit', 'add-codes'], ['cancel', 4], SHOWN_HERE],
  ],
  [
    'add:stop:4',
    { isCancelled: false, import: { state: 'cancelled' } },
    [TAP, ['edit', 'add-cancelled']],
    [['cancel', 4], SHOWN_HERE],
  ],
  ['add:stop:4', { isCancelled: false, ...DECIDED }, ALERT('add-decided'), [['cancel', 4]]],
  ['add:stop:4', { role: 'support' }, ALERT('refusal-for-operator'), []],
  ['add:as:4:h1:325', {}, [TAP], [['answer', 4, { key: 'h1', denomination: 325 }], LATER]],
  ['add:as:4:h1:out', {}, [TAP], [['answer', 4, { key: 'h1', denomination: 'leftOut' }], LATER]],
  [
    'add:as:4:h1:60',
    { isAnswered: false },
    ALERT('add-decided'),
    [['answer', 4, { key: 'h1', denomination: 60 }]],
  ],
  ['undo-again:6', { takenBack: [] }, [TAP], [['kept', ['asked:77:undone']]]],
  ['undo-again:6', {}, ALERT('extract-again-late'), []],
  ['undo-again:6', { takenBack: [], role: 'support' }, ALERT('refusal-for-operator'), []],
  ['undo-batch:none', {}, ALERT('undo-late-tap'), []],
  ['add:other', {}, [['passed on', undefined]], []],
])('%s at %j', async (data, world, said, did) => {
  expect(await createWorld(world).handle(data)).toEqual({ said, did });
});

test('Done that is pressed while the preview is made says so', async () => {
  const { handle } = createWorld();
  await handle('add:done:4');
  expect(await handle('add:done:4')).toEqual({ said: [['tap', 'add-reading-tap']], did: [] });
});

test('Add on a preview that is out of date has its other buttons; one that nobody knows is left as it is', async () => {
  const confirmation = {
    chatId: 5,
    userId: 5,
    action: 'add-codes',
    payload: '{"importId":4}',
    expiresAt: -1,
    takenBy: null,
  };
  const marked: unknown[] = [];
  const press = async (found: object | undefined) => {
    const { feature, contextOf } = createWorld({ ...(found && { confirmation: found }) });
    const pressed = {
      id: 'tap',
      from: { id: 5 },
      data: 'add-codes:confirmation',
      message: { message_id: 8, chat: { id: 5 } },
    };
    const { ctx, said } = contextOf({
      update: { update_id: 77, callback_query: pressed },
      callbackQuery: pressed,
      editMessageReplyMarkup: ({
        reply_markup: { inline_keyboard },
      }: {
        reply_markup: { inline_keyboard: object[][] };
      }) =>
        soon(
          () => void marked.push(inline_keyboard.flat().map((button) => Object.values(button).join(' -> '))),
        ),
    });
    await feature.handlers.middleware()(ctx, () => Promise.resolve());
    return said;
  };
  expect(await press(undefined)).toEqual([['alert', 'confirmation-unknown']]);
  expect(marked).toEqual([]);
  expect(await press({ ...confirmation, id: 'confirmation' })).toEqual([['alert', 'confirmation-expired']]);
  expect(marked).toEqual([['button-preview-again -> add:done:4', 'button-cancel -> add:stop:4']]);
});
