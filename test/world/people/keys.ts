// How long the people who send an `Idempotency-Key` count on it: it is kept for 24 hours (wire.md, `Idempotency-Key`).

/**
 * Until so much later the same wish is sent again on purpose: whatever the pauses between its attempts, the key is
 * known.
 */
export const REPEATED_WITHIN_MS = 20 * 60 * 60_000;
/** Where a day has passed between two attempts, the second would be another order. */
export const RELIED_ON_MS = 24 * 60 * 60_000 - 60_000;
