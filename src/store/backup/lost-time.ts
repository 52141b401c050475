// What a restore puts in question, since the time after its backup is lost. Redemptions take codes from the head of a
// stock key and hand-outs from its tail, so that what was lost of each is a run at its own end: the head is asked about
// before anything of it is sold, and as many at the tail as may have been handed out wait until somebody releases them.
import type { Database as Connection } from 'better-sqlite3';

import type { StockKey } from '../schema/codes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What a stock key is like is measured over so long before the backup. */
const MEASURED_MS = 30 * DAY_MS;
/** So many unspent codes in a row end a sweep, or twice as many as ever came back one after another. */
const LEAST_UNSPENT = 30;

/**
 * `asOf`: until when the backup knows what happened; `now`: the takeover. Milliseconds UTC. `canProve`: whether there is
 * anybody whose word that a code of a game is unspent counts.
 */
interface LostTime {
  asOf: number;
  now: number;
  canProve: (gameId: string) => boolean;
}

/**
 * Call it inside a transaction, on a file that nobody else uses, before what was unfinished is closed: in the lost time
 * it went on.
 */
export function questionStock(connection: Connection, lost: LostTime): void {
  connection.exec("delete from sweeps; delete from tasks where task = 'sweep'");
  const columns = 'select account_id as accountId, game_id as gameId, denomination';
  const keys = connection.prepare<[], StockKey>(
    `${columns} from codes where state in ('available', 'unverified', 'reserved', 'in_doubt') group by 1, 2, 3`,
  );
  const open = connection.prepare(
    `insert into sweeps (account_id, game_id, denomination, needed, unspent, after_returns, after_id)
     values (@accountId, @gameId, @denomination, @needed, 0, -1, 0)`,
  );
  const measure = prepareMeasuring(connection, lost);
  for (const key of keys.all()) {
    open.run({ ...key, needed: measure.needed(key) });
    measure.question(key);
  }
  connection.exec(QUESTION_UNDONE);
}

/** What was just being taken back is with whom it was from. */
const QUESTION_UNDONE = `
  update codes set state = 'in_question' where state in ('available', 'unverified')
    and batch_id in (select subject_id from jobs where kind = 'undo' and state = 'running')`;

function prepareMeasuring(connection: Connection, { asOf, now, canProve }: LostTime) {
  const ofKey = 'account_id = @accountId and game_id = @gameId and denomination = @denomination';
  const since = asOf - MEASURED_MS;
  const returns = connection
    .prepare<[StockKey], 0 | 1>(
      `select code_reset from redemptions where ${ofKey} and mode = 'database' and code_id is not null
         and created_at >= ${since} order by id`,
    )
    .pluck();
  // What is just being handed out may have been, whole.
  const busiestDay = connection
    .prepare<[StockKey], number>(
      `select coalesce(max(count), 0) from (
         select sum(iif(ended_at is null, requested, taken)) as count from extractions
         where ${ofKey} and at >= ${since} group by at / ${DAY_MS})`,
    )
    .pluck();
  // In the order of handing out. Where nobody's word counts, what an earlier restore left unverified was passed over.
  const question = connection.prepare(
    `update codes set state = 'in_question' where id in (select id from codes where ${ofKey}
       and state in ('available', 'unverified')
       order by state = 'unverified' and not @canProve, returns > 0, returns desc, id desc limit @count)`,
  );
  return {
    needed(key: StockKey): number {
      let [run, longest] = [0, 0];
      for (const wasReset of returns.iterate({ ...key })) {
        run = wasReset === 1 ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      return Math.max(LEAST_UNSPENT, 2 * longest);
    },
    /** As many as were handed out on the busiest day, for each day of lost time begun. */
    question(key: StockKey): void {
      const days = Math.max(1, Math.ceil((now - asOf) / DAY_MS));
      const count = days * (busiestDay.get({ ...key }) ?? 0);
      question.run({ ...key, count, canProve: canProve(key.gameId) ? 1 : 0 });
    },
  };
}
