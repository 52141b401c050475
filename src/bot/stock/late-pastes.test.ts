// What comes for an import without its command: codes that nothing collects, what is said after collecting ended by
// itself, /cancel.
import { expect, test } from 'vitest';

import { createRecordedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { createAddCodesFeature } from './add-codes.ts';

interface World {
  /** The import 4, where it is another than of one message. */
  import?: object;
  open?: object | undefined;
  isCancelled?: boolean;
  role?: string;
  actor?: object | undefined;
}

function createWorld(world: World = {}) {
  const { role = 'owner', isCancelled = true } = world;
  const did: unknown[] = [];
  const note = (...what: unknown[]) => soon(() => void did.push(what));
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(0),
    store: { inTransaction: (rows: () => object) => rows },
    core: {
      games: TEST_GAMES,
      imports: {
        describe: () => ({ state: 'collecting', messages: 1, files: 0, ...world.import }),
        findOpen: () => world.open,
        cancel: (_actor: object, importId: number, rows?: (keys: string[]) => { messages: object[] }) =>
          note('cancel', importId, ...(isCancelled ? (rows?.([]).messages ?? []) : [])).then(
            () => isCancelled,
          ),
      },
    },
  };
  const backgroundTasks = { begin: () => void did.push(LATER) };
  const feature = createAddCodesFeature(fake(deps), fake({ files: {}, backgroundTasks, progress: {} }));
  const actor = 'actor' in world ? world.actor : { kind: 'member', accountId: 1, telegramId: 5, role };
  const conversation = {
    active: () => ({}),
    enter: (name: string, given: unknown) => note('enter', name, given),
  };
  const contextOf = (changes: object = {}) => createRecordedContext({ actor, conversation, ...changes });
  const hears = async (what: object) => {
    const message = { message_id: 9, date: 1, chat: { id: 5, type: 'private' }, ...what };
    const { ctx, said } = contextOf({ update: { update_id: 77, message }, message, msg: message });
    await feature.handlers.middleware()(ctx, () => Promise.resolve(void said.push(['passed on', undefined])));
    return { said, did };
  };
  return { did, feature, contextOf, hears };
}

const LATER = ['later'];
const CODE = '60S000000000001';
const enters = (given: object) => ['enter', 'add-codes', given];

test.each<[what: string, message: object, world: World, did: unknown[] | 'passed on']>([
  ['two codes', { text: `${CODE} ${CODE}` }, {}, [enters({ bare: true, first: undefined })]],
  ['one code', { text: CODE }, {}, 'passed on'],
  ['a list', { document: { file_name: 'a.txt' } }, {}, [enters({ bare: true })]],
  ['a sheet', { document: { file_name: 'a.xlsx' } }, {}, [enters({ bare: true })]],
  ['a picture as a file', { document: { file_name: 'photo.jpg' } }, {}, 'passed on'],
  ['a command', { text: `/x ${CODE} ${CODE}` }, {}, 'passed on'],
  ['two codes of a stranger', { text: `${CODE} ${CODE}` }, { actor: undefined }, 'passed on'],
  ['Done of what is open', { text: 'button-done' }, { open: { id: 4 } }, [LATER]],
  ['Done of files', { text: 'button-done' }, { open: { id: 4 }, import: { messages: 0, files: 1 } }, [LATER]],
  ['Done of nothing', { text: 'button-done' }, { open: { id: 4 }, import: { messages: 0 } }, 'passed on'],
  ['Done where nothing is open', { text: 'button-done' }, {}, 'passed on'],
])('%s without a command', async (_what, message, world, did) => {
  const answer = await createWorld(world).hears(message);
  if (did === 'passed on') expect(answer).toEqual({ said: [['passed on', undefined]], did: [] });
  else expect(answer).toEqual({ said: [], did });
});

