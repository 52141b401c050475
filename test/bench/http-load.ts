// Starts the client process and gives it orders.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { DENOMINATION, GAME_ID } from './bench-core.ts';
import type { LoadOrder, LoadResult } from './http-client.ts';

export type { LoadResult } from './http-client.ts';

export interface LoadClient {
  /** Carries out an order; throws when an answer was not 200. */
  run(order: Omit<LoadOrder, 'bodies'>): Promise<LoadResult>;
  close(): void;
}

const BODIES = [JSON.stringify({ playerId: '5124780131', gameId: GAME_ID, denomination: DENOMINATION })];

export function startClient(): LoadClient {
  const child = fork(fileURLToPath(new URL('http-client.ts', import.meta.url)));
  return {
    async run(order) {
      const answered = once(child, 'message') as Promise<[LoadResult]>;
      child.send({ ...order, bodies: BODIES });
      const [result] = await answered;
      if (result.failures > 0) throw new Error(`${result.failures} requests were not answered with 200.`);
      return result;
    },
    close: () => void child.kill(),
  };
}

/** The value that `share` of the sorted values do not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
