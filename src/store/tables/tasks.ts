// Tasks: work that is pending. Those of one queue are run one after the other, in order; what a task holds is sealed.
import { DAY_MS } from '../../clock.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { tasks } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

/** A task that waits for its turn. */
export interface Task {
  id: number;
  /** Which handler runs it. */
  task: string;
  queue: string;
  key: string | null;
  /** 0, or higher for what is run after all else of its queue. */
  priority: number;
  /** Since when it waits for its turn. */
  queuedAt: number;
  runAt: number;
  /** How often it has failed since it was queued. */
  attempts: number;
  /** How often the process ended without stopping while it was under way. */
  crashes: number;
  /** JSON; undefined: it does not open any more. */
  payload: string | undefined;
}

export interface NewTask {
  task: string;
  queue: string;
  /** The same key again is the same task. */
  key?: string | undefined;
  payload: string;
  priority?: number | undefined;
  /** What it is held for, until `release`, or at most until a time, ms UTC, an hour ahead at most. */
  waitsFor?: string | undefined;
  until?: number | undefined;
  now: number;
}

/** One that is run some time after it was renewed last. */
export interface RenewedTask extends Pick<NewTask, 'task' | 'queue' | 'payload' | 'now'> {
  key: string;
  quietMs: number;
  mostMs: number;
}

/** What waits of one kind, and since when the one that waits for longest has waited. */
export interface WaitingTasks {
  task: string;
  count: number;
  since: number;
}

/** Longer than Telegram keeps an update for delivery (24 hours): the same key again is the same task. */
const KEPT_MS = 2 * DAY_MS;
/** A chat that was closed to the bot may open again, and a bot be set up: it is told what waits for it. */
const OWED_KEPT_MS = 30 * DAY_MS;

interface TaskListeners {
  onQueued: (queue: string) => void;
  onChanged: (name: string) => void;
}

/**
 * `onQueued` is told of each queue in which something comes to wait, `onChanged` of what is released, whether or not
 * anything was held for it; both in the transaction of that.
 */
export function createTasksTable(sql: Sql, secrets: Secrets, { onQueued, onChanged }: TaskListeners) {
  const [queues, ends, holds] = [queuesOf(sql), endsOf(sql), holdsOf(sql)];
  const seal = (row: TaskIdentity, payload: string) => secrets.seal(identifyTask(row), payload);
  const open = (row: TaskRow) => openTask(secrets, row);
  return {
    /** Adds a task; false where one of its key is there already. */
    add({ task, queue, key, payload, priority = 0, waitsFor, until, now }: NewTask): boolean {
      const row = { task, jobKey: key ?? null, createdAt: now };
      const payloadSecret = seal(row, payload);
      const runAt = until ?? (waitsFor === undefined ? now : null);
      const place = { queueKey: queue, priority, waitsFor: waitsFor ?? null, runAt };
      if (queues.add({ ...row, ...place, payloadSecret }) === 0) return false;
      if (runAt !== null) onQueued(queue);
      return true;
    },
    /**
     * Adds a task, or has the one of its key run with this payload, once more where it was under way or over: `quietMs`
     * after the last time that it was renewed, `mostMs` after the first at the latest.
     */
    renew({ task, queue, key, payload, quietMs, mostMs, now }: RenewedTask): void {
      const row = { task, jobKey: key, createdAt: now };
      const place = { queueKey: queue, runAt: now + quietMs, mostMs };
      queues.renew({ ...row, ...place, payloadSecret: seal(row, payload) });
      onQueued(queue);
    },
    /** The queues in which something waits. */
    listQueues: (): string[] => queues.listQueues().map(({ queueKey }) => queueKey),
    /** What is run next in a queue. */
    findFirst(queue: string): Task | undefined {
      const row = queues.findFirst({ queue });
      return row && open(row);
    },
    /** What waits in the same queue for the same handler, in order. */
    listLike: ({ queue, task, priority }: Pick<Task, 'queue' | 'task' | 'priority'>, limit: number) =>
      queues.listLike({ queue, task, priority, limit }).map(open),
    countWaiting: queues.countWaiting,
    /** How many of the first priority wait in a queue. */
    countIn: (queue: string): number => queues.countIn({ queue })?.count ?? 0,
    /** Notes that it is under way: what stays so when the process ends was interrupted. */
    lock: (id: number, now: number) => ends.lock({ id, now }) === 1,
    /** Whether it is under way, and was neither released nor ended since it was locked. */
    isLocked: (id: number): boolean => queues.isLocked({ id }) !== undefined,
    unlock: (id: number) => ends.unlock({ id }) === 1,
    /** After an unclean end: what was under way of one kind counts one crash more. */
    unlockAll: (task: string) => ends.unlockAll({ task }),
    finish: (id: number, now: number) => ends.finish({ id, now }) === 1,
    /** It is not run any more. `error`: no secret. */
    bury: (id: number, error: string, now: number) => ends.bury({ id, error, now }) === 1,
    /** It has failed, and is run again then, in its place. */
    postpone: (id: number, error: string, runAt: number) => ends.postpone({ id, error, runAt }) === 1,
    /**
     * It is run again, holding something else, in its place; or held, at most until a time where one is given, unless
     * what it waits for has come since it was locked.
     */
    continue(id: number, payload: string, waitsFor?: string, until?: number): void {
      const row = queues.find({ id });
      if (!row) return;
      const held = { waitsFor: waitsFor ?? null, isHeld: waitsFor !== undefined, until: until ?? null };
      ends.continue({ id, ...held, payloadSecret: seal(row, payload) });
    },
    hold: (id: number, waitsFor: string) => ends.hold({ id, waitsFor }) === 1,
    isHeldFor: (it: string) => holds.isHeld({ waitsFor: it }) !== undefined,
    /** Whether anything in this queue, or in one of its own that begins so, waits for it, or has waited. */
    isIn: (queue: string, waitsFor: string): boolean => holds.findIn({ queue, waitsFor }) !== undefined,
    /** Puts what is held for it into its queue, and what ran meanwhile there once more; how many. */
    release(waitsFor: string, now: number): number {
      onChanged(waitsFor);
      const released = holds.release({ waitsFor, now });
      if (released > 0) for (const { queueKey } of holds.listReleased({ waitsFor })) onQueued(queueKey);
      return released;
    },
    /** Runs a task once more that is done or dead; false where there is none of this key, or it still waits. */
    repeat(key: string, now: number): boolean {
      const row = holds.repeat({ key, now });
      if (row) onQueued(row.queueKey);
      return row !== undefined;
    },
    /** Of the tasks of one kind that wait in a queue the newest so many stay; how many are buried. */
    trim: (queue: string, task: string, kept: number, now: number) => ends.trim({ queue, task, kept, now }),
    /**
     * Prunes what is over, so many at once; what waits for nobody that is there only once it is a month old. How
     * many.
     */
    prune: (now: number, limit: number) =>
      ends.prune({ until: now - KEPT_MS, owedUntil: now - OWED_KEPT_MS, limit }),
  };
}

