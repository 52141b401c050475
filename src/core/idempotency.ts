// Idempotency keys: the same key with the same request is the same deed for 24 hours, and costs nothing again.
import type { Tables } from '../store/index.ts';
import { CoreError } from './errors.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** A key that makes a repeated request the same request. `scope` keeps the surfaces apart. */
export interface IdempotencyKey {
  scope: 'http' | 'chat';
  key: string;
}

/** A key, looked up in the transaction that would begin the deed. */
export interface KeyUse {
  /** What an earlier request under this key began; undefined when none did. */
  earlier: { redemptionId: number | null; extractionId: number | null } | undefined;
  /** Remembers what this request began. */
  remember(began: { redemptionId?: number; extractionId?: number }): void;
}

const NO_KEY: KeyUse = { earlier: undefined, remember: () => undefined };

/**
 * Looks a key up. `request` is the canonical text of what is asked, naming the deed.
 * Throws CoreError IDEMPOTENCY_KEY_REUSED when the key stood for another request.
 */
export function useKey(
  tables: Tables,
  accountId: number,
  key: IdempotencyKey | undefined,
  request: string,
  now: number,
): KeyUse {
  if (!key) return NO_KEY;
  const keys = tables.idempotencyKeys;
  const keyHash = keys.hashKey(`${key.scope}:${key.key}`);
  const requestHash = keys.hashRequest(request);
  const found = keys.find(accountId, keyHash);
  const earlier = found && !isOver(tables, found, now) ? found : undefined;
  if (earlier && !earlier.requestHash.equals(requestHash)) {
    throw new CoreError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request in the last 24 hours. Send a new key with a new request.',
    );
  }
  return {
    earlier,
    remember({
      redemptionId = null,
      extractionId = null,
    }: {
      redemptionId?: number | null;
      extractionId?: number | null;
    }) {
      if (found && !earlier) keys.forget(accountId, keyHash);
      keys.remember({ accountId, keyHash, requestHash, redemptionId, extractionId, now });
    },
  };
}

/** A key is over after 24 hours, but never while what it began is still open. */
function isOver(tables: Tables, entry: { at: number; redemptionId: number | null }, now: number): boolean {
  if (entry.at > now - KEPT_MS) return false;
  const state = entry.redemptionId === null ? undefined : tables.redemptions.find(entry.redemptionId)?.state;
  return state !== 'pending' && state !== 'in_doubt';
}

/** Forgets keys that are over, a few at a time; returns how many. */
export function forgetOldKeys(tables: Tables, now: number, limit: number): number {
  return tables.idempotencyKeys.forgetOld(now - KEPT_MS, limit);
}
