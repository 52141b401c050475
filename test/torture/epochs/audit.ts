// What must be true after a restore, and at the end of it all.
import { openReader } from '../../../src/store/engine/connection.ts';
import { checkConservation } from '../../../src/store/backup/conservation.ts';
import type { Restored } from '../../../src/store/backup/restore.ts';
import { extractFrom } from './actions.ts';
import { repeat } from './repeats.ts';
import { auditDays, auditPeople } from './people.ts';
import {
  accountOf,
  credentialsOf,
  finishJobs,
  listKnown,
  pickShop,
  query,
  readSpent,
  referenceOf,
  restart,
  type World,
} from './world.ts';

const TAKEABLE = ['available', 'unverified'];
const SETTLE_ROUNDS = 30;
const SETTLE_STEP_MS = 20 * 60 * 1000;

/** Of the restored file, before the service starts on it. */
export function auditRestored(world: World, { drift, unreadable, rows }: Restored): void {
  const wrong = (violation: string) => world.violations.push(`after a restore: ${violation}`);
  if (drift + unreadable > 0) wrong(`check says ${JSON.stringify(rows.slice(0, 5))}`);
  for (const [what, sql] of Object.entries(UNFINISHED)) {
    const [left] = query<{ count: number }>(world.path, `select count(*) as count from ${sql}`);
    if (left && left.count > 0) wrong(`${left.count} ${what} go on`);
  }
}

const UNFINISHED = {
  jobs: "jobs where state = 'running'",
  extractions: 'extractions where ended_at is null',
  imports: "imports where state in ('collecting', 'committing')",
  pieces: 'import_pieces',
  // What is still to be announced is a fact that nobody may have been told of.
  messages: "tasks where run_at is not null and task <> 'announce'",
  conversations: 'conversations',
  confirmations: "confirmations where action = 'redeem-now'",
  'verified codes': "codes where state = 'available' or (state = 'reserved' and claimed_from = 'available')",
};

/** What the world outside was told and the service still knows; and that it knows nothing else to be spent. */
export function audit(world: World): void {
  const wrong = (violation: string) => void world.violations.push(violation);
  auditNumbers(world, wrong);
  auditCodes(world, wrong);
  auditReceipts(world, wrong);
  auditMoney(world, wrong);
  auditKeys(world, wrong);
  auditPeople(world);
  auditDays(world);
  const connection = openReader(world.path);
  const { drift, rows } = checkConservation(connection, { secrets: world.store.secrets });
  connection.close();
  if (drift > 0) wrong(`check: ${JSON.stringify(rows.slice(0, 5))}`);
}

type Wrong = (violation: string) => void;

/** By what a row is told from every other, in any past. */
const MARKS: Record<string, string> = {
  accounts: "created_at || '|' || name",
  api_keys: 'hex(digest)',
  batches: "at || '|' || account_id",
  usages: "account_id || '|' || kind || '|' || at",
  codes: 'hex(code_secret)',
  extractions: "at || '|' || account_id",
  jobs: "kind || '|' || at",
  purchases: 'charge_id',
  redemptions: "account_id || '|' || created_at || '|' || coalesce(usage_id, '')",
};

/** In one statement: it is asked after every action, and to open the file costs more than to read it. */
const NUMBERS = Object.entries(MARKS)
  .map(([table, mark]) => `select '${table}:' || id as number, ${mark} as mark from ${table}`)
  .join(' union all ');

/** No number stands for two things, whatever past either was in. */
export function auditNumbers(world: World, wrong: Wrong): void {
  for (const { number, mark } of query<{ number: string; mark: string }>(world.path, NUMBERS)) {
    const before = world.given.get(number);
    if (before !== undefined && before !== mark) wrong(`${number} was ${before}, and is ${mark}`);
    world.given.set(number, mark);
  }
}

