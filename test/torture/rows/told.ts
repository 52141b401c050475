// A program of the shop that is told of every redemption by webhook: of each exactly one message, verified, under its
// own key.
import { Webhook } from 'standardwebhooks';

import { startReceiver } from '../../harness/receiver.ts';
import { readBooks } from '../books.ts';
import { ask } from '../client.ts';
import type { Shop } from '../shop.ts';

const TOLD_WITHIN_MS = 30_000;

export interface Told {
  /** Waits until all that is settled was told; the violations. */
  check(): Promise<string[]>;
  count(): number;
  close(): Promise<void>;
}

interface Message {
  type: string;
  data: { id: number; playerId: string; idempotencyKey?: string; settledAt?: string };
}

/** Registers an address of the shop. The service must allow private ones. */
export async function listenTo(shop: Shop): Promise<Told> {
  const receiver = await startReceiver();
  const body = { url: receiver.url, events: ['redemption.settled'] };
  const answer = await ask(shop.service().url, shop.account, 'POST', '/webhooks', { body });
  if (answer.status !== 201)
    throw new Error(`The webhook was not registered: ${JSON.stringify(answer.body)}`);
  const verifier = new Webhook(String(answer.body.secret));
  const read = () =>
    receiver.received.map(({ headers, body: text }) => ({
      messageId: String(headers['webhook-id']),
      ...(verifier.verify(text, headers as Record<string, string>) as Message),
    }));

  return {
    count: () => receiver.received.length,
    close: () => receiver.close(),
    async check() {
      const { redemptions } = readBooks(shop.folder);
      const deadline = performance.now() + TOLD_WITHIN_MS;
      const untold = () => {
        const told = new Set(read().map(({ data }) => data.id));
        return redemptions.filter(({ id }) => !told.has(id));
      };
      while (untold().length > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 100));
      return [...untold().map(({ id }) => `redemption ${id} was told to nobody`), ...compare(shop, read())];
    },
  };
}

function compare(shop: Shop, told: (Message & { messageId: string })[]): string[] {
  const keyOf = new Map(shop.sent.map(({ playerId, key }) => [playerId, key]));
  const messageOf = new Map<number, string>();
  return told.flatMap(({ messageId, data: { id, playerId, idempotencyKey, settledAt } }) => {
    const violations: string[] = [];
    if ((messageOf.get(id) ?? messageId) !== messageId)
      violations.push(`redemption ${id} was told as ${messageOf.get(id)} and as ${messageId}`);
    messageOf.set(id, messageId);
    if (settledAt === undefined) violations.push(`redemption ${id} was told before it was final`);
    if (idempotencyKey !== keyOf.get(playerId))
      violations.push(`redemption ${id} was told with the key ${idempotencyKey}`);
    return violations;
  });
}
