// Redemptions, carried over a restore with their receipts and credentials: support finds the receipt, a request that is
// repeated under its key finds what it began, and what is open towards the platform is asked about as ever.
import { shortHash } from '../tables/code-hashes.ts';
import {
  columnsOf,
  copyRows,
  newOf,
  numberTheRest,
  recogniseByColumn,
  recogniseByNumber,
  to,
  toActor,
  type Carrying,
} from './carrying.ts';

export const LIVE = "state in ('pending', 'in_doubt', 'redeemed')";

/** Recognises redemptions by our reference towards the platform, which is random. */
export function recogniseRedemptions(carrying: Carrying): void {
  recogniseByNumber(carrying, 'redemptions', 'o.reference = n.reference');
  recogniseByColumn(carrying, 'redemptions', 'reference');
  numberTheRest(carrying, 'redemptions');
  findFurther(carrying);
}

/** How far a redemption has gone; where the platform redeemed is the truth. */
const HOW_FAR = (state: string) =>
  `case ${state} when 'pending' then 0 when 'in_doubt' then 1 when 'failed' then 2 else 3 end`;

// Those that the replaced database knows more of: they were open, or waited for another one, and went on there. Nothing that ended
// is opened again. Of two that failed the replaced one counts where it knows all that the backup knows, as it does for their codes and
// charges: it may have joined two pasts that ended it in two ways.
function findFurther({ connection, descends }: Carrying): void {
  const endedOtherwise = descends
    ? 'n.error_code is not o.error_code or (n.charge_id is null) <> (o.charge_id is null)'
    : 'false';
  connection.exec(`
    drop table if exists temp.redemptions_further;
    create temp table redemptions_further (id integer primary key, from_id integer not null);
    insert or ignore into temp.redemptions_further select o.id, n.id
      from main.redemptions n cross join fresh.redemptions o on o.id = ${to('redemptions', 'n.id')} and o.reference = n.reference
      where o.state <> 'redeemed' and (n.state <> 'failed' or o.state <> 'failed' or ${endedOtherwise})
        and ${HOW_FAR('n.state')} >= ${HOW_FAR('o.state')};
    insert or ignore into temp.redemptions_further select o.redemption_id, n.redemption_id
      from main.twins n cross join fresh.twins o on o.redemption_id = ${to('redemptions', 'n.redemption_id')}
      where n.settled_at is not null and o.settled_at is null;`);
}

/** Carries redemptions. Their codes and charges are carried before, and set right by claims.ts after. */
export function carryRedemptions(carrying: Carrying): void {
  const { connection } = carrying;
  const following: Record<string, string> = {
    code_id: to('codes', 'n.code_id'),
    charge_id: to('charges', 'n.charge_id'),
  };
  const values = {
    ...following,
    id: to('redemptions', 'n.id'),
    account_id: to('accounts', 'n.account_id'),
    actor: toActor('n.actor'),
  };
  const went = columnsOf(connection, 'redemptions').filter((column) => !KEPT.has(column));
  connection.exec(`
    update fresh.redemptions as o set (${went.join(', ')}) = (
      select ${went.map((column) => following[column] ?? `n.${column}`).join(', ')}
      from temp.redemptions_further f join main.redemptions n on n.id = f.from_id where f.id = o.id)
    where o.id in (select id from temp.redemptions_further)`);
  copyRows(carrying, 'redemptions', newOf('redemptions'), values);
}

/** What of a redemption is decided at its beginning, or follows from its state. */
const KEPT = new Set(['id', 'reference', 'account_id', 'actor', 'live']);

/**
 * Of two redemptions of one code that two pasts hold as live, one stands: that which went further, then the replaced
 * database's. The other has failed, as the platform would have told it, and costs nothing.
 */
export function settleRivals({ connection, now, descends }: Carrying): void {
  // One past has one live redemption of a code.
  if (descends) return;
  const rivals = `select id from (
    select r.id, row_number() over (partition by r.game_id, ${shortHash('r.code_hash')} order by ${HOW_FAR('r.state')} desc,
      r.id in (select to_id from temp.redemptions_map where is_new = 1) desc, r.id) as turn
    from fresh.redemptions r where ${LIVE} and r.code_hash is not null) where turn > 1`;
  connection.exec(`
    drop table if exists temp.rivals;
    create temp table rivals as ${rivals};
    update fresh.charges set returned_at = coalesce(returned_at, ${now})
      where id in (select charge_id from fresh.redemptions where id in (select id from temp.rivals));
    update fresh.redemptions set state = 'failed', error_code = 'CODE_USED', error_message = 'A restore found another redemption of this code.',
      charge_id = null, code_reset = 0, next_look_at = null, settled_at = coalesce(settled_at, ${now})
      where id in (select id from temp.rivals);`);
}

/** Carries which requests are known by their keys, and what each began; and which messages show a redemption. */
export function carryRequests(carrying: Carrying): void {
  copyRows(
    carrying,
    'idempotency_keys',
    'main.idempotency_keys n',
    {
      account_id: to('accounts', 'n.account_id'),
      redemption_id: to('redemptions', 'n.redemption_id'),
      extraction_id: to('extractions', 'n.extraction_id'),
      batch_id: to('batches', 'n.batch_id'),
    },
    'or replace',
  );
  carrying.connection.exec(`
    update fresh.twins as o set settled_at = n.settled_at from main.twins n
    where o.redemption_id = ${to('redemptions', 'n.redemption_id')} and n.settled_at is not null and o.settled_at is null`);
  copyRows(
    carrying,
    'twins',
    'main.twins n',
    { redemption_id: to('redemptions', 'n.redemption_id'), first_id: to('redemptions', 'n.first_id') },
    'or ignore',
  );
  copyRows(
    carrying,
    'watches',
    'main.watches n',
    { redemption_id: to('redemptions', 'n.redemption_id') },
    'or replace',
  );
}
