// Who lives in a world of the core: in each one of these.
import { openForetold } from './foretold/life.ts';
import { openOrders } from './orders/life.ts';
import { openShopsLife } from './shops/life.ts';
import { openUpstreams } from './upstreams/life.ts';
import type { CoreWorld, Living } from './world.ts';

interface Life {
  open(world: CoreWorld): Promise<Living>;
  /** Steps of a world. */
  steps: number;
}

export const LIVES = {
  /** Three accounts, whose every step a plain model foretells. */
  foretold: { open: openForetold, steps: 60 },
  /** A shop that lives by orders. */
  orders: { open: openOrders, steps: 20 },
  /** Shops whose people and programs want much at once. */
  shops: { open: openShopsLife, steps: 5 },
  /** Shops over several services that fail in every way. */
  upstreams: { open: openUpstreams, steps: 8 },
} satisfies Record<string, Life>;

export type LifeName = keyof typeof LIVES;
