// Starts the client process, on a core of its own where there are two, and gives it orders.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { LoadOrder, LoadResult } from './http-client.ts';
import { giveOwnCore } from './machine.ts';
import { DENOMINATION, GAME_ID } from './terms.ts';

export interface LoadClient {
  /** Whether the client has a core that this process keeps off. */
  ownCore: boolean;
  /** Carries out an order. At no fixed rate it throws when an answer was not 200: its rate would be none of ours. */
  run(order: Omit<LoadOrder, 'bodies'>): Promise<LoadResult>;
  close(): void;
}

const BODIES = [JSON.stringify({ playerId: '5124780131', gameId: GAME_ID, denomination: DENOMINATION })];

export function startClient({ ownCore = false }: { ownCore?: boolean } = {}): LoadClient {
  const child = fork(fileURLToPath(new URL('http-client.ts', import.meta.url)));
  const giveBack = ownCore && child.pid !== undefined ? giveOwnCore(child.pid) : undefined;
  const ended = once(child, 'exit').then(() => undefined);
  return {
    ownCore: giveBack !== undefined,
    async run(order) {
      const answered = once(child, 'message') as Promise<[LoadResult]>;
      child.send({ ...order, bodies: BODIES });
      const answer = await Promise.race([answered, ended]);
      if (answer === undefined) throw new Error('The client ended early.');
      const [result] = answer;
      if (result.failures > 0 && order.perSecond === undefined)
        throw new Error(`${result.failures} requests were not answered with 200.`);
      return result;
    },
    close() {
      giveBack?.();
      child.kill();
    },
  };
}
