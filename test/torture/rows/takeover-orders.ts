// What programs of two accounts want, and what they are answered: redemptions under a key and without, of regulars and
// of new players, codes of their own, players that do not exist, and codes that are taken out. Both accounts number
// their orders alike.
import type { Seeded } from '../../harness/seeded.ts';
import { pause } from '../../../src/waiting.ts';
import { HELD } from '../books.ts';
import { nextPlayer, redeem, takeOut, toSent, type Account, type Answer, type Sent } from '../client.ts';

export const DENOMINATION = 60;
const GAME_ID = 'game_id_1';
const REGULARS = 6;
const TRIES = 120;
const TRY_MS = 250;
const TICK_MS = 10;

const KINDS = { regular: 40, new: 42, refused: 3, direct: 10, extract: 5 };
/** `direct`: a code of the program's own. `extract`: codes are taken out. */
type Kind = keyof typeof KINDS;

export interface Shop extends Account {
  accountId: number;
  regulars: string[];
  /** The codes that were put into its database. */
  stock: Set<string>;
}

/** One thing that a program wants once, however often it asks for it. */
export interface Order extends Sent {
  shop: Shop;
  kind: Kind;
  /** Of what is taken out. */
  amount: number;
}

export interface Clients {
  shops: readonly Shop[];
  seeded: Seeded;
  orders: Order[];
}

export const newShop = (account: { accountId: number; apiKey: string }): Shop => ({
  ...account,
  regulars: Array.from({ length: REGULARS }, nextPlayer),
  stock: new Set(),
});

let numbers = 0;
export const nextKey = (): string => `order-${(numbers += 1)}`;

export function newOrder(
  shop: Shop,
  { kind, playerId, key, ...more }: Pick<Order, 'kind' | 'playerId' | 'key'> & Partial<Order>,
): Order {
  const what = more.codeOverride === undefined ? { denomination: DENOMINATION } : {};
  return { ...toSent({ gameId: GAME_ID, playerId, key, ...what }), shop, kind, amount: 0, ...more };
}

/** `keyed`: how many of a hundred have a key. Regulars always do: without one nobody could tell their orders apart. */
export function anyOrder({ shops, seeded, orders }: Clients, keyed: number): Order {
  const shop = seeded.pick(shops);
  const kind = seeded.weigh(KINDS);
  const key = kind === 'regular' || seeded.below(100) < keyed ? nextKey() : undefined;
  const player = kind === 'regular' ? seeded.pick(shop.regulars) : nextPlayer();
  const order = newOrder(shop, {
    ...{ kind, key, playerId: kind === 'refused' ? `404${player}` : player },
    ...(kind === 'direct' && { codeOverride: `60S${seeded.text(13)}` }),
    ...(kind === 'extract' && { amount: 1 + seeded.below(3) }),
  });
  orders.push(order);
  return order;
}

/** Asks once; what is answered is remembered. */
export async function send(url: string, order: Order): Promise<void> {
  const { kind, shop } = order;
  await (kind === 'extract' ? takeOut(url, shop, order, order.amount) : redeem(url, shop, order));
}

/** Asks until there is an answer that is final, for half a minute at most. */
export async function sendUntilFinal(url: string, order: Order): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await send(url, order);
    if (isFinal(order)) return;
    await pause(TRY_MS);
  }
}

export const lastAnswer = ({ answers }: Pick<Order, 'answers'>): Answer | undefined => answers.at(-1);

const text = ({ body }: Answer, name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
export const errorOf = (answer: Answer | undefined) => answer && text(answer, 'errorCode');
/** Of a receipt. */
export const codeOf = (answer: Answer) => (answer.status === 200 ? text(answer, 'code') : undefined);
export const loginOf = (answer: Answer) => (answer.status === 200 ? text(answer, 'email') : undefined);
/** Taken out. */
export const codesOf = ({ body }: Answer): string[] => (Array.isArray(body) ? (body as string[]) : []);

/** Nothing was touched. */
const FREED = ['NETWORK_ERROR', 'LOGIN_FAILED', 'NO_ACCOUNTS_AVAILABLE'];

/** Nobody asks again: whoever has a key does while nobody knows yet. */
export function isFinal(order: Order): boolean {
  const last = lastAnswer(order);
  const error = errorOf(last);
  if (!last || error === undefined) return last?.status === 200;
  const isHeld = HELD.includes(error) && last.body.settledAt === undefined && order.key !== undefined;
  return last.status === 503 && !isHeld && !FREED.includes(error);
}

/** Nothing was redeemed for it, and its code is back: in the stock, or free for whoever sent it. */
export function isReturned(order: Order): boolean {
  const { body }: Pick<Answer, 'body'> = lastAnswer(order) ?? { body: {} };
  const isOwn = order.codeOverride !== undefined && HELD.includes(body.errorCode);
  return body.settledAt !== undefined && (body.codeReset === true || isOwn);
}

export interface Traffic {
  /** No more is begun; resolves when all that was begun has ended. */
  end(): Promise<void>;
}

/** So many orders a second. */
export function startTraffic(perSecond: number, sendOne: () => Promise<void>): Traffic {
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) * perSecond) / 1000;
    while (underWay.length < due) underWay.push(sendOne());
  }, TICK_MS);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
