// The free quota of a subscription, from the interface document: 300 activations in any 24 hours, and how they are counted.

export const DAILY_LIMIT = 300;
/** Amounts of quota are whole quarters of an activation. */
export const DAILY_LIMIT_QUARTERS = DAILY_LIMIT * 4;
export const WINDOW_MS = 24 * 60 * 60 * 1000;
