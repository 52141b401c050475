// Holds the sides of a settled chain and the sandbox's own file against each other. The sandbox's file is the
// truth: each order has a player of its own, so the player of a row tells whose order it carried out.
import { isDeepStrictEqual } from 'node:util';

import Database from 'better-sqlite3';

import type { LedgerRow } from '../../src/platform/sandbox/ledger.ts';
import { checkConservation } from '../../src/store/backup/conservation.ts';
import type { TestAnswer, TestApp } from './app.ts';
import type { Chain } from './chain.ts';
import { STOCKED, type RandomOrder } from './random-orders.ts';

export interface Answered {
  order: RandomOrder;
  /** What the outer side answered to POST /redeem. */
  answer: TestAnswer;
}

export interface Audit {
  redeemed: number;
  failed: number;
  doubts: { redeemed: number; returned: number; spentElsewhere: number };
  violations: string[];
}

type Truth = Pick<LedgerRow, 'gameId' | 'code' | 'playerId' | 'openid'>;
type Record = TestAnswer['json'];

interface Books {
  truth: Map<string, Truth[]>;
  /** Receipts inside by player. */
  inside: Map<string, Record[]>;
}

const OPEN = new Set(['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE']);
/** Failures that cost an activation, from the interface; everything here that was refused was asked. */
const CHARGED = new Set(['RISK_CONTROL', 'CODE_USED', 'INVALID_CODE', 'CHARACTER_NOT_FOUND']);

/** Call it when both sides are settled and the line is whole. */
export async function auditChain(
  { outer, inner, inners }: Chain,
  { answered, stock, purchased }: { answered: Answered[]; stock: readonly string[]; purchased: number },
): Promise<Audit> {
  const truth = readTruth(inner);
  const receiptsInside = (await Promise.all(inners.map(readReceipts))).flat();
  const books = { truth: groupByPlayer(truth), inside: groupByPlayer(receiptsInside) };
  const doubts = { redeemed: 0, returned: 0, spentElsewhere: 0 };
  const violations: string[] = [];
  const records: Record[] = [];
  for (const { order, answer } of answered) {
    const { json: record } = await outer.request(`/history/${answer.json?.id}`);
    records.push(record);
    const found = [...compareAnswer(answer, record), ...compareSides(order, record, books)];
    violations.push(...found.map((sentence) => `order of ${order.playerId}: ${sentence}`));
    if (OPEN.has(answer.json?.errorCode)) doubts[endOf(record)] += 1;
  }
  const receipts = records.filter(isReceipt);
  if (receipts.length !== truth.length || receiptsInside.length !== truth.length) {
    const counts = `${receipts.length} outside, ${receiptsInside.length} inside, ${truth.length} in the sandbox`;
    violations.push(`receipts do not agree: ${counts}`);
  }
  violations.push(
    ...(await compareStock(outer, receipts, truth, stock)),
    ...compareUsages(outer, records, purchased),
    ...checkBooks('outside', outer),
    ...inners.flatMap((each) => checkBooks('inside', each)),
  );
  return { redeemed: receipts.length, failed: records.length - receipts.length, doubts, violations };
}

function endOf(record: Record): keyof Audit['doubts'] {
  if (isReceipt(record)) return 'redeemed';
  return record?.errorCode === 'CODE_USED' ? 'spentElsewhere' : 'returned';
}

function isReceipt(record: Record): boolean {
  return record?.type === 'ActivationReceipt';
}

/** What was answered for certain is what is kept; only "unknown" may have become something else. */
function* compareAnswer({ status, json }: TestAnswer, record: Record): Generator<string> {
  if (status !== 200 && status !== 503) yield `answered ${status}`;
  if ((status === 200) !== isReceipt(json)) yield `answered ${status} with ${json?.type}`;
  if (!OPEN.has(json?.errorCode) && !isDeepStrictEqual(json, record)) yield 'the record is not the answer';
}

