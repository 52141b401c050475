// Error policy: what each errorCode of a failed redemption means for the code and for the usage, as the interface
// document has it.
import type { ErrorCode } from '../store/index.ts';

/** What becomes of the code: none was taken, back into the database, kept aside, or held until the truth is known. */
export type CodePolicy = 'none' | 'back' | 'invalid' | 'used' | 'held';

interface Policy {
  code: CodePolicy;
  /** Whether the activation is charged; `ifAsked`: when the platform heard of it. */
  charged: 'yes' | 'no' | 'ifAsked';
  /**
   * Back behind the others of its denomination: refused by nothing that it can help, the same code would head the queue
   * for ever.
   */
  stepsBack?: true;
}

const POLICIES: Record<ErrorCode, Policy> = {
  NO_CODES_AVAILABLE: { code: 'none', charged: 'no' },
  CHARACTER_NOT_FOUND: { code: 'back', charged: 'ifAsked' },
  INVALID_CODE: { code: 'invalid', charged: 'ifAsked' },
  CODE_USED: { code: 'used', charged: 'yes' },
  NO_ACCOUNTS_AVAILABLE: { code: 'back', charged: 'no' },
  LOGIN_FAILED: { code: 'back', charged: 'no', stepsBack: true },
  RISK_CONTROL: { code: 'back', charged: 'yes', stepsBack: true },
  NETWORK_ERROR: { code: 'back', charged: 'no' },
  INVALID_ACTIVATION_RESPONSE: { code: 'held', charged: 'yes' },
  UNKNOWN: { code: 'held', charged: 'yes' },
};

/** The fixed set of them. */
export const ERROR_CODES = Object.keys(POLICIES) as readonly ErrorCode[];

/** The policy for code and usage after a failure. `asked`: the platform heard of the redemption. */
export function policyOf(
  errorCode: ErrorCode,
  asked: boolean,
): { code: CodePolicy; charged: boolean; stepsBack: boolean } {
  const { code, charged, stepsBack = false } = POLICIES[errorCode];
  return { code, charged: charged === 'yes' || (charged === 'ifAsked' && asked), stepsBack };
}
