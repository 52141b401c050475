// What a batch was pasted in is deleted a hundred messages at once, and the message of the result says how many are
// gone.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS, soon, formatButtons } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { showDeleted } from './delete-pasted.ts';
import type { Reader } from '../member-view.ts';

const READER: Reader = {
  actor: { kind: 'member', accountId: 1, telegramId: 5, role: 'support' },
  language: 'en',
  say: KEYS_FOR_WORDS.say.bind(undefined, 'en'),
  label: KEYS_FOR_WORDS.label.bind(undefined, 'en'),
};
const refusal = (description: string) => Object.assign(new Error('refused'), { description });

interface World {
  added?: number[];
  batch?: object | undefined;
  /** What Telegram answers to each deletion and to the edit; nothing: it is done. */
  deletions?: (Error | undefined)[];
  edit?: Error;
}

async function bring(world: World) {
  const { added = [1, 2, 3], deletions = [], edit } = world;
  const batch = 'batch' in world ? world.batch : { gameId: 'game_id_1', added: 3 };
  const calls: unknown[] = [];
  const call = async (what: unknown[], failure: Error | undefined) => {
    await soon(() => calls.push(what));
    if (failure) throw failure;
  };
  const told = (how: string, words: string, options: { reply_markup?: object }) =>
    [how, words, ...formatButtons(options.reply_markup ?? {})] as unknown[];
  const api = {
    deleteMessages: (chatId: number, some: number[]) =>
      call(['delete', chatId, some.length, some[0]], deletions.shift()),
    editMessageText: (chatId: number, id: number, words: string, options: object) =>
      call([...told('edit', words, options), chatId, id], edit),
    sendMessage: (chatId: number, words: string, options: object) =>
      call([...told('send', words, options), chatId], undefined),
  };
  const core = {
    games: TEST_GAMES,
    imports: { findPasted: () => Promise.resolve({ added, kept: 2 }) },
    batches: { find: () => batch },
    codes: { countAvailable: () => new Map() },
  };
  const sending = showDeleted(fake({ core }), READER, { batchId: 6, undoId: 'u', messageId: 8 });
  expect(sending.otherwise).toEqual({ html: 'pasted-not-deleted' });
  await sending.send(fake(api), 5, new AbortController().signal);
  return calls;
}

const lineOf = (deleted: number, failed: number) =>
  `pasted-deleted ${JSON.stringify({ deleted, kept: 2, failed })}`;
const wordsOf = (deleted: number, failed: number) =>
  `add-added {"batch":"6","added":3,"stock":""}\n\n${lineOf(deleted, failed)}`;
const BUTTONS = [['button-undo -> undo-batch:u'], ['button-stock -> go:stock']];
const DELETE = ['delete', 5, 3, 1];

test('the message of the result says it below what it said, and offers no deleting any more', async () => {
  expect(await bring({})).toEqual([DELETE, ['edit', wordsOf(3, 0), ...BUTTONS, 5, 8]]);
});

test('a hundred are deleted at once', async () => {
  const added = Array.from({ length: 201 }, (_, index) => index + 1);
  const calls = await bring({ added, deletions: [undefined, refusal("message can't be deleted")] });
  expect(calls.slice(0, 3)).toEqual([
    ['delete', 5, 100, 1],
    ['delete', 5, 100, 101],
    ['delete', 5, 1, 201],
  ]);
  expect(calls[3]).toEqual(['edit', wordsOf(101, 100), ...BUTTONS, 5, 8]);
});

test.each([
  "Bad Request: message can't be deleted",
  'Bad Request: message to delete not found',
  'Bad Request: MESSAGE_ID_INVALID',
  'Bad Request: MESSAGE_DELETE_FORBIDDEN',
])('what Telegram does not delete stays, and is counted: %s', async (description) => {
  const calls = await bring({ deletions: [refusal(description)] });
  expect(calls[1]).toEqual(['edit', wordsOf(0, 3), ...BUTTONS, 5, 8]);
});

test('any other trouble is tried again as a whole', async () => {
  await expect(bring({ deletions: [refusal('Bad Gateway')] })).rejects.toThrow('refused');
  await expect(bring({ edit: refusal('Bad Gateway') })).rejects.toThrow('refused');
});

test('said already, it is not said twice; where the message is gone, it is said anew', async () => {
  const edit = ['edit', wordsOf(3, 0), ...BUTTONS, 5, 8];
  expect(await bring({ edit: refusal('Bad Request: message is not modified') })).toEqual([DELETE, edit]);
  expect(await bring({ edit: refusal('Bad Request: message to edit not found') })).toEqual([
    ...[DELETE, edit],
    ['send', wordsOf(3, 0), ...BUTTONS, 5],
  ]);
});

test('taken back meanwhile, it says in a message of its own how many are gone', async () => {
  expect(await bring({ batch: undefined })).toEqual([DELETE, ['send', lineOf(3, 0), 5]]);
});
