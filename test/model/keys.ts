// Idempotency keys in the model: 24 hours by the calendar, and longer while what they began is open.
import { WINDOW_MS, type ModelKey } from './model.ts';
import type { World } from './world.ts';

export type KeyName = 'first' | 'second';

/** What a key stands for now. */
export function findKey(world: World, account: number, key: KeyName | undefined): ModelKey | undefined {
  const found = key && world.model.keys.get(`${account} ${key}`);
  if (!found) return undefined;
  const over = found.at <= world.t.clock.now() - WINDOW_MS && found.redemption?.state !== 'in_doubt';
  return over ? undefined : found;
}

/** Remembers what a request under this key began. */
export function rememberKey(
  world: World,
  account: number,
  key: KeyName | undefined,
  entry: Omit<ModelKey, 'at'>,
): void {
  if (key) world.model.keys.set(`${account} ${key}`, { ...entry, at: world.t.clock.now() });
}
