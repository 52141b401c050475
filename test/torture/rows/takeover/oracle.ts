// What the platform carried out, by player and code, beside what programs asked for and were answered: an order has one
// code, each order its own, and what was handed out stays with whom it was handed to. It reads nothing of what the
// service believes, but at its end `check`.
import Database from 'better-sqlite3';

import { check } from '../../books.ts';
import type { Life } from './life.ts';
import { sandboxOf, type TakenOver } from './machine.ts';
import { lastAnswer, type Order, type Shop } from './orders.ts';

interface Spent {
  code: string;
  playerId: string;
}

const codesOf = ({ answers }: Order): Set<string> => new Set(answers.flatMap(({ code }) => code ?? []));
const nameOf = ({ kind, key, playerId, shop }: Order): string =>
  `${kind} ${key ?? 'without a key'} for ${playerId} of ${shop.accountId}`;

/** What is wrong at once. */
export function judgeTakeover({ orders }: Life, { knownPlayers, asOf, diedAt }: TakenOver): string[] {
  const found = [...orders.flatMap((order) => judgeOrder(order, knownPlayers)), ...judgeSwallowed(orders)];
  return found.map((what) => `lost from ${asOf} to ${diedAt}: ${what}`);
}

/** What is wrong at the end of a life. */
export async function judge(life: Life): Promise<string[]> {
  const { root, machine, orders, shops, takeovers } = life;
  const platform = new Database(sandboxOf(root), { readonly: true });
  const spent = platform.prepare('select code, player_id as playerId from redemptions').all() as Spent[];
  platform.close();
  const known = new Set(takeovers.flatMap(({ knownPlayers }) => [...knownPlayers]));
  return [
    ...orders.flatMap((order) => judgeOrder(order, known)),
    ...judgeSwallowed(orders),
    ...shops.flatMap((shop) => judgeSpent(shop, orders, spent, known)),
    ...judgeDirect(orders, spent),
    ...judgeHandedOut(orders, spent, takeovers),
    ...(await check(machine.folder)),
  ];
}

/** Whoever asks again has one code for it, of one login. */
function judgeOrder(order: Order, known: ReadonlySet<string>): string[] {
  const { kind, key, direct, answers, playerId } = order;
  const found: string[] = [];
  const codes = [...codesOf(order)];
  // Without a key a second request is a second order to whoever knows of the first.
  const isAmbiguous = key === undefined && known.has(playerId);
  if (codes.length > 1 && !isAmbiguous)
    found.push(`${nameOf(order)} was answered with ${formatAnswers(order)}`);
  const logins = new Set(answers.flatMap(({ login }) => login ?? []));
  if (logins.size > codes.length) found.push(`${nameOf(order)} has ${logins.size} logins`);
  const last = lastAnswer(order);
  const isServed =
    last === undefined ? key === undefined : last.status === 200 || isExpected(order, last.errorCode);
  if (!isServed) found.push(`${nameOf(order)} is answered with ${formatAnswers(order) || 'nothing'}`);
  if (kind === 'refused' && codes.length > 0) found.push(`${nameOf(order)} has a receipt`);
  if (direct !== undefined && codes.some((code) => code !== direct))
    found.push(`${nameOf(order)} has a receipt of ${codes.join()}`);
  return found;
}

const formatAnswers = ({ answers }: Order): string =>
  answers.map(({ at, status, code, errorCode }) => `${code ?? errorCode ?? status} at ${at}`).join(', ');

function isExpected({ kind, key, direct, answers, sent }: Order, errorCode: string | undefined): boolean {
  // Refused in the lost time: all that is known is that nothing was redeemed for it.
  if (kind === 'refused') return errorCode === 'CHARACTER_NOT_FOUND' || errorCode === 'UNKNOWN';
  const isUnheard = sent > answers.length;
  // Under way when the machine was lost, and never carried out: that is told, and the code is back.
  if (key !== undefined && isUnheard && errorCode === 'UNKNOWN') return answers.at(-1)?.isReturned === true;
  // Nobody can tell that it was theirs.
  return direct !== undefined && key === undefined && isUnheard && errorCode === 'CODE_USED';
}

/** No two orders have one code. */
function judgeSwallowed(orders: readonly Order[]): string[] {
  const owners = new Map<string, Order>();
  return orders.flatMap((order) =>
    [...codesOf(order)].flatMap((code) => {
      const other = owners.get(code);
      owners.set(code, order);
      return other ? [`${nameOf(order)} was swallowed: ${code} is the answer to ${nameOf(other)}`] : [];
    }),
  );
}

/** What was spent of a stock is somebody's. */
function judgeSpent(
  { stock, accountId }: Shop,
  orders: readonly Order[],
  spent: readonly Spent[],
  known: ReadonlySet<string>,
): string[] {
  const own = orders.filter(({ shop, kind }) => shop.accountId === accountId && kind !== 'extract');
  const ofPlayer = Map.groupBy(own, ({ playerId }) => playerId);
  const spentFor = Map.groupBy(
    spent.filter(({ code }) => stock.has(code)),
    ({ playerId }) => playerId,
  );
  return [...spentFor].flatMap(([playerId, rows]) => {
    const wanted = ofPlayer.get(playerId) ?? [];
    const answered = new Set(wanted.flatMap((order) => [...codesOf(order)]));
    const nobodys = rows.filter(({ code }) => !answered.has(code));
    // Known of, and asked for again without a key; or never asked for again.
    const silent = wanted.filter(
      (order) => order.key === undefined && order.sent > order.answers.length && known.has(playerId),
    );
    return nobodys.length <= silent.length
      ? []
      : [
          `${nobodys.map(({ code }) => code).join()} were spent for ${playerId} of ${accountId}, and are nobody's`,
        ];
  });
}

/** A code of the program's own that it was told to be free is not spent. */
function judgeDirect(orders: readonly Order[], spent: readonly Spent[]): string[] {
  const spentCodes = new Set(spent.map(({ code }) => code));
  return orders.flatMap((order) =>
    order.direct !== undefined && lastAnswer(order)?.isReturned === true && spentCodes.has(order.direct)
      ? [`${nameOf(order)} was told that nothing was redeemed, and ${order.direct} is spent`]
      : [],
  );
}

/** What was handed out has one buyer, and is not spent by us. */
function judgeHandedOut(
  orders: readonly Order[],
  spent: readonly Spent[],
  takeovers: readonly TakenOver[],
): string[] {
  const buyers = new Map<string, Order>();
  const spentCodes = new Set(spent.map(({ code }) => code));
  const found: string[] = [];
  for (const order of orders.filter(({ kind }) => kind === 'extract')) {
    for (const code of new Set(order.answers.flatMap(({ codes }) => codes))) {
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
    const wasAny = answer.status === 200 && answer.codes.length > 0;
    if (!next || !wasAny || next.codes.join() === answer.codes.join()) return [];
    const isLost = takeovers.some(({ asOf, backAt }) => answer.at >= asOf && answer.at <= backAt);
    const had = `had ${answer.codes.join()} at ${answer.at}, and then ${next.codes.join()} at ${next.at}`;
    return isLost ? [] : [`${nameOf(order)} ${had}`];
  });
}
