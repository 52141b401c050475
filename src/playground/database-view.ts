// The service's database as the change watcher sees it: a connection that cannot write, and the rows that tell what
// happened.
import { DAY_MS } from '../clock.ts';
import { createCodeSeals, createSecrets } from '../store/engine/secrets.ts';
import { openReader, readNumber } from '../store/engine/connection.ts';
import { loadKey } from '../store/engine/keys.ts';
import type { MemberRole, ServiceView } from './protocol.ts';

export interface RedemptionSnapshot {
  id: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  mode: 'database' | 'direct';
  errorCode: string | null;
  playerId: string;
  amount: number | null;
  warning: number;
  createdAt: number;
  doubtedAt: number | null;
  /** The last characters of the code, `…4jEocU`; null where no code was taken. */
  code: string | null;
  codeState: string | null;
  /** Activations; null where nothing was charged. */
  charged: number | null;
  returned: number;
}

export interface UsageSnapshot {
  id: number;
  kind: 'redeem' | 'character' | 'redemptionTime';
  activations: number;
  returned: number;
}

export interface PurchaseSnapshot {
  id: number;
  chargeId: string;
  kind: 'activations' | 'subscription';
  activations: number;
  days: number;
  refundedAt: number | null;
}

export interface BatchSnapshot {
  id: number;
  added: number;
  undoneAt: number | null;
}

export interface ExtractionSnapshot {
  id: number;
  denomination: number;
  codes: number;
}

/** A row as it stands in the file; what is sealed is bytes. */
export type Row = Record<string, string | number | null | Buffer>;

export type DatabaseView = ReturnType<typeof openDatabaseView>;

const SHOWN_CHARACTERS = 6;

const REDEMPTIONS = `
  select r.id, r.state, r.mode, r.error_code as errorCode, r.player_id as playerId, r.amount, r.warning,
    r.created_at as createdAt, r.doubted_at as doubtedAt, 
    case when r.code_secret is null then c.code_hash else r.code_hash end as hash, coalesce(r.code_secret, c.code_secret) as secret,
    c.state as codeState, (h.daily + h.purchased) / 4.0 as charged, h.returned_at is not null as returned
  from redemptions r left join codes c on c.id = r.code_id left join usages h on h.id = r.usage_id
  where r.id > ? or r.id in (select value from json_each(?)) order by r.id`;

const USAGES = `
  select id, kind, (daily + purchased) / 4.0 as activations, returned_at is not null as returned
  from usages where id > ? or id in (select value from json_each(?)) order by id`;

const PURCHASES = `
  select id, charge_id as chargeId, kind, activations_quarters / 4.0 as activations, subscription_days as days,
    refunded_at as refundedAt
  from purchases order by id`;

const BATCHES = `select id, added, undone_at as undoneAt from batches order by id`;

const EXTRACTIONS = `
  select e.id, e.denomination, count(c.id) as codes
  from extractions e left join codes c on c.extraction_id = e.id where e.id > ? group by e.id order by e.id`;

const STOCK = `
  select denomination, sum(state in ('available', 'unverified')) as available, sum(state = 'reserved') as reserved,
    sum(state = 'in_doubt') as inDoubt
  from codes where account_id = ? group by denomination order by denomination`;

const USED = `
  select coalesce(sum(daily), 0) / 4.0 from usages where account_id = ? and at > ? and returned_at is null`;
const PURCHASED = `select purchased / 4.0 from quotas where account_id = ?`;

type SealedRow = Omit<RedemptionSnapshot, 'code'> & { hash: Buffer | null; secret: Buffer | null };

/** Opens the database for reading. The database must exist. */
export function openDatabaseView(databasePath: string) {
  const connection = openReader(databasePath);
  const seals = createCodeSeals(createSecrets(loadKey(databasePath, undefined)));
  const redemptions = connection.prepare<unknown[], SealedRow>(REDEMPTIONS);
  const usages = connection.prepare<unknown[], UsageSnapshot>(USAGES);
  const purchases = connection.prepare<[], PurchaseSnapshot>(PURCHASES);
  const batches = connection.prepare<[], BatchSnapshot>(BATCHES);
  const extractions = connection.prepare<[number], ExtractionSnapshot>(EXTRACTIONS);
  const stock = connection.prepare<[number], ServiceView['stock'][number]>(STOCK);
  const whole = connection.prepare<unknown[], Row>('select * from redemptions where id = ?');
  const attemptRows = connection.prepare<unknown[], Row>(
    'select * from attempts where redemption_id = ? order by n',
  );
  const codeRow = connection.prepare<unknown[], Row>('select * from codes where id = ?');
  const usageRow = connection.prepare<unknown[], Row>('select * from usages where id = ?');
  const member = connection.prepare<unknown[], { role: MemberRole; isOurs: 0 | 1 }>(
    'select role, account_id = ? as isOurs from members where telegram_id = ?',
  );
  const inbox = connection.prepare<[number], { state: string; attempts: number }>(
    'select state, attempts from inbox where update_id = ?',
  );

  function tail(hash: Buffer | null, secret: Buffer | null): string | null {
    return hash && secret ? `…${seals.open({ hash, secret }).slice(-SHOWN_CHARACTERS)}` : null;
  }

  return {
    /** Those after `afterId`, and those named. */
    redemptions: (afterId: number, andIds: readonly number[]): RedemptionSnapshot[] =>
      redemptions.all(afterId, JSON.stringify(andIds)).map(({ hash, secret, ...row }) => ({
        ...row,
        code: tail(hash, secret),
      })),
    /** Those after `afterId`, and those named. */
    usages: (afterId: number, andIds: readonly number[]) => usages.all(afterId, JSON.stringify(andIds)),
    purchases: () => purchases.all(),
    batches: () => batches.all(),
    extractions: (afterId: number) => extractions.all(afterId),
    stock: (accountId: number) => stock.all(accountId),
    /** Activations used of the last 24 hours before `now`, and purchased ones left. */
    quota: (accountId: number, now: number) => ({
      used: readNumber(connection, USED, accountId, now - DAY_MS),
      purchased: readNumber(connection, PURCHASED, accountId),
    }),
    /**
     * A redemption with its attempts, its code and its usage, column by column as they stand in the file; undefined
     * when there is none.
     */
    rowsOf(
      id: number,
    ): { redemption: Row; attempts: Row[]; code: Row | undefined; usage: Row | undefined } | undefined {
      const redemption = whole.get(id);
      return (
        redemption && {
          redemption,
          attempts: attemptRows.all(id),
          code: codeRow.get(redemption['code_id']),
          usage: usageRow.get(redemption['usage_id']),
        }
      );
    },
    /** What a person is now, in the shop or in an account of their own; undefined for whoever is in none. */
    member: (accountId: number, telegramId: number) => member.get(accountId, telegramId),
    /** What became of an update; undefined before it arrived. */
    update: (id: number) => inbox.get(id),
    close: () => void connection.close(),
  };
}
