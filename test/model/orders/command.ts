// How a command is run: for real, and then held against the model.
import type fc from 'fast-check';

import { compareOrders, reader, type OrderWorld } from './world.ts';

export const HOUR_MS = 3_600_000;
export const QUARTER_MS = HOUR_MS / 4;

export type OrderCommand = fc.AsyncCommand<object, OrderWorld>;

export function command<T>(
  name: string,
  given: fc.Arbitrary<T>,
  run: (world: OrderWorld, value: T) => Promise<void>,
) {
  return given.map((value): OrderCommand => ({
    check: () => true,
    async run(_, world) {
      await run(world, value);
      await world.rest();
      compareOrders(world);
    },
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));
}

export const isOver = (world: OrderWorld, id: string): boolean =>
  world.core().orders.find(reader(world), id)?.endedAt !== undefined;

export async function pass(world: OrderWorld, ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.look();
}
