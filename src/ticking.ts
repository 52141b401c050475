// Ticks: work that is done again and again, never two runs at once, and a failure ends nothing. A utility; it knows
// nothing of the product.

export interface Ticking {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/**
 * Calls `work` every `pauseMs`, counted from the end of the last. `isStopping` lets long work end early;
 * what it throws goes to `onError`.
 */
export function createTicking(
  pauseMs: number,
  work: (isStopping: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): Ticking {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let current = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      await work(() => stopped);
    } catch (error) {
      onError(error);
    }
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
