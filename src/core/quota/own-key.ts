// A key as whoever has it reads it: its own window, beside what the account has.
import type { CoreClock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import { toKeySummary, type ApiKeySummary } from '../accounts/api-keys.ts';
import type { ApiKeyActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import { readKeyWindow, secondsUntilNext } from './usage.ts';

export interface KeyStatus extends ApiKeySummary {
  /** Of the 24 hours before this moment, in activations; undefined where it has no window of its own. */
  window: { used: number; remaining: number; secondsUntilNext: number } | undefined;
}

export type FindOwnKey = (actor: ApiKeyActor) => KeyStatus;

export const createFindOwnKey =
  ({ store, clock }: { store: Store; clock: CoreClock }): FindOwnKey =>
  ({ apiKeyId }) =>
    store.read((tables) => readKey(tables, apiKeyId, clock.monotonicNow()));

function readKey(tables: Tables, id: number, monotonicNow: number): KeyStatus {
  const row = tables.apiKeys.find(id);
  if (!row) throw new CoreError('NOT_FOUND', 'There is no such key.');
  const found = readKeyWindow(tables, id, monotonicNow, row.dayLimit);
  const window = found && {
    used: found.used / 4,
    remaining: Math.max(0, found.limit - found.used) / 4,
    secondsUntilNext: secondsUntilNext(found.used, found.oldestFirst, monotonicNow, found.limit),
  };
  return { ...toKeySummary(row), window };
}
