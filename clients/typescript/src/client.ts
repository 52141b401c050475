// The client: every verb of the service. What spends or hands out wants a key by its type; no outcome is thrown.
import type { components } from './api.ts';
import { createSend, type Answer, type ClientOptions, type NotAnswered, type Send } from './http.ts';

type Schemas = components['schemas'];
export type Receipt = Schemas['ActivationReceipt'];
export type ActivationError = Schemas['ActivationError'];
export type Order = Schemas['Order'];
/** Yours, 1 to 255 visible ASCII characters: the same for every repetition, another for another purchase. */
export interface Keyed {
  key: string;
}

/**
 * `inDoubt`: nobody knows yet whether the code is spent. Wait for it (`settled`); never redeem again under another key.
 */
export type Redeemed =
  | { status: 'redeemed'; receipt: Receipt; replayed: boolean }
  | { status: 'failed'; error: ActivationError; replayed: boolean }
  | { status: 'inDoubt'; error: ActivationError; replayed: boolean }
  | NotAnswered;

/** How long one request waits for a change, in seconds: the most that the service takes. */
const WAIT_SECONDS = 50;

const isActivation = (_status: number, body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'type' in body && 'id' in body;

export function createClient(options: ClientOptions) {
  const send = createSend(options);
  const read = <T>(path: string, query?: Record<string, string | number | undefined>) =>
    send<T>({ method: 'GET', path, isFree: true, ...(query && { query }) });
  const readRedemption = async (id: number, waitSeconds = 0): Promise<Redeemed> =>
    toRedeemed(await read<Receipt | ActivationError>(`/history/${id}`, { wait: waitSeconds || undefined }));

  return {
    /** Redeems one code, and waits for its end, up to 55 seconds. */
    redeem: async (request: Schemas['RedeemRequest'], { key }: Keyed): Promise<Redeemed> =>
      toRedeemed(await send({ method: 'POST', path: '/redeem', body: request, key, answers: isActivation })),

    /** The record of a redemption; `waitSeconds`: not before it changes, or so much later. */
    findRedemption: readRedemption,

    /**
     * Waits until a redemption is final; what is in doubt after `withinMs` (an hour when not told) is told as it is.
     */
    settled: (id: number, withinMs = 3_600_000): Promise<Redeemed> =>
      poll(
        withinMs,
        () => readRedemption(id, WAIT_SECONDS),
        ({ status }) => status === 'inDoubt',
      ),

    orders: createOrders(send),

    stock: {
      read: (gameId?: string) => read<Record<string, number>>('/db', { gameId }),
      add: (codes: Schemas['AddCodesRequest'], { key, gameId }: Keyed & { gameId?: string }) =>
        send<Schemas['AddedCodes']>({ method: 'POST', path: '/db', query: { gameId }, body: codes, key }),
      extract: (order: Schemas['ExtractRequest'], { key, gameId }: Keyed & { gameId?: string }) =>
        send<string[]>({ method: 'POST', path: '/db/extract', query: { gameId }, body: order, key }),
    },

    /** A quarter of an activation each. It is not sent again by itself: each costs. */
    findCharacter: (player: { gameId: string; playerId: string }) =>
      send<Schemas['Character']>({ method: 'GET', path: '/character', query: player }),

    quota: () => read<Schemas['Quota']>('/quota'),
  };
}

function createOrders(send: Send) {
  const find = (id: string, waitSeconds = 0) =>
    send<Order>({
      ...{ method: 'GET', path: `/orders/${id}`, isFree: true },
      query: { wait: waitSeconds || undefined },
    });
  return {
    /** Accepted at once; it ends by itself, whatever becomes of this process. The same key is the same order. */
    place: (order: Schemas['OrderRequest'], { key }: Keyed) =>
      send<Order>({ method: 'POST', path: '/orders', body: order, key }),
    find,
    list: (query: { reference?: string; state?: Order['state']; before?: string } = {}) =>
      send<Order[]>({ method: 'GET', path: '/orders', query, isFree: true }),
    /** Waits until it has ended; one that has not after `withinMs` (an hour when not told) is told as it is. */
    ended: (id: string, withinMs = 3_600_000): Promise<Answer<Order>> =>
      poll(
        withinMs,
        () => find(id, WAIT_SECONDS),
        (answer) => answer.status === 'ok' && answer.value.endedAt === undefined,
      ),
    /** Nothing more of it begins; what is under way goes on to its end. Safe to repeat. */
    cancel: (id: string) => send<Order>({ method: 'POST', path: `/orders/${id}/cancel`, isFree: true }),
    /** What is missing of a stopped one, once more. */
    resume: (id: string, { key, deadline }: Keyed & { deadline?: string }) =>
      send<Order>({ method: 'POST', path: `/orders/${id}/resume`, body: { deadline }, key }),
  };
}

function toRedeemed(answer: Answer<Receipt | ActivationError>): Redeemed {
  if (answer.status !== 'ok') return answer;
  const { value, replayed } = answer;
  if (value.type === 'ActivationReceipt') return { status: 'redeemed', receipt: value, replayed };
  return { status: value.settledAt === undefined ? 'inDoubt' : 'failed', error: value, replayed };
}

async function poll<T>(withinMs: number, ask: () => Promise<T>, goesOn: (answer: T) => boolean): Promise<T> {
  const endsAt = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (!goesOn(answer) || Date.now() >= endsAt) return answer;
  }
}
