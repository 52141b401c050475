// The network of the world: what a process asks of an upstream comes to whoever stands there.
import { AsyncLocalStorage } from 'node:async_hooks';

import type { Send, Sent } from '../../../src/outgoing.ts';
import type { Platform, PlatformOrder } from '../../../src/platform/port.ts';

/** Who stands at an address. */
export interface FarSide {
  url: string;
  /** What its own calendar says. */
  now(): number;
  /**
   * Resolves with undefined where it hangs up no more than it answers. `sent`: the order that is sent this moment; not
   * every wire has a place for its reference.
   */
  answer(url: URL, init: RequestInit & { signal: AbortSignal }, sent: PlatformOrder | undefined): Answer;
}

export type Answer = Promise<Response | undefined>;

const sides = new AsyncLocalStorage<{ far: FarSide; sent: PlatformOrder | undefined }>();

/** The same platform, whose requests come to this side. */
export function reachedOver(platform: Platform, far: FarSide): Platform {
  const over =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      sides.run({ far, sent: undefined }, () => work(...args));
  const { findRecord } = platform;
  return {
    ...platform,
    redeem: (order, options) => sides.run({ far, sent: order }, () => platform.redeem(order, options)),
    findOrder: over(platform.findOrder),
    findCharacter: over(platform.findCharacter),
    findCode: over(platform.findCode),
    isReachable: over(platform.isReachable),
    ...(findRecord && { findRecord: over(findRecord) }),
  };
}

/** In place of the network: what is sent within `reachedOver` comes to its side, and whoever hangs up hears of nothing more. */
export const sendToSide: Send = ({ url, ...init }, { signal }) => {
  const { far, sent } = sides.getStore()!;
  const answering = new Promise<Response>((resolve, reject) => {
    const hangUp = () => reject(signal.reason as Error);
    if (signal.aborted) return hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    far.answer(url, { ...init, body: init.body ?? null, signal }, sent).then((response) => {
      response?.headers.set('date', new Date(far.now()).toUTCString());
      if (response) resolve(response);
    }, reject);
  });
  return heard(answering);
};

/** What came of it, as who has sent it hears it. */
export async function heard(answering: Promise<Response>): Promise<Sent> {
  try {
    const response = await answering;
    const body = await response.arrayBuffer().then(Buffer.from, () => undefined);
    return { kind: 'answered', status: response.status, headers: Object.fromEntries(response.headers), body };
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    return { kind: syscall === 'connect' || syscall === 'getaddrinfo' ? 'notSent' : 'lost', error };
  }
}

export const readBody = ({ body }: RequestInit) =>
  JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;

export const broken = (code: string, syscall: string): Error =>
  Object.assign(new Error(code), { code, syscall });

/** Its head, and of its body so much; then the line breaks. */
export function cutOff(status: number, part: string): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(part));
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { status });
}
