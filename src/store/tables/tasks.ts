// Tasks: work that is pending. Those of one queue are run one after the other, in order; what a task holds is sealed.
import { DAY_MS } from '../../clock.ts';
import { asc, bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { tasks } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

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
  /** What it is held for, until `release`. */
  waitsFor?: string | undefined;
  now: number;
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
export function createTasksTable(orm: Orm, secrets: Secrets, { onQueued, onChanged }: TaskListeners) {
  const queries = { ...prepareQueues(orm), ...prepareEnds(orm), ...prepareHolds(orm) };
  const seal = (row: TaskIdentity, payload: string) => secrets.seal(identifyTask(row), payload);
  const open = (row: TaskRow) => openTask(secrets, row);
  return {
    /** Adds a task; false where one of its key is there already. */
    add({ task, queue, key, payload, priority = 0, waitsFor, now }: NewTask): boolean {
      const row = { task, jobKey: key ?? null, createdAt: now };
      const payloadSecret = seal(row, payload);
      const runAt = waitsFor === undefined ? now : null;
      const place = { queueKey: queue, priority, waitsFor: waitsFor ?? null, runAt };
      if (queries.add.run({ ...row, ...place, payloadSecret }).changes === 0) return false;
      if (runAt !== null) onQueued(queue);
      return true;
    },
    /** The queues in which something waits. */
    listQueues: (): string[] => queries.listQueues.all({}).map(({ queueKey }) => queueKey),
    /** What is run next in a queue. */
    findFirst(queue: string): Task | undefined {
      const row = queries.findFirst.get({ queue });
      return row && open(row);
    },
    /** What waits in the same queue for the same handler, in order. */
    listLike: ({ queue, task, priority }: Pick<Task, 'queue' | 'task' | 'priority'>, limit: number) =>
      queries.listLike.all({ queue, task, priority, limit }).map(open),
    countWaiting: (): WaitingTasks[] => queries.countWaiting.all({}),
    /** Notes that it is under way: what stays so when the process ends was interrupted. */
    lock: (id: number, now: number) => queries.lock.run({ id, now }).changes === 1,
    /** Whether it is under way, and was neither released nor ended since it was locked. */
    isLocked: (id: number): boolean => queries.isLocked.get({ id }) !== undefined,
    unlock: (id: number) => queries.unlock.run({ id }).changes === 1,
    /** After an unclean end: what was under way of one kind counts one crash more. */
    unlockAll: (task: string) => queries.unlockAll.run({ task }).changes,
    finish: (id: number, now: number) => queries.finish.run({ id, now }).changes === 1,
    /** It is not run any more. `error`: no secret. */
    bury: (id: number, error: string, now: number) => queries.bury.run({ id, error, now }).changes === 1,
    /** It has failed, and is run again then, in its place. */
    postpone: (id: number, error: string, runAt: number) =>
      queries.postpone.run({ id, error, runAt }).changes === 1,
    /**
     * It is run again, holding something else, in its place; or held, unless what it waits for has come since it was
     * locked.
     */
    continue(id: number, payload: string, waitsFor?: string): void {
      const row = queries.find.get({ id });
      if (!row) return;
      const next = { id, waitsFor: waitsFor ?? null, isHeld: waitsFor === undefined ? 0 : 1 };
      queries.continue.run({ ...next, payloadSecret: seal(row, payload) });
    },
    hold: (id: number, waitsFor: string) => queries.hold.run({ id, waitsFor }).changes === 1,
    isHeldFor: (it: string) => queries.listHeld.get({ from: it, to: `${it}\0`, limit: 1 }) !== undefined,
    /** What is held for anything whose name begins so. */
    listHeld: (prefix: string, limit: number): Task[] =>
      queries.listHeld.all({ from: prefix, to: `${prefix}\uffff`, limit }).map(open),
    /** Whether anything in this queue waits for it, or has waited. */
    isIn: (queue: string, waitsFor: string): boolean => queries.isIn.get({ queue, waitsFor }) !== undefined,
    /** Puts what is held for it into its queue, and what ran meanwhile there once more; how many. */
    release(waitsFor: string, now: number): number {
      onChanged(waitsFor);
      const released = queries.release.run({ waitsFor, now }).changes;
      if (released > 0) for (const { queueKey } of queries.listReleased.all({ waitsFor })) onQueued(queueKey);
      return released;
    },
    /** Runs a task once more that is done or dead; false where there is none of this key, or it still waits. */
    repeat(key: string, now: number): boolean {
      const row = queries.repeat.get({ key, now });
      if (row) onQueued(row.queueKey);
      return row !== undefined;
    },
    /** Of the tasks of one kind that wait in a queue the newest so many stay; how many are buried. */
    trim: (queue: string, task: string, kept: number, now: number) =>
      queries.trim.run({ queue, task, kept, now }).changes,
    /**
     * Prunes what is over, so many at once; what waits for nobody that is there only once it is a month old. How
     * many.
     */
    prune: (now: number, limit: number) =>
      queries.prune.run({ until: now - KEPT_MS, owedUntil: now - OWED_KEPT_MS, limit }).changes,
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

const WAITS = sql.raw('run_at is not null');
const IS_OPEN = sql.raw('done_at is null and dead_at is null');
const ONE = sql`id = ${ph('id')}+0 and ${WAITS}`;
const ORDER = [asc(tasks.priority), asc(tasks.queuedAt), asc(tasks.id)];

function prepareQueues(orm: Orm) {
  const ofQueue = sql`queue_key = ${ph('queue')} and ${WAITS}`;
  return {
    add: orm
      .insert(tasks)
      .values({
        task: ph('task'),
        payloadSecret: ph('payloadSecret'),
        queueKey: ph('queueKey'),
        jobKey: ph('jobKey'),
        priority: ph('priority'),
        waitsFor: ph('waitsFor'),
        runAt: ph('runAt'),
        createdAt: ph('createdAt'),
        queuedAt: ph('createdAt'),
      })
      .onConflictDoNothing()
      .prepare(),
    find: orm
      .select()
      .from(tasks)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    isLocked: orm
      .select({ one: sql`1` })
      .from(tasks)
      .where(sql`id = ${ph('id')}+0 and locked_at is not null`)
      .prepare(),
    // From one queue to the next by the index: what waits in each is not walked.
    listQueues: orm
      .select({ queueKey: sql<string>`queue_key` })
      .from(
        sql`(with recursive queues(queue_key) as (
          select min(queue_key) from tasks where ${WAITS}
          union all
          select (select min(queue_key) from tasks where ${WAITS} and tasks.queue_key > queues.queue_key)
          from queues where queues.queue_key is not null
        ) select queue_key from queues where queue_key is not null)`,
      )
      .prepare(),
    findFirst: orm
      .select()
      .from(tasks)
      .where(ofQueue)
      .orderBy(...ORDER)
      .limit(1)
      .prepare(),
    listLike: orm
      .select()
      .from(tasks)
      .where(sql`${ofQueue} and priority = ${ph('priority')}+0 and task = ${ph('task')}`)
      .orderBy(...ORDER)
      .limit(ph('limit'))
      .prepare(),
    countWaiting: orm
      .select({ task: tasks.task, count: sql<number>`count(*)`, since: sql<number>`min(queued_at)` })
      .from(tasks)
      .where(WAITS)
      .groupBy(tasks.task)
      .prepare(),
  };
}

function prepareEnds(orm: Orm) {
  /** Of one that waits. */
  const change = (set: Parameters<ReturnType<typeof orm.update<typeof tasks>>['set']>[0]) =>
    orm.update(tasks).set(set).where(ONE).prepare();
  const isOver = { runAt: sql`null`, lockedAt: sql`null` };
  const hasRun = { lockedAt: sql`null`, crashes: sql`0` };
  return {
    lock: change({ lockedAt: bound('now') }),
    unlock: change({ lockedAt: sql`null` }),
    unlockAll: orm
      .update(tasks)
      .set({ lockedAt: sql`null`, crashes: sql`crashes + 1` })
      .where(sql`locked_at is not null and task = ${ph('task')}`)
      .prepare(),
    finish: change({ ...isOver, doneAt: bound('now') }),
    bury: change({ ...isOver, deadAt: bound('now'), lastError: bound('error') }),
    hold: change({ ...isOver, waitsFor: bound('waitsFor') }),
    postpone: change({
      ...hasRun,
      runAt: bound('runAt'),
      attempts: sql`attempts + 1`,
      lastError: bound('error'),
    }),
    continue: change({
      ...hasRun,
      payloadSecret: bound('payloadSecret'),
      waitsFor: sql`coalesce(${ph('waitsFor')}, waits_for)`,
      // What was released while it ran is locked no more.
      runAt: sql`iif(${ph('isHeld')} and locked_at is not null, null, run_at)`,
      attempts: sql`0`,
    }),
    trim: orm
      .update(tasks)
      .set({ runAt: sql`null`, deadAt: bound('now'), lastError: sql`'too many wait'` })
      .where(
        sql`id in (select id from tasks where queue_key = ${ph('queue')} and ${WAITS} and priority = 0 and task = ${ph('task')}
          order by queued_at desc, id desc limit -1 offset ${ph('kept')})`,
      )
      .prepare(),
  };
}

function prepareHolds(orm: Orm) {
  const isHeld = sql`waits_for = ${ph('waitsFor')} and ${IS_OPEN}`;
  const isQueued = {
    queuedAt: bound('now'),
    runAt: bound('now'),
    lockedAt: sql`null`,
    attempts: sql`0`,
  };
  return {
    listHeld: orm
      .select()
      .from(tasks)
      .where(sql`waits_for >= ${ph('from')} and waits_for < ${ph('to')} and run_at is null and ${IS_OPEN}`)
      .limit(ph('limit'))
      .prepare(),
    isIn: orm
      .select({ one: sql`1` })
      .from(tasks)
      .where(sql`waits_for = ${ph('waitsFor')} and queue_key = ${ph('queue')}`)
      .limit(1)
      .prepare(),
    release: orm.update(tasks).set(isQueued).where(isHeld).prepare(),
    listReleased: orm.select({ queueKey: tasks.queueKey }).from(tasks).where(isHeld).prepare(),
    repeat: orm
      .update(tasks)
      .set({ ...isQueued, doneAt: sql`null`, deadAt: sql`null` })
      .where(sql`job_key = ${ph('key')} and run_at is null and (done_at is not null or dead_at is not null)`)
      .returning({ queueKey: tasks.queueKey })
      .prepare(),
    // The oldest alone are looked at.
    prune: orm
      .delete(tasks)
      .where(
        sql`id in (select id from tasks where queued_at <= ${ph('until')} and (done_at is not null or dead_at is not null
          or (queued_at <= ${ph('owedUntil')} and (task = 'announce' or waits_for = queue_key and run_at is null)))
          limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
