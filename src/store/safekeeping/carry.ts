// What a restore must not forget although it goes back in time: who may come in, what left the house, what was redeemed, what
// was paid. Everything else of the time since the backup is closed: see closing.ts.
import type { Database as Connection } from 'better-sqlite3';

import { carryAccounts } from './carry-accounts.ts';
import { carryCodes, carryJobs, recogniseCodes } from './carry-codes.ts';
import {
  carryChargeNotes,
  carryCharges,
  carryMoneyPapers,
  carryPurchaseOrders,
  carryPurchases,
  sumUp,
} from './carry-money.ts';
import { carryRedemptions, carryRequests, recogniseRedemptions, settleRivals } from './carry-redemptions.ts';
import { copyRows, isIn, suspendIndexes, to, type Carrying } from './carrying.ts';
import { carryWebhooks } from './carry-webhooks.ts';
import { settleClaims } from './claims.ts';
import { healSecrets } from './healing.ts';
import { saysThatMoneyMoved } from './money-papers.ts';

/** Whether the attached database and this one have one origin: an encrypted canary is made once and never twice alike. */
export function isSameOrigin(connection: Connection): boolean {
  const canary = (schema: string) =>
    connection.prepare(`select value from ${schema}.meta where key = 'canary'`).pluck().get() as
      Buffer | undefined;
  const replaced = canary('main');
  return replaced !== undefined && canary('fresh')?.equals(replaced) === true;
}

/**
 * Carries every fact of the replaced database into the restored one, attached as `fresh`; call it inside a transaction.
 * `gift` names the charge of what is forgiven where two pasts spent the same.
 */
export function carryFacts(carrying: Carrying, gift: string): void {
  const { connection } = carrying;
  connection.pragma('defer_foreign_keys = ON');
  const putBack = suspendIndexes(connection, ['codes_by_hash', 'redemptions_by_hash']);
  carryAccounts(carrying);
  carryWebhooks(carrying);
  recogniseCodes(carrying);
  recogniseRedemptions(carrying);
  carryCharges(carrying);
  carryCodes(carrying);
  carryRedemptions(carrying);
  healSecrets(carrying);
  settleRivals(carrying);
  putBack('redemptions_by_hash');
  settleClaims(carrying);
  putBack('codes_by_hash');
  carryRequests(carrying);
  carryJobs(carrying);
  carryPurchases(carrying);
  carryPurchaseOrders(carrying);
  carryChargeNotes(carrying);
  carryMoneyPapers(carrying);
  sumUp(carrying, gift);
  carryNotices(carrying);
  carryInbox(carrying);
}

// What the replaced database has told needs no telling again; what it was still to tell is told.
function carryNotices(carrying: Carrying): void {
  const { connection, descends, knownToReplaced, now } = carrying;
  connection.exec(`
    update fresh.notices set delivered_at = ${now} where delivered_at is null and ${descends ? 'true' : isIn('at', knownToReplaced)}
      and payload_secret not in (select payload_secret from main.notices where delivered_at is null)`);
  const isUnknown = `n.payload_secret not in (select payload_secret from fresh.notices)`;
  copyRows(carrying, 'notices', `main.notices n where n.delivered_at is null and ${isUnknown}`, {
    id: 'null',
    account_id: to('accounts', 'n.account_id'),
  });
}

// An update that arrived is not handled again when Telegram delivers it once more. One that was waiting is closed, but for one
// that says that money moved: it is booked once, by its charge.
function carryInbox(carrying: Carrying): void {
  const { connection, secrets } = carrying;
  connection.exec(`
    update fresh.inbox as o set state = n.state from main.inbox n
    where n.update_id = o.update_id and o.state = 'waiting' and n.state <> 'waiting'`);
  const waiting = connection.prepare(
    `select n.update_id as updateId, n.update_secret as secret from main.inbox n
     where n.state = 'waiting' and n.update_id not in (select update_id from fresh.inbox)`,
  );
  const paid = (waiting.all() as { updateId: number; secret: Buffer }[])
    .filter(({ updateId, secret }) => saysThatMoneyMoved(secrets, updateId, secret))
    .map(({ updateId }) => updateId);
  copyRows(
    carrying,
    'inbox',
    'main.inbox n',
    { state: "replace(n.state, 'waiting', 'set_aside')" },
    'or ignore',
  );
  const wait = connection.prepare("update fresh.inbox set state = 'waiting' where update_id = ?");
  for (const updateId of paid) wait.run(updateId);
}
