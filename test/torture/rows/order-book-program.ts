// A shop's program over orders, written from /docs alone: nothing here knows the service but by its HTTP interface.
const PAUSE_MS = 50;

export interface Invoice {
  /** Of the payment, made before anything is sent. */
  id: string;
  playerId: string;
  amount: number;
}

/** As `GET /orders/{id}` tells it. */
export interface Order {
  id: string;
  state: string;
  reason?: string;
  endedAt?: string;
  run: number;
  wanted: { codes: number; amount: number };
  redeemed: { codes: number; amount: number };
  missing?: { denomination: number; count: number }[];
}

export interface Shop {
  base: string;
  key: string;
}

/** Asks until an answer is there that is the service's own, whole and final. */
async function insist(shop: Shop, path: string, init: { method?: string; body?: object; key?: string } = {}) {
  const { method = 'GET', body, key } = init;
  const headers = {
    authorization: `Bearer ${shop.key}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  for (;;) {
    try {
      const answer = await fetch(`${shop.base}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const json = JSON.parse(text) as { error?: unknown };
      if (answer.ok) return { status: answer.status, json };
      const isOwn = typeof json.error === 'string' && answer.headers.has('x-request-id');
      const isLater = answer.status === 408 || answer.status === 429 || answer.status >= 500;
      if (isOwn && !isLater) return { status: answer.status, json };
    } catch {
      // It broke on the way, or a proxy put a page in its place: the same request once more.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Places it once, and waits for its end; what is missing of a stopped one is begun `resumes` times more. */
export async function fulfil(shop: Shop, { id, playerId, amount }: Invoice, resumes = 3): Promise<Order> {
  const body = { gameId: 'game_id_1', playerId, amount, onShortage: 'wait', reference: id };
  const placed = await insist(shop, '/orders', { method: 'POST', body, key: id });
  if (placed.status >= 300) throw new Error(`${id}: ${placed.status} ${JSON.stringify(placed.json)}`);
  const name = (placed.json as Order).id;
  for (let resumed = 0; ; resumed += 1) {
    const order = await waitForEnd(shop, name);
    if (order.state !== 'stopped' || resumed === resumes) return order;
    const key = `${id}:resume:${resumed}`;
    const again = await insist(shop, `/orders/${name}/resume`, { method: 'POST', key });
    if (again.status >= 300 && again.status !== 409)
      throw new Error(`${id} is not resumed: ${again.status} ${JSON.stringify(again.json)}`);
  }
}

async function waitForEnd(shop: Shop, name: string): Promise<Order> {
  for (;;) {
    const { status, json } = await insist(shop, `/orders/${name}?wait=10`);
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(json)}`);
    const order = json as Order;
    if (order.endedAt !== undefined) return order;
  }
}
