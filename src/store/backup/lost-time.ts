// What a restore puts in question, since the time after its backup is lost. Redemptions take codes from the head of a
// stock key and hand-outs from its tail, so that what was lost of each is a run at its own end: the head is asked about
// before anything of it is sold, and as many at the tail as may have been handed out wait until somebody releases them.
import type { Database as Connection } from 'better-sqlite3';

import type { StockKey } from '../schema/codes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What a stock key is like is measured over so long before the backup. */
const MEASURED_MS = 30 * DAY_MS;
/** So many unspent codes in a row end a sweep, or twice as many as ever came back one after another. */
const LEAST_UNSPENT = 20;
/** Where nothing was taken on the last day. */
const LEAST_UNSPENT_AT_REST = 3;

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
  const since = asOf - MEASURED_MS;
  const redemptions = connection.prepare<[StockKey], { wasReset: number; createdAt: number }>(
    `select code_reset as wasReset, created_at as createdAt from redemptions where account_id = @accountId and game_id = @gameId
       and denomination = @denomination and mode = 'database' and code_id is not null and created_at >= ${since} order by id`,
  );
  const handOuts = connection.prepare<[StockKey], HandOut>(
    `select at, taken as count from extractions where account_id = @accountId and game_id = @gameId
       and denomination = @denomination and at >= ${since} and taken > 0
     union all select b.undone_at, count(*) from batches b join codes c on c.batch_id = b.id
       where b.account_id = @accountId and b.game_id = @gameId and b.undone_at >= ${since}
         and c.state = 'undone' and c.denomination = @denomination group by b.id
     order by 1`,
  );
  // In the order of handing out. Where nobody's word counts, what an earlier restore left unverified was passed over.
  const question = connection.prepare(
    `update codes set state = 'in_question' where id in (select id from codes where account_id = @accountId and game_id = @gameId
       and denomination = @denomination and state in ('available', 'unverified')
       order by state = 'unverified' and not @canProve, returns > 0, returns desc, id desc limit @count)`,
  );
  const unended = connection
    .prepare<[StockKey], number>(
      `select coalesce(sum(requested - taken), 0) from extractions where account_id = @accountId and game_id = @gameId
         and denomination = @denomination and ended_at is null`,
    )
    .pluck();
  const begun = connection
    .prepare<[StockKey], number>(
      'select coalesce(min(at), 0) from batches where account_id = @accountId and game_id = @gameId',
    )
    .pluck();
  return {
    needed(key: StockKey): number {
      let [run, longest, isBusy] = [0, 0, false];
      for (const row of redemptions.iterate({ ...key })) {
        run = row.wasReset === 1 ? run + 1 : 0;
        longest = Math.max(longest, run);
        isBusy ||= row.createdAt >= asOf - DAY_MS;
      }
      return isBusy ? Math.max(LEAST_UNSPENT, 2 * longest) : LEAST_UNSPENT_AT_REST;
    },
    question(key: StockKey): void {
      const known = handOuts.all({ ...key });
      const first = Math.min(known[0]?.at ?? asOf, begun.get({ ...key }) ?? 0);
      const span = { lostMs: now - asOf, knownMs: asOf - Math.max(since, first) };
      const count = countQuestioned(known, span) + (unended.get({ ...key }) ?? 0);
      const isProvable = canProve(key.gameId);
      if (count > 0) question.run({ ...key, count, canProve: isProvable ? 1 : 0 });
    },
  };
}

interface HandOut {
  at: number;
  count: number;
}

/**
 * How many the lost time may have handed out: twice as many as ever left in so long a time, and the largest hand-out
 * once more, since it may have been the busiest time there was; and where less is known than twice so long, so much
 * more as that is longer. By time, oldest first.
 */
export function countQuestioned(
  handOuts: readonly HandOut[],
  { lostMs, knownMs }: { lostMs: number; knownMs: number },
): number {
  let [first, sum, most, largest] = [0, 0, 0, 0];
  for (const { at, count } of handOuts) {
    sum += count;
    for (let oldest = handOuts[first]; oldest && oldest.at < at - lostMs; oldest = handOuts[first]) {
      sum -= oldest.count;
      first += 1;
    }
    most = Math.max(most, sum);
    largest = Math.max(largest, count);
  }
  const longer = Math.max(1, (2 * lostMs) / Math.max(1, knownMs));
  return Math.ceil(2 * most * longer) + largest;
}
