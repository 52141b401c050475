// Waiting: pauses that an abort ends, time limits, back-off and retries. A utility; it knows nothing of the product.

/** Resolves after so long, or at once when it is aborted, before or meanwhile: an abort is no error here. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

interface Limits<L> {
  /** Ends the waiting, too. */
  signal?: AbortSignal;
  /** What is answered then, and where the work throws: it is told the cause. */
  late?: (cause: unknown) => L;
}

/**
 * What the work comes to within so long; else what `late` answers: undefined, where it is not given, and then a throw
 * comes up. The work is given a signal that fires with the end of its time: an answer comes in time, whatever it does
 * or forgets to do. By hand, since AbortSignal.any leaves about 2 KB with a parent that lives as long as the process,
 * for every call (measured, Node 24).
 */
export async function within<T, L = undefined>(
  work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
  ms: number,
  { signal: parent, late }: Limits<L> = {},
): Promise<T | L> {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = () => controller.abort();
  const timer = setTimeout(giveUp, Math.max(0, ms));
  parent?.addEventListener('abort', giveUp, { once: true });
  if (parent?.aborted) giveUp();
  const ended = new Promise<L>((resolve) => {
    // A turn later, so that an own answer to the signal comes first.
    const finish = () => (late ? setImmediate(() => resolve(late(undefined))) : resolve(undefined as L));
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
  });
  try {
    return await Promise.race([typeof work === 'function' ? work(signal) : work, ended]);
  } catch (cause) {
    if (!late) throw cause;
    return late(signal.aborted ? undefined : cause);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener('abort', giveUp);
  }
}

/** After how long what has failed so many times (from 1) is tried again; undefined: it is not. */
export type RetryPolicy = (failures: number, error: unknown) => number | undefined;

/** Exponential back-off: doubled after each failure, up to the longest. */
export function backOff(firstMs: number, longestMs: number): (failures: number) => number {
  return (failures) => Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
}

interface RetryOptions {
  /** Ends the pause, and the tries. */
  signal?: AbortSignal;
  /** An abort during a pause leaves one last try: for what is lost with the process. */
  lastTry?: boolean;
  /** Told of each failure after which it is tried again. */
  onRetry?: (error: unknown, failures: number) => void;
}

/** Does `work` until it succeeds, the policy ends it or it is aborted: then it throws what `work` threw last. */
export async function retry<T>(
  policy: RetryPolicy,
  work: () => T | Promise<T>,
  { signal, lastTry = false, onRetry }: RetryOptions = {},
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = policy(failures, error);
      if (pauseMs === undefined || signal?.aborted) throw error;
      onRetry?.(error, failures);
      await pause(pauseMs, signal);
      if (signal?.aborted && !lastTry) throw error;
    }
  }
}
