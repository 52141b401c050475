// What a program does with an order: asks for it until it is answered, reads it until it has ended, cancels it, and has
// it go on.
import type { WireOrder } from '../../../src/wire/orders.ts';
import { hearOrder, noteCancelled, type Invoice } from '../promises/invoices.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call, noteRead } from './client.ts';
import type { Self } from './index.ts';

const TRIES = 12;
const PAUSE_MS = 2_000;
const READ_TIMES = 5;
const READ_S = 30;
/** Its key is another's now, or it has no subscription: it may be refused what was done. */
const TURNED_AWAY = new Set([401, 403]);
const THERE = 'select 1 from orders where account_id = ? and player_id = ?';

type Asked = Omit<NonNullable<Parameters<typeof call>[3]>, 'key'> & { key?: string };
type Answer = NonNullable<Awaited<ReturnType<typeof call>>>;

/** One request about it; what it is told is judged. */
async function ask(
  world: World,
  self: Self,
  invoice: Invoice,
  path: string,
  asked: Asked,
): Promise<Answer | undefined> {
  const earlier = invoice.last;
  const answer = await call(world, self, path, asked);
  if (answer && answer.status < 300) hearOrder(world, invoice, answer.json as WireOrder, earlier);
  return answer;
}

/** The same request, however often: it places the order once, and tells how it is. Undefined where it is not placed. */
export async function insist(world: World, self: Self, invoice: Invoice): Promise<WireOrder | undefined> {
  const { body, key, account, playerId } = invoice;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await ask(world, self, invoice, '/orders', { body, key });
    if (answer && answer.status < 300) return invoice.last;
    if (answer && !isToBeRepeated(answer)) {
      const isThere = () =>
        look(world.disk.databasePath(), (file) => file.prepare(THERE).get(account, playerId)) !== undefined;
      if (!TURNED_AWAY.has(answer.status) && hasStock(world) && isThere())
        world.diary.notice(
          `${self.name} is answered ${answer.status} for ${key}, which is placed: ${JSON.stringify(answer.json)}`,
        );
      return undefined;
    }
    await world.time.sleep(PAUSE_MS);
  }
  return undefined;
}

/** An upgrade may have taken the game, or its stock, away. */
const hasStock = ({ service }: World): boolean =>
  service.games.some(({ id, database }) => id === 'game_id_1' && database);

const isToBeRepeated = ({ status, json }: Answer): boolean =>
  status === 408 ||
  status >= 500 ||
  (status === 429 && (json as { limit?: number } | undefined)?.limit === undefined);

/** Until it has ended, or for so long; each of its receipts is read then. */
export async function follow(world: World, self: Self, invoice: Invoice): Promise<void> {
  for (let times = 0; times < READ_TIMES; times += 1) {
    if (invoice.id === undefined) return;
    const answer = await ask(world, self, invoice, `/orders/${invoice.id}?wait=${READ_S}`, {});
    if (!answer) await world.time.sleep(PAUSE_MS);
    if (answer?.status === 200 && invoice.last?.endedAt !== undefined) break;
  }
  const receipts = invoice.last?.endedAt === undefined ? [] : invoice.last.items;
  for (const { state, redemptionId } of receipts) {
    if (redemptionId === undefined) continue;
    const answer = await call(world, self, `/history/${redemptionId}`);
    if (answer?.status !== 200) continue;
    const { type } = answer.json as { type?: string };
    noteRead(world, self.name, answer.json);
    if (state === 'redeemed' && type !== 'ActivationReceipt')
      world.diary.notice(
        `${self.name} reads of the redeemed ${redemptionId}: ${JSON.stringify(answer.json)}`,
      );
  }
}

export async function cancel(world: World, self: Self, invoice: Invoice): Promise<void> {
  if (invoice.id === undefined) return;
  const answer = await ask(world, self, invoice, `/orders/${invoice.id}/cancel`, { method: 'POST' });
  if (answer?.status === 202) noteCancelled(world, invoice, answer.json as WireOrder);
}

/** What is missing of a stopped one, once more; under the same key until that is answered. */
export async function resume(world: World, self: Self, invoice: Invoice): Promise<void> {
  const path = `/orders/${invoice.id}/resume`;
  const key = `resume-${self.shop.nextNumber()}`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await ask(world, self, invoice, path, { method: 'POST', key });
    if (answer && !isToBeRepeated(answer)) return;
    await world.time.sleep(PAUSE_MS);
  }
}
