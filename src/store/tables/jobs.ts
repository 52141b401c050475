// Jobs: bulk work that goes on a slice at a time, wherever it was interrupted; and the codes that jobs add, in slices.
import type { Secrets } from '../engine/secrets.ts';
import type { jobs, jobSlices, JobKind, JobState } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

export type JobRow = typeof jobs.$inferSelect;
type SliceRow = typeof jobSlices.$inferSelect;
type NewJob = Pick<JobRow, 'accountId' | 'actor' | 'kind' | 'subjectId' | 'total'> & { now: number };

/** `release` lets go what waits for the end of a job (tasks.ts). */
export function createJobsTable(sql: Sql, release: (waitsFor: string, now: number) => void) {
  const jobs = jobsOf(sql);
  return {
    /** Throws when the subject has a job of this kind: look with `findOfSubject` in the same transaction. */
    open: (job: NewJob): number => jobs.open(job),
    find: (id: number) => jobs.find({ id }),
    findOfSubject: (kind: JobKind, subjectId: number) => jobs.findOfSubject({ kind, subjectId }),
    /** The ids of running jobs after this one, in order. */
    listRunning: (afterId: number, limit: number): number[] =>
      jobs.listRunning({ afterId, limit }).map(({ id }) => id),
    /** Writes down how far a job came, in the transaction of its slice; false when it runs no more. */
    advance: (id: number, progress: Pick<JobRow, 'done' | 'cursor'>) =>
      jobs.advance({ id, ...progress }) === 1,
    /** Ends a job; false when it had ended. */
    end(
      id: number,
      state: Exclude<JobState, 'running'>,
      now: number,
      problem: string | null = null,
    ): boolean {
      if (jobs.end({ id, state, problem, now }) === 0) return false;
      release(`job:${id}`, now);
      return true;
    },
    /** Of an account, those that could not go on, the oldest first. */
    listSetAside: (accountId: number, limit: number) => jobs.listSetAside({ accountId, limit }),
    /** Ended jobs of until then; a few at a time. */
    listEnded: (until: number, limit: number): number[] =>
      jobs.listEnded({ until, limit }).map(({ id }) => id),
    remove: (id: number) => void jobs.remove({ id }),
  };
}

/** What a slice of codes holds; `added` is undefined until it was gone through. */
export interface JobSlice<Content> {
  position: number;
  denomination: number;
  added: number | undefined;
  content: Content;
}

type NewSlice = Pick<SliceRow, 'jobId' | 'position' | 'denomination'> & { content: unknown };

export function createJobSlicesTable(sql: Sql, secrets: Secrets) {
  const slices = slicesOf(sql);
  const identity = (jobId: number, position: number) => `job:${jobId}:${position}`;
  const seal = (jobId: number, position: number, content: unknown) =>
    secrets.seal(identity(jobId, position), JSON.stringify(content));
  const sealedOf = ({ jobId, position, contentSecret }: SliceRow) =>
    [identity(jobId, position), contentSecret] as const;

  return {
    save({ content, ...slice }: NewSlice): void {
      slices.save({ ...slice, contentSecret: seal(slice.jobId, slice.position, content) });
    },
    /** The first slice that was not gone through. */
    findNext<Content>(jobId: number): JobSlice<Content> | undefined {
      const row = slices.findNext({ jobId });
      return row && toSlice(row, read<Content>(secrets.open(...sealedOf(row))));
    },
    /** Puts what became of a slice in the place of its codes; false when that was done before. */
    finish: (jobId: number, position: number, { added, content }: { added: number; content: unknown }) =>
      slices.finish({ jobId, position, added, contentSecret: seal(jobId, position, content) }) === 1,
    /**
     * Slices after this position that were gone through, in order: what is left is not looked at, it may not even open.
     * `content` is undefined where one does not open any more; how many were added stands beside it.
     */
    list: <Content>(jobId: number, after: number, limit: number): JobSlice<Content | undefined>[] =>
      slices.list({ jobId, after, limit }).map((row) => {
        const content = secrets.openIfSound(...sealedOf(row));
        return toSlice(row, content === undefined ? undefined : read<Content>(content));
      }),
    /** How many were added, by denomination. */
    sumAdded: (jobId: number) => slices.sumAdded({ jobId }),
    /** Forgets up to `limit` slices of a job; returns how many. */
    remove: (jobId: number, limit: number) => slices.remove({ jobId, limit }),
  };
}

const read = <Content>(content: string) => JSON.parse(content) as Content;

function toSlice<Content>({ position, denomination, added }: SliceRow, content: Content): JobSlice<Content> {
  return { position, denomination, added: added ?? undefined, content };
}

type OfId = Pick<JobRow, 'id'>;

const jobsOf = (sql: Sql) => ({
  open: sql.insert<NewJob>(`
    insert into jobs (account_id, actor, kind, subject_id, state, total, at)
    values (@accountId, @actor, @kind, @subjectId, 'running', @total, @now)`),
  find: sql.one<OfId, JobRow>('select * from jobs where id = @id + 0'),
  findOfSubject: sql.one<Pick<JobRow, 'kind' | 'subjectId'>, JobRow>(
    'select * from jobs where kind = @kind and subject_id = @subjectId + 0',
  ),
  listRunning: sql.all<{ afterId: number; limit: number }, OfId>(
    "select id from jobs where state = 'running' and id > @afterId + 0 order by id limit @limit + 0",
  ),
  advance: sql.run<Pick<JobRow, 'id' | 'done' | 'cursor'>>(
    "update jobs set done = @done, cursor = @cursor where id = @id + 0 and state = 'running'",
  ),
  end: sql.run<Pick<JobRow, 'id' | 'state' | 'problem'> & { now: number }>(`
    update jobs set state = @state, problem = @problem, ended_at = @now where id = @id + 0 and state = 'running'`),
  listSetAside: sql.all<{ accountId: number; limit: number }, JobRow>(`
    select * from jobs where state = 'set_aside' and account_id = @accountId + 0 order by id limit @limit + 0`),
  listEnded: sql.all<{ until: number; limit: number }, OfId>(
    'select id from jobs where ended_at <= @until + 0 limit @limit + 0',
  ),
  remove: sql.run<OfId>("delete from jobs where id = @id + 0 and state <> 'running'"),
});

type OfJob = Pick<SliceRow, 'jobId'>;

const slicesOf = (sql: Sql) => ({
  save: sql.run<Omit<SliceRow, 'added'>>(`
    insert into job_slices (job_id, position, denomination, content_secret)
    values (@jobId, @position, @denomination, @contentSecret)`),
  findNext: sql.one<OfJob, SliceRow>(
    'select * from job_slices where job_id = @jobId + 0 and added is null order by position limit 1',
  ),
  finish: sql.run<Omit<SliceRow, 'denomination'>>(`
    update job_slices set added = @added, content_secret = @contentSecret
    where job_id = @jobId + 0 and position = @position + 0 and added is null`),
  sumAdded: sql.all<OfJob, { denomination: number; added: number }>(`
    select denomination, coalesce(sum(added), 0) as added from job_slices
    where job_id = @jobId + 0 group by denomination`),
  list: sql.all<OfJob & { after: number; limit: number }, SliceRow>(`
    select * from job_slices where job_id = @jobId + 0 and position > @after + 0 and added is not null
    order by position limit @limit + 0`),
  remove: sql.run<OfJob & { limit: number }>(`
    delete from job_slices where rowid in (
      select rowid from job_slices where job_id = @jobId + 0 limit @limit)`),
});
