import { setImmediate as nextTurn } from 'node:timers/promises';
import { GrammyError } from 'grammy';
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { BackgroundTasks } from '../inbox/background-tasks.ts';
import type { Progress } from '../telegram/progress.ts';
import { CoreError } from '../../core/index.ts';
import { createImportStatusMessage } from './import-status-message.ts';

const IMPORT = 7;
/** Of a game that is gone: there is none in this world. */
const SHOWN = 'add-decided';
const REFUSAL = new GrammyError(
  'Call failed',
  { ok: false, error_code: 400, description: 'Bad Request: BUTTON_DATA_INVALID' },
  'sendMessage',
  {},
);

/** The counter over a chat in which the test says when the count has its turn, and whether Telegram takes it. */
function openCounter() {
  const looks: (() => Promise<unknown>)[] = [];
  const rests: Promise<void>[] = [];
  const sent: string[] = [];
  const forgiven: unknown[] = [];
  let isAway = false;
  let refused: 'nothing' | 'buttons' | 'everything' = 'nothing';
  let deletion: Error | undefined;
  let shownIn: number | undefined;
  let unreadable: Error | undefined;
  const imports = {
    preview: () =>
      unreadable
        ? Promise.reject(unreadable)
        : Promise.resolve({ stockKeys: [], asked: [], headings: [], messages: [] }),
    describe: () => ({
      state: 'collecting',
      gameId: 'game_id_1',
      denomination: 60,
      messages: 1,
      files: 0,
      shownIn,
    }),
    showIn: (_actor: object, _importId: number, messageId: number) =>
      Promise.resolve(void (shownIn = messageId)),
  };
  const core: BotDeps['core'] = fake({ imports, games: { find: () => undefined } });
  const progress: Progress = fake({
    at: () => ({ show: (look: () => Promise<unknown>) => void looks.push(look) }),
    end: () => Promise.resolve(),
  });
  const backgroundTasks: Pick<BackgroundTasks, 'begin'> = { begin: (_ctx, work) => void rests.push(work()) };
  const ctx: BotContext = fake({
    chat: { id: 1 },
    actor: { kind: 'member', accountId: 1, telegramId: 1, role: 'admin' },
    say: (key: string) => key,
    label: (key: string) => key,
    api: {
      sendMessage(_chatId: number, html: string, options: object) {
        if (isAway) return Promise.reject(new Error('away'));
        const hasButtons = 'reply_markup' in options;
        if (refused === 'everything' || (refused === 'buttons' && hasButtons)) return Promise.reject(REFUSAL);
        sent.push(hasButtons ? html : `${html} without buttons`);
        return Promise.resolve({ message_id: 5 });
      },
      editMessageText(_chatId: number, messageId: number, html: string) {
        sent.push(`${messageId} ${html}`);
        return Promise.resolve(true);
      },
      deleteMessage(_chatId: number, messageId: number) {
        sent.push(`${messageId} deleted`);
        return deletion ? Promise.reject(deletion) : Promise.resolve(true);
      },
    },
    reply: (html: string) => Promise.resolve(void sent.push(`reply ${html}`)),
    replyChannel: { forgive: (error: unknown) => void forgiven.push(error), mustWait: () => false },
  });
  const log = { info() {}, warn() {}, error() {} };
  // Quiet at once: time does not pass here.
  const clock = { ...createManualClock(0), elapsed: () => (now += 1_000) };
  let now = 0;
  const beside: Pick<BotDeps, 'store' | 'ids'> = fake({ store: {}, ids: {} });
  const statusMessage = createImportStatusMessage({ core, clock, log, backgroundTasks, progress, ...beside });
  return {
    ctx,
    statusMessage,
    sent,
    rests,
    async takeTurn() {
      await nextTurn();
      return looks.shift()?.();
    },
    breakPaste: (error: Error) => void (unreadable = error),
    refuse: (what: typeof refused) => void (refused = what),
    setAway: (away: boolean) => void (isAway = away),
    setShown: (messageId: number) => void (shownIn = messageId),
    forgiven,
    failDeletion: (error: Error) => void (deletion = error),
  };
}

