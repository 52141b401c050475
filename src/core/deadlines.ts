// Asking the platform within a time: whatever an adapter does or forgets to do, an answer comes in time, and never a throw.

/** Every answer to a redemption comes within this, since clients give up at 60 s and would repeat. */
export const ANSWER_WITHIN_MS = 55_000;

// By hand, since AbortSignal.any leaves about 2 KB with a parent that lives as long as the process, for every call (measured,
// Node 24).

/** Runs `ask` with a signal that fires after `timeoutMs` or with `parent`; then `late()` is the answer, as it is for a throw. */
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
    // A turn later, so that an adapter's own answer to the signal comes first.
    const tell = () => setImmediate(() => resolve(late(undefined)));
    if (controller.signal.aborted) tell();
    else controller.signal.addEventListener('abort', tell, { once: true });
  });
  try {
    return await Promise.race([ask(controller.signal), aborted]);
  } catch (cause) {
    return late(cause);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener('abort', giveUp);
  }
}
