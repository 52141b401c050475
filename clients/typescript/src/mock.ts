// The service in this process, for a shop's own tests: its wire and its magic codes, without a socket or a disk. A
// doubt ends at the first look after it. What needs hours (a stock that is filled, a quota that comes back) stops an
// order at once.
import type { ActivationError, Order, Receipt } from './client.ts';

type ErrorCode = ActivationError['errorCode'];
type Activation = Receipt | ActivationError;
type Entry = { denomination?: number | string; count?: number; codeOverride?: string };
type Body = Entry &
  Pick<Order, 'gameId' | 'playerId' | 'reference'> & { items?: Entry[]; amount?: number; onBadCode?: string };
type Answer = [status: number, body: Activation | Order | Order[] | { error: string; errorCode?: string }];

const REFUSALS: Record<string, ErrorCode> = {
  ...{ USED: 'CODE_USED', INVALID: 'INVALID_CODE', RISK: 'RISK_CONTROL', LOGIN: 'LOGIN_FAILED' },
  ...{ NOACCOUNT: 'NO_ACCOUNTS_AVAILABLE', DOWN: 'NETWORK_ERROR' },
};
const SILENT = /^(?:TIMEOUT|GARBLED|LATE|MUTE|LOST)/;
/** Final at once and not charged: their key begins anew. */
const UNCHARGED = /^(?:NETWORK_ERROR|LOGIN_FAILED|NO_ACCOUNTS_AVAILABLE|NO_CODES_AVAILABLE)$/;
const NOT_FOUND: Answer = [404, { error: 'There is no such thing.' }];

/** `fetch` is for the client's options. */
export class Mock {
  /** Codes of the database, by denomination; the first is taken next. */
  readonly stock = new Map<number, string[]>();
  /** Every redemption that was carried out: no code is twice in it. */
  readonly spent: { code: string; playerId: string }[] = [];
  readonly #records: Activation[] = [];
  readonly #orders = new Map<string, { order: Order; entries: Entry[]; body: Body }>();
  readonly #keys = new Map<string, { request: string; told: Activation | Order }>();

