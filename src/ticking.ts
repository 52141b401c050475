// Ticks: work that is done again and again, never two runs at once, and a failure ends nothing. A utility; it knows
// nothing of the product.

export interface Ticking {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/**
 * Does work that is done again and again. Its failure goes to `onError` where it begins, or becomes another one; the
 * first work that goes through again is told to `onEnd`. On a full disk each second would be one more line otherwise.
 */
export function createTelling(
  onError: (error: unknown) => void,
  onEnd: () => void = () => undefined,
): (work: () => Promise<void>) => Promise<void> {
  let told: string | undefined;
  return async (work) => {
    try {
      await work();
      if (told !== undefined) onEnd();
      told = undefined;
    } catch (error) {
      if (told !== String(error)) onError(error);
      told = String(error);
    }
  };
}

/**
 * Calls `work` every `pauseMs`, counted from the end of the last. `isStopping` lets long work end early;
 * what it throws is told as by createTelling.
 */
export function createTicking(
  pauseMs: number,
  work: (isStopping: () => boolean) => Promise<void>,
  ...tell: Parameters<typeof createTelling>
): Ticking {
  const telling = createTelling(...tell);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let current = Promise.resolve();

  async function tick(): Promise<void> {
    await telling(() => work(() => stopped));
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void (current = tick()), pauseMs);
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
