// What a restore over a database that can still be read must not lose: whatever either of the two files knew for certain the restored one
// knows, too. Read as plain SQL before and after.
import Database from 'better-sqlite3';

import type { World } from '../world.ts';

interface Known {
  /** By its key; what is to hold of it. */
  [key: string]: string | number;
}

interface Kind {
  what: string;
  /** Whether it is so only as long as no past was ever lost. */
  isOfOnePast?: boolean;
  /** Selects `key` and `value`, of the accounts of shops alone where they have any. */
  sql: string;
  /** The same of the restored file, where more of it counts as kept. */
  sqlAfter?: string;
  /** Whether `after` keeps what `before` knew. */
  keeps: (before: string | number, after: string | number | undefined) => boolean;
}

const isThere = (_before: unknown, after: unknown) => after !== undefined;
const isNoLess = (before: string | number, after: string | number | undefined) =>
  Number(after ?? -1) >= Number(before);
/** What is over stays over. */
const isKept = (before: string | number, after: string | number | undefined) =>
  after !== undefined && (Number(before) === 0 || Number(after) === 1);

const LOOK_UPS = `
  select account_id || ' at ' || at || ' for ' || kind as key, count(*) as value from charges
  where kind <> 'redeem' and account_id in (select value from json_each(@accounts))`;

const KINDS: readonly Kind[] = [
  {
    what: 'the redemption',
    sql: "select reference as key, state = 'redeemed' as value from redemptions",
    // Of two pasts that have both redeemed one code, each by a redemption of its own, one of them stands.
    sqlAfter: `select r.reference as key, r.state = 'redeemed' or (r.error_code = 'CODE_USED' and exists (
        select 1 from redemptions o where o.state = 'redeemed' and o.game_id = r.game_id and o.code_hash = r.code_hash)) as value
      from redemptions r`,
    keeps: isKept,
  },
  {
    what: 'the payment',
    sql: 'select charge_id as key, refunded_at is not null as value from purchases',
    keeps: isKept,
  },
  {
    what: 'what was taken back with the payment',
    // Of two pasts that have both given money back, one says how much was left.
    isOfOnePast: true,
    sql: 'select charge_id as key, coalesce(refunded_quarters, 0) as value from purchases',
    keeps: isNoLess,
  },
  {
    what: 'the key',
    sql: 'select hex(digest) as key, revoked_at is not null as value from api_keys',
    keeps: isKept,
  },
  {
    what: 'the address',
    sql: 'select reference as key, removed_at is not null as value from webhooks',
    // One that was removed is forgotten for good after a while.
    keeps: (before, after) => Number(before) === 0 || after === undefined || Number(after) === 1,
  },
  {
    what: 'the link',
    sql: 'select hex(token_hash) as key, used_by is not null as value from invitations',
    keeps: (before, after) => Number(before) === 0 || after === undefined || Number(after) === 1,
  },
  {
    what: 'the paid days of account',
    sql: `select id || ' after refund ' || (select count(*) from purchases p where p.account_id = a.id and p.refunded_at is not null) as key,
        subscription_expires_at as value
      from accounts a where subscription_expires_at is not null and id in (select value from json_each(@accounts))`,
    // Money that went back took its days along.
    keeps: (before, after) => after === undefined || isNoLess(before, after),
  },
  {
    what: 'the look-ups charged to',
    sql: `${LOOK_UPS} and returned_at is null group by 1`,
    // One that was under way when the backup was made may have been given back a moment later.
    sqlAfter: `${LOOK_UPS} group by 1`,
    keeps: isNoLess,
  },
  {
    what: 'the extracted code',
    sql: "select hex(code_hash) as key, max(state = 'extracted') as value from codes where account_id in (select value from json_each(@accounts)) group by 1",
    keeps: isThere,
  },
];

/** Reads both before the restore; what it returns tells what is missing after it. */
export function expectNothingLost(
  { shops, diary }: World,
  replaced: string,
  backup: string,
): (restored: string) => string[] {
  const accounts = JSON.stringify(shops.map(({ accountId }) => accountId));
  const [ofReplaced, ofBackup] = [read(replaced, accounts, 'before'), read(backup, accounts, 'before')];
  return (restored) => {
    const now = read(restored, accounts, 'after');
    return KINDS.flatMap(({ what, isOfOnePast = false, keeps }, kind) =>
      (isOfOnePast && diary.isPastLost ? [] : [ofReplaced, ofBackup]).flatMap((before, file) =>
        Object.entries(before[kind] ?? {}).flatMap(([key, value]) => {
          const after = now[kind]?.[key];
          if (keeps(value, after)) return [];
          return [
            `a restore lost ${what} ${key}: ${value} in the ${file === 0 ? 'replaced database' : 'backup'}, ${after ?? 'nothing'} now`,
          ];
        }),
      ),
    );
  };
}

function read(path: string, accounts: string, when: 'before' | 'after'): Known[] {
  const file = new Database(path, { readonly: true });
  try {
    return KINDS.map(({ sql, sqlAfter }) => {
      const statement = file.prepare(when === 'after' ? (sqlAfter ?? sql) : sql);
      const rows = (sql.includes('@accounts') ? statement.all({ accounts }) : statement.all()) as {
        key: string;
        value: string | number;
      }[];
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    });
  } finally {
    file.close();
  }
}
