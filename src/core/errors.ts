// The one error of the core, and the first reasons to throw it: too much waits, or is not known since a restore. Its message may be shown
// to a stranger; what caused it goes to the log through `cause`.
import type { Store, Tables } from '../store/index.ts';

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
  | 'OVERLOADED'
  /** Another machine seems to serve the same codes: nothing was handed out. */
  | 'CONTESTED';

export class CoreError extends Error {
  readonly code: CoreErrorCode;
  /** Of SUBSCRIPTION_EXPIRED: the account never had one, or is paused by a host. */
  readonly because: 'never' | 'paused' | undefined;
  /** Of INVALID_INPUT, where it is of one field: that, as the interface names it, and what it must be. */
  readonly issue: { path: string; message: string } | undefined;
  /** Of OVERLOADED, where it takes longer than a moment. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: CoreErrorCode,
    message: string,
    options: ErrorOptions & Partial<Pick<CoreError, 'because' | 'issue' | 'retryAfterSeconds'>> = {},
  ) {
    super(message, options);
    this.name = 'CoreError';
    this.code = code;
    this.because = options.because;
    this.issue = options.issue;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The first thing of everything that begins something: nothing is recorded yet. What it returns writes the beginning, in
 * turn with those of other accounts. `bulk`: the beginning of bulk work, which waits behind everything else. Throws
 * CoreError OVERLOADED, where an account is the crowd to it alone; trying again in a moment is safe.
 */
export function refuseOverload(
  store: Pick<Store, 'isCrowded' | 'write'>,
  { accountId: whose }: { accountId: number },
  options?: { bulk: true },
): <T>(work: (tables: Tables) => T) => Promise<T> {
  if (!store.isCrowded({ ...options, whose })) return (work) => store.write(work, { ...options, whose });
  throw new CoreError(
    'OVERLOADED',
    'Too much is asked of the service just now. Nothing was begun: try again in a few seconds.',
  );
}

/** While it is not known what a lost time has spent. */
export const sinceRestore = (): CoreError =>
  new CoreError(
    'OVERLOADED',
    'Since the restore the platform is asked what was spent. Nothing was begun: repeat it under its key, do not take another.',
    { retryAfterSeconds: 10 },
  );
