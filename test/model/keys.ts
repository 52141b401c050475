// Idempotency keys in the model: 30 days from the end of a redemption and 24 hours from that of bulk work, however the
// calendar jumps, and while that is open; but free again at once where nothing was touched.
import { WINDOW_MS, type ModelKey } from './model.ts';
import { actorOf, datedNow, monotonicNow, type World } from './world.ts';

export type KeyName = 'first' | 'second';

/** What a key stands for now. */
export function findKey(world: World, account: number, key: KeyName | undefined): ModelKey | undefined {
  const found = key && world.model.keys.get(`${account} ${key}`);
  if (!found) return undefined;
  const over = found.at <= monotonicNow(world) - keptMs(found) && isOver(world, account, found);
  return over || isFreed(found) ? undefined : found;
}

/** After a redemption, and after codes were added or taken out. */
const keptMs = ({ redemption }: ModelKey): number => (redemption ? 30 : 1) * WINDOW_MS;

/** What failed at once and cost nothing leaves its key free. */
function isFreed({ redemption }: ModelKey): boolean {
  if (redemption?.state !== 'failed' || redemption.doubted || redemption.first) return false;
  return redemption.usage?.returned ?? true;
}

/** Remembers what a request under this key began. */
export function rememberKey(
  world: World,
  account: number,
  key: KeyName | undefined,
  entry: Omit<ModelKey, 'at'>,
): void {
  if (key) world.model.keys.set(`${account} ${key}`, { ...entry, at: monotonicNow(world) });
}

/** When a redemption was settled is the core's own business; both ends are told by the calendar. */
function isOver(world: World, account: number, key: ModelKey): boolean {
  const { redemption, endedAt } = key;
  const settledAt = () =>
    redemption && world.core.receipts.find(actorOf(world, account), redemption.id)?.settledAt;
  const end = endedAt ?? settledAt();
  return end !== undefined && end <= Math.min(world.t.clock.now(), datedNow(world)) - keptMs(key);
}