test('whoever may not add codes is told so where they come without a command', async () => {
  const { hears } = createWorld({ role: 'support' });
  for (const message of [{ text: `${CODE} ${CODE}` }, { document: { file_name: 'a.txt' } }])
    expect(await hears(message)).toEqual({ said: [['reply', 'refusal-for-operator']], did: [] });
});

const OPEN = { id: 4, gameId: 'game_id_1', denomination: 60 };
const GOES_ON = enters({ gameId: 'game_id_1', denomination: 60, importId: 4, goesOn: true });
const KEPT = [
  'reply',
  'add-kept {"messages":1,"files":0}',
  ['button-done -> add:done:4', 'button-cancel -> add:stop:4'],
];

test.each<[what: string, message: object | undefined, world: World, answer: object]>([
  ['a code goes into it', { text: CODE }, { open: OPEN }, { isTaken: true, did: [GOES_ON] }],
  [
    'a list goes into it',
    { document: { file_name: 'a.csv' } },
    { open: OPEN },
    { isTaken: true, did: [GOES_ON] },
  ],
  [
    'Done ends it, of files, too',
    { text: 'button-done' },
    { open: OPEN, import: { files: 1 } },
    { isTaken: true, did: [LATER] },
  ],
  ['Done ends it', { text: 'button-done' }, { open: OPEN }, { isTaken: true, did: [LATER] }],
  ['other words show its Done', { text: 'hello' }, { open: OPEN }, { isTaken: true, said: [KEPT] }],
  ['an order is not for it', { text: '5170925571 60' }, { open: OPEN }, { isTaken: 'next' }],
  [
    'other words at nothing are nobody’s',
    { text: 'button-done' },
    { open: OPEN, import: { messages: 0 } },
    { isTaken: false },
  ],
  ['nothing is open', { text: CODE }, {}, { isTaken: false }],
  ['they may no more', { text: CODE }, { open: OPEN, role: 'support' }, { isTaken: false }],
  ['they left', { text: CODE }, { open: OPEN, actor: undefined }, { isTaken: false }],
  ['it is no message', undefined, { open: OPEN }, { isTaken: false }],
])('where collecting ended by itself: %s', async (_what, message, world, answer) => {
  const { feature, contextOf, did } = createWorld(world);
  const { ctx, said } = contextOf({ message });
  const isTaken = await feature.resume?.(ctx);
  expect({ isTaken, did, said }).toEqual({ did: [], said: [], ...answer });
});

const droppedOf = (files: number) => ({
  key: 'dropped:77',
  chatId: 5,
  content: JSON.stringify({ html: `add-dropped {"messages":1,"files":${files}}` }),
});
const DROPPED = droppedOf(0);

test.each<[what: string, left: string[], world: World, answer: object]>([
  ['for nothing else', [], { open: OPEN }, { isTold: true, did: [['cancel', 4, DROPPED]] }],
  ['of collecting', ['add-codes'], { open: OPEN }, { isTold: true, did: [['cancel', 4, DROPPED]] }],
  [
    'of files, too',
    [],
    { open: OPEN, import: { files: 1 } },
    { isTold: true, did: [['cancel', 4, droppedOf(1)]] },
  ],
  ['of something else', ['redeem'], { open: OPEN }, {}],
  [
    'of collecting before anything came',
    ['add-codes'],
    { open: OPEN, import: { messages: 0 } },
    { did: [['cancel', 4]] },
  ],
  ['for nothing, of an empty import', [], { open: OPEN, import: { messages: 0 } }, {}],
  ['of what is decided meanwhile', [], { open: OPEN, isCancelled: false }, { did: [['cancel', 4]] }],
  ['where nothing is open', [], {}, {}],
  ['of whoever left', [], { open: OPEN, actor: undefined }, {}],
])('/cancel %s', async (_what, left, world, answer) => {
  const { feature, contextOf, did } = createWorld(world);
  const { ctx } = contextOf();
  const isTold = await feature.cancel?.(ctx, left);
  expect({ isTold, did }).toEqual({ isTold: false, did: [], ...answer });
});
