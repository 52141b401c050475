// The code database, carried over a restore: what left since does not come back, and what came in since is not lost. A code
// that the replaced database holds as available is in question like every other.
import { shortHash } from '../tables/code-hashes.ts';
import {
  copyRows,
  newOf,
  numberTheRest,
  recogniseBy,
  recogniseByColumn,
  recogniseByNumber,
  to,
  toActor,
  type Carrying,
} from './carrying.ts';

/**
 * Recognises batches, codes and extractions. A sealed code is never twice alike, not even the same code added again; batches
 * and extractions that another restore gave another number are recognised by the codes they share.
 */
export function recogniseCodes(carrying: Carrying): void {
  const ordered = `o.account_id = ${to('accounts', 'n.account_id')} and o.game_id = n.game_id
    and o.actor = ${toActor('n.actor')} and o.at = n.at`;
  recogniseByNumber(carrying, 'batches', ordered);
  recogniseByNumber(carrying, 'codes', 'o.code_hash = n.code_hash and o.code_secret = n.code_secret');
  recogniseByColumn(carrying, 'codes', 'code_secret');
  const shared = `main.codes c join fresh.codes k on k.id = ${to('codes', 'c.id')} and k.code_secret = c.code_secret`;
  recogniseBy(carrying, 'batches', `select k.batch_id from ${shared} where c.batch_id = m.from_id limit 1`);
  numberTheRest(carrying, 'batches');
  // What a batch has had it does not get again, whichever of the two files gave it.
  recogniseBy(
    carrying,
    'codes',
    `select o.id from main.codes n join fresh.codes o on o.batch_id = ${to('batches', 'n.batch_id')}
       and o.code_hash in (n.code_hash, ${shortHash('n.code_hash')}) where n.id = m.from_id`,
  );
  numberTheRest(carrying, 'codes');
  // A code may have been handed out twice, once in either past: sharing one is not enough.
  recogniseByNumber(carrying, 'extractions', `${ordered} and o.denomination = n.denomination`);
  recogniseBy(
    carrying,
    'extractions',
    `select o.id from ${shared} join main.extractions n on n.id = c.extraction_id
       join fresh.extractions o on o.id = k.extraction_id and ${ordered} where n.id = m.from_id limit 1`,
  );
  numberTheRest(carrying, 'extractions');
}

/** Carries batches, codes and extractions; what redemptions hold of them is set right by claims.ts. */
export function carryCodes(carrying: Carrying): void {
  const account_id = to('accounts', 'n.account_id');
  const actor = toActor('n.actor');
  carryBatches(carrying, { account_id, actor });
  carryExtractions(carrying, { account_id, actor });
  moveKnownCodes(carrying);
  copyRows(carrying, 'codes', newOf('codes'), {
    id: to('codes', 'n.id'),
    account_id,
    batch_id: to('batches', 'n.batch_id'),
    extraction_id: to('extractions', 'n.extraction_id'),
    state: IN_QUESTION('n.state'),
    claimed_from: IN_QUESTION('n.claimed_from'),
  });
  carrying.connection.exec(`
    update fresh.batches as b set added = b.added + came.count from (
      select ${to('batches', 'n.batch_id')} as id, count(*) as count from ${newOf('codes')} group by 1) came
    where came.id = b.id`);
}

const IN_QUESTION = (state: string) => `case ${state} when 'available' then 'unverified' else ${state} end`;

type Owned = Readonly<Record<'account_id' | 'actor', string>>;

function carryBatches(carrying: Carrying, owned: Owned): void {
  carrying.connection.exec(`
    update fresh.batches as o set undone_at = n.undone_at, undone_by = ${toActor('n.undone_by')}
    from main.batches n where o.id = ${to('batches', 'n.id')} and n.undone_at is not null and o.undone_at is null`);
  const batch = { ...owned, undone_by: toActor('n.undone_by'), id: to('batches', 'n.id'), added: '0' };
  copyRows(carrying, 'batches', newOf('batches'), batch);
}

// One that went on when the replaced database was left ends with what it has: nobody waits for its answer any more.
function carryExtractions(carrying: Carrying, owned: Owned): void {
  const ended_at = `coalesce(n.ended_at, ${carrying.now})`;
  carrying.connection.exec(`
    update fresh.extractions as o set ended_at = n.ended_at from main.extractions n
    where o.id = ${to('extractions', 'n.id')} and n.ended_at is not null and o.ended_at <> n.ended_at`);
  const extraction = { ...owned, id: to('extractions', 'n.id'), ended_at };
  copyRows(carrying, 'extractions', newOf('extractions'), extraction);
}

