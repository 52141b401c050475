// One task, run to its end: locked, handed to its handler, and what came of it written down until it is written.
import type { Clock } from '../../clock.ts';
import type { Store, Tables, Task } from '../../store/index.ts';
import { backOff, retry } from '../../waiting.ts';
import type { InTransaction } from '../context.ts';

/** What came of a task. */
export type TaskEnd =
  /**
   * `also`: tasks behind it that were done with it. `payload`: what it holds from then on; `forgets`: nothing, unless it
   * is run once more. `write` is written with its end.
   */
  | {
      state: 'done';
      also?: readonly number[];
      payload?: string | undefined;
      forgets?: boolean;
      write?: InTransaction<Task>;
    }
  /** It is not run any more. `error`: no secret. */
  | { state: 'dead'; also?: readonly number[]; error: string; forgets?: boolean }
  /** It waits for something; for its turn again once that is released. */
  | { state: 'held'; waitsFor: string }
  /**
   * It goes on in its place, holding something else; where `waitsFor` is given once that is released, or at `until`, ms
   * UTC, an hour ahead at most.
   */
  | { state: 'next'; payload: string; waitsFor?: string | undefined; until?: number | undefined };

export interface TaskTools {
  /** Fires where the process stops, and does not wait any more. */
  signal: AbortSignal;
  /** What waits in the same queue for the same handler, this task too, in order. */
  listLike(limit: number): Task[];
  /** Whether it was released since it began to run, so that it runs once more whatever comes of it. */
  isReleased(): boolean;
}

export interface TaskHandler {
  /** So many queues at once; what takes longer than 1.5 s counts no more. */
  atOnce: number;
  /**
   * Rejects or throws where it is to be tried again. It may run twice: what it does is idempotent, or done at least
   * once.
   */
  run(task: Task, tools: TaskTools): Promise<TaskEnd> | TaskEnd;
  /** After how many ms it is tried again, `failures` from 1. */
  retryMs(failures: number, error: unknown): number;
  /** Its tasks are of rows that are open: they die of no crash. After five one runs alone, an hour after a start. */
  isOfOpenRow?: true;
  /** For how many ms its queue is still not to be run, whatever its time: a rate limit. */
  heldMs?(task: Task): number;
  /** Its turn has come, and `heldMs` holds it; told about once a second. */
  onHeld?(task: Task): void;
  /**
   * What is written with the end of one of its tasks that has died: a word to whom it concerns. Made before that
   * transaction.
   */
  bury?(task: Task): InTransaction<Task>;
}

export interface TaskWorkerDeps {
  store: Pick<Store, 'read' | 'write' | 'onQueued'>;
  clock: Clock;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** What may be written of an error. */
  describe(error: unknown): object;
}

export const MOST_CRASHES = 5;
/** After which one is begun again that could not be. */
export const AGAIN_MS = 400;
export const writePauseMs = backOff(50, 5_000);

/**
 * Runs the first task of a queue to its end; where that failed, when it is tried again, in elapsed time. Never rejects.
 */
export function createTaskRun(
  { store, clock, log, describe }: TaskWorkerDeps,
  handlers: Readonly<Record<string, TaskHandler>>,
  signal: AbortSignal,
) {
  // What is done is done once: its end is written until it is written.
  const write = (task: Task, work: (tables: Tables) => void) => {
    const onRetry = (error: unknown, failures: number) => {
      const fields = { taskId: task.id, error: describe(error) };
      if (failures === 1) log.error(fields, 'what came of a task could not be written, it is tried again');
    };
    return retry(writePauseMs, () => store.write(work), { signal, lastTry: true, onRetry });
  };

  async function runByHandler(task: Task, handler: TaskHandler): Promise<number | undefined> {
    const tools: TaskTools = {
      signal,
      listLike: (limit) => store.read(({ tasks }) => tasks.listLike(task, limit)),
      isReleased: () => !store.read(({ tasks }) => tasks.isLocked(task.id)),
    };
    try {
      const mayRun = handler.isOfOpenRow || task.crashes < MOST_CRASHES;
      const end = mayRun ? await handler.run(task, tools) : deadOf(task.crashes);
      if (end.state === 'dead') log.warn({ taskId: task.id, ...end }, `a task has died: ${task.task}`);
      const bury = end.state === 'dead' ? handler.bury?.(task) : undefined;
      await write(task, (tables) => writeEnd(tables, task, { end, bury, now: clock.now() }));
      return undefined;
    } catch (error) {
      if (signal.aborted) {
        await store.write(({ tasks }) => tasks.unlock(task.id));
        return undefined;
      }
      const failures = task.attempts + 1;
      const pauseMs = handler.retryMs(failures, error);
      const what = { taskId: task.id, task: task.task, failures, error: describe(error) };
      log.warn(what, 'a task failed, it is tried again');
      const [runAt, notBefore] = [clock.now() + pauseMs, clock.elapsed() + pauseMs];
      await write(task, ({ tasks }) => tasks.postpone(task.id, JSON.stringify(what.error), runAt));
      return notBefore;
    }
  }

  return async (key: string): Promise<number | undefined> => {
    try {
      const task = await store.write(({ tasks }) => {
        const first = tasks.findFirst(key);
        return first && tasks.lock(first.id, clock.now()) ? first : undefined;
      });
      const handler = task && handlers[task.task];
      return handler && (await runByHandler(task, handler));
    } catch (error) {
      log.error({ error: describe(error) }, 'a task could not be begun or ended, it is tried again');
      return clock.elapsed() + AGAIN_MS;
    }
  };
}

const deadOf = (crashes: number): TaskEnd => ({
  state: 'dead',
  error: `The process ended ${crashes} times while it ran.`,
});

function writeEnd(
  tables: Tables,
  task: Task,
  { end, bury, now }: { end: TaskEnd; bury: InTransaction<Task> | undefined; now: number },
): void {
  const { tasks } = tables;
  // Released while it ran, it is run once more; ended meanwhile by another, it stays so.
  const isStillOurs = tasks.isLocked(task.id);
  switch (end.state) {
    case 'done':
      if (end.payload !== undefined) tasks.continue(task.id, end.payload);
      if (!isStillOurs) return;
      if (end.forgets) tasks.continue(task.id, '{}');
      tasks.finish(task.id, now);
      for (const id of end.also ?? []) tasks.finish(id, now);
      return end.write?.(tables, task);
    case 'dead':
      if (end.forgets) tasks.continue(task.id, '{}');
      if (!tasks.bury(task.id, end.error, now)) return;
      for (const id of end.also ?? []) tasks.bury(id, end.error, now);
      return bury?.(tables, task);
    case 'held':
      if (isStillOurs) tasks.hold(task.id, end.waitsFor);
      return;
    case 'next':
      return tasks.continue(task.id, end.payload, end.waitsFor, end.until);
  }
}