  #spend({ errorCode: _error, codeReset: _reset, code = '', ...base }: ActivationError): Receipt {
    this.spent.push({ code, playerId: base.playerId });
    const told = {
      name: `Player ${base.playerId}`,
      openid: `openid-${base.playerId}`,
      warning: false,
      took: 5,
    };
    const amount = Number(/^(\d+)S/.exec(code)?.[1] ?? 60);
    return { ...base, type: 'ActivationReceipt', code, ...told, amount, settledAt: now() };
  }

  #redeem({ gameId, playerId, denomination, codeOverride }: Body): Activation {
    const shelf = this.stock.get(Number(denomination)) ?? [];
    const code = codeOverride ?? shelf.shift();
    const refusal = Object.entries(REFUSALS).find(([prefix]) => code?.startsWith(prefix))?.[1];
    const isUsed = refusal === undefined && this.spent.some((one) => one.code === code);
    const errorCode = code === undefined ? 'NO_CODES_AVAILABLE' : isUsed ? 'CODE_USED' : refusal;
    const codeReset = codeOverride === undefined && errorCode !== undefined && !errorCode.includes('CODE');
    if (codeReset && code !== undefined) shelf.unshift(code);
    const open: ActivationError = {
      ...{
        type: 'ActivationError',
        id: this.#records.length + 1,
        createdAt: now(),
        gameId,
        playerId,
        codeReset,
      },
      ...{ errorCode: errorCode ?? 'UNKNOWN', ...(code !== undefined && { code }) },
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
    return (this.#records[id - 1] = record.code?.startsWith('LOST')
      ? { ...record, settledAt: now() }
      : this.#spend(record));
  }

  #place(body: Body): Answer {
    const wanted = body.items ?? this.#compose(body.amount ?? 0);
    if (!wanted) return [409, { error: 'No codes make this amount.', errorCode: 'NO_COMPOSITION' }];
    const entries = wanted.flatMap(({ count = 1, ...entry }) => Array<Entry>(count).fill(entry));
    const items = entries.map((_entry, index) => ({ n: index + 1, state: 'waiting' as const }));
    const { gameId, playerId, reference } = body;
    const order: Order = {
      ...{ type: 'Order', id: `ord_${this.#orders.size + 1}`, state: 'running', gameId, playerId, items },
      ...{ createdAt: now(), run: 1, wanted: { codes: entries.length }, redeemed: { codes: 0, amount: 0 } },
      ...{ open: 0, failed: 0, ...(reference !== undefined && { reference }) },
    };
    this.#orders.set(order.id, { order, entries, body });
    return [202, this.#advance(order.id) ?? order];
  }

  /** Of the largest codes first. */
  #compose(amount: number): Entry[] | undefined {
    const entries = [...this.stock]
      .toSorted(([one], [other]) => other - one)
      .flatMap(([denomination, { length }]) => {
        const count = Math.min(length, Math.floor(amount / denomination));
        amount -= count * denomination;
        return count > 0 ? [{ denomination, count }] : [];
      });
    return amount === 0 ? entries : undefined;
  }

  /** Begins what is next of an order, as far as no doubt stands in its way. */
  #advance(id: string): Order | undefined {
    const { order, entries = [], body } = this.#orders.get(id) ?? {};
    if (!order || !body || order.endedAt !== undefined) return order;
    for (const item of order.items) {
      if (item.state === 'redeemed' || item.state === 'failed') continue;
      const entry = entries[item.n - 1] ?? {};
      const isBegun = item.redemptionId !== undefined;
      if (order.state === 'cancelled' && !isBegun) continue;
      const record =
        item.redemptionId === undefined ? this.#redeem({ ...body, ...entry }) : this.#look(item.redemptionId);
      if (record) item.redemptionId = record.id;
      if (record?.type === 'ActivationReceipt')
        Object.assign(item, { state: 'redeemed', amount: record.amount });
      else if (record?.settledAt === undefined)
        return Object.assign(order, { state: 'waiting', waitsFor: 'doubt' });
      else if (entry.codeOverride !== undefined && record.errorCode.includes('CODE')) item.state = 'failed';
      else if (record.errorCode === 'INVALID_CODE' && body.onBadCode !== 'stop') {
        delete item.redemptionId;
        return this.#advance(id);
      } else
        return this.#end(order, 'stopped', record.errorCode === 'CODE_USED' ? 'DOUBT' : record.errorCode);
    }
    if (order.state === 'cancelled') return this.#end(order, 'cancelled');
    return order.items.every(({ state }) => state === 'redeemed')
      ? this.#end(order, 'done')
      : this.#end(order, 'stopped', 'ITEMS_FAILED');
  }

  #end(order: Order, state: Order['state'], reason?: string): Order {
    const done = order.items.filter((item) => item.state === 'redeemed');
    for (const item of order.items) if (item.state === 'waiting') item.state = 'missing';
    delete order.waitsFor;
    const redeemed = { codes: done.length, amount: done.reduce((sum, { amount = 0 }) => sum + amount, 0) };
    return Object.assign(order, { state, endedAt: now(), redeemed, ...(reason !== undefined && { reason }) });
  }

  #change(id: string, isCancel: boolean): Answer {
    const kept = this.#orders.get(id);
    if (!kept) return NOT_FOUND;
    const { order } = kept;
    if (isCancel && order.endedAt === undefined) order.state = 'cancelled';
    if (isCancel) return [202, this.#advance(id) ?? order];
    if (order.state !== 'stopped') return [409, { error: 'It is not stopped.', errorCode: 'NOT_STOPPED' }];
    const { endedAt: _endedAt, reason: _reason, ...rest } = order;
    const items = order.items.map(({ n, ...item }) =>
      item.state === 'redeemed' ? { n, ...item } : { n, state: 'waiting' as const },
    );
    kept.order = { ...rest, state: 'running', run: order.run + 1, items };
    return [202, this.#advance(id) ?? kept.order];
  }

  #answer(method: string, path: string, body: Body): Answer {
    const [, noun = '', id = '', verb] = path.split('/');
    const record =
      noun === 'redeem' ? this.#redeem(body) : noun === 'history' ? this.#look(Number(id)) : undefined;
    if (record) return [noun === 'history' || record.type === 'ActivationReceipt' ? 200 : 503, record];
    if (noun !== 'orders') return NOT_FOUND;
    if (method === 'POST') return id === '' ? this.#place(body) : this.#change(id, verb === 'cancel');
    if (id === '') return [200, [...this.#orders.values()].map(({ order }) => order).reverse()];
    const order = this.#advance(id);
    return order ? [200, order] : NOT_FOUND;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const key = request.headers.get('idempotency-key');
    const kept = this.#keys.get(key ?? '');
    if (kept && kept.request !== pathname + text) {
      const problem = { error: 'Another request had this key.', errorCode: 'IDEMPOTENCY_KEY_REUSED' };
      return Response.json(problem, { status: 422 });
    }
    if (kept) {
      const { told } = kept;
      const stands = told.type === 'Order' ? (this.#advance(told.id) ?? told) : (this.#look(told.id) ?? told);
      const status = stands.type === 'ActivationError' ? 503 : 200;
      return Response.json(stands, { status, headers: { 'idempotency-replayed': 'true' } });
    }
    const [status, body] = this.#answer(request.method, pathname, JSON.parse(text || '{}') as Body);
    const isFree = !('type' in body) || (body.type === 'ActivationError' && UNCHARGED.test(body.errorCode));
    if (key !== null && !isFree) this.#keys.set(key, { request: pathname + text, told: body });
    return Response.json(body, { status });
  };
}

const now = () => new Date().toISOString();
