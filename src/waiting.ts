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

/** What the promise resolves with, or undefined where it takes longer. Rejects as the promise does. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `ask` with a signal that fires after `timeoutMs` or with `parent`; then `late()` is the answer, as it is for a throw, whose
 * cause it is told. Whatever `ask` does or forgets to do: an answer comes in time, and never a throw. By hand, since AbortSignal.any
 * leaves about 2 KB with a parent that lives as long as the process, for every call (measured, Node 24).
 */
export async function askWithin<T>(
  timeoutMs: number,
  parent: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
  late: (cause: unknown) => T,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  const timer = setTimeout(giveUp, Math.max(0, timeoutMs));
  parent.addEventListener('abort', giveUp, { once: true });
  if (parent.aborted) giveUp();
  const aborted = new Promise<T>((resolve) => {
    // A turn later, so that an own answer to the signal comes first.
    const tell = () => setImmediate(() => resolve(late(undefined)));
    if (controller.signal.aborted) tell();
    else controller.signal.addEventListener('abort', tell, { once: true });
  });
  try {
    return await Promise.race([ask(controller.signal), aborted]);
  } catch (cause) {
    return late(controller.signal.aborted ? undefined : cause);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener('abort', giveUp);
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
