// The states of codes and redemptions. The one file of the schema that runs: of the others the program takes the types.

/**
 * The states a code can be in; `claimedFrom` remembers where it returns to. `in_question`: perhaps handed out in a time
 * that a restore has lost, until somebody releases it.
 */
export const CODE_STATES = [
  'available',
  'unverified',
  'in_question',
  'reserved',
  'in_doubt',
  'redeemed',
  'used',
  'invalid',
  'extracted',
  'undone',
] as const;
export type CodeState = (typeof CODE_STATES)[number];

export const REDEMPTION_STATES = ['pending', 'in_doubt', 'redeemed', 'failed'] as const;
export type RedemptionState = (typeof REDEMPTION_STATES)[number];

/** Why a redemption failed or fell in doubt, as the interface document names it. */
export const REDEMPTION_ERRORS = [
  'NO_CODES_AVAILABLE',
  'CHARACTER_NOT_FOUND',
  'INVALID_CODE',
  'CODE_USED',
  'NO_ACCOUNTS_AVAILABLE',
  'LOGIN_FAILED',
  'RISK_CONTROL',
  'NETWORK_ERROR',
  'INVALID_ACTIVATION_RESPONSE',
  'UNKNOWN',
] as const;
export type ErrorCode = (typeof REDEMPTION_ERRORS)[number];
