// The one error of the core. Its message may be shown to a stranger; what caused it goes to the log through `cause`.

/** The closed list. A surface maps each; what it does not know is "something went wrong". */
export type CoreErrorCode =
  | 'FORBIDDEN'
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

  constructor(code: CoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CoreError';
    this.code = code;
  }
}