type TaskRow = typeof tasks.$inferSelect;
type TaskIdentity = Pick<TaskRow, 'task' | 'jobKey' | 'createdAt'>;

function openTask(secrets: Secrets, { payloadSecret, queueKey, jobKey, runAt, ...row }: TaskRow): Task {
  return {
    ...row,
    queue: queueKey,
    key: jobKey,
    runAt: runAt ?? 0,
    payload: secrets.openIfSound(identifyTask({ ...row, jobKey }), payloadSecret),
  };
}

/** What the payload of a task is sealed under. */
const identifyTask = ({ task, jobKey, createdAt }: TaskIdentity): string =>
  `task:${task}:${jobKey ?? createdAt}`;

type OfId = { id: number };
type OfQueue = { queue: string };
type OfHold = { waitsFor: string };

const ORDER = 'order by priority, queued_at, id';

const queuesOf = (sql: Sql) => ({
  add: sql.run<
    TaskIdentity & Pick<TaskRow, 'payloadSecret' | 'queueKey' | 'priority' | 'waitsFor' | 'runAt'>
  >(`
    insert into tasks (task, payload_secret, queue_key, job_key, priority, waits_for, run_at, created_at, queued_at)
    values (@task, @payloadSecret, @queueKey, @jobKey, @priority, @waitsFor, @runAt, @createdAt, @createdAt)
    on conflict do nothing`),
  renew: sql.run<TaskIdentity & Pick<TaskRow, 'payloadSecret' | 'queueKey' | 'runAt'> & { mostMs: number }>(`
    insert into tasks (task, payload_secret, queue_key, job_key, run_at, created_at, queued_at)
    values (@task, @payloadSecret, @queueKey, @jobKey, @runAt, @createdAt, @runAt)
    on conflict (job_key) do update set
      payload_secret = excluded.payload_secret,
      created_at = iif(run_at is null or locked_at is not null, excluded.created_at, created_at),
      run_at = iif(run_at is null or locked_at is not null,
        excluded.run_at, min(excluded.run_at, created_at + @mostMs)),
      queued_at = iif(run_at is null or locked_at is not null,
        excluded.run_at, min(excluded.run_at, created_at + @mostMs)),
      locked_at = null, attempts = 0, done_at = null, dead_at = null`),
  find: sql.one<OfId, TaskRow>('select * from tasks where id = @id + 0'),
  isLocked: sql.one<OfId, OfId>('select id from tasks where id = @id + 0 and locked_at is not null'),
  // From one queue to the next by the index: what waits in each is not walked.
  listQueues: sql.all<void, Pick<TaskRow, 'queueKey'>>(`
    with recursive queues (queue_key) as (
      select min(queue_key) from tasks where run_at is not null
      union all
      select (select min(queue_key) from tasks where run_at is not null and tasks.queue_key > queues.queue_key)
      from queues where queues.queue_key is not null)
    select queue_key from queues where queue_key is not null`),
  findFirst: sql.one<OfQueue, TaskRow>(
    `select * from tasks where queue_key = @queue and run_at is not null ${ORDER} limit 1`,
  ),
  listLike: sql.all<OfQueue & { task: string; priority: number; limit: number }, TaskRow>(`
    select * from tasks
    where queue_key = @queue and run_at is not null and priority = @priority + 0 and task = @task
    ${ORDER} limit @limit + 0`),
  countIn: sql.one<OfQueue, { count: number }>(
    'select count(*) as count from tasks where queue_key = @queue and run_at is not null and priority = 0',
  ),
  // What is held until a time does not wait for its turn.
  countWaiting: sql.all<void, WaitingTasks>(`
    select task, count(*) as count, min(queued_at) as since from tasks
    where run_at is not null and (attempts > 0 or run_at <= queued_at) group by task`),
});

