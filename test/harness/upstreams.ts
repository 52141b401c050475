// The upstreams of a core that a test makes by hand: one, over its platform.
import { createUpstreams, type Upstreams } from '../../src/core/upstreams/upstreams.ts';
import type { Clock } from '../../src/clock.ts';
import type { Platform } from '../../src/platform/port.ts';
import { alone } from '../../src/platforms.ts';
import type { Store } from '../../src/store/index.ts';

export const upstreamsOver = (
  platform: Platform,
  { store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'now' | 'elapsed'> },
): Upstreams => createUpstreams({ upstreams: alone(platform), store, clock, games: { all: [] } });
