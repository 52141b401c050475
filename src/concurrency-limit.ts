// Concurrency limit: so many at once, of which one that takes long counts no more: what hangs holds up nobody else. A
// utility; it knows nothing of the product.

export interface ConcurrencyLimit {
  isFull(): boolean;
  /** Runs it; `onFree` whenever there may be room again. `task` never rejects. */
  take(task: () => Promise<void>, onFree: () => void): void;
  /** Resolves when all that was taken is over. */
  settled(): Promise<void>;
}

export function createConcurrencyLimit(atOnce: number, longMs: number): ConcurrencyLimit {
  const underWay = new Set<Promise<void>>();
  let quick = 0;
  return {
    isFull: () => quick >= atOnce,
    take(task, onFree) {
      let isQuick = true;
      quick += 1;
      const free = () => {
        if (isQuick) quick -= 1;
        isQuick = false;
        onFree();
      };
      const timer = setTimeout(free, longMs);
      const running: Promise<void> = task().finally(() => {
        clearTimeout(timer);
        underWay.delete(running);
        free();
      });
      underWay.add(running);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
