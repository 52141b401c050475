// What is held of redemptions over several services. The ledger of the world's platform is the truth under all of them;
// nothing here knows how the service decides.
import { look } from '../../run/rest.ts';
import {
  aRedemptionIsRedeemedByOneSpentAttempt,
  noAttemptIsCalledUnspentThatSpentItsCode,
  whatWasSentHasAnEnd,
} from '../../promises/attempts.ts';
import {
  hashOf,
  noCodeOnTheShelfIsSpent,
  whatIsSpentIsInTheBooks,
  whatIsSpentIsNeverCalledFailed,
} from '../../promises/ledger.ts';
import { createDiary } from '../../run/diary.ts';
import type { Shops } from './life.ts';
import type { Kind } from './services.ts';

type Promised = (shops: Shops) => string[];
type Books = Parameters<typeof noCodeOnTheShelfIsSpent>[0];

/** What two calendars may differ by, as the service allows it, and the coarse times of some wires. */
const SLACK_MS = 5 * 60_000 + 1_000;
const IN_TIME_MS = 60_000;

const byLedger =
  (promise: (books: Books) => string[]): Promised =>
  ({ service, platform, time }) =>
    promise({ disk: service.disk, platform, diary: createDiary(time.clock.now) });

/** Each with the kinds of worlds that break it. */
const PROMISES: [promise: Promised, broken: readonly Kind[]][] = [
  [byLedger(aRedemptionIsRedeemedByOneSpentAttempt), []],
  [byLedger(whatWasSentHasAnEnd), []],
  [whatBeganHasAnEnd, []],
  [noCodeHasTwoReceipts, []],
  [aReceiptIsOfWhatItsPlayerHas, []],
  [whatIsSetAsideIsSpent, []],
  [byLedger(noCodeOnTheShelfIsSpent), ['lying']],
  [byLedger(whatIsSpentIsNeverCalledFailed), ['lying']],
  [byLedger(noAttemptIsCalledUnspentThatSpentItsCode), ['lying', 'restored']],
  [byLedger(whatIsSpentIsInTheBooks), ['restored']],
  [noReceiptIsOfWhatThePlayerHadBefore, ['restored']],
  [anAnswerStands, ['restored']],
  [nothingIsSentOnceItIsTakenBack, ['restored']],
  [whoeverCanBeServedIs, ['losing', 'elsewhere', 'lying', 'restored']],
];

export const judge = (shops: Shops): string[] =>
  PROMISES.flatMap(([promise, broken]) => (broken.includes(shops.kind) ? [] : promise(shops)));

const listRows = <R>({ service }: Pick<Shops, 'service'>, sql: string): R[] =>
  look(service.disk.databasePath(), (file) => file.prepare(sql).all() as R[]);

function whatBeganHasAnEnd(shops: Shops): string[] {
  const rows = listRows<{ id: number; state: string }>(
    shops,
    `select id, state from redemptions where state = 'pending'
      or (state = 'in_doubt' and exists (select 1 from tasks where job_key = 'doubt:' || redemptions.id and run_at is not null))`,
  );
  return rows.map(({ id, state }) => `${id} is ${state} for ever`);
}

function noCodeHasTwoReceipts(shops: Shops): string[] {
  const rows = listRows<{ ids: string }>(
    shops,
    `select group_concat(id) as ids from redemptions where state = 'redeemed' group by code_hash having count(*) > 1`,
  );
  return rows.map(({ ids }) => `${ids} are receipts of one code`);
}

interface Receipt {
  id: number;
  accountId: number;
  playerId: string;
  isOfStock: number;
  createdAt: number;
  hash: Buffer;
}

const RECEIPTS = `select id, account_id as accountId, player_id as playerId, mode = 'database' as isOfStock,
  created_at as createdAt, code_hash as hash from redemptions where state = 'redeemed'`;

/** Receipts, each with what the truth knows of its code. */
function listReceipts(shops: Shops) {
  const byHash = mapSpent(shops);
  return listRows<Receipt>(shops, RECEIPTS).map((receipt) => ({
    ...receipt,
    spent: byHash.get(receipt.hash.toString('hex')),
  }));
}

