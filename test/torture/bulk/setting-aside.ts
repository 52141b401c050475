// Jobs that cannot go on: what was kept for one cannot be read any more, or its game is gone. It is set aside and its
// owner told; everything else goes on.
import Database from 'better-sqlite3';

import { listWithRecipients } from '../../harness/notices.ts';
import { count, waitUntilQuiet, type Life } from './life.ts';

/** A few bits fall over in a slice of a job that goes on, while nobody has the file open. */
export function rotSlice(life: Life): void {
  const connection = new Database(life.path);
  try {
    const slice = connection
      .prepare(
        `select s.rowid as id, s.content_secret as secret from job_slices s join jobs j on j.id = s.job_id
         where j.state = 'running' and s.added is null order by s.position desc limit 1`,
      )
      .get() as { id: number; secret: Buffer } | undefined;
    if (!slice) return;
    count(life, 'slices rotten');
    const at = life.seeded.below(slice.secret.length);
    slice.secret[at] = (slice.secret[at] ?? 0) ^ 1;
    life.rotten.add(slice.secret.toString('hex'));
    connection
      .prepare('update job_slices set content_secret = ? where rowid = ?')
      .run(slice.secret, slice.id);
  } finally {
    connection.close();
  }
}

/** Waits until every job has ended; whoever's was set aside has a notice of it. */
export async function auditNotices(life: Life): Promise<void> {
  await waitUntilQuiet(life);
  const connection = new Database(life.path, { readonly: true });
  try {
    const setAside = connection
      .prepare(`select kind || ' ' || subject_id from jobs where state = 'set_aside'`)
      .pluck()
      .all() as string[];
    const told = listWithRecipients(life.core, life.store).map(({ notice }) =>
      notice.kind === 'jobSetAside' ? `${notice.work} ${notice.subjectId}` : '',
    );
    life.tried['jobs set aside'] = Math.max(life.tried['jobs set aside'] ?? 0, setAside.length);
    const untold = setAside.filter((job) => !told.includes(job));
    if (untold.length > 0) life.violations.push(`nobody was told that ${untold.join(', ')} was set aside`);
  } finally {
    connection.close();
  }
}