/** How far a code has gone: of two pasts that both went on, the further one tells where it is. */
const HOW_FAR = (
  state: string,
) => `case ${state} when 'available' then 0 when 'unverified' then 0 when 'reserved' then 1
  when 'in_doubt' then 2 when 'undone' then 3 when 'invalid' then 4 when 'used' then 5 when 'extracted' then 6 else 7 end`;

function moveKnownCodes({ connection, descends }: Carrying): void {
  const further = descends ? 'true' : `${HOW_FAR('n.state')} >= ${HOW_FAR('o.state')}`;
  connection.exec(`
    update fresh.codes as o set state = ${IN_QUESTION('n.state')}, claimed_from = ${IN_QUESTION('n.claimed_from')},
      extraction_id = ${to('extractions', 'n.extraction_id')}, changed_at = n.changed_at, returns = n.returns
    from main.codes n where o.id = ${to('codes', 'n.id')} and ${shortHash('o.code_hash')} = ${shortHash('n.code_hash')} and ${further}
      and (o.state <> ${IN_QUESTION('n.state')} or o.returns <> n.returns
        or o.claimed_from is not ${IN_QUESTION('n.claimed_from')}
        or o.extraction_id is not ${to('extractions', 'n.extraction_id')})`);
}

/**
 * Carries what became of bulk work, for the request that is repeated. Work that was under way is closed as the backup's is:
 * codes still to be added are with whoever gave them, and an undo can begin anew.
 */
export function carryJobs(carrying: Carrying): void {
  const { connection, now } = carrying;
  const subject = `case n.kind when 'extract' then ${to('extractions', 'n.subject_id')} else ${to('batches', 'n.subject_id')} end`;
  recogniseByNumber(carrying, 'jobs', `o.kind = n.kind and o.subject_id = ${subject}`);
  recogniseBy(
    carrying,
    'jobs',
    `select o.id from main.jobs n join fresh.jobs o on o.kind = n.kind and o.subject_id = ${subject} where n.id = m.from_id`,
  );
  numberTheRest(carrying, 'jobs');
  const isOver = "not (n.kind = 'undo' and n.state = 'running')";
  const values = {
    id: to('jobs', 'n.id'),
    account_id: to('accounts', 'n.account_id'),
    actor: toActor('n.actor'),
    subject_id: subject,
    state: "case n.state when 'running' then 'cancelled' else n.state end",
    ended_at: `coalesce(n.ended_at, ${now})`,
    problem:
      "case n.state when 'running' then 'A backup was restored, and the rest was not done.' else n.problem end",
  };
  // What the restored one has of the same work is older, where the replaced one is what became of it.
  const from = carrying.descends ? 'main.jobs n' : newOf('jobs');
  if (carrying.descends) {
    connection.exec(`delete from fresh.job_slices where job_id in (select ${to('jobs', 'n.id')} from main.jobs n);
      delete from fresh.jobs where id in (select ${to('jobs', 'n.id')} from main.jobs n);`);
  }
  copyRows(carrying, 'jobs', `${from} where ${isOver}`, values);
  carrySlices(carrying, from);
}

// A slice is sealed under the number of its job.
function carrySlices(carrying: Carrying, from: string): void {
  const { connection, secrets } = carrying;
  const carried = `select s.rowid from ${from} join main.job_slices s on s.job_id = n.id
    where s.added is not null and ${to('jobs', 'n.id')} in (select id from fresh.jobs)`;
  copyRows(carrying, 'job_slices', `main.job_slices n where n.rowid in (${carried})`, {
    job_id: to('jobs', 'n.job_id'),
  });
  const moved = connection
    .prepare(
      `select n.job_id as was, ${to('jobs', 'n.job_id')} as id, n.position, n.content_secret as sealed
       from main.job_slices n where n.rowid in (${carried}) and ${to('jobs', 'n.job_id')} <> n.job_id`,
    )
    .all() as { was: number; id: number; position: number; sealed: Buffer }[];
  const reseal = connection.prepare(
    'update fresh.job_slices set content_secret = @sealed where job_id = @id and position = @position',
  );
  for (const { was, id, position, sealed } of moved) {
    const content = secrets.openIfSound(`job:${was}:${position}`, sealed);
    // One that does not open stays as it is, and is named with whatever else does not.
    if (content !== undefined)
      reseal.run({ id, position, sealed: secrets.seal(`job:${id}:${position}`, content) });
  }
}
