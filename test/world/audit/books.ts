// What the evening's audit in the chat knows: who asks, in whose shop, and what the books say, read as plain SQL and
// opened by the key.
import type Database from 'better-sqlite3';

import { createCodeSeals, createSecrets } from '../../../src/store/engine/secrets.ts';
import type { SeenMessage } from '../../telegram/types.ts';
import type { Person } from '../people/index.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from '../run/world.ts';

/** So long a reader waits for what they asked for. */
export const PATIENCE_MS = 8_000;

export interface ChatAudit {
  world: World;
  /** Of the account. */
  zone: string;
  reader: { phone: NonNullable<Person['phone']>; role: string };
  /** Asks, and reads what comes; undefined where nothing that fits comes. */
  ask(text: string, fits?: (message: SeenMessage) => boolean): Promise<Read | undefined>;
  /** The books; `@account` is this one. */
  rows<T>(sql: string, values?: object): T[];
}

/** A message without the marks that keep names apart. */
export interface Read {
  text: string;
  document: string | undefined;
  message: SeenMessage;
}

const MARKS = /[\u2066-\u2069\u200e\u200f\u2060\u202a-\u202e]/gu;

export function toRead(message: SeenMessage): Read {
  const document = message.document?.bytes.toString('utf8');
  return { text: message.text.replace(MARKS, ''), document, message };
}

/** A redemption as the books have it. */
export interface Booked {
  id: number;
  createdAt: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  gameId: string;
  playerId: string;
  mode: 'database' | 'direct';
  denomination: number | null;
  amount: number | null;
  warning: number;
  actor: string;
  errorCode: string | null;
  settledAt: number | null;
  openid: string | null;
  playerName: string | null;
  codeReset: number;
  codeId: number | null;
  usageId: number | null;
  isReturned: number;
  code: string | undefined;
  login: { uid?: string; email?: string; password?: string } | undefined;
}

const secrets = createSecrets(KEY);
const seals = createCodeSeals(secrets);
const BOOKED = `
  select r.id, r.created_at as createdAt, r.state, r.game_id as gameId, r.player_id as playerId, r.mode, r.denomination,
    r.amount, r.warning, r.actor, r.error_code as errorCode, iif(r.first_id is not null and r.error_code = 'UNKNOWN', null, r.settled_at) as settledAt,
    r.openid, r.player_name as playerName, r.code_reset as codeReset, r.code_id as codeId, r.usage_id as usageId,
    c.returned_at is not null as isReturned, coalesce(r.code_hash, k.code_hash) as hash, coalesce(r.code_secret, k.code_secret) as secret,
    r.credentials_secret as credentials
  from redemptions r left join usages c on c.id = r.usage_id left join codes k on k.id = r.code_id
  where r.account_id = @account and `;

type Row = Omit<Booked, 'code' | 'login'> & {
  hash: Buffer | null;
  secret: Buffer | null;
  credentials: Buffer | null;
};

/** Those of the account that `where` selects, the newest first. */
export function readBooked({ rows }: Pick<ChatAudit, 'rows'>, where: string, values: object = {}): Booked[] {
  const sql = `${BOOKED}${where} order by r.created_at desc, r.id desc`;
  return rows<Row>(sql, values).map(({ hash, secret, credentials, ...row }) => ({
    ...row,
    // Opened where somebody looks: most of them are not.
    get code() {
      return hash && secret ? seals.open({ hash, secret }) : undefined;
    },
    get login() {
      return credentials
        ? (JSON.parse(secrets.open(`redemption:${row.id}:credentials`, credentials)) as Booked['login'])
        : undefined;
    },
  }));
}

export const readRows =
  (world: World, accountId: number): ChatAudit['rows'] =>
  (sql, values = {}) =>
    look(
      world.disk.databasePath(),
      (file: Database.Database) =>
        file
          .prepare(sql)
          .all(sql.includes('@account') ? { account: accountId, ...values } : values) as never[],
    );

/** What is behind the last characters is nobody's business. */
export const tailOf = (code: string | undefined) => code?.slice(-Math.min(6, Math.floor(code.length / 2)));

/** Where a list of lines differs from what it should be, the first such line. */
export function differ(what: string, told: readonly string[], kept: readonly string[]): string[] {
  const at = [...told, ...kept].findIndex((_, index) => told[index] !== kept[index]);
  if (at < 0 || (told.length === kept.length && at >= told.length)) return [];
  return [`${what}: read ${told[at] ?? 'nothing more'}, and the books say ${kept[at] ?? 'nothing more'}`];
}
