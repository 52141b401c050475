// How updates reach the service: each several times, by webhook or by polling. Chats are shuffled among each other,
// repeats come at any time, also together with the first one and in the next life of the service; within a chat the
// first deliveries keep their order, as Telegram's do.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pause } from '../../src/waiting.ts';
import type { BotApi } from '../telegram/telegram.ts';
import type { Update } from '../telegram/types.ts';
import type { Seeded } from '../harness/seeded.ts';

export interface Delivery {
  /** The settings with which a service takes its updates in this way. */
  env: Record<string, string>;
  /** Where the service is now. */
  follow(url: string): void;
  /** How often updates were handed over. */
  handedOver(): number;
  /** Resolves when every repeat was handed over. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveryOptions {
  api: BotApi;
  seeded: Seeded;
  /** Each update is delivered from once to so many times. */
  most: number;
}

const SECRET = 'torture';
const PATH = '/updates';
const LONGEST_HOLD_MS = 40;
const LATEST_REPEAT_MS = 3_000;
const RETRY_MS = 50;

/** Repeats what the stand-in hands out to a service that polls. */
export function deliverByPolling({ api, seeded, most }: DeliveryOptions): Delivery {
  const known = new Set<number>();
  const repeats = createRepeats();
  const unwatch = api.watch(({ kind, detail }) => {
    const { update_id: updateId } = (kind === 'update' ? detail : { update_id: 0 }) as Update;
    // A repeat is told, too.
    if (updateId === 0 || known.has(updateId)) return;
    known.add(updateId);
    repeats.plan(seeded.below(most), seeded, () => Promise.resolve(api.redeliver(updateId)));
  });
  return {
    env: {},
    follow: () => undefined,
    handedOver: () => known.size + repeats.done(),
    quiet: repeats.quiet,
    async close() {
      unwatch();
      repeats.stop();
    },
  };
}

/** Stands between the stand-in and the webhook of the service. */
export async function deliverByWebhook({ seeded, most }: DeliveryOptions): Promise<Delivery> {
  const repeats = createRepeats();
  const known = new Set<number>();
  let target: string | undefined;
  let handedOver = 0;
  let closed = false;

  /** Until the service says that it has it. */
  async function handOver(body: string): Promise<void> {
    while (!closed) {
      const taken = target !== undefined && (await post(`${target}${PATH}`, body).catch(() => 0)) === 200;
      if (taken) {
        handedOver += 1;
        return;
      }
      await pause(RETRY_MS);
    }
  }

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const { update_id: updateId } = JSON.parse(body) as Update;
    const isNew = !known.has(updateId);
    known.add(updateId);
    const times = isNew ? 1 + seeded.below(most) : 1;
    await pause(seeded.below(LONGEST_HOLD_MS));
    const together = times > 1 && seeded.chance(0.3) ? 2 : 1;
    repeats.plan(times - together, seeded, () => handOver(body));
    await Promise.all(Array.from({ length: together }, () => handOver(body)));
    // Telegram that does not hear that it arrived sends it again.
    if (isNew && seeded.chance(0.1)) outgoing.destroy();
    else outgoing.writeHead(200).end('{}');
  }

  const server = createServer((incoming, outgoing) => {
    take(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { WEBHOOK_URL: `http://127.0.0.1:${port}${PATH}`, WEBHOOK_SECRET: SECRET },
    follow: (url) => void (target = url),
    handedOver: () => handedOver,
    quiet: repeats.quiet,
    async close() {
      closed = true;
      repeats.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createRepeats() {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let done = 0;
  return {
    done: () => done,
    plan(times: number, seeded: Seeded, deliver: () => Promise<void>): void {
      for (let left = times; left > 0; left -= 1) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          const task: Promise<void> = deliver()
            .then(() => void (done += 1))
            .finally(() => underWay.delete(task));
          underWay.add(task);
        }, seeded.below(LATEST_REPEAT_MS));
        timers.add(timer);
      }
    },
    async quiet(): Promise<void> {
      while (timers.size + underWay.size > 0) await pause(RETRY_MS);
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

async function post(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET };
  const answer = await fetch(url, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}
