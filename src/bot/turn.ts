// A turn: what one update says and changes, written in one transaction with its end: that of the act that it was for,
// or one of its own once it is handled. Until then nothing of it is there, so that what is handled again says nothing
// twice.
import type { ActionRows, BotStore, ConversationChange, OutgoingRow } from '../store/bot-store.ts';
import type { BotLog } from './context.ts';
import { describeError } from './errors.ts';
import { toOutgoingRow, type OutboxContent, type Turn } from './outgoing.ts';

interface TurnDeps {
  store: Pick<BotStore, 'inTransaction' | 'saveAction'>;
  log: BotLog;
  updateId: number;
  /** Of words: `undefined` where whoever hears them may have no chat with this bot yet, and is owed them. */
  kind: OutgoingRow['kind'];
}

/** For the inbox, which ends it. */
export interface OpenTurn extends Turn {
  /** Forgets all of it, since the update has failed. */
  clear(): void;
  /** Resolves when nothing that it waits for is under way. */
  settled(): Promise<void>;
  /** All that is to be written, with the end of the update. */
  end(): ActionRows;
}

export function createTurn({ store, log, updateId, kind }: TurnDeps): OpenTurn {
  let said: OutgoingRow[] = [];
  let offered: NonNullable<ActionRows['offers']>[number][] = [];
  let used: string[] = [];
  let count = 0;
  let following = Promise.resolve();
  let findChange: (() => ConversationChange | undefined) | undefined;

  const say = (chatId: number, content: OutboxContent, of: Pick<OutgoingRow, 'kind'>) =>
    void said.push({ ...toOutgoingRow(`turn:${updateId}:${(count += 1)}`, chatId, content), ...of });
  const end = ({ messages = [], offers = [], ...rows }: ActionRows = {}): ActionRows => ({
    ...{ ...rows, used, ended: updateId, change: findChange?.() },
    messages: [...said, ...messages],
    offers: [...offered, ...offers],
  });

  return {
    say: (chatId, content) => say(chatId, content, { kind }),
    show: (chatId, order) => say(chatId, order, {}),
    add: (...rows) => void said.push(...rows),
    offers: (confirmation, madeOf) => void offered.push({ ...confirmation, madeOf }),
    uses: (confirmationId) => void used.push(confirmationId),
    changes: (find) => void (findChange = find),
    follow: (work) => void (following = following.then(() => work)),
    forgive: (error) =>
      log.warn({ updateId, error: describeError(error) }, 'what was nothing but show did not get through'),
    ends: (rows) => store.inTransaction((answer) => end(rows?.(answer))),
    write: (rows) => store.saveAction(end(rows)),
    clear: () => void ([said, offered, used, findChange] = [[], [], [], undefined]),
    settled: () => following,
    end,
  };
}
