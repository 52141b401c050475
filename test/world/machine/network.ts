// The network of the world: what a process asks of an upstream comes to whoever stands there.
import { AsyncLocalStorage } from 'node:async_hooks';

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
const network = globalThis.fetch;
let isBound = false;

function bindFetch(): void {
  if (isBound) return;
  isBound = true;
  globalThis.fetch = (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const side = sides.getStore();
    return side && url.startsWith(side.far.url) ? exchange(side, url, init) : network(input, init);
  };
}

/** The same platform, whose requests come to this side. */
export function reachedOver(platform: Platform, far: FarSide): Platform {
  bindFetch();
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

/** As fetch: whoever hangs up hears of nothing more. */
function exchange(
  { far, sent }: { far: FarSide; sent: PlatformOrder | undefined },
  url: string,
  init: RequestInit,
): Promise<Response> {
  const signal = init.signal ?? new AbortController().signal;
  return new Promise((resolve, reject) => {
    const hangUp = () => reject(signal.reason as Error);
    if (signal.aborted) return hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    far.answer(new URL(url), { ...init, signal }, sent).then((response) => {
      response?.headers.set('date', new Date(far.now()).toUTCString());
      if (response) resolve(response);
    }, reject);
  });
}

export const readBody = ({ body }: RequestInit) =>
  JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;

export function broken(code: string, syscall: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
}

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
