// The client: every verb of the service. What spends or hands out wants a key by its type; no outcome is thrown.
import type { components } from './api.ts';
import { createSend, doubted, type Answer, type ClientOptions, type NotAnswered, type Send } from './http.ts';

type Schemas = components['schemas'];
export type Receipt = Schemas['ActivationReceipt'];
export type ActivationError = Schemas['ActivationError'];
export type Order = Schemas['Order'];
export type Claim = Schemas['Claim'];
/** Yours, 1 to 255 visible ASCII characters: the same for every repetition, another for another purchase. */
export interface Keyed {
  key: string;
}

/**
 * `inDoubt`: nobody knows yet whether the code is spent. Wait for it (`settled`); never redeem again under another key.
 */
export type Redeemed =
  | { status: 'redeemed'; receipt: Receipt; replayed: boolean }
  | { status: 'failed' | 'inDoubt'; error: ActivationError; replayed: boolean }
  | NotAnswered;

/** How long one request waits for a change, in seconds: the most that the service takes. */
const WAIT_SECONDS = 50;
const HOUR_MS = 3_600_000;

type InGame = Keyed & { gameId?: string };

export function createClient(options: ClientOptions) {
  const send = createSend(options);
  const findRedemption = async (id: number, wait?: number): Promise<Redeemed> =>
    toRedeemed(await send({ method: 'GET', path: `/history/${id}`, query: { wait }, isFree: true }));

  return {
    /** Redeems one code, and waits for its end, up to 55 seconds. */
    redeem: async (body: Schemas['RedeemRequest'], { key }: Keyed): Promise<Redeemed> =>
      toRedeemed(await send({ method: 'POST', path: '/redeem', body, key })),
    /** The record of a redemption; `wait`: not before it changes, or so many seconds later. */
    findRedemption,
    /** Waits until it is final; what is in doubt after `withinMs` is told as it is. */
    settled: (id: number, withinMs = HOUR_MS): Promise<Redeemed> =>
      poll(withinMs, () => findRedemption(id, WAIT_SECONDS), isInDoubt),

    /** Redemptions, a hundred at most: the newest first, or those after a time, the oldest of them first. */
    history: (query: { before?: string; after?: string } = {}) =>
      send<Schemas['HistoryEntry'][]>({ method: 'GET', path: '/history', query, isFree: true }),
    /** `date`: a day in UTC, `2026-01-13`; today's when not told. */
    statistics: (query: { gameId?: string; date?: string } = {}) =>
      send<Schemas['Statistics']>({ method: 'GET', path: '/stats', query, isFree: true }),

    orders: createOrders(send),
    claims: createClaims(send),

    stock: {
      read: (gameId?: string) =>
        send<Record<string, number>>({ method: 'GET', path: '/db', query: { gameId }, isFree: true }),
      add: (body: Schemas['AddCodesRequest'], { key, gameId }: InGame) =>
        send<Schemas['AddedCodes']>({ method: 'POST', path: '/db', query: { gameId }, body, key }),
      extract: (body: Schemas['ExtractRequest'], { key, gameId }: InGame) =>
        send<string[]>({ method: 'POST', path: '/db/extract', query: { gameId }, body, key }),
      extractions: (query: { gameId?: string; before?: string } = {}) =>
        send<Schemas['ExtractionEntry'][]>({ method: 'GET', path: '/db/extractions', query, isFree: true }),
      /** The codes of an extraction, once more. */
      findExtraction: (id: number) =>
        send<string[]>({ method: 'GET', path: `/db/extractions/${id}`, isFree: true }),
    },

    webhooks: createWebhooks(send),

    /** A quarter of an activation each. It is not sent again by itself: each costs. */
    findCharacter: (query: { gameId: string; playerId: string }) =>
      send<Schemas['Character']>({ method: 'GET', path: '/character', query }),

    /** When a code was redeemed, and by whom: an activation each. It is not sent again by itself, either. */
    findRedemptionTime: (body: { gameId: string; code: string }) =>
      send<Schemas['RedemptionTime']>({ method: 'POST', path: '/redemption-time', body }),

    quota: () => send<Schemas['Quota']>({ method: 'GET', path: '/quota', isFree: true }),
  };
}

