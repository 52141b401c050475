// What the platform carried out, by player and code, beside what programs asked for and were answered: an order has one
// code, each order its own, and what was handed out stays with whom it was handed to. It reads nothing of what the
// service believes, but at its end `check`.
import { join } from 'node:path';

import { readOrders, type Books } from '../books.ts';
import {
  codeOf,
  codesOf,
  errorOf,
  isReturned,
  lastAnswer,
  loginOf,
  type Order,
  type Shop,
} from './takeover-orders.ts';

/** What is known of a takeover before the next machine serves. */
export interface TakenOver {
  /** Until when the replica knows what happened, and when the machine died: by the calendar. */
  asOf: number;
  diedAt: number;
  /** When the next one served: what is heard between is what the dead one had said. */
  backAt: number;
  /** Players that it knows redemptions of. */
  knownPlayers: ReadonlySet<string>;
}

type Spent = Books['orders'];

const receiptsOf = ({ answers }: Order): Set<string> => new Set(answers.flatMap((one) => codeOf(one) ?? []));
const nameOf = ({ kind, key, playerId, shop }: Order): string =>
  `${kind} ${key ?? 'without a key'} for ${playerId} of ${shop.accountId}`;

/** What is wrong at once. */
export function judgeTakeover(orders: readonly Order[], { asOf, diedAt }: TakenOver): string[] {
  const found = [...orders.flatMap(judgeOrder), ...judgeSwallowed(orders)];
  return found.map((what) => `lost from ${asOf} to ${diedAt}: ${what}`);
}

/** What is wrong at the end of a life. `platform`: the folder of its file. */
export function judge(
  platform: string,
  { orders, shops, takeovers }: { orders: Order[]; shops: readonly Shop[]; takeovers: TakenOver[] },
): string[] {
  const spent = readOrders(join(platform, 'sandbox.db'));
  return [
    ...orders.flatMap(judgeOrder),
    ...judgeSwallowed(orders),
    ...shops.flatMap((shop) => judgeSpent(shop, { orders, spent })),
    ...judgeDirect(orders, spent),
    ...judgeHandedOut(orders, spent, takeovers),
  ];
}

/** Whoever asks again has one code for it, of one login. */
function judgeOrder(order: Order): string[] {
  const { kind, key, codeOverride } = order;
  const codes = [...receiptsOf(order)];
  const logins = new Set(order.answers.flatMap((one) => loginOf(one) ?? []));
  const last = lastAnswer(order);
  const isServed = last ? last.status === 200 || isExpected(order) : key === undefined;
  const facts: [boolean, string][] = [
    [codes.length <= 1, `was answered with ${formatAnswers(order)}`],
    [logins.size <= codes.length, `has ${logins.size} logins`],
    [isServed, `is answered with ${formatAnswers(order) || 'nothing'}`],
    [kind !== 'refused' || codes.length === 0, 'has a receipt'],
    [codes.every((code) => code === (codeOverride ?? code)), `has a receipt of ${codes.join()}`],
  ];
  return facts.flatMap(([holds, what]) => (holds ? [] : [`${nameOf(order)} ${what}`]));
}

const formatAnswers = ({ answers }: Order): string =>
  answers.map((one) => `${codeOf(one) ?? errorOf(one) ?? one.status} at ${one.at}`).join(', ');

function isExpected(order: Order): boolean {
  const { kind, key, codeOverride, interruptions } = order;
  const error = errorOf(lastAnswer(order));
  // Refused in the lost time: all that is known is that nothing was redeemed for it.
  if (kind === 'refused') return error === 'CHARACTER_NOT_FOUND' || error === 'UNKNOWN';
  // Under way when the machine was lost, and never carried out: that is told, and the code is back.
  if (key !== undefined && interruptions > 0 && error === 'UNKNOWN') return isReturned(order);
  // Nobody can tell that it was theirs.
  return codeOverride !== undefined && key === undefined && interruptions > 0 && error === 'CODE_USED';
}

/** No two orders have one code. */
function judgeSwallowed(orders: readonly Order[]): string[] {
  const owners = new Map<string, Order>();
  return orders.flatMap((order) =>
    [...receiptsOf(order)].flatMap((code) => {
      const other = owners.get(code);
      owners.set(code, order);
      return other ? [`${nameOf(order)} was swallowed: ${code} is the answer to ${nameOf(other)}`] : [];
    }),
  );
}

/** What was spent of a stock is somebody's. */
function judgeSpent(
  { stock, accountId }: Shop,
  { orders, spent }: { orders: readonly Order[]; spent: Spent },
): string[] {
  const own = orders.filter(({ shop, kind }) => shop.accountId === accountId && kind !== 'extract');
  const ofPlayer = Map.groupBy(own, ({ playerId }) => playerId);
  const ofStock = spent.filter(({ code }) => stock.has(code));
  return [...Map.groupBy(ofStock, ({ playerId }) => playerId)].flatMap(([playerId, rows]) => {
    const wanted = ofPlayer.get(playerId) ?? [];
    const answered = new Set(wanted.flatMap((order) => [...receiptsOf(order)]));
    const nobodys = rows.flatMap(({ code }) => (answered.has(code) ? [] : code));
    // Asked for again without a key, which is a new order; or never asked for again.
    const isSilent = ({ key, interruptions }: Order) => key === undefined && interruptions > 0;
    const what = `${nobodys.join()} were spent for ${playerId} of ${accountId}, and are nobody's`;
    return nobodys.length <= wanted.filter(isSilent).length ? [] : [what];
  });
}

/** A code of the program's own that it was told to be free is not spent. */
function judgeDirect(orders: readonly Order[], spent: Spent): string[] {
  const spentCodes = new Set(spent.map(({ code }) => code));
  const wronged = orders.filter((order) => isReturned(order) && spentCodes.has(order.codeOverride ?? ''));
  return wronged.map((order) => `${nameOf(order)} was told that nothing was redeemed, and it was spent`);
}

/** What was handed out has one buyer, and is not spent by us. */
function judgeHandedOut(orders: readonly Order[], spent: Spent, takeovers: readonly TakenOver[]): string[] {
  const buyers = new Map<string, Order>();
  const spentCodes = new Set(spent.map(({ code }) => code));
  const found: string[] = [];
  for (const order of orders.filter(({ kind }) => kind === 'extract')) {
    for (const code of new Set(order.answers.flatMap(codesOf))) {
      const other = buyers.get(code);
      buyers.set(code, order);
      if (other) found.push(`${code} was handed out by ${nameOf(order)} and by ${nameOf(other)}`);
      if (spentCodes.has(code)) found.push(`${code} was handed out by ${nameOf(order)}, and is spent`);
    }
    if (order.key !== undefined) found.push(...judgeRepeated(order, takeovers));
  }
  return found;
}

/** Repeated under its key it has the same codes, unless they were lost; where there was none the key is free. */
function judgeRepeated(order: Order, takeovers: readonly TakenOver[]): string[] {
  return order.answers.flatMap((answer, index) => {
    const next = order.answers[index + 1];
    const [had, has] = [codesOf(answer).join(), next ? codesOf(next).join() : ''];
    if (!next || had === '' || had === has) return [];
    const isLost = takeovers.some(({ asOf, backAt }) => answer.at >= asOf && answer.at <= backAt);
    return isLost ? [] : [`${nameOf(order)} had ${had} at ${answer.at}, and then ${has} at ${next.at}`];
  });
}