/** The outer record, the inner receipt and the sandbox's row are of one redemption, or none of the three is there. */
function* compareSides(order: RandomOrder, record: Record, { truth, inside }: Books): Generator<string> {
  const rows = truth.get(order.playerId) ?? [];
  const receipts = inside.get(order.playerId) ?? [];
  if (rows.length > 1) yield `${rows.length} codes were spent`;
  if (receipts.length !== rows.length)
    yield `${receipts.length} receipts inside for ${rows.length} spent codes`;
  if (isReceipt(record) !== rows.length > 0) {
    yield rows.length > 0 ? 'spent inside, not redeemed outside' : 'redeemed outside, not spent inside';
  }
  const [row] = rows;
  const [receipt] = receipts;
  if (!isReceipt(record)) {
    if (record?.codeReset !== (order.body.denomination !== undefined))
      yield 'codeReset does not tell the fate';
    return;
  }
  if (row && (row.code !== record.code || row.gameId !== record.gameId || row.openid !== record.openid)) {
    yield 'the receipt outside is of another code or player';
  }
  if (order.full && (record.warning || !record.email || !record.password)) {
    yield `the full receipt is missing (warning ${record.warning}, login ${Boolean(record.email)})`;
  }
  if (receipt && !isDeepStrictEqual(ownPartRemoved(receipt), ownPartRemoved(record))) {
    yield 'the receipts of the two sides differ';
  }
}

/** Each side numbers and times its receipts itself; all else is one and the same. */
function ownPartRemoved({
  id: _id,
  createdAt: _createdAt,
  took: _took,
  settledAt: _settledAt,
  ...shared
}: Record): Record {
  return shared;
}

/** Every stocked code is available or redeemed, and none that is available was spent. */
async function compareStock(
  outer: TestApp,
  receipts: Record[],
  truth: readonly Truth[],
  stock: readonly string[],
): Promise<string[]> {
  const { gameId, denomination } = STOCKED;
  const stocked = new Set(stock);
  const redeemed = new Set(receipts.map(({ code }) => code).filter((code) => stocked.has(code)));
  const { json } = await outer.request(`/db?gameId=${gameId}`);
  const available: number = json[denomination];
  const { json: left } = await outer.request(`/db/extract?gameId=${gameId}`, {
    body: { denomination, amount: available + 1 },
  });
  const spent = new Set(truth.map(({ code }) => code));
  const released = (left as string[]).filter((code) => spent.has(code));
  return [
    ...(available + redeemed.size === stock.length && left.length === available
      ? []
      : [`of ${stock.length} codes ${available} are available and ${redeemed.size} redeemed`]),
    ...(released.length === 0 ? [] : [`${released.length} spent codes are available outside`]),
  ];
}

function compareUsages({ core, actor }: TestApp, records: Record[], purchasedBefore: number): string[] {
  const { daily, purchased } = core.quota(actor);
  const charged = daily.used + purchasedBefore - purchased;
  const owed = records.filter((record) => isReceipt(record) || CHARGED.has(record?.errorCode)).length;
  return charged === owed ? [] : [`${charged} activations are charged outside, ${owed} are owed`];
}

function checkBooks(side: string, { databasePath, core }: TestApp): string[] {
  const { pending, inDoubt } = core.health.countOpen();
  const { rows } = readFile(databasePath, (connection) => checkConservation(connection));
  return [
    ...(pending + inDoubt === 0 ? [] : [`${pending + inDoubt} redemptions are open ${side}`]),
    ...rows.map((row) => `drift ${side}: ${JSON.stringify(row)}`),
  ];
}

function readTruth({ sandboxPath }: TestApp): Truth[] {
  const sql = 'select game_id as gameId, code, player_id as playerId, openid from redemptions';
  return readFile(sandboxPath, (connection) => connection.prepare(sql).all() as Truth[]);
}

function readFile<T>(path: string, read: (connection: Database.Database) => T): T {
  const connection = new Database(path, { readonly: true });
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

/** Every receipt of the account, whole, page by page. */
async function readReceipts(app: TestApp): Promise<Record[]> {
  const receipts: Record[] = [];
  for (let after = new Date(0).toISOString(); ;) {
    const { json: page } = await app.request(`/history?after=${after}`);
    if (page.length === 0) return receipts;
    for (const { id, error } of page) {
      if (!error) receipts.push((await app.request(`/history/${id}`)).json);
    }
    after = page[page.length - 1].createdAt;
  }
}

function groupByPlayer<T extends { playerId: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, ({ playerId }) => playerId);
}
