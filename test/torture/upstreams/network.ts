// The network of the stand-ins: requests of this process to one of them come to it, by its address.
import type { Platform, PlatformOrder } from '../../../src/platform/port.ts';
import type { Exchange } from './stand-in.ts';

const known = new Map<string, Exchange>();
const network = globalThis.fetch;
/** Of the order that is sent this moment: not every wire has a place for it. */
let reference = '';

/** The same platform, whose requests reach the stand-in at this address. */
export function reachedByFetch(url: string, exchange: Exchange, platform: Platform): Platform {
  known.set(new URL(url).host, exchange);
  globalThis.fetch = (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    const standIn = known.get(asked.host);
    return standIn ? standIn(asked, init ?? {}, reference) : network(input, init);
  };
  return {
    ...platform,
    redeem(order: PlatformOrder, options) {
      ({ reference } = order);
      return platform.redeem(order, options);
    },
  };
}
