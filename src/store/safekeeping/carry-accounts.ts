// Who may come in, carried over a restore: it stands as it is now. A revoked key stays revoked, a removed member removed.
import { carryMembers } from './carry-members.ts';
import {
  copyRows,
  newOf,
  numberTheRest,
  recogniseBy,
  recogniseByNumber,
  to,
  type Carrying,
} from './carrying.ts';
import { carrySubscriptionEnds } from './subscription-ends.ts';

/** Carries accounts, their people, keys and settings. */
export function carryAccounts(carrying: Carrying): void {
  recogniseAccounts(carrying);
  carryAccountRows(carrying);
  carryKeys(carrying);
  carryMembers(carrying);
  carryInvitations(carrying);
  const account_id = to('accounts', 'n.account_id');
  copyRows(carrying, 'stock_alerts', 'main.stock_alerts n', { account_id }, 'or replace');
  copyRows(carrying, 'stock_pauses', 'main.stock_pauses n', { account_id }, 'or replace');
  copyRows(carrying, 'preferences', 'main.preferences n', {}, 'or replace');
}

// An account has only its number and when it was opened. Where another restore gave it another number, a key that both files
// know tells: keys are random. Without keys a member tells, who came to it at the same moment.
function recogniseAccounts(carrying: Carrying): void {
  recogniseByNumber(carrying, 'accounts', 'o.created_at = n.created_at');
  recogniseBy(
    carrying,
    'accounts',
    `select known.account_id from main.api_keys k join fresh.api_keys known on known.digest = k.digest
     where k.account_id = m.from_id limit 1`,
  );
  recogniseBy(
    carrying,
    'accounts',
    `select known.account_id from main.members p
       join fresh.members known on known.telegram_id = p.telegram_id and known.joined_at = p.joined_at
     where p.account_id = m.from_id limit 1`,
  );
  numberTheRest(carrying, 'accounts');
}

function carryAccountRows(carrying: Carrying): void {
  carrySubscriptionEnds(carrying);
  carrying.connection.exec(`
    update fresh.accounts as o set name = n.name, time_zone = n.time_zone, end_told_of = n.end_told_of, end_told_stage = n.end_told_stage
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

// A link is for one person: used in either past, it is used up.
function carryInvitations(carrying: Carrying): void {
  const account_id = to('accounts', 'n.account_id');
  const used_by =
    'coalesce(n.used_by, (select o.used_by from fresh.invitations o where o.token_hash = n.token_hash))';
  copyRows(carrying, 'invitations', 'main.invitations n', { account_id, used_by }, 'or replace');
}
