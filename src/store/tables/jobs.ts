// Jobs: bulk work that goes on a slice at a time, wherever it was interrupted; and the codes that jobs add, in slices.
import { asc, bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import { jobs, jobSlices, type JobKind, type JobState } from '../schema/index.ts';

export type JobRow = typeof jobs.$inferSelect;

/** `release` lets go what waits for the end of a job (tasks.ts). */
export function createJobsTable(orm: Orm, release: (waitsFor: string, now: number) => void) {
  const queries = prepareJobs(orm);
  const listSetAside = orm
    .select()
    .from(jobs)
    .where(sql`state = 'set_aside' and account_id = ${ph('accountId')}+0`)
    .orderBy(asc(jobs.id))
    .limit(ph('limit'))
    .prepare();

  return {
    /** Throws when the subject has a job of this kind: look with `findOfSubject` in the same transaction. */
    open: (job: {
      accountId: number;
      actor: string;
      kind: JobKind;
      subjectId: number;
      total: number;
      now: number;
    }): number => queries.open.get(job).id,
    find: (id: number) => queries.find.get({ id }),
    findOfSubject: (kind: JobKind, subjectId: number) => queries.findOfSubject.get({ kind, subjectId }),
    /** The ids of running jobs after this one, in order. */
    listRunning: (afterId: number, limit: number): number[] =>
      queries.listRunning.all({ afterId, limit }).map(({ id }) => id),
    /** Writes down how far a job came, in the transaction of its slice; false when it runs no more. */
    advance: (id: number, progress: { done: number; cursor: string | null }) =>
      queries.advance.run({ id, ...progress }).changes === 1,
    /** Ends a job; false when it had ended. */
    end(
      id: number,
      state: Exclude<JobState, 'running'>,
      now: number,
      problem: string | null = null,
    ): boolean {
      if (queries.end.run({ id, state, problem, now }).changes === 0) return false;
      release(`job:${id}`, now);
      return true;
    },
    /** Of an account, those that could not go on, the oldest first. */
    listSetAside: (accountId: number, limit: number): JobRow[] => listSetAside.all({ accountId, limit }),
    /** Ended jobs of until then; a few at a time. */
    listEnded: (until: number, limit: number): number[] =>
      queries.listEnded.all({ until, limit }).map(({ id }) => id),
    remove: (id: number) => void queries.remove.run({ id }),
  };
}

/** What a slice of codes holds; `added` is undefined until it was gone through. */
export interface JobSlice<Content> {
  position: number;
  denomination: number;
  added: number | undefined;
  content: Content;
}

export function createJobSlicesTable(orm: Orm, secrets: Secrets) {
  const queries = prepareSlices(orm);
  const identity = (jobId: number, position: number) => `job:${jobId}:${position}`;
  const seal = (jobId: number, position: number, content: unknown) =>
    secrets.seal(identity(jobId, position), JSON.stringify(content));
  const sealedOf = ({ jobId, position, contentSecret }: SliceRow) =>
    [identity(jobId, position), contentSecret] as const;

  return {
    save: (slice: { jobId: number; position: number; denomination: number; content: unknown }) =>
      void queries.save.run({
        jobId: slice.jobId,
        position: slice.position,
        denomination: slice.denomination,
        contentSecret: seal(slice.jobId, slice.position, slice.content),
      }),
    /** The first slice that was not gone through. */
    findNext<Content>(jobId: number): JobSlice<Content> | undefined {
      const row = queries.findNext.get({ jobId });
      return row && toSlice(row, read<Content>(secrets.open(...sealedOf(row))));
    },
    /** Puts what became of a slice in the place of its codes; false when that was done before. */
    finish: (jobId: number, position: number, outcome: { added: number; content: unknown }) =>
      queries.finish.run({
        jobId,
        position,
        added: outcome.added,
        contentSecret: seal(jobId, position, outcome.content),
      }).changes === 1,
    /**
     * Slices after this position that were gone through, in order: what is left is not looked at, it may not even open.
     * `content` is undefined where one does not open any more; how many were added stands beside it.
     */
    list: <Content>(jobId: number, after: number, limit: number): JobSlice<Content | undefined>[] =>
      queries.list.all({ jobId, after, limit }).map((row) => {
        const content = secrets.openIfSound(...sealedOf(row));
        return toSlice(row, content === undefined ? undefined : read<Content>(content));
      }),
    /** How many were added, by denomination. */
    sumAdded: (jobId: number) => queries.sumAdded.all({ jobId }),
    /** Forgets up to `limit` slices of a job; returns how many. */
    remove: (jobId: number, limit: number) => queries.remove.run({ jobId, limit }).changes,
  };
}

type SliceRow = typeof jobSlices.$inferSelect;

const read = <Content>(content: string) => JSON.parse(content) as Content;

function toSlice<Content>({ position, denomination, added }: SliceRow, content: Content): JobSlice<Content> {
  return { position, denomination, added: added ?? undefined, content };
}

function prepareJobs(orm: Orm) {
  const running = sql`id = ${ph('id')}+0 and state = 'running'`;
  return {
    open: orm
      .insert(jobs)
      .values({
        accountId: ph('accountId'),
        actor: ph('actor'),
        kind: ph('kind'),
        subjectId: ph('subjectId'),
        state: sql`'running'`,
        total: ph('total'),
        at: ph('now'),
      })
      .returning({ id: jobs.id })
      .prepare(),
    find: orm
      .select()
      .from(jobs)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    findOfSubject: orm
      .select()
      .from(jobs)
      .where(sql`kind = ${ph('kind')} and subject_id = ${ph('subjectId')}+0`)
      .prepare(),
    listRunning: orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(sql`state = 'running' and id > ${ph('afterId')}+0`)
      .orderBy(asc(jobs.id))
      .limit(ph('limit'))
      .prepare(),
    advance: orm
      .update(jobs)
      .set({ done: bound('done'), cursor: bound('cursor') })
      .where(running)
      .prepare(),
    end: orm
      .update(jobs)
      .set({ state: bound('state'), problem: bound('problem'), endedAt: bound('now') })
      .where(running)
      .prepare(),
    listEnded: orm
      .select({ id: jobs.id })
      .from(jobs)
      .where(sql`ended_at <= ${ph('until')}+0`)
      .limit(ph('limit'))
      .prepare(),
    remove: orm
      .delete(jobs)
      .where(sql`id = ${ph('id')}+0 and state <> 'running'`)
      .prepare(),
  };
}

function prepareSlices(orm: Orm) {
  const ofJob = sql`job_id = ${ph('jobId')}+0`;
  return {
    save: orm
      .insert(jobSlices)
      .values({
        jobId: ph('jobId'),
        position: ph('position'),
        denomination: ph('denomination'),
        contentSecret: ph('contentSecret'),
      })
      .prepare(),
    findNext: orm
      .select()
      .from(jobSlices)
      .where(sql`${ofJob} and added is null`)
      .orderBy(asc(jobSlices.position))
      .limit(1)
      .prepare(),
    finish: orm
      .update(jobSlices)
      .set({ added: bound('added'), contentSecret: bound('contentSecret') })
      .where(sql`${ofJob} and position = ${ph('position')}+0 and added is null`)
      .prepare(),
    sumAdded: orm
      .select({ denomination: jobSlices.denomination, added: sql<number>`coalesce(sum(added), 0)` })
      .from(jobSlices)
      .where(ofJob)
      .groupBy(jobSlices.denomination)
      .prepare(),
    list: orm
      .select()
      .from(jobSlices)
      .where(sql`${ofJob} and position > ${ph('after')}+0 and added is not null`)
      .orderBy(asc(jobSlices.position))
      .limit(ph('limit'))
      .prepare(),
    remove: orm
      .delete(jobSlices)
      .where(sql`rowid in (select rowid from job_slices where ${ofJob} limit ${ph('limit')})`)
      .prepare(),
  };
}
