// The tables. Every one is STRICT (written into the migrations by hand, asserted by a test). Times are milliseconds
// UTC, amounts of quota are quarters of an activation, `…Secret` columns are encrypted (secrets.ts), `…Hash` columns
// are HMACs.
export * from './accounts.ts';
export * from './attempts.ts';
export * from './audit-log.ts';
export * from './bot.ts';
export * from './claims.ts';
export * from './codes.ts';
export * from './console.ts';
export * from './imports.ts';
export * from './jobs.ts';
export * from './orders.ts';
export * from './redemptions.ts';
export * from './states.ts';
export * from './takeover.ts';
export * from './tasks.ts';
export * from './webhooks.ts';
