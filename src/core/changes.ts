// Waiting for what changes: readers that stand until a redemption or an order has come to something else. One listener
// serves them all.
import type { Store } from '../store/index.ts';
import { takeTurn } from '../turns.ts';

export interface Changes {
  /** Resolves when `name` (`order:ord_…`, `redemption:811`) has changed, after `ms`, or when `signal` fires. */
  next(name: string, ms: number, signal?: AbortSignal): Promise<void>;
}

export function createChanges(store: Pick<Store, 'onChanged'>): Changes {
  const waiting = new Map<string, Set<() => void>>();

  store.onChanged((names) => {
    for (const name of names) for (const wake of waiting.get(name) ?? []) wake();
  });

  return {
    async next(name, ms, signal) {
      await new Promise<void>((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const readers = waiting.get(name) ?? new Set();
        waiting.set(name, readers);
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          readers.delete(wake);
          if (readers.size === 0) waiting.delete(name);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        readers.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
      // Thousands may be woken by one change: others come between.
      await takeTurn();
    },
  };
}
