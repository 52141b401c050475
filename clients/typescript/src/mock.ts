// The service in this process, for a shop's own tests: its wire and its magic codes, without a socket or a disk. A
// doubt ends at the first look after it. What needs hours (a stock that is filled, a quota that comes back) stops an
// order at once.
import type { ActivationError, Order, Receipt } from './client.ts';

type Activation = Receipt | ActivationError;
type Entry = { denomination?: number | string; count?: number; codeOverride?: string };
type Body = Entry &
  Pick<Order, 'gameId' | 'playerId' | 'reference'> & { items?: Entry[]; amount?: number; onBadCode?: string };
type Answer = [status: number, body: Activation | Order | Order[] | { error: string; errorCode?: string }];

const REFUSALS: Record<string, ActivationError['errorCode']> = {
  ...{ USED: 'CODE_USED', INVALID: 'INVALID_CODE', RISK: 'RISK_CONTROL', LOGIN: 'LOGIN_FAILED' },
  ...{ NOACCOUNT: 'NO_ACCOUNTS_AVAILABLE', DOWN: 'NETWORK_ERROR' },
};
const SILENT = /^(?:TIMEOUT|GARBLED|LATE|MUTE|LOST)/;
/** Another player's, or none: the next one follows. */
const BAD_CODE = /^(?:INVALID_CODE|CODE_USED)$/;
/** Final at once and not charged: their key begins anew. */
const UNCHARGED = /^(?:NETWORK_ERROR|LOGIN_FAILED|NO_ACCOUNTS_AVAILABLE|NO_CODES_AVAILABLE)$/;

/** `fetch` is for the client's options. */
export class Mock {
  /** Codes of the database, by denomination; the first is taken next. */
  readonly stock = new Map<number, string[]>();
  /** Every redemption that was carried out: no code is twice in it. */
  readonly spent: { code: string; playerId: string }[] = [];
  readonly #records: Activation[] = [];
  readonly #orders: { order: Order; entries: Entry[]; body: Body }[] = [];
  readonly #keys = new Map<string, { request: string; path: string }>();
  #answered = 0;

