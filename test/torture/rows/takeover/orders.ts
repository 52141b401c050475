// What programs of two accounts want, and what they are answered: redemptions under a key and without, of regulars and
// of new players, codes of their own, players that do not exist, and codes that are taken out. Both accounts number
// their orders alike.
import { pause } from '../../../../src/waiting.ts';
import { ask, nextPlayer, type Account } from '../../client.ts';
import type { Seeded } from '../../../harness/seeded.ts';

const GAME_ID = 'game_id_1';
export const DENOMINATION = 60;
const REGULARS = 6;
const TRIES = 120;
const TRY_MS = 250;
const TICK_MS = 10;

/** `direct`: a code of the program's own. `extract`: codes are taken out. */
type Kind = 'regular' | 'new' | 'refused' | 'direct' | 'extract';

export interface Shop extends Account {
  accountId: number;
  regulars: string[];
  /** The codes that were put into its database. */
  stock: Set<string>;
}

export interface OrderAnswer {
  at: number;
  status: number;
  errorCode: string | undefined;
  /** Of a receipt. */
  code: string | undefined;
  login: string | undefined;
  /** That were taken out. */
  codes: string[];
  isFinal: boolean;
  /** Nothing was redeemed for it, and its code is back: in the stock, or free for whoever sent it. */
  isReturned: boolean;
}

/** One thing that a program wants once, however often it asks for it. */
export interface Order {
  shop: Shop;
  kind: Kind;
  key: string | undefined;
  playerId: string;
  direct: string | undefined;
  amount: number;
  answers: OrderAnswer[];
  sent: number;
}

export interface Clients {
  shops: readonly Shop[];
  seeded: Seeded;
  orders: Order[];
}

const KINDS: Record<Kind, number> = { regular: 40, new: 42, refused: 3, direct: 10, extract: 5 };

let numbers = 0;

/** `keyed`: how many of a hundred have a key. Regulars always do: without one nobody could tell their orders apart. */
export function anyOrder({ shops, seeded, orders }: Clients, keyed: number): Order {
  const shop = seeded.pick(shops);
  const kind = seeded.weigh(KINDS);
  const key = kind === 'regular' || seeded.below(100) < keyed ? `order-${(numbers += 1)}` : undefined;
  const playerId = kind === 'regular' ? seeded.pick(shop.regulars) : nextPlayer();
  const order = newOrder(shop, { kind, key, playerId });
  if (kind === 'refused') order.playerId = `404${order.playerId}`;
  if (kind === 'direct') order.direct = `60S${seeded.text(13)}`;
  if (kind === 'extract') order.amount = 1 + seeded.below(3);
  orders.push(order);
  return order;
}

export function newOrder(shop: Shop, wanted: Pick<Order, 'kind' | 'key' | 'playerId'>): Order {
  return { shop, ...wanted, direct: undefined, amount: 0, answers: [], sent: 0 };
}

export const newShop = (account: { accountId: number; apiKey: string }): Shop => ({
  ...account,
  regulars: Array.from({ length: REGULARS }, nextPlayer),
  stock: new Set(),
});

export const nextKey = (): string => `order-${(numbers += 1)}`;

export const lastAnswer = ({ answers }: Order): OrderAnswer | undefined => answers.at(-1);

/** Asks once; what is answered is remembered. */
export async function send(url: string, order: Order): Promise<void> {
  const { shop, kind, key, playerId, direct, amount } = order;
  order.sent += 1;
  const isTaken = kind === 'extract';
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const bought = direct === undefined ? { denomination: DENOMINATION } : { codeOverride: direct };
  const body = isTaken ? { denomination: DENOMINATION, amount } : { gameId: GAME_ID, playerId, ...bought };
  try {
    const path = isTaken ? `/db/extract?gameId=${GAME_ID}` : '/redeem';
    const { status, body: told } = await ask(url, shop, 'POST', path, { body, headers });
    order.answers.push(readAnswer(status, told, order));
  } catch {
    // The machine is gone: nobody knows what became of it.
  }
}

function readAnswer(
  status: number,
  told: Record<string, unknown>,
  { kind, key, direct }: Order,
): OrderAnswer {
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : undefined);
  const isReceipt = status === 200 && kind !== 'extract';
  const errorCode = text('errorCode');
  const isDirect = direct !== undefined;
  const isDoubted = HELD.includes(errorCode ?? '');
  const isHeld = isDoubted && told.settledAt === undefined && key !== undefined;
  const isFreed = FREED.includes(errorCode ?? '');
  return {
    at: Date.now(),
    status,
    errorCode,
    code: isReceipt ? text('code') : undefined,
    login: isReceipt ? text('email') : undefined,
    isReturned: told.settledAt !== undefined && (told.codeReset === true || (isDirect && isDoubted)),
    codes: Array.isArray(told) ? (told as string[]) : [],
    isFinal: status === 200 || (status === 503 && errorCode !== undefined && !isHeld && !isFreed),
  };
}

/** Nobody knows yet. Whoever has no key does not ask again. */
const HELD = ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'];
/** Nothing was touched. */
const FREED = ['NETWORK_ERROR', 'LOGIN_FAILED', 'NO_ACCOUNTS_AVAILABLE'];

/** Asks until there is an answer that is final, for half a minute at most. */
export async function sendUntilFinal(url: string, order: Order): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await send(url, order);
    if (lastAnswer(order)?.isFinal) return;
    await pause(TRY_MS);
  }
}

export interface Traffic {
  /** No more is begun. */
  end(): void;
  /** When all that was begun has ended. */
  ended(): Promise<void>;
}

/** So many orders a second, each sent once. */
export function startTraffic(
  url: string,
  next: () => Order,
  { perSecond, send: sendOne }: { perSecond: number; send: (url: string, order: Order) => Promise<void> },
): Traffic {
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) * perSecond) / 1000;
    while (underWay.length < due) underWay.push(sendOne(url, next()));
  }, TICK_MS);
  return {
    end: () => clearInterval(timer),
    ended: async () => void (await Promise.all(underWay)),
  };
}
