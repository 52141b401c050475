// References of redemptions towards the platform. That of a keyed order is derived, so that an order that is repeated after a takeover
// has the reference it had: the epoch keeps those of a database that was restored apart from those that it has lost.
import type { Store } from '../../store/index.ts';
import type { IdempotencyKey } from '../idempotency.ts';

interface KeyedOrder {
  epoch: string;
  accountId: number;
  key: IdempotencyKey;
  /** Of the beginning, by the calendar: a key that is over is a new one. */
  at: number;
  /** Which time the key begins something. */
  tries: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A UUID, version 8 (RFC 9562): 122 bits of a keyed hash. */
export function deriveReference(
  secrets: Pick<Store['secrets'], 'hash'>,
  { epoch, accountId, key, at, tries }: KeyedOrder,
): string {
  const name = JSON.stringify([epoch, accountId, key.scope, key.key, Math.floor(at / DAY_MS), tries]);
  const bytes = secrets.hash('reference', name).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
