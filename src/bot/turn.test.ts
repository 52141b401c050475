// What one update says and changes, over the store: all of it with the end of the update, or nothing; and once.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../test/harness/store.ts';
import { countMessages, firstMessage } from '../../test/harness/waiting-messages.ts';
import { createBotStore, type BotStore } from '../store/bot-store.ts';
import { createTurn } from './turn.ts';

const UPDATE = 9;
const HOUR_MS = 60 * 60 * 1_000;
const PERSON = { chatId: 5, userId: 5 };

let opened: TestStore;
let store: BotStore;
beforeEach(async () => {
  opened = openTestStore();
  store = createBotStore(opened.store, () => opened.clock.now());
  await store.inbox.save([{ updateId: UPDATE, update: '{}' }]);
  for (const id of ['pressed', 'late', 'answered'])
    await store.confirmations.save(confirmation(id, id === 'late' ? 0 : HOUR_MS));
});
afterEach(() => opened.close());

const confirmation = (id: string, withinMs = HOUR_MS) => ({
  ...{ id, ...PERSON, action: 'test', payload: '{}' },
  expiresAt: opened.clock.now() + withinMs,
});

function begin() {
  const note = () => undefined;
  const log = { info: note, warn: note, error: note };
  const turn = createTurn({ store, log, updateId: UPDATE, kind: 'answer' });
  turn.say(PERSON.chatId, { html: 'first' });
  turn.say(PERSON.chatId, { html: 'second' });
  turn.offers(confirmation('offered'), null);
  turn.uses('answered');
  turn.changes(() => ({ ...PERSON, state: '{"asked":1}' }));
  return turn;
}

const takenBy = (id: string) => store.confirmations.find(id)?.takenBy;
const kept = () => ({
  messages: countMessages(opened.store),
  isOffered: store.confirmations.find('offered') !== undefined,
  answered: takenBy('answered'),
  talk: store.conversations.find(PERSON.chatId, PERSON.userId)?.state,
  waiting: store.inbox.countWaiting(),
});
const NOTHING = { messages: 0, isOffered: false, answered: null, talk: undefined, waiting: 1 };
const ALL = { messages: 2, isOffered: true, answered: UPDATE, talk: '{"asked":1}', waiting: 0 };

test('nothing of it is there before its end, then all, in its order; written again it is the same', async () => {
  const turn = begin();
  expect(kept()).toEqual(NOTHING);
  await store.saveAction(turn.end());
  expect([kept(), firstMessage(opened.store, PERSON.chatId)?.payload]).toEqual([ALL, '{"html":"first"}']);
  await store.saveAction(turn.end());
  expect(kept()).toEqual(ALL);
});

test('an act ends it, with what its answer leads to; what is said behind it comes, too', async () => {
  const turn = begin();
  await turn.write({ confirmation: { id: 'pressed', updateId: UPDATE } });
  expect([kept(), takenBy('pressed')]).toEqual([ALL, UPDATE]);
  turn.say(PERSON.chatId, { html: 'third' });
  await store.saveAction(turn.end());
  expect(kept()).toEqual({ ...ALL, messages: 3 });
});

test('an act whose button is used up, or late, leaves nothing of it', async () => {
  const act = opened.store.write((tables) =>
    begin().ends(() => ({ confirmation: { id: 'late', updateId: UPDATE } }))(tables, undefined),
  );
  await expect(act).rejects.toThrow();
  expect(kept()).toEqual(NOTHING);
});

test('of one that has failed what is said of that stays alone', async () => {
  const turn = begin();
  turn.clear();
  turn.say(PERSON.chatId, { html: 'sorry' });
  await store.saveAction(turn.end());
  expect(kept()).toEqual({ ...NOTHING, messages: 1, waiting: 0 });
});