const mapSpent = ({ platform }: Shops) =>
  new Map([...platform.spent.values()].map((each) => [hashOf(each.gameId, each.code), each]));

/** For nobody else, and by none of another account. */
function aReceiptIsOfWhatItsPlayerHas(shops: Shops): string[] {
  const sent = listRows<{ reference: string; accountId: number }>(
    shops,
    'select a.reference, r.account_id as accountId from attempts a join redemptions r on r.id = a.redemption_id',
  );
  const accounts = new Map(sent.map(({ reference, accountId }) => [reference, accountId]));
  return listReceipts(shops).flatMap(({ id, accountId, playerId, spent }) => {
    if (!spent) return [`${id} is a receipt of a code that nobody spent`];
    if (spent.playerId !== playerId) return [`${id} is a receipt of a code that another player has`];
    const by = accounts.get(spent.reference ?? '') ?? accountId;
    return by === accountId ? [] : [`${id} is a receipt of what another account has redeemed`];
  });
}

function noReceiptIsOfWhatThePlayerHadBefore(shops: Shops): string[] {
  return listReceipts(shops).flatMap(({ id, isOfStock, createdAt, spent }) =>
    isOfStock === 0 && spent?.reference === undefined && (spent?.redeemedAt ?? 0) < createdAt - SLACK_MS
      ? [`${id} is a receipt of what the player had redeemed before`]
      : [],
  );
}

/** Of the stock, and no code is called redeemed that is not. */
function whatIsSetAsideIsSpent(shops: Shops): string[] {
  const byHash = mapSpent(shops);
  const rows = listRows<{ id: number; state: string; hash: Buffer }>(
    shops,
    "select id, state, code_hash as hash from codes where state in ('used', 'redeemed')",
  );
  return rows
    .filter(({ hash }) => !byHash.has(hash.toString('hex')))
    .map(({ id, state }) => `the code ${id} is ${state}, and nobody spent it`);
}

/** What was answered as redeemed stays so, and is of whoever ordered it. */
function anAnswerStands(shops: Shops): string[] {
  return shops.orders.flatMap(({ answered, actor, playerId }) => {
    if (!answered) return [];
    const row = shops.service.store().read(({ redemptions }) => redemptions.get(answered.id));
    const isOurs = row.accountId === actor.accountId && row.playerId === playerId;
    if (!isOurs) return [`the answer ${answered.id} is about another order`];
    return answered.state === 'redeemed' && row.state !== 'redeemed' ? [`${answered.id} was taken back`] : [];
  });
}

/** Whatever is not known of it by then. */
function nothingIsSentOnceItIsTakenBack(shops: Shops): string[] {
  return shops.cancelled.flatMap(({ id, at }) =>
    listRows<{ n: number }>(
      shops,
      `select a.n from attempts a join order_items i on i.redemption_id = a.redemption_id
        join orders o on o.id = i.order_id where o.name = '${id}' and a.begun_at > ${at}`,
    ).map(({ n }) => `attempt ${n} of the order ${id} was sent after it was cancelled`),
  );
}

function whoeverCanBeServedIs({ orders }: Shops): string[] {
  return orders.flatMap(({ answered, tookMs }) =>
    answered?.state === 'redeemed' && tookMs <= IN_TIME_MS
      ? []
      : [`${answered?.id} is ${answered?.state} after ${tookMs} ms, ${answered?.errorCode}`],
  );
}

const TRIED = `select sum(a.n > 1 and a.kind = 'order') as "second orders", sum(a.kind = 'resend') as resends,
  sum(r.state = 'in_doubt') as "doubts of a person", count(*) as attempts
  from attempts a join redemptions r on r.id = a.redemption_id where r.id > `;

export function countTried(shops: Shops, first: number): void {
  const [tried] = listRows<Record<string, number | null>>(shops, TRIED + first);
  for (const [what, many] of Object.entries(tried ?? {})) shops.count(what, many ?? 0);
}