  #spend({ errorCode: _error, codeReset: _reset, code = '', ...base }: ActivationError): Receipt {
    const { playerId } = base;
    this.spent.push({ code, playerId });
    const told = { name: `Player ${playerId}`, openid: `openid-${playerId}`, warning: false, took: 5 };
    const amount = Number(/^(\d+)S/.exec(code)?.[1] ?? 60);
    return { ...base, ...told, type: 'ActivationReceipt', code, amount, settledAt: now() };
  }

  #redeem({ gameId, playerId, denomination, codeOverride }: Entry & Body): Activation {
    const shelf = this.stock.get(Number(denomination)) ?? [];
    const code = codeOverride ?? shelf.shift();
    const refusal = Object.entries(REFUSALS).find(([prefix]) => code?.startsWith(prefix))?.[1];
    const used = this.spent.some((one) => one.code === code) ? 'CODE_USED' : undefined;
    const errorCode = code === undefined ? 'NO_CODES_AVAILABLE' : (refusal ?? used);
    const codeReset = codeOverride === undefined && errorCode !== undefined && !errorCode.includes('CODE');
    if (codeReset && code !== undefined) shelf.unshift(code);
    const open: ActivationError = {
      ...{ type: 'ActivationError', id: this.#records.length + 1, createdAt: now(), gameId, playerId },
      ...{ codeReset, errorCode: errorCode ?? 'UNKNOWN', ...(code !== undefined && { code }) },
    };
    const isSilent = SILENT.test(code ?? '');
    const record = errorCode ? { ...open, settledAt: now() } : isSilent ? open : this.#spend(open);
    this.#records.push(record);
    return record;
  }

  /** The record as it stands; a doubt ends by being looked at. */
  #look(id: number): Activation | undefined {
    const record = this.#records[id - 1];
    if (record?.type !== 'ActivationError' || record.settledAt !== undefined) return record;
    const isLost = record.code?.startsWith('LOST');
    return (this.#records[id - 1] = isLost ? { ...record, settledAt: now() } : this.#spend(record));
  }

  #place(body: Body): Answer {
    const wanted = body.items ?? this.#compose(body.amount ?? 0);
    if (!wanted) return [409, { error: 'No codes make this amount.', errorCode: 'NO_COMPOSITION' }];
    const entries = wanted.flatMap(({ count = 1, ...entry }) => Array<Entry>(count).fill(entry));
    const items = entries.map((_entry, index) => ({ n: index + 1, state: 'waiting' as const }));
    const { gameId, playerId, reference } = body;
    const order: Order = {
      ...{ type: 'Order', id: `ord_${this.#orders.length + 1}`, state: 'running', gameId, playerId, items },
      ...{ createdAt: now(), run: 1, wanted: { codes: entries.length }, redeemed: { codes: 0, amount: 0 } },
      ...{ open: 0, failed: 0, ...(reference !== undefined && { reference }) },
    };
    this.#orders.push({ order, entries, body });
    return [202, this.#read(order.id) ?? order];
  }

  /** Of the largest codes first. */
  #compose(amount: number): Entry[] | undefined {
    const shelves = [...this.stock].toSorted(([one], [other]) => other - one);
    const entries = shelves.map(([denomination, { length }]) => {
      const count = Math.min(length, Math.floor(amount / denomination));
      amount -= count * denomination;
      return { denomination, count };
    });
    return amount === 0 ? entries : undefined;
  }

  /** An order, after what is next of it was begun, as far as no doubt stands in its way. */
  #read(id: string): Order | undefined {
    const { order, entries = [], body } = this.#orders.find((one) => one.order.id === id) ?? {};
    if (!order || !body || order.endedAt !== undefined) return order;
    for (const item of order.items) {
      const entry = entries[item.n - 1] ?? {};
      while (item.state !== 'redeemed' && item.state !== 'failed') {
        if (order.state === 'cancelled' && item.redemptionId === undefined) break;
        const record = this.#look(item.redemptionId ?? 0) ?? this.#redeem({ ...body, ...entry });
        item.redemptionId = record.id;
        if (record.settledAt === undefined)
          return Object.assign(order, { state: 'waiting', waitsFor: 'doubt' });
        if (record.type === 'ActivationReceipt')
          Object.assign(item, { state: 'redeemed', amount: record.amount });
        else if (entry.codeOverride !== undefined && record.errorCode.includes('CODE')) item.state = 'failed';
        else if (BAD_CODE.test(record.errorCode) && body.onBadCode !== 'stop') delete item.redemptionId;
        else return end(order, 'stopped', record.errorCode);
      }
    }
    if (order.items.every(({ state }) => state === 'redeemed')) return end(order, 'done');
    return order.state === 'cancelled' ? end(order, 'cancelled') : end(order, 'stopped', 'ITEMS_FAILED');
  }

  #change(order: Order, verb?: string): Answer {
    if (verb === 'cancel') order.state = order.endedAt === undefined ? 'cancelled' : order.state;
    else if (order.state !== 'stopped')
      return [409, { error: 'It is not stopped.', errorCode: 'NOT_STOPPED' }];
    else {
      for (const item of order.items)
        if (item.state !== 'redeemed') Object.assign(item, { state: 'waiting', redemptionId: undefined });
      Object.assign(order, { state: 'running', run: order.run + 1, endedAt: undefined, reason: undefined });
    }
    return [202, this.#read(order.id) ?? order];
  }

  #list(query: URLSearchParams): Order[] {
    const [reference, state] = [query.get('reference'), query.get('state')];
    const isAsked = (order: Order) =>
      (reference === null || order.reference === reference) && (state === null || order.state === state);
    return this.#orders
      .map(({ order }) => order)
      .filter(isAsked)
      .reverse();
  }

  #answer(method: string, path: string, query: URLSearchParams, body: Body): Answer {
    const [, noun, id = '', verb] = path.split('/');
    if (noun === 'redeem') return [200, this.#redeem(body)];
    if (noun === 'orders' && id === '')
      return method === 'POST' ? this.#place(body) : [200, this.#list(query)];
    const found = noun === 'orders' ? this.#read(id) : noun === 'history' && this.#look(Number(id));
    if (!found) return [404, { error: 'There is no such thing.' }];
    return found.type === 'Order' && method === 'POST' ? this.#change(found, verb) : [200, found];
  }

  /** What each answer of the service carries, and none of a proxy. */
  #mark(): Record<string, string> {
    return { 'x-request-id': `mock-${(this.#answered += 1)}` };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const key = request.headers.get('idempotency-key');
    const kept = this.#keys.get(key ?? '');
    if (kept && kept.request !== pathname + text) {
      const problem = { error: 'Another request had this key.', errorCode: 'IDEMPOTENCY_KEY_REUSED' };
      return Response.json(problem, { status: 422, headers: this.#mark() });
    }
    const [method, path] = kept ? ['GET', kept.path] : [request.method, pathname];
    const [status, body] = this.#answer(method, path, searchParams, JSON.parse(text || '{}') as Body);
    const headers = { ...this.#mark(), ...(kept && { 'idempotency-replayed': 'true' }) };
    if (!('type' in body)) return Response.json(body, { status, headers });
    const isError = body.type === 'ActivationError';
    if (key !== null && !kept && !(isError && UNCHARGED.test(body.errorCode))) {
      const at = `/${body.type === 'Order' ? 'orders' : 'history'}/${body.id}`;
      this.#keys.set(key, { request: pathname + text, path: at });
    }
    return Response.json(body, { status: isError && pathname === '/redeem' ? 503 : status, headers });
  };
}

/** What is not redeemed of it is missing. */
function end(order: Order, state: Order['state'], reason?: string): Order {
  const done = order.items.filter((item) => item.state === 'redeemed');
  for (const item of order.items) if (item.state === 'waiting') item.state = 'missing';
  delete order.waitsFor;
  const redeemed = { codes: done.length, amount: done.reduce((sum, { amount = 0 }) => sum + amount, 0) };
  return Object.assign(order, { state, endedAt: now(), redeemed, ...(reason !== undefined && { reason }) });
}

const now = () => new Date().toISOString();