function createOrders(send: Send) {
  const find = (id: string, wait?: number) =>
    send<Order>({ method: 'GET', path: `/orders/${id}`, query: { wait }, isFree: true });
  return {
    /** Accepted at once; it ends by itself, whatever becomes of this process. The same key is the same order. */
    place: (body: Schemas['OrderRequest'], { key }: Keyed) =>
      send<Order>({ method: 'POST', path: '/orders', body, key }),
    /** `wait`: not before it changes, or so many seconds later. */
    find,
    list: (query: { reference?: string; state?: Order['state']; before?: string } = {}) =>
      send<Order[]>({ method: 'GET', path: '/orders', query, isFree: true }),
    /** Waits until it has ended; one that has not after `withinMs` is told as it is. */
    ended: (id: string, withinMs = HOUR_MS): Promise<Answer<Order>> =>
      poll(withinMs, () => find(id, WAIT_SECONDS), goesOn),
    /** Nothing more of it begins; what is under way goes on to its end. Safe to repeat. */
    cancel: (id: string) => send<Order>({ method: 'POST', path: `/orders/${id}/cancel`, isFree: true }),
    /** What is missing of a stopped one, once more. */
    resume: (id: string, { key, deadline }: Keyed & { deadline?: string }) =>
      send<Order>({ method: 'POST', path: `/orders/${id}/resume`, body: { deadline }, key }),
  };
}

function createClaims(send: Send) {
  const change = (id: string, act: string) =>
    send<Claim>({ method: 'POST', path: `/claims/${id}/${act}`, isFree: true });
  return {
    /** Links to sell, told here alone: the same key tells the same links, as they are then. */
    issue: (body: Schemas['ClaimsRequest'], { key }: Keyed) =>
      send<Schemas['IssuedClaims']>({ method: 'POST', path: '/claims', body, key }),
    find: (id: string) => send<Claim>({ method: 'GET', path: `/claims/${id}`, isFree: true }),
    /** A hundred at most, the newest first; `before`: the id of a claim, for those that are older. */
    list: (query: { state?: Claim['state']; reference?: string; before?: string } = {}) =>
      send<Claim[]>({ method: 'GET', path: '/claims', query, isFree: true }),
    /** Ends a link that nobody has used. Safe to repeat. */
    revoke: (id: string) => change(id, 'revoke'),
    /** A stuck one waits for a player once more. */
    reopen: (id: string) => change(id, 'reopen'),
  };
}

function createWebhooks(send: Send) {
  const change = <T>(path: string) => send<T>({ method: 'POST', path: `/webhooks/${path}`, isFree: true });
  return {
    /** The answer is the only place where the signing secret stands, so it is not sent again by itself. */
    add: (body: Schemas['AddWebhookRequest']) =>
      send<Schemas['AddedWebhook']>({ method: 'POST', path: '/webhooks', body }),
    list: () => send<Schemas['Webhook'][]>({ method: 'GET', path: '/webhooks', isFree: true }),
    remove: (id: number) => send<undefined>({ method: 'DELETE', path: `/webhooks/${id}` }),
    /** Sends it a message that means nothing. */
    test: (id: number) => send<Schemas['WebhookDelivery']>({ method: 'POST', path: `/webhooks/${id}/test` }),
    enable: (id: number) => change<Schemas['Webhook']>(`${id}/enable`),
    /** The newest first; the next page is that of `before` the last of this one. */
    deliveries: (id: number, query: { before?: number; state?: Schemas['WebhookDelivery']['state'] } = {}) =>
      send<Schemas['WebhookDelivery'][]>({
        ...{ method: 'GET', path: `/webhooks/${id}/deliveries`, query, isFree: true },
      }),
    retry: (id: number, delivery: number) =>
      change<Schemas['WebhookDelivery']>(`${id}/deliveries/${delivery}/retry`),
  };
}

function toRedeemed(answer: Answer<Receipt | ActivationError>): Redeemed {
  if (answer.status !== 'ok') return answer;
  const { value, replayed } = answer;
  if (value.type === 'ActivationReceipt') return { status: 'redeemed', receipt: value, replayed };
  return { status: value.settledAt === undefined ? 'inDoubt' : 'failed', error: value, replayed };
}

const isInDoubt = ({ status }: Redeemed) => status === 'inDoubt';
const goesOn = (answer: Answer<Order>) => answer.status === 'ok' && answer.value.endedAt === undefined;

/** What is waited for was begun, whoever may not read it any more. */
async function poll<T extends { status: string }>(
  withinMs: number,
  ask: () => Promise<T>,
  isOpen: (answer: T) => boolean,
) {
  const endsAt = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (!isOpen(answer) || Date.now() >= endsAt) return doubted(answer);
  }
}
