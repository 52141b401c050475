// The client side: one request at a time over node:http, which repeats nothing by itself, and a remembered record of
// each redemption that was asked for, with every answer it got.
import { Agent, request } from 'node:http';

import type { Seeded } from '../harness/seeded.ts';

export interface Account {
  apiKey: string;
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string | string[] | undefined>;
  /** By the calendar. */
  at: number;
  /** The identifier of the redemption that it tells of. */
  id?: number;
}

/** One redemption as somebody wants it. Its player is nobody else's. */
export interface Wish {
  playerId: string;
  gameId: string;
  denomination?: number;
  codeOverride?: string;
  key?: string | undefined;
  /** Sent through a proxy that may have put answers of its own in place of the service's. */
  proxied?: boolean;
}

/** A wish that was sent, perhaps repeatedly. */
export interface Sent extends Wish {
  answers: Answer[];
  /** How often the connection broke before an answer. */
  interruptions: number;
}

const agent = new Agent({ keepAlive: true });

/** One request; `body` goes out as JSON, `text` as it is. Rejects when the connection breaks before the whole answer is there. */
export function ask(
  url: string,
  { apiKey }: Account,
  method: string,
  path: string,
  {
    body,
    text: form,
    headers = {},
    signal,
  }: {
    body?: unknown;
    text?: string | undefined;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent,
      ...(signal && { signal }),
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    const outgoing = request(`${url}${path}`, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('aborted', () => reject(new Error('The answer was cut.')));
      incoming.on('end', () => {
        const body = parse(text);
        const { statusCode: status = 0, headers } = incoming;
        resolve({
          status,
          body,
          headers,
          at: Date.now(),
          ...(typeof body.id === 'number' && { id: body.id }),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? form : JSON.stringify(body));
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { value };
  } catch {
    return { text };
  }
}

/** Sends a wish once and remembers the answer, or that there was none. */
export const redeem = (url: string, account: Account, sent: Sent): Promise<Answer | undefined> => {
  const { playerId, gameId, denomination, codeOverride } = sent;
  const body = { playerId, gameId, denomination, codeOverride };
  return remember(sent, (headers) => ask(url, account, 'POST', '/redeem', { body, headers }));
};

/** Takes codes out once, in the same way: its player is nobody. */
export const takeOut = (url: string, account: Account, sent: Sent, amount: number) =>
  remember(sent, (headers) => {
    const body = { denomination: sent.denomination, amount };
    return ask(url, account, 'POST', `/db/extract?gameId=${sent.gameId}`, { body, headers });
  });

async function remember(
  sent: Sent,
  send: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const answer = await send(sent.key === undefined ? {} : { 'idempotency-key': sent.key });
    sent.answers.push(answer);
    return answer;
  } catch (error) {
    // Refused: nobody was there, so nothing can have begun.
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    if (!refused) sent.interruptions += 1;
    return undefined;
  }
}

export const toSent = (wish: Wish): Sent => ({ ...wish, answers: [], interruptions: 0 });

/** Adds codes; returns those that were acknowledged. Throws when they were not. */
export async function addCodes(
  url: string,
  account: Account,
  denomination: number,
  codes: string[],
): Promise<string[]> {
  for (let start = 0; start < codes.length; start += 10_000) {
    const stockKey = codes.slice(start, start + 10_000);
    const answer = await ask(url, account, 'POST', '/db', { body: [{ denomination, codes: stockKey }] });
    const accepted = (answer.body.accepted as Record<string, number> | undefined)?.[denomination];
    if (answer.status !== 200 || accepted !== stockKey.length) {
      throw new Error(`The codes were not all added: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  return codes;
}

let players = 0;

/** A player that nobody has asked for yet. */
export function nextPlayer(): string {
  return String(7_000_000_000 + (players += 1));
}

/** A fresh code that behaves as its beginning says (the sandbox's table). */
export function makeCode(seeded: Seeded, prefix: string): string {
  return prefix + seeded.text(20 - prefix.length);
}
