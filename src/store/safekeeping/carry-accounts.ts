// Who may come in, carried over a restore: it stands as it is now. A revoked key stays revoked, a removed member removed.
import {
  copyRows,
  isIn,
  newOf,
  numberTheRest,
  recogniseBy,
  recogniseByNumber,
  to,
  type Carrying,
} from './carrying.ts';

/** Carries accounts, their people, keys and settings. */
export function carryAccounts(carrying: Carrying): void {
  recogniseAccounts(carrying);
  carryAccountRows(carrying);
  carryKeys(carrying);
  carryMembers(carrying);
  carryInvitations(carrying);
  const account_id = to('accounts', 'n.account_id');
  copyRows(carrying, 'stock_alerts', 'main.stock_alerts n', { account_id }, 'or replace');
  copyRows(carrying, 'preferences', 'main.preferences n', {}, 'or replace');
}

// An account has only its number and when it was opened. Where another restore gave it another number, a key that both files
// know tells: keys are random.
function recogniseAccounts(carrying: Carrying): void {
  recogniseByNumber(carrying, 'accounts', 'o.created_at = n.created_at');
  recogniseBy(
    carrying,
    'accounts',
    `select a.id from main.api_keys k join fresh.api_keys known on known.digest = k.digest
       join fresh.accounts a on a.id = known.account_id join main.accounts n on n.id = k.account_id
     where k.account_id = m.from_id and a.created_at = n.created_at limit 1`,
  );
  numberTheRest(carrying, 'accounts');
}

// Of two pasts that both went on, the later end of a subscription holds: whoever paid for days has them.
function carryAccountRows(carrying: Carrying): void {
  const { connection, descends } = carrying;
  const end = descends
    ? 'n.subscription_expires_at'
    : `nullif(max(coalesce(n.subscription_expires_at, 0), coalesce(o.subscription_expires_at, 0)), 0)`;
  connection.exec(`
    update fresh.accounts as o set name = n.name, subscription_expires_at = ${end},
      end_told_of = n.end_told_of, end_told_stage = n.end_told_stage
    from main.accounts n where o.id = ${to('accounts', 'n.id')}`);
  copyRows(carrying, 'accounts', newOf('accounts'), { id: to('accounts', 'n.id') });
}

// Keys are never removed, only revoked: each that either file knows is there, revoked if it is in one.
function carryKeys(carrying: Carrying): void {
  recogniseByNumber(carrying, 'api_keys', 'o.digest = n.digest');
  recogniseBy(
    carrying,
    'api_keys',
    'select o.id from main.api_keys n join fresh.api_keys o on o.digest = n.digest where n.id = m.from_id',
  );
  numberTheRest(carrying, 'api_keys');
  carrying.connection.exec(`
    update fresh.api_keys as o set revoked_at = coalesce(n.revoked_at, o.revoked_at),
      last_used_at = nullif(max(coalesce(n.last_used_at, 0), coalesce(o.last_used_at, 0)), 0)
    from main.api_keys n where o.digest = n.digest`);
  copyRows(carrying, 'api_keys', newOf('api_keys'), {
    id: to('api_keys', 'n.id'),
    account_id: to('accounts', 'n.account_id'),
  });
}

// Whoever one of the two does not have, although it knows the time when he came, was removed there. Nobody is a member of two
// accounts, and an account has one owner: the replaced database has the last word on both.
function carryMembers(carrying: Carrying): void {
  const { connection, descends } = carrying;
  const account_id = to('accounts', 'n.account_id');
  const wasRemoved = descends ? 'true' : isIn('joined_at', carrying.knownToReplaced);
  connection.exec(`
    drop table if exists temp.members_before;
    create temp table members_before (telegram_id integer primary key);
    insert into temp.members_before select telegram_id from fresh.members;
    delete from fresh.members where ${wasRemoved} or telegram_id in (select telegram_id from main.members)
      or (role = 'owner' and account_id in (select ${account_id} from main.members n where n.role = 'owner'));`);
  const isGone = `${isIn('n.joined_at', carrying.knownToBackup, 'before the end')}
    and n.telegram_id not in (select telegram_id from temp.members_before)`;
  copyRows(carrying, 'members', `main.members n where not (${isGone})`, { account_id });
}

function carryInvitations(carrying: Carrying): void {
  const account_id = to('accounts', 'n.account_id');
  copyRows(carrying, 'invitations', 'main.invitations n', { account_id }, 'or replace');
}
