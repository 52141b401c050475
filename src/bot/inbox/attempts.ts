// What is kept of an update on its way: how often it was begun, which a stop of our own gives back, and its end. What the disk
// refuses is written again after a pause, since the next update of the chat would find everything as it was before.
import { retry } from '../../waiting.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotStore, ConversationChange, OutgoingRow } from '../../store/bot-store.ts';
import { OVERLOAD_PAUSE_MS } from '../retries.ts';

export interface AttemptsDeps {
  keeping: Pick<BotStore, 'inbox' | 'conversations'>;
  log: BotLog;
}

/** All but `begin` never reject. */
export interface Attempts {
  /** Counts one more, where the write that kept it has not; how many there were with it, 0 when there is nothing to do. */
  begin(updateId: number): Promise<number>;
  /** The first attempt of these was counted by the write that kept them. */
  countBegun(updateIds: readonly number[]): Promise<void>;
  /** Nothing was begun, or a stop interrupted it: it does not count. */
  takeBack(updateId: number): Promise<void>;
  finish(updateId: number, state: 'done' | 'failed', change: ConversationChange | undefined): Promise<void>;
  setAside(updateId: number, messages: readonly OutgoingRow[]): Promise<void>;
  /** The chat goes on with it, and the update is not over yet. */
  keepChange(updateId: number, change: ConversationChange): Promise<void>;
  /** A stop of our own costs no attempt: those under way, and whatever begins from here on, are not counted. */
  giveBack(): Promise<void>;
}

export function createAttempts({ keeping, log }: AttemptsDeps): Attempts {
  /** What of this process counts, and is not over: as which attempt of the update. */
  const counted = new Map<number, number>();
  const stop = new AbortController();

  async function takeBack(updateId: number): Promise<void> {
    const attempt = counted.get(updateId);
    if (attempt === undefined) return;
    // Whoever else would give it back leaves it to this one.
    counted.delete(updateId);
    await keeping.inbox.takeBack(updateId).catch((error: unknown) => {
      log.warn({ updateId, error: describeError(error) }, 'an attempt could not be given back');
      counted.set(updateId, attempt);
    });
  }

  /** False where a stop ended it before the disk took it. */
  function persist(updateId: number, write: () => Promise<unknown>): Promise<boolean> {
    const note = (error: unknown) =>
      log.error({ updateId, error: describeError(error) }, 'what became of an update could not be kept');
    const options = { signal: stop.signal, lastTry: true, onRetry: note };
    return retry(() => OVERLOAD_PAUSE_MS, write, options).then(
      () => true,
      (error: unknown) => {
        note(error);
        return false;
      },
    );
  }

  async function end(updateId: number, write: () => Promise<unknown>): Promise<void> {
    if (await persist(updateId, write)) counted.delete(updateId);
  }

  return {
    async begin(updateId) {
      // An attempt that the disk would not take back still counts: no second one beside it, while no process has ended.
      const attempts = counted.get(updateId) ?? (await keeping.inbox.begin(updateId));
      if (attempts === 0) return 0;
      counted.set(updateId, attempts);
      if (!stop.signal.aborted) return attempts;
      await takeBack(updateId);
      return 0;
    },
    async countBegun(updateIds) {
      for (const updateId of updateIds) counted.set(updateId, 1);
      if (stop.signal.aborted) await Promise.all(updateIds.map(takeBack));
    },
    takeBack,
    finish: (updateId, state, change) => end(updateId, () => keeping.inbox.finish(updateId, state, change)),
    setAside: (updateId, messages) => end(updateId, () => keeping.inbox.setAside(updateId, messages)),
    async keepChange(updateId, change) {
      await persist(updateId, () => keeping.conversations.change(change));
    },
    async giveBack() {
      stop.abort();
      await Promise.all([...counted.keys()].map(takeBack));
    },
  };
}