function auditCodes(world: World, wrong: Wrong): void {
  const spent = readSpent(world);
  const rows = query<{ hash: Buffer; secret: Buffer; state: string }>(
    world.path,
    'select code_hash as hash, code_secret as secret, state from codes',
  ).map((row) => ({ code: world.store.seals.open(row), state: row.state }));
  const states = new Map<string, string[]>();
  for (const { code, state } of rows) states.set(code, [...(states.get(code) ?? []), state]);
  for (const { code, state } of rows) {
    const isSpent = spent.has(code) || code.startsWith('USED');
    if (['redeemed', 'used'].includes(state) && !isSpent) wrong(`${code} is ${state}, and nobody spent it`);
  }
  for (const { code } of listKnown(world, 'added')) if (!states.has(code)) wrong(`${code} is lost`);
  for (const { code, how } of listKnown(world, 'left')) {
    const now = states.get(code) ?? [];
    if (now.some((state) => TAKEABLE.includes(state))) wrong(`${code} had left (${how}), and can be taken`);
  }
}

function auditReceipts(world: World, wrong: Wrong): void {
  for (const { id, reference, code, credentials } of listKnown(world, 'receipt')) {
    const found = world.store.read((tables) => tables.redemptions.find(id));
    if (referenceOf(world, id) !== reference || found?.state !== 'redeemed' || found.code !== code)
      wrong(`receipt ${id} is ${JSON.stringify(found)}`);
    else if (credentialsOf(world, id) !== credentials) wrong(`receipt ${id} lost its credentials`);
  }
}

function auditMoney(world: World, wrong: Wrong): void {
  for (const { chargeId } of listKnown(world, 'paid'))
    if (!world.store.read((tables) => tables.purchases.find(chargeId))) wrong(`${chargeId} is not booked`);
  for (const { chargeId } of listKnown(world, 'refunded')) {
    const found = world.store.read((tables) => tables.purchases.find(chargeId));
    if (!found?.refundedAt) wrong(`${chargeId} is not refunded`);
  }
  for (const { orderId, shop } of listKnown(world, 'order')) {
    const order = world.store.read((tables) => tables.purchaseOrders.find(orderId));
    if (order === undefined || order.accountId !== accountOf(world, shop))
      wrong(`${orderId} cannot be paid, or by another account`);
  }
  for (const { shop, at } of listKnown(world, 'charged')) {
    const sql =
      "select id from usages where account_id = ? and at = ? and kind = 'character' and returned_at is null";
    if (query(world.path, sql, accountOf(world, shop), at).length === 0) wrong(`the usage of ${at} is lost`);
  }
  const waiting = new Set(
    world.store.read((tables) => tables.inbox.listWaiting(0, 1000)).map((row) => row.updateId),
  );
  for (const { updateId } of listKnown(world, 'payment waits'))
    if (!waiting.has(updateId)) wrong(`the payment of update ${updateId} is not booked any more`);
}

function auditKeys(world: World, wrong: Wrong): void {
  const revoked = new Set(listKnown(world, 'revoked').map(({ key }) => key));
  for (const { key } of listKnown(world, 'key')) {
    const opens = world.core.apiKeys.authenticate(key) !== undefined;
    if (opens === revoked.has(key)) wrong(`key ${key} ${opens ? 'was revoked, and opens' : 'does not open'}`);
  }
}

/** Everything is settled, every key asked for again, and every code that is left handed out. */
export async function auditEnd(world: World): Promise<void> {
  await restart(world);
  await finishJobs(world);
  for (let round = 0; round < SETTLE_ROUNDS && countOpen(world) > 0; round += 1) {
    world.clock.advance(SETTLE_STEP_MS);
    await world.core.settleDoubts();
  }
  if (countOpen(world) > 0) world.violations.push(`${countOpen(world)} redemptions are open for ever`);
  audit(world);
  for (let round = 0; round < 3; round += 1) await repeat(world);
  for (let round = 0; round < world.shops.length; round += 1) {
    const someone = pickShop(world);
    if (someone) await extractFrom(world, someone.program, 1000);
  }
  audit(world);
}

/** Those of codes for which the platform cannot be reached stay in doubt. */
function countOpen(world: World): number {
  return query<{ hash: Buffer; secret: Buffer }>(
    world.path,
    `select case when r.code_secret is null then c.code_hash else r.code_hash end as hash,
       coalesce(r.code_secret, c.code_secret) as secret
     from redemptions r left join codes c on c.id = r.code_id where r.state in ('pending', 'in_doubt')`,
  ).filter((row) => !world.store.seals.open(row).startsWith('DOWN')).length;
}
