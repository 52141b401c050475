// After two pasts were joined: what redemptions hold of codes is made true again, from the redemptions. A code that nobody
// claims is in question, never available.
import { shortHash } from '../tables/code-hashes.ts';
import type { Carrying } from './carrying.ts';
import { LIVE } from './carry-redemptions.ts';

const CLAIMED_AS = "case r.state when 'pending' then 'reserved' else r.state end";
const OWNED = "state not in ('extracted', 'undone')";
// Where one past claims what left in the other, somebody else has it: it does not come back to be taken.
const RETURNS_TO = `case when c.state in ('extracted', 'undone') then 'invalid'
  when c.state in ('used', 'invalid', 'unverified') then c.state
  when c.claimed_from in ('used', 'invalid', 'unverified') then c.claimed_from else 'unverified' end`;

/** Lets every live redemption hold its code, and nothing else hold one. */
export function settleClaims(carrying: Carrying): void {
  releaseUnclaimed(carrying);
  if (!carrying.descends) claimForDirect(carrying);
  carrying.connection.exec(`
    update fresh.codes as c set claimed_from = ${RETURNS_TO}, extraction_id = null, state = ${CLAIMED_AS}
    from fresh.redemptions r where c.id = r.code_id and r.${LIVE} and c.state <> ${CLAIMED_AS}`);
  if (!carrying.descends) settleOwners(carrying);
  takeBackUndone(carrying);
}

// A code given with a request is claimed in the code database, too, so that it cannot be spent from both sides: also where
// one past had the request and the other the code.
function claimForDirect({ connection }: Carrying): void {
  connection.exec(`
    update fresh.redemptions as r set code_id = (select c.id from fresh.codes c where c.game_id = r.game_id
      and ${shortHash('c.code_hash')} = ${shortHash('r.code_hash')} and c.state in ('available', 'unverified') order by c.id limit 1)
    where r.${LIVE} and r.code_id is null and r.mode = 'direct' and r.code_hash is not null
      and ${shortHash('r.code_hash')} in (select ${shortHash('code_hash')} from fresh.codes where state in ('available', 'unverified'))`);
}

// What was redeemed is spent, whoever's receipt it was; of the rest the platform is asked.
function releaseUnclaimed({ connection }: Carrying): void {
  connection.exec(`
    update fresh.codes as c set claimed_from = null, state = case c.state when 'redeemed' then 'used' else 'unverified' end
    where c.state in ('reserved', 'in_doubt', 'redeemed')
      and c.id not in (select r.code_id from fresh.redemptions r where r.${LIVE} and r.code_id is not null)`);
}

// Where one past undid a batch, nothing of it can be taken that came back in the other.
function takeBackUndone({ connection }: Carrying): void {
  connection.exec(`
    update fresh.codes set state = 'undone', claimed_from = null where state in ('available', 'unverified')
      and batch_id in (select id from fresh.batches where undone_at is not null)`);
}

// A code that both pasts took in lies there twice: the claimed row stands, then the spent one, then the older; the other is
// taken back, so that it is counted and never used.
function settleOwners({ connection }: Carrying): void {
  connection.exec(`
    update fresh.codes set state = 'undone', claimed_from = null, extraction_id = null where id in (
      select id from (select c.id, row_number() over (partition by c.game_id, ${shortHash('c.code_hash')} order by
          case when c.state in ('reserved', 'in_doubt', 'redeemed') then 0 when c.state in ('used', 'invalid') then 1 else 2 end,
          c.id in (select to_id from temp.codes_map where is_new = 1), c.id) as turn
        from fresh.codes c where c.${OWNED}) where turn > 1)`);
}
