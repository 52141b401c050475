// The console over a core on a port of this machine, for browsers.
import { once } from 'node:events';
import { createServer } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import type { Clock } from '../../src/clock.ts';
import { createConsole } from '../../src/console/index.ts';
import type { Core } from '../../src/core/index.ts';
import { randomIds } from '../../src/ids.ts';

export interface ServedConsole {
  /** `http://127.0.0.1:…/console`. */
  url: string;
  close(): void;
}

/** A fault of ours ends whoever asks. */
export async function serveConsole(
  { core, clock }: { core: Core; clock: Clock },
  hostIds: readonly number[] = [],
): Promise<ServedConsole> {
  const settings = { url: '', hostIds };
  const log = {
    error({ err }: { err?: unknown }) {
      throw err;
    },
  };
  const pages = createConsole({ core, clock, ids: randomIds, log, settings });
  const answer = getRequestListener(new Hono().route('/console', pages as never).fetch);
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  settings.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/console`;
  return {
    url: settings.url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
