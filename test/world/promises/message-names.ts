// A message is named alike at every address that is told of it: whoever has several knows it again by its name.
import type { Delivered, Receivers } from '../machine/receivers.ts';
import type { World } from '../run/world.ts';

/** By which message each redemption was told first. */
const firstOf = new WeakMap<Receivers, Map<number, string>>();

export function judgeName({ receivers }: World, { id, path }: Delivered, redemptionId: number): string[] {
  const known = firstOf.get(receivers) ?? new Map<number, string>();
  firstOf.set(receivers, known);
  const first = known.get(redemptionId);
  known.set(redemptionId, first ?? id);
  return first === undefined || first === id
    ? []
    : [`redemption ${redemptionId} is told by ${first}, and at ${path} by ${id}`];
}
