// The one error of the core. Its message may be shown to a stranger; what caused it goes to the log through `cause`.

/** The closed list. A surface maps each; what it does not know is "something went wrong". */
export type CoreErrorCode =
  | 'FORBIDDEN'
  /** The key was ended while its request was under way. */
  | 'KEY_REVOKED'
  | 'NOT_FOUND'
  | 'INVALID_INPUT'
  | 'CODE_OVERRIDE_REQUIRED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'SUBSCRIPTION_EXPIRED'
  | 'CONFLICT'
  | 'STOPPING'
  /** Too much waits to be written: nothing was begun or recorded. */
  | 'OVERLOADED';

export class CoreError extends Error {
  readonly code: CoreErrorCode;
  /** SUBSCRIPTION_EXPIRED of an account that never had one. */
  readonly isFirst: boolean;

  constructor(code: CoreErrorCode, message: string, options: ErrorOptions & { isFirst?: boolean } = {}) {
    super(message, options);
    this.name = 'CoreError';
    this.code = code;
    this.isFirst = options.isFirst ?? false;
  }
}