const endsOf = (sql: Sql) => {
  /** Of one that waits. */
  const change = <Args = object>(set: string) =>
    sql.run<OfId & Args>(`update tasks set ${set} where id = @id + 0 and run_at is not null`);
  return {
    lock: change<{ now: number }>('locked_at = @now'),
    unlock: change('locked_at = null'),
    unlockAll: sql.run<{ task: string }>(`
      update tasks set locked_at = null, crashes = crashes + 1
      where locked_at is not null and task = @task`),
    finish: change<{ now: number }>('run_at = null, locked_at = null, done_at = @now'),
    bury: change<{ now: number; error: string }>(
      'run_at = null, locked_at = null, dead_at = @now, last_error = @error',
    ),
    hold: change<OfHold>('run_at = null, locked_at = null, waits_for = @waitsFor'),
    postpone: change<{ runAt: number; error: string }>(
      'locked_at = null, crashes = 0, run_at = @runAt, attempts = attempts + 1, last_error = @error',
    ),
    // What was released while it ran is locked no more.
    continue: change<{
      payloadSecret: Buffer;
      waitsFor: string | null;
      isHeld: boolean;
      until: number | null;
    }>(`
      locked_at = null, crashes = 0, payload_secret = @payloadSecret, waits_for = coalesce(@waitsFor, waits_for),
      run_at = iif(@isHeld and locked_at is not null, @until, run_at), attempts = 0`),
    trim: sql.run<OfQueue & { task: string; kept: number; now: number }>(`
      update tasks set run_at = null, dead_at = @now, last_error = 'too many wait'
      where id in (
        select id from tasks where queue_key = @queue and run_at is not null and priority = 0 and task = @task
        order by queued_at desc, id desc limit -1 offset @kept)`),
    // The oldest alone are looked at.
    prune: sql.run<{ until: number; owedUntil: number; limit: number }>(`
      delete from tasks where id in (
        select id from tasks where queued_at <= @until and (done_at is not null or dead_at is not null
          or (queued_at <= @owedUntil and (task = 'announce' or waits_for glob 'chat:*' and run_at is null)))
        limit @limit)`),
  };
};

const holdsOf = (sql: Sql) => {
  const isHeld = 'waits_for = @waitsFor and done_at is null and dead_at is null';
  const queued = 'queued_at = @now, run_at = @now, locked_at = null, attempts = 0';
  return {
    isHeld: sql.one<OfHold, OfId>(`select id from tasks where ${isHeld} and run_at is null limit 1`),
    findIn: sql.one<OfQueue & OfHold, OfId>(
      "select id from tasks where waits_for = @waitsFor and queue_key || ':' glob @queue || ':*' limit 1",
    ),
    release: sql.run<OfHold & { now: number }>(`update tasks set ${queued} where ${isHeld}`),
    listReleased: sql.all<OfHold, Pick<TaskRow, 'queueKey'>>(`select queue_key from tasks where ${isHeld}`),
    repeat: sql.one<{ key: string; now: number }, Pick<TaskRow, 'queueKey'>>(`
      update tasks set ${queued}, done_at = null, dead_at = null
      where job_key = @key and run_at is null and (done_at is not null or dead_at is not null)
      returning queue_key`),
  };
};