const isOver = (rest: Promise<void> | undefined) =>
  Promise.race([rest?.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

test('the update of a piece is over when the preview with it was shown', async () => {
  const { statusMessage, ctx, rests, sent, takeTurn } = openCounter();
  statusMessage.show(ctx, IMPORT, 3);
  expect(await isOver(rests[0])).toBe(false);
  await takeTurn();
  expect(sent).toEqual([SHOWN]);
  expect(await isOver(rests[0])).toBe(true);
});

test('it goes on while Telegram does not take the preview', async () => {
  const { statusMessage, ctx, rests, takeTurn, setAway } = openCounter();
  setAway(true);
  statusMessage.show(ctx, IMPORT, 3);
  await takeTurn();
  expect(await isOver(rests[0])).toBe(false);
  setAway(false);
  await takeTurn();
  expect(await isOver(rests[0])).toBe(true);
});

test.each([
  ['buttons', [`${SHOWN} without buttons`]],
  ['everything', []],
] as const)('where Telegram refuses %s nothing waits for what it will refuse again', async (what, said) => {
  const { statusMessage, ctx, rests, sent, takeTurn, refuse } = openCounter();
  refuse(what);
  statusMessage.show(ctx, IMPORT, 3);
  await takeTurn();
  expect(sent).toEqual(said);
  expect(await isOver(rests[0])).toBe(true);
  expect(await takeTurn()).toBeUndefined();
});

test('with Add or Cancel nothing is owed any more', async () => {
  const { statusMessage, ctx, rests } = openCounter();
  statusMessage.show(ctx, IMPORT, 3);
  await statusMessage.end(ctx, IMPORT);
  expect(await isOver(rests[0])).toBe(true);
});

test('it stands below the last piece: in place where nothing came after it, else anew, and the old one goes', async () => {
  const { statusMessage, ctx, sent, takeTurn, setShown } = openCounter();
  setShown(4);
  statusMessage.show(ctx, IMPORT, 3);
  await takeTurn();
  expect(sent).toEqual([`4 ${SHOWN}`]);
  statusMessage.show(ctx, IMPORT, 4);
  await takeTurn();
  expect(sent.slice(1)).toEqual([SHOWN, '4 deleted']);
});

test('what cannot be read any more is said once, and nothing waits for it', async () => {
  const { statusMessage, ctx, rests, sent, takeTurn, breakPaste } = openCounter();
  breakPaste(new CoreError('NOT_FOUND', 'x'));
  statusMessage.show(ctx, IMPORT, 3);
  statusMessage.show(ctx, IMPORT, 4);
  await takeTurn();
  expect([sent, await isOver(rests[0]), await isOver(rests[1])]).toEqual([['reply error-gone'], true, true]);
  expect(await takeTurn()).toBeUndefined();
});

test('it is shown in one message: in another that is named, and the one before goes', async () => {
  const { statusMessage, ctx, sent, setShown } = openCounter();
  setShown(4);
  await statusMessage.move(ctx, IMPORT, 4);
  await statusMessage.move(ctx, IMPORT, 9);
  expect(sent).toEqual(['4 deleted']);
});

test('that it is gone already troubles nobody; any other refusal is noted', async () => {
  const { statusMessage, ctx, sent, setShown, forgiven, failDeletion } = openCounter();
  await statusMessage.remove(ctx, IMPORT);
  expect(sent).toEqual([]);
  setShown(4);
  const refused = (description: string) => Object.assign(new Error('refused'), { description });
  failDeletion(refused('Bad Request: message to delete not found'));
  await statusMessage.remove(ctx, IMPORT);
  expect([sent, forgiven]).toEqual([['4 deleted'], []]);
  const noted = refused("Bad Request: message can't be deleted for everyone");
  failDeletion(noted);
  await statusMessage.remove(ctx, IMPORT);
  expect(forgiven).toEqual([noted]);
});
